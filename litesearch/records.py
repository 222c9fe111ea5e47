"""The records that flow from files to hits, all frozen. Offsets count characters (code points)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a document as its reader gives it. `number` is the number to cite."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that opens a section."""

    start: int
    end: int
    level: int
    title: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document's whole text, and where its pages begin in it.

    `page_starts[i]` is the offset of the first character of the page numbered `page_numbers[i]`;
    both are in reading order and of one length. `removed` counts what cleaning took out, by kind
    ("running head", "page number", ...); `blank_pages` are the numbers of pages without text.
    `headings` is given by readers that know them, in reading order; None: they are looked for in
    the text. `marked` are (offset, level) of lines that looked like headings to the reader, where
    such marks alone do not make the structure.
    """

    text: str
    page_numbers: Sequence[int] = (1,)
    page_starts: Sequence[int] = (0,)
    removed: dict[str, int] = field(default_factory=dict)
    blank_pages: Sequence[int] = ()
    headings: Sequence[Heading] | None = None
    marked: Sequence[tuple[int, int]] = ()

    def page_at(self, offset: int) -> int:
        """The number of the page that holds the character at `offset`."""
        return self.page_numbers[max(0, bisect_right(self.page_starts, offset) - 1)]


@dataclass(frozen=True, slots=True)
class Node:
    """A section. `char_start:char_end` is its subtree: heading, own text, and all its children.

    `seq` numbers the nodes of a document in reading order from 0, the root; `parent` is the
    parent's seq (None for the root). `level` is 0 for the root and grows downwards. `label` is
    the number as printed ("Article 12a", "3.2.1", "SEC. 203."), "" without one.
    """

    seq: int
    parent: int | None
    level: int
    title: str
    label: str
    kind: str
    page_start: int
    page_end: int
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one node's own text: `content` is the document's text[char_start:char_end].

    `kind` is "content", "header" (a heading without text), "table" or "code". `header` is the
    header row of the table that this chunk continues, "" otherwise.
    """

    seq: int
    node: int
    page: int
    page_end: int
    char_start: int
    char_end: int
    content: str
    kind: str = "content"
    header: str = ""
