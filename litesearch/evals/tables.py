"""Rows as aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .cases import Row


def format_table(rows: Iterable[Row | Mapping[str, Any]], title: str = "") -> str:
    """Rows as aligned text; numbers with three decimals, columns in the order they first come."""
    records = [row.as_dict() if isinstance(row, Row) else dict(row) for row in rows]
    columns = list(dict.fromkeys(column for record in records for column in record))
    cells = [[_cell(record.get(column)) for column in columns] for record in records]
    widths = [max(len(row[i]) for row in [columns, *cells]) for i in range(len(columns))]
    text = [any(isinstance(record.get(c), str) for record in records) for c in columns]
    lines = [title] if title else []
    for row in [columns, *cells]:
        aligned = [
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, text, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def print_table(rows: Iterable[Row | Mapping[str, Any]], title: str = "") -> None:
    """Print format_table's text."""
    print(format_table(rows, title), flush=True)
