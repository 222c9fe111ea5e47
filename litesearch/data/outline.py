"""From the spans of classes and functions to headings, for source code of any language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..records import Heading

_NEWLINE = re.compile(r"\r\n|\r|\n")
# A line of nothing but a comment. In C and its kin "#include" is none.
HASH_COMMENT = re.compile(r"#")
SLASH_COMMENT = re.compile(r"//|/\*|\*(?:[\s/]|$)|#\[")
# Lines that only close or go on with what was begun above them.
_CLOSER = re.compile(
    r"(?:[\])};,\s]|end\b|fi\b|done\b)*|(?:else|finally|except\b[^\n]*|elif\b[^\n]*):"
)
_LONGEST_TITLE = 100


@dataclass(slots=True)
class Span:
    """A class or function: where it stands, what it calls itself, and those within it."""

    start: int
    end: int
    title: str
    name: str
    kind: str
    children: list[Span] = field(default_factory=list)


def line_starts(text: str) -> list[int]:
    """The offset of each line's first character; form feeds begin no line, as for compilers."""
    return [0, *(found.end() for found in _NEWLINE.finditer(text))]


def with_comments(text: str, starts: Sequence[int], line: int, comment: re.Pattern[str]) -> int:
    """The offset where line number `line` (from 0) begins, or the comments right above it."""
    while line > 0 and comment.match(text[starts[line - 1] : starts[line]].strip()):
        line -= 1
    return starts[line]


def span_headings(
    text: str,
    spans: Sequence[Span],
    end: int,
    comment: re.Pattern[str],
    level: int = 1,
    above: str = "",
) -> Iterator[Heading]:
    """The headings of spans in reading order, to the offset `end`.

    Code that follows a span and is in none has a heading of its own, its first line, so that it
    is no part of the function before it.
    """
    at = -1
    for span in spans:
        if span.start <= at:
            continue  # on one line with the one before
        if at >= 0:
            yield from _rest(text, at, span.start, comment, level)
        label = f"{above}.{span.name}" if above and span.name else span.name
        title = shortened(span.title)
        yield Heading(
            span.start, text_line_end(text, span.start, span.end), level, title, label, span.kind
        )
        yield from span_headings(text, span.children, span.end, comment, level + 1, label)
        at = span.end
    if at >= 0:
        yield from _rest(text, at, end, comment, level)


def shortened(title: str) -> str:
    """One line of at most 100 characters."""
    words = " ".join(title.split())
    return words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1].rstrip()}…"


def text_line_end(text: str, start: int, end: int) -> int:
    """The offset of the end of the line that `start` is in, `end` at most.

    Minified code has one line: without `end` each of its functions searched all the rest.
    """
    found = _NEWLINE.search(text, start, end)
    return found.start() if found else end


def _rest(
    text: str, start: int, end: int, comment: re.Pattern[str], level: int
) -> Iterator[Heading]:
    """A heading for the code in text[start:end], if there is any; it begins at a line's begin."""
    at = text_line_end(text, start, end)
    first = -1
    while at < end:
        found = _NEWLINE.match(text, at)
        low = found.end() if found else at
        high = text_line_end(text, low, end)
        line = text[low:high].strip()
        is_code = bool(line) and not _CLOSER.fullmatch(line)
        if is_code and first < 0:
            first = low
        if is_code and not comment.match(line):
            yield Heading(first, high, level, shortened(line), "", "statements")
            return
        if high <= at:
            return
        at = high
