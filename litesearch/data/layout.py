"""From a page's lines to markdown: paragraphs, headings with depth, tables, code."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .lines import RAISED, Line

_MARKER = re.compile(r"(?:\([0-9A-Za-z]{1,5}\)|\d{1,3}[.)]|[a-z]\)|[•‣▪●○■–—*·-])\s")
_KEYWORD = re.compile(
    r"(?:article|chapter|section|subsection|title|part|annex|schedule|appendix|sec\.|§)\s*"
    r"(?:[0-9]+[a-z]*|[ivxlcdm]+|[a-z])\b[.:]?",
    re.I,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?\s+\S")
_LEADERS = re.compile(r"(?:\s?\.){4,}")
_MARGIN_MARK = re.compile(r"(▼\s?[A-Z]{1,2}\d*)(?:\s+(?=\S)|$)")
_COMPOUND = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_LAST_WORD = re.compile(r"[\w-]+-$")
_FIRST_WORD = re.compile(r"[\w-]+")
_LEAD_WORD = re.compile(r"^(?:chapter|section|part|appendix|annex)\s+(?=\S)", re.I)
_LEAD_NUMBER = re.compile(r"^(?:[0-9A-Z]+[.:])*[0-9]*\s+")
_RAISED_MARK = re.compile(rf" ?{RAISED}")
_MARKED = re.compile(rf" ?{RAISED}[\d*†‡()\s]+$|{RAISED}")
_ENDS = (".", ":", ";", "!", "?", "”", '"')


@dataclass(slots=True)
class Style:
    """What the whole document looks like: the measure for headings and for paragraph gaps."""

    body: float = 10.0
    heading_sizes: tuple[float, ...] = ()
    bold_headings: bool = True
    mono_body: bool = False
    leading: float = 1.2
    titles: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    compounds: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, pages: Iterable[Sequence[Sequence[Line]]]) -> Style:
        """Measure a sample of pages."""
        sizes: Counter[float] = Counter()
        bold = mono = total = 0
        pitches: Counter[float] = Counter()
        compounds: set[str] = set()
        for flows in pages:
            for flow in flows:
                for line, after in zip(flow, [*flow[1:], None], strict=True):
                    letters = len(line.text)
                    compounds.update(map(str.lower, _COMPOUND.findall(line.text)))
                    sizes[line.size] += letters
                    total += letters
                    bold += letters * line.bold
                    mono += letters * line.mono
                    if after is not None and after.size == line.size and line.y > after.y:
                        pitches[round((line.y - after.y) / line.size, 1)] += 1
        if not total:
            return cls()
        body = sizes.most_common(1)[0][0]
        larger = sorted((size for size in sizes if size > body * 1.08), reverse=True)
        near = {pitch: count for pitch, count in pitches.items() if 0.9 <= pitch <= 3.0}
        return cls(
            body=body,
            heading_sizes=_merged(larger),
            # A document set in bold has no bold headings; 25 % is far above any mixed one seen.
            bold_headings=bold < 0.25 * total,
            mono_body=mono > 0.4 * total,
            leading=max(near, key=lambda pitch: near[pitch]) if near else 1.2,
            compounds=compounds,
        )


def _merged(sizes: Sequence[float]) -> tuple[float, ...]:
    """Sizes within 3 % of one another are one level."""
    kept: list[float] = []
    for size in sizes:
        if not kept or size < kept[-1] * 0.97:
            kept.append(size)
    return tuple(kept[:5])


def _has_wide_break(above: Line, below: Line, style: Style) -> bool:
    pitch = above.y - below.y
    return pitch < 0 or pitch > 1.3 * style.leading * max(above.size, below.size)


def _starts_paragraph(
    above: Line, below: Line, after: Line | None, style: Style, margins: tuple[float, float]
) -> bool:
    if _has_wide_break(above, below, style):
        return True
    if abs(above.size - below.size) > 0.06 * above.size or above.bold != below.bold:
        return True
    left, right = margins
    em = below.size
    text, ended = below.text, above.text.endswith(_ENDS)
    short = above.x1 < right - max(3 * em, 0.1 * (right - left))
    if _LEADERS.search(above.text):
        return True
    if _MARKER.match(text) and (short or above.text.endswith((*_ENDS, ",", " and", " or"))):
        return True
    if short and (_KEYWORD.fullmatch(text) or _KEYWORD.fullmatch(above.text)):
        return True
    if short and _KEYWORD.match(text) and (ended or above.text.isupper()):
        return True
    if above.bold and _NUMBER.match(text):
        return True
    opens = text[:1].isupper() or text[:1].isdigit() or text[:1] in "“‘\"'(["
    if ended and short and opens:
        return True
    if opens and above.x1 < left + 0.6 * (right - left) and len(above.cells) == 1:
        return True
    indent = below.x0 - above.x0
    back = after is not None and after.x0 < below.x0 - 0.7 * em
    return ended and opens and 0.7 * em < indent < 5 * em and (short or back)


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Where the columns of a table lie: the union of its rows' cells, as x ranges."""
    spans = sorted((c.x0, c.x1) for line in lines if len(line.cells) > 1 for c in line.cells)
    merged: list[list[float]] = []
    for low, high in spans:
        if merged and low < merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    return [(low, high) for low, high in merged]


