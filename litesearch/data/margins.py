"""Numbers of lines in a margin, as bills and court papers have them: no part of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

# A page of a bill has 25 numbered lines; a shorter count may be a table's first column.
_FEWEST = 10


def number_margin(pages: Iterable[Sequence[Any]]) -> int | None:
    """Where line numbers end (x, in points), where at least three pages and most have them."""
    found: Counter[int] = Counter()
    count = 0
    for spans in pages:
        count += 1
        numbers = [span for span in spans if _is_number(span)]
        columns = Counter(_right(span) for span in numbers)
        for edge, size in columns.most_common(1):
            column = [span for span in numbers if _right(span) == edge]
            column.sort(key=lambda span: -span.bbox[1])
            values = [int(span.text) for span in column]
            others = [span.bbox[0] for span in spans if span.text.strip() and span not in column]
            inside = sum(x < edge for x in others)
            if size >= _FEWEST and values == list(range(1, size + 1)) and inside <= 3:
                found[edge] += 1
    edge, seen = found.most_common(1)[0] if found else (0, 0)
    return edge if seen >= 3 and 2 * seen > count else None


def split_margin(spans: Sequence[Any], edge: int) -> tuple[list[Any], str]:
    """A page's spans without its line numbers, and those as one line, top first."""
    column = [span for span in spans if _is_number(span) and abs(_right(span) - edge) <= 1]
    column.sort(key=lambda span: -span.bbox[1])
    numbers = {id(span) for span in column}
    kept = [span for span in spans if id(span) not in numbers]
    return kept, " ".join(span.text.strip() for span in column)


def _is_number(span: Any) -> bool:
    text = span.text.strip()
    return len(text) < 3 and text.isdecimal()


def _right(span: Any) -> int:
    text = span.text.rstrip()
    left, width = float(span.bbox[0]), float(span.bbox[2])
    # A blank that the span ends with is part of its width.
    return round(left + width * len(text) / max(1, len(span.text)))
