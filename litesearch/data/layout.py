"""From a page's lines to markdown: paragraphs, headings with depth, tables, code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .bookmarks import Outline, Place, with_opener
from .contents import CONTENTS_HEADING, contents_lines, entry
from .joining import has_wide_break, joined, plain_text
from .lines import RAISED, Line
from .tables import table, table_end
from .typography import (
    COUNT_WORD,
    KEYWORD,
    MARKER,
    NUMBER,
    OPENER,
    Style,
    has_leaders,
    heading_level,
    look_of,
    reads_as_title,
    short_leaders,
    title_key,
)

__all__ = ["Layout", "title_key"]

_MARGIN_MARK = re.compile(r"(▼\s?[A-Z]{1,2}\d*)(?:\s+(?=\S)|$)")
_CLAUSE = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?\s+[^\W\da-z_]")
_MARKED = re.compile(rf" ?{RAISED}[\d*†‡()\s]+$|{RAISED}")
_ENDS = (".", ":", ";", "!", "?", "”", '"')


def _starts_paragraph(
    above: Line, below: Line, after: Line | None, style: Style, margins: tuple[float, float]
) -> bool:
    if has_wide_break(above, below, style):
        return True
    if abs(above.size - below.size) > 0.06 * above.size or above.bold != below.bold:
        return True
    left, right = margins
    em = below.size
    text, ended = below.text, above.text.endswith(_ENDS)
    short = above.x1 < right - max(3 * em, 0.1 * (right - left))
    if has_leaders(above.text):
        return True
    if MARKER.match(text) and (short or above.text.endswith((*_ENDS, ",", " and", " or"))):
        return True
    if short and (KEYWORD.fullmatch(text) or KEYWORD.fullmatch(above.text)):
        return True
    if short and KEYWORD.match(text) and (ended or above.text.isupper()):
        return True
    if (above.bold and NUMBER.match(text)) or ((short or ended) and _CLAUSE.match(text)):
        return True
    opens = text[:1].isupper() or text[:1].isdigit() or text[:1] in "“‘\"'(["
    if ended and short and opens:
        return True
    if opens and above.x1 < left + 0.6 * (right - left) and len(above.cells) == 1:
        return True
    indent = below.x0 - above.x0
    back = after is not None and after.x0 < below.x0 - 0.7 * em
    return ended and opens and 0.7 * em < indent < 5 * em and (short or back)


def _paragraphs(flow: Sequence[Line], style: Style) -> Iterable[Sequence[Line]]:
    # The 80th percentile: a running head or a page number may stand outside of the text's margin.
    rights = sorted(line.x1 for line in flow)
    margins = min(line.x0 for line in flow), rights[int(0.8 * (len(rights) - 1))]
    start = 0
    for index in range(1, len(flow)):
        after = flow[index + 1] if index + 1 < len(flow) else None
        if _starts_paragraph(flow[index - 1], flow[index], after, style, margins):
            yield flow[start:index]
            start = index
    yield flow[start:]


def _block(lines: Sequence[Line], layout: Layout) -> str:
    style = layout.style
    text = _text_of(lines, style)
    mark = _MARGIN_MARK.match(text)
    before = ""
    if mark:
        before, text = f"{mark[1]}\n\n", text[mark.end() :]
        if not text:
            return mark[1]
    heading = _MARKED.sub("", text)
    level = layout.level(heading, lines[0])
    if level:
        return f"{before}{'#' * level} {heading}"
    text = plain_text(text)
    return before + (f"\\{text}" if re.match(r"#{1,6} ", text) else text)


def _text_of(lines: Sequence[Line], style: Style) -> str:
    text = ""
    for line in lines:
        text = joined(text, line.text, style.compounds)
    return short_leaders(text)


def _code(lines: Sequence[Line], style: Style) -> str:  # noqa: ARG001  # called as table is
    left = min(line.x0 for line in lines)
    body = [
        " " * max(0, round((line.x0 - left) / (line.size * 0.6))) + plain_text(line.text)
        for line in lines
    ]
    fence = "````" if any("```" in line for line in body) else "```"
    return "\n".join([fence, *body, fence])


def _entries(lines: Sequence[Line]) -> str:
    """Contents entries, a line each; the first line of a wrapped one goes with the next."""
    rows: list[str] = []
    waiting = ""
    for line in lines:
        text = entry(plain_text(line.text))
        if waiting and not NUMBER.match(text):
            text = f"{waiting} {text}"
        elif waiting:
            rows.append(waiting)
        waiting = ""
        if has_leaders(text):
            rows.append(text)
        else:
            waiting = text
    return "\n\n".join([*rows, waiting] if waiting else rows)


@dataclass(slots=True)
class Layout:
    """Writes the pages of a document as markdown, in their order."""

    style: Style
    outline: Outline = field(default_factory=Outline)
    in_contents: bool = False
    title_size: float = 0.0  # on a title page only the largest type is a heading

    def page(self, flows: Sequence[Sequence[Line]], page: int) -> str:
        """One page; `page` counts from 0 and is used to match bookmarks."""
        if self.outline.titles:
            places = self.outline.places(flows, page, self.style)
        else:
            places = [
                place for number, flow in enumerate(flows) for place in self._openers(number, flow)
            ]
        self.title_size = _title_size(flows, self.style) if page == 0 else 0.0
        blocks: list[str] = []
        for number, flow in enumerate(flows):
            blocks += self._flow(flow, [place for place in places if place.flow == number])
        return "\n\n".join(block for block in blocks if block.strip())

    def level(self, text: str, first: Line) -> int:
        """1-6 for a heading, 0 for a paragraph; with bookmarks those are the headings."""
        if first.size < self.title_size:
            return 0
        if not self.outline.titles:
            return heading_level(text, first, self.style)
        look = look_of(first)
        depth = self.style.depth(text) if self.outline.numbered else 0
        if depth > self.outline.deepest and look in self.style.depths:
            return heading_level(text, first, self.style)
        if look in self.outline.chapter_looks and self.style.is_large(first):
            if self.title_size:
                return 0
            is_title = reads_as_title(text) and not CONTENTS_HEADING.fullmatch(text)
            return int(is_title and heading_level(text, first, self.style) > 0)
        return 0

    def _openers(self, number: int, flow: Sequence[Line]) -> Iterator[Place]:
        """Chapters whose heading begins with "CHAPTER" or "CHAPTER 1" on a line of its own."""
        for start, line in enumerate(flow):
            title = start + 1
            if not OPENER.fullmatch(line.text):
                continue
            if title < len(flow) - 1 and COUNT_WORD.fullmatch(flow[title].text):
                title += 1
            if title < len(flow) and self.style.is_large(flow[title]):
                end = title + 1
                while end < len(flow) and _goes_on(flow[end - 1], flow[end], self.style):
                    end += 1
                yield Place(number, start, end, self.style.ladder.get("chapter", 1))

    def _flow(self, flow: Sequence[Line], places: Sequence[Place]) -> Iterator[str]:
        """The markdown blocks of one text flow."""
        listed, self.in_contents = contents_lines(flow, self.in_contents)
        at = 0
        for place in places:
            start = with_opener(flow, place.start)
            if start < at or place.start in listed:
                continue
            yield from self._stretch(flow, at, start, listed)
            lines = flow[start : place.end]
            heading = _MARKED.sub("", _text_of(lines, self.style))
            yield f"{'#' * min(place.level, 6)} {heading}"
            at = place.end
        yield from self._stretch(flow, at, len(flow), listed)

    def _stretch(self, flow: Sequence[Line], at: int, end: int, listed: set[int]) -> Iterator[str]:
        """Lines at:end, contents entries apart."""
        for is_entry, indexes in itertools.groupby(range(at, end), lambda i: i in listed):
            lines = [flow[index] for index in indexes]
            if is_entry:
                yield _entries(lines)
            else:
                yield from _blocks(lines, self)


def _title_size(flows: Sequence[Sequence[Line]], style: Style) -> float:
    """The largest type of a page without running text, as a title page is; 0 for others."""
    lines = [line for flow in flows for line in flow]
    running = sum(len(line.text) > 60 and not style.is_large(line) for line in lines)
    large = [line.size for line in lines if style.is_large(line)]
    return 0.97 * max(large) if large and running < 3 else 0.0


def _goes_on(above: Line, below: Line, style: Style) -> bool:
    """Whether a heading goes on in the next line."""
    return (
        look_of(above) == look_of(below)
        and not has_wide_break(above, below, style)
        and not NUMBER.match(below.text)
    )


def _blocks(flow: Sequence[Line], layout: Layout) -> Iterator[str]:
    """Paragraphs, headings, tables and code."""
    style = layout.style
    start = index = 0
    while index < len(flow):
        line = flow[index]
        end = index
        if line.mono and not style.mono_body and not style.is_large(line):
            while end < len(flow) and flow[end].mono and not style.is_large(flow[end]):
                end += 1
            kind = _code
        elif len(line.cells) > 1:
            end, kind = table_end(flow, index), table
        if end > index:
            if start < index:
                yield from (_block(p, layout) for p in _paragraphs(flow[start:index], style))
            yield kind(flow[index:end], style)
            start = index = end
        else:
            index += 1
    if start < len(flow):
        yield from (_block(p, layout) for p in _paragraphs(flow[start:], style))
