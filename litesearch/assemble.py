"""Pages -> one Document: cleaned where they are an extract, verbatim where they are the source."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

from .errors import DocumentError, EmptyDocument, InvalidType
from .furniture import HASHES, LINE_NUMBERS, STRUCTURE, furniture_of, mask_of
from .records import Document, Page
from .spacing import close_letterspacing

PageInput = str | Document | Iterable[str] | Iterable[tuple[int, str]]

MARK = "\ufdd1"  # stands for a heading mark while pages are joined; no text may hold it
VERBATIM_KINDS = ("markdown", "text", "html", "code")
_BAD_CHARACTER = re.compile("[\x00\ud800-\udfff]")
_DOUBLE_BLANKS = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
# A ligature that an extractor set apart: "e ffi cient". No word begins or ends with these but
# "staff" and its kind, whose ending is not set apart; "fi" alone may be a word ("wi fi").
_LIGATURE = re.compile(r"(?<=[^\W\d_]) (ffi|ffl|ff|[\ufb00\ufb03\ufb04]) (?=[a-z])")
_MARGIN_MARK = re.compile(r"▼\s?[A-Z]{1,2}\d*")
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


def assemble(pages: PageInput, kind: str | None = None, remove_furniture: bool = True) -> Document:
    """The document's text with its page starts.

    `kind` "markdown", "text", "html" or "code": the pages' own text, unchanged. Anything else (and
    None for several pages) is an extract from a paginated format, which is cleaned: heading marks
    without meaning, running heads, page numbers and double blanks go, and a paragraph or word that
    runs over a page break is put together again. `remove_furniture=False` keeps running heads,
    page numbers and repeated margin marks; what went is counted in `Document.removed`. A Document
    is returned as it is.
    """
    if isinstance(pages, Document):
        return pages
    if kind is None and isinstance(pages, str):
        kind = "markdown"
    found = as_pages(pages)
    if kind in VERBATIM_KINDS:
        return _verbatim(found)
    return _cleaned(found, remove_furniture)


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


def _cleaned(pages: list[Page], remove: bool) -> Document:
    from .modes import detect_mode

    keep_hashes = detect_mode(pages) == "markdown"
    removed: Counter[str] = Counter()
    furniture = furniture_of(pages) if remove else [None] * len(pages)
    bodies = [
        _clean_page(page.text, lines, keep_hashes, removed)
        for page, lines in zip(pages, furniture, strict=True)
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


def _clean_page(
    text: str, furniture: frozenset[str] | None, keep_hashes: bool, removed: Counter[str]
) -> str:
    """`furniture` None: nothing is removed, not even a margin mark that is said again."""
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
            if furniture is not None and (again or bare in furniture):
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
    if LINE_NUMBERS.fullmatch(line):
        return "line numbers"
    return "page number" if _PAGE_NUMBER.fullmatch(mask_of(line)) else "running head"


def _clean_line(line: str, keep_hashes: bool) -> str:
    if line[0] == "#" and not keep_hashes and (hashes := HASHES.match(line)):
        # Kept apart: between numbered clauses a marked line may be a heading all the same.
        line = line[hashes.end() :]
        line = MARK * hashes[0].count("#") + line if line else ""
    if line[:1] != "|" and "  " in line:
        line = _DOUBLE_BLANKS.sub(" ", line)
    if any(mark in line for mark in (" ff", " \ufb00", " \ufb03", " \ufb04")):
        line = _LIGATURE.sub(r"\1", line)
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
    if last.startswith(("#", "|", "```")) or STRUCTURE.match(first) or not last or not first:
        return "\n\n"
    if _BREAK_HYPHEN.search(last) and first[0].islower():
        return None
    if _SENTENCE_END.search(last):
        return "\n\n"
    # Five words: a heading at the foot of a page ends without a full stop as well.
    runs_on = first[0].islower() or (
        len(last.split()) >= 5 and not last.isupper() and (last[-1].islower() or last[-1] in ",-–—")
    )
    return " " if runs_on and not STRUCTURE.fullmatch(last) else "\n\n"
