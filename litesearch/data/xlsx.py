"""Excel files: a sheet is a section and a page, its cells a table."""

from __future__ import annotations

import datetime
import re
import warnings
import zipfile
from typing import Any

from .content import Builder, FileContent, FilePath, check_zip, counted, escaped, extra, parsing

# A formula whose result was never calculated and stored, as libraries write it.
_NO_RESULT = re.compile(rb"(?:</f>|<f[^>]*/>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")


def read_xlsx(path: FilePath) -> FileContent:
    """An Excel file as markdown tables, with the formulas' results as they were last stored.

    The first row with more than one cell is a sheet's head; lines above it are text.
    """
    check_zip(path, "an Excel file (.xlsx)")
    openpyxl = extra("openpyxl", "office", path)
    builder = Builder()
    hidden = 0
    with parsing(path, "an Excel file (.xlsx)"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of drawings, styles and the like, which are not read
        book = openpyxl.load_workbook(str(path), read_only=True, data_only=True)
        try:
            for number, sheet in enumerate(book.worksheets, 1):
                builder.page(number)
                builder.heading(1, sheet.title)
                hidden += sheet.sheet_state != "visible"
                _sheet(builder, sheet)
            title = (book.properties.title or "").strip()
            author = (book.properties.creator or "").strip()
        finally:
            book.close()
        notes = _notes(path)
    if hidden:
        notes = (*notes, f"{hidden} hidden sheet{'s' if hidden > 1 else ''} read as well")
    # "openpyxl" is what that library writes as the author of every file that it makes.
    metadata = {"author": author} if author not in ("", "openpyxl") else {}
    return FileContent("xlsx", builder.document(), title, metadata, notes)


def _sheet(builder: Builder, sheet: Any) -> None:
    sheet.reset_dimensions()  # what some writers say of the size is wrong, and would cut it
    rows: list[list[str]] = []
    for cells in sheet.iter_rows():
        row = [_printed(cell.value, getattr(cell, "number_format", "")) for cell in cells]
        filled = [text for text in row if text]
        if not rows and len(filled) == 1:
            builder.block(escaped(filled[0]))
        elif filled:
            rows.append(row)
    builder.table(rows)


def _printed(value: object, form: str) -> str:
    """A cell's value as text: 0.05 in a cell of per cents is "5%", 3.0 is "3"."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        percent = "%" in (form or "")
        return f"{value * 100:.10g}%" if percent else f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        return str(value.date() if value.time() == datetime.time() else value)
    return str(value)


def _notes(path: FilePath) -> tuple[str, ...]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        missing = sum(
            len(_NO_RESULT.findall(archive.read(name))) for name in names if _SHEET.fullmatch(name)
        )
    notes = counted(
        images=sum(name.startswith("xl/media/") for name in names),
        charts=sum(name.startswith("xl/charts/chart") for name in names),
    )
    if any(re.match(r"xl/(?:threadedC|c)omments", name) for name in names):
        notes = (*notes, "comments left out")
    if missing:
        results = f"{missing} formula{'s have' if missing > 1 else ' has'} no stored result"
        notes = (*notes, f"{results}: open the file in a spreadsheet program and save it")
    return notes
