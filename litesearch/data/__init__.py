"""Reading: files -> pages. `read_file` picks the reader by the file's suffix; READERS is open.

>>> from litesearch.data import READERS, Reader, read_file
>>> READERS[".log"] = READERS[".txt"]
"""

from __future__ import annotations

from os import fspath
from pathlib import Path

from ..errors import ParseError
from .code import LANGUAGES, read_code
from .content import Builder, FileContent, FilePath, Reader
from .docx import read_docx
from .epub import read_epub
from .html import html_title, read_html
from .mail import read_eml
from .markdown import chunk_markdown, read_markdown
from .notebook import read_ipynb
from .pdf import pdf_pages, pdf_parse, pdf_title
from .pptx import read_pptx
from .python import read_python
from .rst import read_rst
from .text import read_csv, read_json, read_text
from .xlsx import read_xlsx

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


def _pdf(path: FilePath) -> FileContent:
    return FileContent("pdf", pdf_pages(path), pdf_title(path))


def _markdown(path: FilePath) -> FileContent:
    text, title, metadata = read_markdown(path)
    return FileContent("markdown", text, title, metadata)


def _html(path: FilePath) -> FileContent:
    source = read_text(path)
    return FileContent("html", read_html(source), html_title(source))


def _text(path: FilePath) -> FileContent:
    return FileContent("text", read_text(path))


READERS: dict[str, Reader] = {
    ".pdf": Reader("pdf", _pdf),
    **dict.fromkeys((".md", ".markdown"), Reader("markdown", _markdown)),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Reader("html", _html)),
    **dict.fromkeys((".txt", ".text"), Reader("text", _text)),
    **dict.fromkeys((".docx", ".docm"), Reader("docx", read_docx)),
    **dict.fromkeys((".pptx", ".pptm"), Reader("pptx", read_pptx)),
    **dict.fromkeys((".xlsx", ".xlsm"), Reader("xlsx", read_xlsx)),
    ".epub": Reader("epub", read_epub),
    **dict.fromkeys((".rst", ".rest"), Reader("rst", read_rst)),
    ".ipynb": Reader("ipynb", read_ipynb),
    ".eml": Reader("eml", read_eml),
    **dict.fromkeys((".csv", ".tsv"), Reader("csv", read_csv)),
    ".json": Reader("text", read_json),
    **dict.fromkeys((".py", ".pyi"), Reader("code", read_python)),
    **dict.fromkeys(LANGUAGES, Reader("code", read_code)),
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
