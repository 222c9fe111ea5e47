"""A stretch of text cut into units that a chunk keeps whole where it can."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

# What lies between start and end costs this much of the limit.
Measure = Callable[[int, int], int]

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_LINE = re.compile(r"\n\s*")
_SENTENCE = re.compile(
    r"(?<=\w[.!?;:])[\"”’)\]]*\s+|(?<=[)\]”’\"][.!?;:])\s+"
    r"|(?<=[。！？])\s*|\n\s*"
)
_WORD = re.compile(r"\s+")
_FENCE = re.compile(r"^ {0,3}(?:[-*+] +|\d+[.)] +)? *(`{3,}|~{3,})([^\n]*)$", re.M)
_TABLE_START = re.compile(r"(?<=\n)[ \t]*\|")
_TABLE_LINE = re.compile(r"[ \t]*\|")


@dataclass(slots=True)
class Unit:
    """A run of text: a paragraph, a fence, a table row. `header`: its table's header row."""

    start: int
    end: int
    kind: str = "content"
    header: str = ""


def units(text: str, start: int, end: int) -> list[Unit]:
    """The paragraphs, fences and table rows of text[start:end], without gaps, in order."""
    found: list[Unit] = []
    at = start
    for low, high in _fences(text, start, end):
        found.extend(_plain(text, at, low))
        found.append(Unit(low, high, "code"))
        at = high
    found.extend(_plain(text, at, end))
    return found


def _fences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Fenced code with the white space after it. An unclosed fence runs to the end."""
    if text.find("```", start, end) < 0 and text.find("~~~", start, end) < 0:
        return []
    ranges: list[tuple[int, int]] = []
    opened, mark = -1, ""
    for found in _FENCE.finditer(text, start, end):
        if opened < 0:
            if found[1][0] == "`" and "`" in found[2]:
                continue
            opened, mark = found.start(), found[1]
        elif found[1].startswith(mark) and not found[2].strip():
            ranges.append((opened, _past_space(text, found.end(), end)))
            opened = -1
    if opened >= 0:
        ranges.append((opened, end))
    return ranges


def _past_space(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at


def _plain(text: str, start: int, end: int) -> Iterator[Unit]:
    for low, high in pieces(text, start, end, _PARAGRAPH):
        if _TABLE_LINE.match(text, low, high) and "\n" in text[low:high].strip():
            yield from _rows(text, low, high)
        elif "\n" in text[low:high] and "|" in text[low:high]:
            at = _TABLE_START.search(text, low + 1, high)
            if at is None:
                yield Unit(low, high)
            else:
                yield Unit(low, at.start())
                yield from _rows(text, at.start(), high)
        else:
            yield Unit(low, high)


def _rows(text: str, start: int, end: int) -> Iterator[Unit]:
    """Table rows; header and delimiter row are one unit, and each later row knows them."""
    rows = list(pieces(text, start, end, _LINE))
    header = ""
    if len(rows) > 1 and not text[rows[1][0] : rows[1][1]].strip("|:- \t\r\n"):
        header = text[start : rows[1][1]].rstrip()
        rows[:2] = [(start, rows[1][1])]
    for index, (low, high) in enumerate(rows):
        kind = "table" if _TABLE_LINE.match(text, low) else "content"
        yield Unit(low, high, kind, header if index else "")


def pieces(text: str, start: int, end: int, border: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """text[start:end] cut after each match of `border`; nothing is lost."""
    at = start
    for found in border.finditer(text, start, end):
        if at < found.end() < end:
            yield at, found.end()
            at = found.end()
    if at < end:
        yield at, end


def split(
    text: str, start: int, end: int, limit: int, measure: Measure, kind: str = "content"
) -> list[tuple[int, int]]:
    """text[start:end] in pieces of at most `limit`: by sentence, then word, then anywhere."""
    borders = (_LINE, _WORD) if kind != "content" else (_SENTENCE, _WORD)
    return list(_packed(text, start, end, limit, measure, borders))


def _packed(
    text: str,
    start: int,
    end: int,
    limit: int,
    measure: Measure,
    borders: tuple[re.Pattern[str], ...],
) -> Iterator[tuple[int, int]]:
    """Greedy, aimed at pieces of one length: 600 at a limit of 512 is 300 + 300, not 512 + 88."""
    total = measure(start, end)
    if total <= limit:
        yield start, end
        return
    if not borders:
        yield from _hard(text, start, end, limit, measure)
        return
    aim = -(-total // -(-total // limit))
    low = high = start
    for one, two in pieces(text, start, end, borders[0]):
        if high > low and (measure(low, two) > limit or measure(low, high) >= aim):
            yield low, high
            low = one
        if measure(one, two) > limit:
            inner = list(_packed(text, one, two, limit, measure, borders[1:]))
            yield from inner[:-1]
            low, high = inner[-1]
        else:
            high = two
    if high > low:
        yield low, high


def _hard(
    text: str, start: int, end: int, limit: int, measure: Measure
) -> Iterator[tuple[int, int]]:
    """Text without a blank. White space at its end never begins a piece."""
    solid = start + len(text[start:end].rstrip())
    at = start
    while at < solid and measure(at, solid) > limit:
        low, high = at + 1, solid
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if measure(at, middle) <= limit else (low, middle - 1)
        yield at, low
        at = low
    yield at, end
