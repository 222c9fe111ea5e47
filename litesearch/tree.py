"""Pages -> the tree of sections, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .assemble import PageInput, assemble
from .headings import Heading, chapter_headings, markdown_headings
from .modes import detect_mode as _detect_mode
from .records import Document, Node

__all__ = ["Tree", "build_tree", "detect_mode", "struct_levels"]


class Tree(list[Node]):
    """A document's nodes in reading order, the root first.

    `document` is the text they point into, `mode` how the headings were found ("markdown",
    "chapter", or "given" by the reader), `levels` the level of each kind of heading (see
    `struct_levels`).
    """

    def __init__(
        self, nodes: Iterable[Node], document: Document, mode: str, levels: dict[str, int]
    ) -> None:
        super().__init__(nodes)
        self.document = document
        self.mode = mode
        self.levels = levels

    def path(self, node: Node | int) -> list[str]:
        """The titles from below the root down to `node` (a node or its seq)."""
        at: Node | None = self[node] if isinstance(node, int) else node
        titles: list[str] = []
        while at is not None and at.parent is not None:
            titles.append(at.title)
            at = self[at.parent]
        return titles[::-1]

    def text(self, node: Node | int) -> str:
        """The text of a node with all its children."""
        at = self[node] if isinstance(node, int) else node
        return self.document.text[at.char_start : at.char_end]


def detect_mode(pages: Any) -> str:
    """ "markdown" where the heading marks of `pages` carry depth, else "chapter"."""
    return _detect_mode(_reusable(pages))


def struct_levels(pages: Any) -> dict[str, int]:
    """The level of each kind of heading in this document, {} in markdown mode.

    Example: {"title": 1, "part": 1, "annex": 1, "chapter": 2, "section": 3, "article": 4}.
    """
    return build_tree(pages).levels


def build_tree(pages: PageInput, title: str | None = None, kind: str | None = None) -> Tree:
    """The section tree of a document.

    `pages` is a str, a list of str or of (number, str) pairs, an iterator of either, or a Document
    from `assemble` or a reader, whose headings are used where it has them. `kind` None: "markdown"
    for one str, "pdf" for several pages. `title` becomes the title of the root.
    """
    single = isinstance(pages, str)
    if isinstance(pages, Document):
        single = len(pages.page_numbers) == 1
    kind = kind or ("markdown" if single else "pdf")
    document = assemble(pages, kind)
    if document.headings is not None:
        return Tree(_nodes(document, document.headings, title or ""), document, "given", {})
    mode = _detect_mode(document.text if kind in ("markdown", "html") else document)
    levels: dict[str, int] = {}
    headings: list[Heading] = []
    if mode == "markdown" and kind != "text":
        headings = markdown_headings(document.text, kind in ("markdown", "html"))
    if not headings:
        mode = "chapter"
        headings, levels = chapter_headings(document.text)
    return Tree(_nodes(document, headings, title or ""), document, mode, levels)


def _reusable(pages: Any) -> Any:
    if isinstance(pages, str | Document | Sequence):
        return pages
    return list(pages)


def _nodes(document: Document, headings: Sequence[Heading], title: str) -> list[Node]:
    """Nest headings by level. A skipped level is accepted; the parent is the nearest above."""
    text = document.text
    parents: list[int | None] = [None]
    ends = [len(text)] * (len(headings) + 1)
    open_nodes: list[tuple[int, int]] = [(0, 0)]
    for seq, heading in enumerate(headings, 1):
        while open_nodes[-1][0] >= heading.level:
            ends[open_nodes.pop()[1]] = heading.start
        parents.append(open_nodes[-1][1])
        open_nodes.append((heading.level, seq))
    first = document.page_numbers[0]
    nodes = [
        Node(0, None, 0, title, "", "root", first, _last_page(document, 0, len(text)), 0, len(text))
    ]
    for seq, heading in enumerate(headings, 1):
        nodes.append(
            Node(
                seq,
                parents[seq],
                heading.level,
                heading.title,
                heading.label,
                heading.kind,
                document.page_at(heading.start),
                _last_page(document, heading.start, ends[seq]),
                heading.start,
                ends[seq],
            )
        )
    return nodes


def _last_page(document: Document, start: int, end: int) -> int:
    """The page of the last character that is no white space."""
    text = document.text
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return document.page_at(max(start, end - 1))
