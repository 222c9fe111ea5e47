"""Pages -> one Document: cleaned where they are an extract, verbatim where they are the source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable

from .errors import DocumentError, EmptyDocument, InvalidType
from .numbering import roman
from .records import Document, Page
from .spacing import close_letterspacing

PageInput = str | Document | Iterable[str] | Iterable[tuple[int, str]]

MARK = "\ufdd1"  # stands for a heading mark while pages are joined; no text may hold it
VERBATIM_KINDS = ("markdown", "text", "html", "code")
_BAD_CHARACTER = re.compile("[\x00\ud800-\udfff]")
_DIGITS = re.compile(r"\d+")
_ROMAN_PAGE = re.compile(r"[ivxlc]{1,6}")
_HASHES = re.compile(r"^#{1,6}(?:[ \t]+|$)", re.M)
_DOUBLE_BLANKS = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_MARGIN_MARK = re.compile(r"▼\s?[A-Z]{1,2}\d*")
_STRUCTURE = re.compile(
    r"#|\||```|~~~|(?:article|chapter|section|subsection|title|part|annex|schedule|appendix|"
    r"sec\.|§)\s*[0-9ivxlcA-Z]|(?:\(\w{1,5}\)|\d{1,3}[.)]|[•‣▪●○■–—*-])\s",
    re.I,
)
_NAMED = re.compile(
    r"[#\s]*(?:article|chapter|section|subsection|title|part|annex|schedule|"
    r"appendix|sec\.|§)\s*\d",
    re.I,
)
_PAGE_NUMBER = re.compile(r"[-–—\[(.\s]*#[-–—\]).\s]*")
_SENTENCE_END = re.compile(r"[.!?:;][\"”’')\]]*$")
_BREAK_HYPHEN = re.compile(r"[^\W\d_]-$")


def as_pages(pages: PageInput) -> list[Page]:
    """Any accepted form of pages as numbered pages, checked.

    Strings are numbered from 1; (number, text) pairs keep their number.
    """
    if isinstance(pages, str):
        pages = [pages]
    if isinstance(pages, Document) or not isinstance(pages, Iterable):
        raise InvalidType(
            f"pages must be a str, a list of str or of (number, str) pairs, "
            f"not {type(pages).__name__}; pass the text of the pages"
        )
    found: list[Page] = []
    for index, item in enumerate(pages, 1):
        number: object = index
        text: object = item
        if isinstance(item, tuple) and len(item) == 2:
            number, text = item
        if not isinstance(text, str):
            raise InvalidType(
                f'page {number} is {type(text).__name__}, not str; pass "" for a page without text'
            )
        if not isinstance(number, int):
            raise InvalidType(
                f"the number of page {index} is {type(number).__name__}, not int; "
                "pass (number, text) pairs with whole numbers"
            )
        bad = _BAD_CHARACTER.search(text)
        if bad:
            what = "a NUL character" if bad[0] == "\0" else "a lone surrogate"
            raise DocumentError(
                f"page {number} has {what} at character {bad.start()}; "
                "remove it, or decode the file with its right encoding"
            )
        found.append(Page(number, text))
    if not any(page.text and not page.text.isspace() for page in found):
        raise EmptyDocument(
            f"the document has no text ({len(found)} pages, all blank); "
            "for a scan run OCR first, else leave the document out"
        )
    return found


def assemble(pages: PageInput, kind: str | None = None) -> Document:
    """The document's text with its page starts.

    `kind` "markdown", "text", "html" or "code": the pages' own text, unchanged. Anything else (and
    None for several pages) is an extract from a paginated format, which is cleaned: heading marks
    without meaning, running heads, page numbers and double blanks go, and a paragraph or word that
    runs over a page break is put together again. A Document is returned as it is.
    """
    if isinstance(pages, Document):
        return pages
    if kind is None and isinstance(pages, str):
        kind = "markdown"
    found = as_pages(pages)
    if kind in VERBATIM_KINDS:
        return _verbatim(found)
    return _cleaned(found)


def _verbatim(pages: list[Page]) -> Document:
    text = ""
    parts: list[str] = []
    starts: list[int] = []
    offset = 0
    for page in pages:
        if offset and page.text:
            tail = parts[-1][-2:] if parts else ""
            gap = "" if tail == "\n\n" else "\n" if tail.endswith("\n") else "\n\n"
            parts.append(gap)
            offset += len(gap)
        starts.append(offset)
        if page.text:
            parts.append(page.text)
            offset += len(page.text)
    text = "".join(parts)
    blank = tuple(page.number for page in pages if not page.text.strip())
    return Document(text, tuple(page.number for page in pages), tuple(starts), {}, blank)


def _cleaned(pages: list[Page]) -> Document:
    from .modes import detect_mode

    keep_hashes = detect_mode(pages) == "markdown"
    removed: Counter[str] = Counter()
    furniture = _furniture(pages)
    bodies = [
        _clean_page(page.text, furniture[index], keep_hashes, removed)
        for index, page in enumerate(pages)
    ]
    if not any(bodies):
        # Nothing but repeated lines: a short form, say. Its text is all there is.
        removed.clear()
        bodies = [page.text.strip() for page in pages]
    text, starts = _joined(bodies)
    text, starts, marked = _without_marks(text, starts)
    blank = tuple(page.number for page in pages if not page.text.strip())
    numbers = tuple(page.number for page in pages)
    return Document(text, numbers, tuple(starts), dict(removed), blank, marked=marked)


def _without_marks(
    text: str, starts: list[int]
) -> tuple[str, list[int], tuple[tuple[int, int], ...]]:
    """The text without MARK, where pages begin in it, and (offset, level) of each marked line."""
    if MARK not in text:
        return text, starts, ()
    parts: list[str] = []
    marked: list[tuple[int, int]] = []
    removed: list[int] = []
    at = 0
    for found in re.finditer(f"{MARK}+", text):
        parts.append(text[at : found.start()])
        at = found.end()
        marked.append((found.start() - len(removed), at - found.start()))
        removed += range(found.start(), at)
    parts.append(text[at:])
    moved = [start - bisect_left(removed, start) for start in starts]
    return "".join(parts), moved, tuple(marked)


def _edge_lines(text: str) -> list[tuple[str, str]]:
    """The page's first and last three lines with text, each with the end it stands at."""
    lines = [line.strip() for line in text.split("\n") if line and not line.isspace()]
    top = [("top", line) for line in lines[:3]]
    return top + [("end", line) for line in lines[-3:][::-1]]


