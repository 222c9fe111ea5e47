"""Tables of a page: lines with cells side by side."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from .joining import has_wide_break, joined, plain_text
from .lines import Line
from .typography import MARKER, Style, has_leaders

_CLAUSE_NUMBER = re.compile(
    r"(?:(?:section|article)\s+)?\d{1,3}(?:\.\d{1,3})+\.?|[a-z]{1,4}[.)]", re.I
)


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


def table_end(flow: Sequence[Line], start: int) -> int:
    """The index after the last line of the table that begins at `start`, or `start`."""
    end, rows, last = start, 0, start
    while end < len(flow):
        line = flow[end]
        if len(line.cells) > 1 and not has_leaders(line.text):
            if len(_columns(flow[start : end + 1])) < 2:
                break
            rows, last = rows + 1, end + 1
        elif end == start or has_leaders(line.text):
            break
        else:
            columns = _columns(flow[start:last])
            inside = any(
                low - 2 <= line.x0
                and line.x1 <= high + line.size * 3
                and not any(line.x1 > other > high for other, _ in columns)
                for low, high in columns
            )
            if not inside or (has_wide_break(flow[end - 1], line, Style()) and rows < 2):
                break
        end += 1
    while last > start and len(flow[last - 1].cells) < 2:
        last -= 1
    tail = last
    while tail < end and not has_wide_break(flow[tail - 1], flow[tail], Style()):
        tail += 1
    first = [line.cells[0].text for line in flow[start:last] if len(line.cells) > 1]
    # Hanging numbers ("20.02" beside its paragraph) are a clause's, unless figures go with them.
    hanging = len(_columns(flow[start:last])) == 2
    marked = sum(
        bool(MARKER.match(text + " ") or (hanging and _CLAUSE_NUMBER.fullmatch(text)))
        for text in first
    )
    return tail if rows >= 3 and marked < 0.6 * len(first) else start


def table(lines: Sequence[Line], style: Style) -> str:
    columns = _columns(lines)
    rows: list[list[str]] = []
    gaps = any(has_wide_break(a, b, Style()) for a, b in itertools.pairwise(lines))
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else None
        first = line.cells[0].x0 <= columns[0][1]
        broken = above is None or has_wide_break(above, line, Style())
        if broken or (first and not gaps and len(line.cells) > 1):
            rows.append([""] * len(columns))
        for cell in line.cells:
            middle = min(cell.x0 + 1, cell.x1)
            place = next(
                (i for i, (low, high) in enumerate(columns) if middle <= high + 1), len(columns) - 1
            )
            text = plain_text(cell.text).replace("|", "\\|")
            rows[-1][place] = joined(rows[-1][place], text, style.compounds)
    lines_out = ["| " + " | ".join(row) + " |" for row in rows]
    lines_out.insert(1, "|" + "---|" * len(columns))
    return "\n".join(lines_out)