def _table_end(flow: Sequence[Line], start: int) -> int:
    """The index after the last line of the table that begins at `start`, or `start`."""
    end, rows, last = start, 0, start
    while end < len(flow):
        line = flow[end]
        if len(line.cells) > 1 and not _LEADERS.search(line.text):
            if len(_columns(flow[start : end + 1])) < 2:
                break
            rows, last = rows + 1, end + 1
        elif end == start or _LEADERS.search(line.text):
            break
        else:
            columns = _columns(flow[start:last])
            inside = any(
                low - 2 <= line.x0
                and line.x1 <= high + line.size * 3
                and not any(line.x1 > other > high for other, _ in columns)
                for low, high in columns
            )
            if not inside or (_has_wide_break(flow[end - 1], line, Style()) and rows < 2):
                break
        end += 1
    while last > start and len(flow[last - 1].cells) < 2:
        last -= 1
    tail = last
    while tail < end and not _has_wide_break(flow[tail - 1], flow[tail], Style()):
        tail += 1
    first = [line.cells[0].text for line in flow[start:last] if len(line.cells) > 1]
    marked = sum(bool(_MARKER.match(text + " ")) for text in first)
    return tail if rows >= 3 and marked < 0.6 * len(first) else start


def _table(lines: Sequence[Line], style: Style) -> str:
    columns = _columns(lines)
    rows: list[list[str]] = []
    gaps = any(_has_wide_break(a, b, Style()) for a, b in itertools.pairwise(lines))
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        first = line.cells[0].x0 <= columns[0][1]
        broken = above is None or _has_wide_break(above, line, Style())
        if broken or (first and not gaps and len(line.cells) > 1):
            rows.append([""] * len(columns))
        for cell in line.cells:
            middle = min(cell.x0 + 1, cell.x1)
            place = next(
                (i for i, (low, high) in enumerate(columns) if middle <= high + 1), len(columns) - 1
            )
            text = _plain(cell.text).replace("|", "\\|")
            rows[-1][place] = _joined(rows[-1][place], text, style.compounds)
    lines_out = ["| " + " | ".join(row) + " |" for row in rows]
    lines_out.insert(1, "|" + "---|" * len(columns))
    return "\n".join(lines_out)