def _mask(line: str) -> str:
    if _ROMAN_PAGE.fullmatch(line):
        return "#"
    return _DIGITS.sub("#", line)


def _furniture(pages: list[Page]) -> list[frozenset[str]]:
    """Per page its running heads, feet and page numbers.

    A line at the edge of at least three pages is one when it is the same each time, or when its
    only change is a number that counts with the pages. So "Article 5" and "Article 9" that happen
    to stand at the top of pages stay.
    """
    groups: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for end, line in set(_edge_lines(page.text)):
            if len(line) <= 150:
                bare = _HASHES.sub("", line)
                groups[end, _mask(bare)].append((index, line))
    repeated: set[str] = set()
    on_page: list[set[str]] = [set() for _ in pages]
    for (_, mask), seen in groups.items():
        if len(seen) < 3:
            continue
        counting = _counting(seen, mask)
        if counting:
            for index, line in counting:
                on_page[index].add(line)
            repeated.update([mask] if len(mask) > 10 else [])
        else:
            _add_repeated(seen, on_page)
    framed = [_at_edges(page.text, lines) for page, lines in zip(pages, on_page, strict=True)]
    for page, lines in zip(pages, framed, strict=True):
        # On a page that was turned, the running head stands in the middle of the lines.
        for line in page.text.split("\n") if repeated else ():
            if len(line) <= 150 and line[-1:].isdigit() and _mask(line.strip()) in repeated:
                lines.add(line.strip())
    return [frozenset(lines) for lines in _plausible(pages, framed)]


def _at_edges(text: str, lines: set[str]) -> set[str]:
    """Those of `lines` with nothing but others of them between it and the page's edge."""
    kept: set[str] = set()
    if lines:
        edges = _edge_lines(text)
        for end in ("top", "end"):
            for _, line in (edge for edge in edges if edge[0] == end):
                if line not in lines:
                    break
                kept.add(line)
    return kept


def _plausible(pages: list[Page], on_page: list[set[str]]) -> list[set[str]]:
    """Nothing, where the lines found are over half of the text on most of their pages: then they
    are the text ("Result of run 1", "Result of run 2"), not its frame.
    """
    framed = [(page, lines) for page, lines in zip(pages, on_page, strict=True) if lines]
    heavy = sum(2 * sum(map(len, lines)) > len(page.text) for page, lines in framed)
    return [set() for _ in pages] if 2 * heavy > len(framed) else on_page


