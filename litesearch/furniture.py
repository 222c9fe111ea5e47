"""What frames the text of a page: running heads and feet, page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from .numbering import roman
from .records import Page

_DIGITS = re.compile(r"\d+")
_ROMAN_PAGE = re.compile(r"[ivxlc]{1,6}")
LINE_NUMBERS = re.compile(r"1 2 3 4 5 6 7 8 9 10(?: \d{2})*")
HASHES = re.compile(r"^#{1,6}(?:[ \t]+|$)", re.M)
STRUCTURE = re.compile(
    r"#|\||```|~~~|(?:article|chapter|section|subsection|title|part|annex|schedule|appendix|"
    r"sec\.|§)\s*[0-9ivxlcA-Z]|(?:\(\w{1,5}\)|\d{1,3}[.)]|[•‣▪●○■–—*-])\s",
    re.I,
)
_NAMED = re.compile(
    r"[#\s]*(?:article|chapter|section|subsection|title|part|annex|schedule|"
    r"appendix|sec\.|§)\s*\d",
    re.I,
)


def _edge_lines(text: str) -> list[tuple[str, str]]:
    """The page's first and last three lines with text, each with the end it stands at."""
    lines = [line.strip() for line in text.split("\n") if line and not line.isspace()]
    top = [("top", line) for line in lines[:3]]
    return top + [("end", line) for line in lines[-3:][::-1]]


def mask_of(line: str) -> str:
    if _ROMAN_PAGE.fullmatch(line):
        return "#"
    return _DIGITS.sub("#", line)


def furniture_of(pages: list[Page]) -> list[frozenset[str]]:
    """Per page its running heads, feet and page numbers.

    A line at the edge of at least three pages is one when it is the same each time, or when its
    only change is a number that counts with the pages. So "Article 5" and "Article 9" that happen
    to stand at the top of pages stay.
    """
    groups: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for end, line in set(_edge_lines(page.text)):
            if len(line) <= 150:
                bare = HASHES.sub("", line)
                groups[end, mask_of(bare)].append((index, line))
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
    _add_numbered(pages, on_page)
    _add_line_numbers(pages, on_page)
    framed = [_at_edges(page.text, lines) for page, lines in zip(pages, on_page, strict=True)]
    for page, lines in zip(pages, framed, strict=True):
        # On a page that was turned, the running head stands in the middle of the lines.
        for line in page.text.split("\n") if repeated else ():
            if len(line) <= 150 and line[-1:].isdigit() and mask_of(line.strip()) in repeated:
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
        if not STRUCTURE.match(line) or any(at[i + 2] - at[i] <= 4 for i in range(len(at) - 2)):
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


def _add_numbered(pages: list[Page], on_page: list[set[str]]) -> None:
    """Running heads that name the section: "2.3 Rates 17", "18 Chapter 2. Rates".

    Their words change from page to page; the number at their begin or end counts with the pages.
    A page whose number stands alone has no other line with it: "17 Rates" is then a heading. So
    it is where no line ends in the page's number: chapters of one page each count as well.
    """
    seen: defaultdict[tuple[bool, int], dict[int, tuple[str, bool]]] = defaultdict(dict)
    for index, page in enumerate(pages):
        for _, line in sorted(set(_edge_lines(page.text)), key=lambda edge: -len(edge[1])):
            for number, is_last in _outer_numbers(line) if len(line) <= 150 else ():
                seen[number < 0, abs(number) - index][index] = line, is_last
    for is_roman in (True, False):
        groups = [rows for key, rows in seen.items() if key[0] == is_roman]
        rows = max(groups, key=len, default={})
        # 4 pages by chance are unlikely; of a long document at least every fifth.
        enough = len(rows) >= max(4, 0 if is_roman else 0.2 * len(pages))
        if enough and 4 * sum(is_last for _, is_last in rows.values()) >= len(rows):
            for index, (line, _) in rows.items():
                on_page[index].add(line)


def _add_line_numbers(pages: list[Page], on_page: list[set[str]]) -> None:
    """The numbers of a page's lines, which the PDF reader puts below it; from three pages on."""
    seen = [
        (index, line)
        for index, page in enumerate(pages)
        for _, line in _edge_lines(page.text)[-3:]
        if LINE_NUMBERS.fullmatch(line)
    ]
    for index, line in seen if len(seen) > 2 else ():
        on_page[index].add(line)


def _outer_numbers(line: str) -> list[tuple[int, bool]]:
    """The whole numbers that a line begins with (False) and ends with (True).

    Roman ones, of front matter, are negative.
    """
    words = line.split()
    if line[0] in "#|":
        return []  # a heading, by its type or its bookmark
    outer = [(words[0], False)] if len(words) > 1 else []
    if not _NAMED.match(" ".join(words[-2:])):
        outer.append((words[-1], True))
    numbers = []
    for word, is_last in outer:
        if word.isdecimal() and len(word) < 5:
            numbers.append((int(word), is_last))
        elif _ROMAN_PAGE.fullmatch(word):
            numbers.append((-roman(word.upper()), is_last))
    return [(number, is_last) for number, is_last in numbers if number]


def _numbers(line: str, mask: str) -> list[int]:
    if mask == "#" and not line[-1:].isdigit():
        return [roman(line.upper())]
    return [int(number[-9:]) for number in _DIGITS.findall(line)[:8]]
