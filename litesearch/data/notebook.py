"""Jupyter notebooks: markdown cells as they are, code cells as fences."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import EmptyDocument, ParseError
from ..headings import markdown_headings
from ..records import Document
from .content import Builder, FileContent, FilePath, counted
from .text import read_text

_TICKS = re.compile(r"^ *(`{3,})", re.M)


def read_ipynb(path: FilePath) -> FileContent:
    """A notebook as markdown. Outputs are left out: they are made again by running it."""
    try:
        book = json.loads(read_text(path))
        # Before format 4 (2015) the cells lay in worksheets and code was the "input".
        sheets = [book] if "cells" in book else book["worksheets"]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
        language = _language(book.get("metadata") or {})
        builder = Builder()
        outputs = sum(_cell(builder, cell, language) for cell in cells)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ParseError(
            f"{path}: not a notebook ({type(error).__name__}: {error}); open it in Jupyter and save"
            " it again"
        ) from error
    document = builder.document()
    if not document.text:
        raise EmptyDocument(f"{path}: no cell of the notebook has text; leave it out")
    title = builder.headings[0].title if builder.headings else ""
    metadata = {"language": language} if language else {}
    return FileContent("ipynb", document, title, metadata, counted(outputs=outputs))


def _language(metadata: dict[str, Any]) -> str:
    for part in ("language_info", "kernelspec"):
        found = metadata.get(part) or {}
        if name := found.get("language") or (found.get("name") if part[0] == "l" else None):
            return str(name)
    return ""


def _cell(builder: Builder, cell: dict[str, Any], language: str) -> int:
    """Write a cell -> how many outputs it has. Text is CommonMark of its own in each cell."""
    source = cell.get("source", cell.get("input", ""))
    text = source if isinstance(source, str) else "".join(source)
    kind = cell.get("cell_type")
    if kind == "code" and text.strip():
        longest = max((len(found) for found in _TICKS.findall(text)), default=2)
        fence = "`" * (longest + 1)
        builder.block(f"{fence}{language}\n{text.rstrip()}\n{fence}")
    elif kind == "heading":
        builder.heading(max(1, int(cell.get("level", 1))), text)
    elif text.strip():
        builder.append(Document(text, headings=markdown_headings(text, True)))
    return len(cell.get("outputs") or ())
