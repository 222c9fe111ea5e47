"""What readers give, and the text that they write where a file has none of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import LitesearchError, MissingExtra, ParseError
from ..headings import title_label
from ..records import Document, Heading

FilePath = str | PathLike[str]

# What markdown would take for a heading, a fence, a rule or a table at the begin of a line.
_MARKUP = re.compile(r"^([ \t]*)(?=#{1,6}(?:[ \t]|$)|```|~~~|\||(?:=+|-{2,})[ \t]*$)", re.M)
_OLE_HEAD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The largest of the office files at hand unpacks to 40 MB; a bomb of 42 kB to petabytes.
_MOST_UNPACKED = 2 << 30


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a reader gives: the kind for `assemble` and `build_tree`, the pages, what it knows.

    `pages` is a Document where the reader knows the headings. `notes` says what of the file is
    not in the text ("2 images left out").
    """

    kind: str
    pages: str | Iterable[str] | Document
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """A way to read one kind of file: `read(path)` -> FileContent."""

    kind: str
    read: Callable[[FilePath], FileContent]


class Builder:
    """Markdown written block by block; it remembers where its pages and headings begin.

    >>> made = Builder()
    >>> made.heading(1, "Rates")
    >>> made.block(escaped("# 5 is the unit number"))
    >>> made.document().text
    '# Rates\\n\\n\\\\# 5 is the unit number\\n\\n'
    """

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._pages: list[tuple[int, int]] = []

    def page(self, number: int) -> None:
        """What follows stands on this page."""
        self._pages.append((number, self._length))

    def heading(self, level: int, title: str, label: str = "") -> None:
        """Open a section; one without words opens none."""
        words = " ".join(title.split())
        if words:
            start, label = self._length, label or title_label(words)
            self.block(f"{'#' * min(level, 6)} {words}")
            end = self._length - 1
            self.headings.append(Heading(start, end, level, words, label, "heading"))

    def block(self, text: str) -> None:
        """A paragraph, a table or a fence, as it is."""
        if text and not text.isspace():
            self._parts.append(f"{text.rstrip()}\n\n")
            self._length += len(self._parts[-1])

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table; its first row is the head. Rows and columns without any text go."""
        cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
        kept = sorted({place for row in cells for place, cell in enumerate(row) if cell})
        lines = [
            f"| {' | '.join(row[place] if place < len(row) else '' for place in kept)} |"
            for row in cells
            if any(row)
        ]
        if lines:
            self.block("\n".join([lines[0], "|" + " --- |" * len(kept), *lines[1:]]))

    def append(self, other: Document, level: int = 0) -> None:
        """Another document's text, its headings `level` deeper."""
        for heading in other.headings or ():
            self.headings.append(moved(heading, self._length, level))
        self.block(other.text)

    def document(self, search: bool = False) -> Document:
        """All that was written. `search`: without a heading they are looked for in the text."""
        numbers, starts = zip(*(self._pages or [(1, 0)]), strict=True)
        headings = None if search and not self.headings else tuple(self.headings)
        return Document("".join(self._parts), numbers, starts, headings=headings)


def moved(heading: Heading, offset: int, level: int = 0) -> Heading:
    """The same heading `offset` characters further on and `level` levels deeper."""
    return Heading(
        heading.start + offset,
        heading.end + offset,
        heading.level + level,
        heading.title,
        heading.label,
        heading.kind,
    )


def escaped(text: str) -> str:
    """Words of a document as markdown: what only looks like markup is marked as words."""
    return _MARKUP.sub(r"\1\\", text)


def counted(**counts: int) -> tuple[str, ...]:
    """Notes of what was left out: `images=2` -> "2 images left out"."""
    notes = []
    for name, count in counts.items():
        if count:
            words = name.replace("_", " ")
            notes.append(f"{count} {words[:-1] if count == 1 else words} left out")
    return tuple(notes)


def extra(module: str, name: str, path: FilePath) -> Any:
    """An optional package's module, or what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{fspath(path)}: reading {Path(path).suffix.lower()} files needs the package"
            f" {module.split('.')[0]}, which is not installed. Install the extra from a clone:"
            f" pip install '.[{name}]'"
        ) from error


def check_zip(path: FilePath, what: str) -> None:
    """Raise unless the file is a whole zip archive of a possible size, as office files are."""
    import zipfile

    name = fspath(path)
    try:
        with open(name, "rb") as stream:
            head = stream.read(8)
        if head == _OLE_HEAD:
            raise ParseError(
                f"{name}: locked by a password, or of the format before 2007; open it and save it"
                f" as {what} without a password"
            )
        with zipfile.ZipFile(name) as archive:
            size = sum(info.file_size for info in archive.infolist())
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        reason = "0 bytes" if isinstance(error, zipfile.BadZipFile) and not head else error
        raise ParseError(
            f"{name}: not {what}, or only a part of one ({reason}); fetch or copy it again"
        ) from error
    if size > _MOST_UNPACKED:
        raise ParseError(
            f"{name}: it unpacks to {size / 1e9:.0f} GB, more than any document has; leave it out"
        )


@contextmanager
def parsing(path: FilePath, what: str) -> Iterator[None]:
    """A ParseError for whatever the parser of a format raises on a broken file."""
    try:
        yield
    except LitesearchError:
        raise
    except Exception as error:  # zip, XML and key errors: libraries have no common base for them
        raise ParseError(
            f"{fspath(path)}: broken, or of an unusual form ({type(error).__name__}: {error});"
            f" open it and save it again as {what}"
        ) from error
