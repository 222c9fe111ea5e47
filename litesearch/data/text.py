"""Plain text: bytes to characters, and the readers for text, tables of values and JSON."""

from __future__ import annotations

import codecs
import warnings
from os import PathLike, fspath
from pathlib import Path

from ..errors import LitesearchWarning, ParseError
from ..records import Document
from .content import Builder, FileContent, FilePath, parsing

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, name: str = "the text") -> str:
    """Bytes as text: by a byte order mark, else UTF-8, else Windows-1252 with a warning.

    NUL characters are kept: `assemble` refuses them, for a file with them is seldom a text.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        warnings.warn(
            f"{name} is not UTF-8 (byte {error.start}); it was read as Windows-1252. "
            "Convert it to UTF-8 if letters look wrong",
            LitesearchWarning,
            stacklevel=2,
        )
        return data.decode("cp1252", errors="replace")


def read_bytes(path: str | PathLike[str]) -> bytes:
    """A file's bytes, or a ParseError that says why not."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ParseError(
            f"{fspath(path)}: cannot be read ({error.strerror}); check the path and its permissions"
        ) from error


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, decoded."""
    return decode(read_bytes(path), fspath(path))


def read_json(path: FilePath) -> FileContent:
    """A JSON file as the text that it is, without sections."""
    return FileContent("text", Document(read_text(path), headings=()))


def read_csv(path: FilePath) -> FileContent:
    """A table with commas, semicolons or tabs as a markdown table; its first row is the head."""
    import csv

    text = read_text(path)
    builder = Builder()
    with parsing(path, "a table of comma-separated values"):
        try:
            dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:8192], ",;\t|")
        except csv.Error:  # one column
            dialect = csv.excel_tab if str(path).lower().endswith("tsv") else csv.excel
        builder.table(list(csv.reader(text.splitlines(keepends=True), dialect)))
    return FileContent("csv", builder.document())
