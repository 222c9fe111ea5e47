"""Reading: files -> pages. `read_file` picks the reader by the file's suffix; READERS is open.

>>> from litesearch.data import READERS, Reader, read_file
>>> READERS[".log"] = READERS[".txt"]
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import fspath
from pathlib import Path

from ..errors import ParseError
from .content import Builder, FileContent, FilePath, Reader
from .languages import LANGUAGES
from .markdown import chunk_markdown, read_markdown
from .pdf import pdf_pages, pdf_parse, pdf_title

__all__ = [
    "READERS",
    "Builder",
    "FileContent",
    "Reader",
    "chunk_markdown",
    "pdf_pages",
    "pdf_parse",
    "read_file",
]


def _in(module: str, name: str) -> Callable[[FilePath], FileContent]:
    """The reader `name` of a module here, which is loaded when the first file is read."""

    def read(path: FilePath) -> FileContent:
        found: FileContent = getattr(import_module(f".{module}", __name__), name)(path)
        return found

    return read


def _pdf(path: FilePath) -> FileContent:
    return FileContent("pdf", pdf_pages(path), pdf_title(path))


def _markdown(path: FilePath) -> FileContent:
    text, title, metadata = read_markdown(path)
    return FileContent("markdown", text, title, metadata)


def _html(path: FilePath) -> FileContent:
    from .html import html_title, read_html
    from .text import read_text

    source = read_text(path)
    return FileContent("html", read_html(source), html_title(source))


def _text(path: FilePath) -> FileContent:
    from .text import read_text

    return FileContent("text", read_text(path))


READERS: dict[str, Reader] = {
    ".pdf": Reader("pdf", _pdf),
    **dict.fromkeys((".md", ".markdown"), Reader("markdown", _markdown)),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Reader("html", _html)),
    **dict.fromkeys((".txt", ".text"), Reader("text", _text)),
    **dict.fromkeys((".docx", ".docm"), Reader("docx", _in("docx", "read_docx"))),
    **dict.fromkeys((".pptx", ".pptm"), Reader("pptx", _in("pptx", "read_pptx"))),
    **dict.fromkeys((".xlsx", ".xlsm"), Reader("xlsx", _in("xlsx", "read_xlsx"))),
    ".epub": Reader("epub", _in("epub", "read_epub")),
    **dict.fromkeys((".rst", ".rest"), Reader("rst", _in("rst", "read_rst"))),
    ".ipynb": Reader("ipynb", _in("notebook", "read_ipynb")),
    ".eml": Reader("eml", _in("mail", "read_eml")),
    **dict.fromkeys((".csv", ".tsv"), Reader("csv", _in("text", "read_csv"))),
    ".json": Reader("text", _in("text", "read_json")),
    **dict.fromkeys((".py", ".pyi"), Reader("code", _in("python", "read_python"))),
    **dict.fromkeys(LANGUAGES, Reader("code", _in("code", "read_code"))),
}


def read_file(path: FilePath) -> FileContent:
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