def _add_repeated(seen: list[tuple[int, str]], on_page: list[set[str]]) -> None:
    """Lines that are the same on three pages. A line that may be a heading must be the same on
    pages near one another: "Section 3" begins three pages of a long act by chance.
    """
    where: defaultdict[str, list[int]] = defaultdict(list)
    for index, line in seen:
        where[line].append(index)
    for line, at in where.items():
        if len(at) < 3 or line[0] == "|":
            continue
        if not _STRUCTURE.match(line) or any(at[i + 2] - at[i] <= 4 for i in range(len(at) - 2)):
            for index in at:
                on_page[index].add(line)


def _counting(seen: list[tuple[int, str]], mask: str) -> list[tuple[int, str]]:
    """The lines of a group with a number that grows by one a page; [] where most have none.

    A line of nothing but a number must fit the count itself; of others a misprint goes as well.
    """
    if len(mask.split()) >= 5 and mask.endswith("."):
        return []  # A sentence.
    rows = [_numbers(line, mask) for _, line in seen]
    if not rows[0] or len({len(row) for row in rows}) > 1:
        return []
    # A number right after a heading word names the section: "Article 2" on page 2 is no foot.
    for column in range(1 if _NAMED.match(seen[0][1]) else 0, len(rows[0])):
        shifts = Counter(row[column] - index for row, (index, _) in zip(rows, seen, strict=True))
        shift, count = shifts.most_common(1)[0]
        if count >= max(3, (0.3 if mask == "#" else 0.7) * len(rows)):
            return [
                (index, line)
                for row, (index, line) in zip(rows, seen, strict=True)
                if mask != "#" or row[column] - index == shift
            ]
    return []


def _numbers(line: str, mask: str) -> list[int]:
    if mask == "#" and not line[-1:].isdigit():
        return [roman(line.upper())]
    return [int(number[-9:]) for number in _DIGITS.findall(line)[:8]]


def _clean_page(
    text: str, furniture: frozenset[str], keep_hashes: bool, removed: Counter[str]
) -> str:
    lines: list[str] = []
    fence = ""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        elif not bare:
            if lines and lines[-1]:
                lines.append("")
            continue
        else:
            # Nothing but a margin mark at a page's top says again what the page before said.
            again = bare[0] == "▼" and len(lines) < 2 and _MARGIN_MARK.fullmatch(bare)
            if again or bare in furniture:
                removed[_furniture_kind(bare)] += 1
                continue
            line = _clean_line(bare, keep_hashes)
            if not line:
                continue
        lines.append(line)
    return "\n".join(lines).strip()


def _furniture_kind(line: str) -> str:
    if _MARGIN_MARK.fullmatch(line):
        return "margin mark"
    return "page number" if _PAGE_NUMBER.fullmatch(_mask(line)) else "running head"


def _clean_line(line: str, keep_hashes: bool) -> str:
    if line[0] == "#" and not keep_hashes and (hashes := _HASHES.match(line)):
        # Kept apart: between numbered clauses a marked line may be a heading all the same.
        line = line[hashes.end() :]
        line = MARK * hashes[0].count("#") + line if line else ""
    if line[:1] != "|" and "  " in line:
        line = _DOUBLE_BLANKS.sub(" ", line)
    return close_letterspacing(line)


def _joined(bodies: list[str]) -> tuple[str, list[int]]:
    """All pages' text, and where each page begins in it."""
    parts: list[str] = []
    starts: list[int] = []
    offset, waiting = 0, 0
    for body in bodies:
        if not body:
            waiting += 1
            continue
        if parts:
            last = parts[-1].rsplit("\n", 1)[-1]
            gap = _page_gap(last, body.split("\n", 1)[0])
            if gap is None:
                parts[-1] = parts[-1][:-1]
                offset -= 1
            else:
                parts.append(gap)
                offset += len(gap)
        starts.extend([offset] * (waiting + 1))
        waiting = 0
        parts.append(body)
        offset += len(body)
    starts.extend([offset] * waiting)
    return "".join(parts), starts


def _page_gap(last: str, first: str) -> str | None:
    """What stands between two pages; None when the last character, a hyphen, falls away too."""
    last, first = last.lstrip(MARK), first.lstrip(MARK)
    if last.startswith(("#", "|", "```")) or _STRUCTURE.match(first) or not last or not first:
        return "\n\n"
    if _BREAK_HYPHEN.search(last) and first[0].islower():
        return None
    if _SENTENCE_END.search(last):
        return "\n\n"
    # Five words: a heading at the foot of a page ends without a full stop as well.
    runs_on = first[0].islower() or (
        len(last.split()) >= 5 and not last.isupper() and (last[-1].islower() or last[-1] in ",-–—")
    )
    return " " if runs_on and not _STRUCTURE.fullmatch(last) else "\n\n"
