"""Reading: files -> pages. `read_file` picks the reader by the file's suffix; READERS is open.

>>> from litesearch.data import READERS, Reader, read_file
>>> READERS[".log"] = READERS[".txt"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import ParseError
from .markdown import chunk_markdown, read_markdown
from .pdf import pdf_pages, pdf_parse

__all__ = [
    "READERS",
    "FileContent",
    "Reader",
    "chunk_markdown",
    "pdf_pages",
    "pdf_parse",
    "read_file",
]


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a reader gives: the kind for `assemble` and `build_tree`, the pages, what it knows."""

    kind: str
    pages: str | Iterable[str]
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reader:
    """A way to read one kind of file: `read(path)` -> FileContent."""

    kind: str
    read: Callable[[str | PathLike[str]], FileContent]


def _pdf(path: str | PathLike[str]) -> FileContent:
    from .pdf import pdf_title

    return FileContent("pdf", pdf_pages(path), pdf_title(path))


def _markdown(path: str | PathLike[str]) -> FileContent:
    text, title, metadata = read_markdown(path)
    return FileContent("markdown", text, title, metadata)


def _html(path: str | PathLike[str]) -> FileContent:
    from .html import html_title, read_html
    from .text import read_text

    source = read_text(path)
    return FileContent("html", read_html(source), html_title(source))


def _text(path: str | PathLike[str]) -> FileContent:
    from .text import read_text

    return FileContent("text", read_text(path))


READERS: dict[str, Reader] = {
    ".pdf": Reader("pdf", _pdf),
    **dict.fromkeys((".md", ".markdown"), Reader("markdown", _markdown)),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Reader("html", _html)),
    **dict.fromkeys((".txt", ".text"), Reader("text", _text)),
}


def read_file(path: str | PathLike[str]) -> FileContent:
    """A file's content by its suffix, in any case. A PDF's pages come lazily, one by one."""
    name = fspath(path)
    suffix = Path(name).suffix.lower()
    reader = READERS.get(suffix)
    if reader is None:
        raise ParseError(
            f"{name}: no reader for {suffix or 'a file without suffix'!r}; known are "
            f"{', '.join(sorted(READERS))}. Register one: READERS['{suffix}'] = "
            "Reader(kind, function)"
        )
    if not Path(name).is_file():
        raise ParseError(f"{name}: no such file; check the path")
    return reader.read(path)