def _joined(above: str, below: str, compounds: set[str]) -> str:
    """Two lines of a paragraph as one: a hyphen that only broke the line goes."""
    if not above:
        return below
    if above.endswith("\u00ad"):
        return above[:-1] + below
    last, first = _LAST_WORD.search(above), _FIRST_WORD.match(below)
    if last is None or first is None or not last[0][0].isalpha():
        return f"{above} {below}"
    word, more = last[0][:-1], first[0]
    if more in ("and", "or", "to", "und", "oder", "et", "ou", "y", "en"):
        return f"{above} {below}"
    if "-" in word or "-" in more or not more[0].islower() or f"{word}-{more}".lower() in compounds:
        return above + below
    return above[:-1] + below


def _heading_level(text: str, first: Line, style: Style, page: int) -> int:
    """1-6 for a heading, 0 for a paragraph."""
    if style.titles:
        for level, at in style.titles.get(title_key(text), ()):
            if at == page:
                return min(level, 6)
        return 0
    if len(text) > 200 or not any(char.isalpha() for char in text) or _LEADERS.search(text):
        return 0
    if _MARKER.match(text) and not _NUMBER.match(text):
        return 0
    for rank, size in enumerate(style.heading_sizes):
        if first.size >= size * 0.97:
            return rank + 1
    plain = not text.endswith((",", ";", ":")) and len(text) <= 120
    if first.bold and style.bold_headings and plain and first.size >= style.body * 0.95:
        return min(len(style.heading_sizes) + 1, 6)
    return 0


def title_key(text: str) -> str:
    """A heading without its number, punctuation and case: bookmarks are matched by it."""
    bare = _LEAD_NUMBER.sub("", _LEAD_WORD.sub("", text), count=1)
    return re.sub(r"[\W_]+", "", bare or text).casefold()


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


def _block(lines: Sequence[Line], style: Style, page: int) -> str:
    text = ""
    for line in lines:
        text = _joined(text, line.text, style.compounds)
    text = _LEADERS.sub(" ....", text)
    mark = _MARGIN_MARK.match(text)
    before = ""
    if mark:
        before, text = f"{mark[1]}\n\n", text[mark.end() :]
        if not text:
            return mark[1]
    heading = _MARKED.sub("", text)
    level = _heading_level(heading, lines[0], style, page)
    if level:
        return f"{before}{'#' * level} {heading}"
    text = _plain(text)
    return before + (f"\\{text}" if re.match(r"#{1,6} ", text) else text)


def _plain(text: str) -> str:
    """Raised marks with a blank before them: "10" + "18" is no 1018, "risk" + "7" no word."""
    return _RAISED_MARK.sub(" ", text) if RAISED in text else text


def _code(lines: Sequence[Line], style: Style) -> str:  # noqa: ARG001  # called as _table is
    left = min(line.x0 for line in lines)
    body = [
        " " * max(0, round((line.x0 - left) / (line.size * 0.6))) + _plain(line.text)
        for line in lines
    ]
    fence = "````" if any("```" in line for line in body) else "```"
    return "\n".join([fence, *body, fence])


def flow_blocks(flow: Sequence[Line], style: Style, page: int) -> Iterable[str]:
    """The markdown blocks of one text flow."""
    start = index = 0
    while index < len(flow):
        line = flow[index]
        end = index
        if line.mono and not style.mono_body:
            while end < len(flow) and flow[end].mono:
                end += 1
            kind = _code
        elif len(line.cells) > 1:
            end, kind = _table_end(flow, index), _table
        if end > index:
            if start < index:
                yield from (_block(p, style, page) for p in _paragraphs(flow[start:index], style))
            yield kind(flow[index:end], style)
            start = index = end
        else:
            index += 1
    if start < len(flow):
        yield from (_block(p, style, page) for p in _paragraphs(flow[start:], style))


def page_markdown(flows: Sequence[Sequence[Line]], style: Style, page: int) -> str:
    """One page as markdown; `page` counts from 0 and is used to match bookmarks."""
    blocks = [block for flow in flows for block in flow_blocks(flow, style, page)]
    return "\n\n".join(block for block in blocks if block.strip())
