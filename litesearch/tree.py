"""Pages -> the tree of sections, in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from .assemble import PageInput, assemble
from .errors import InvalidArgument
from .headings import chapter_headings, markdown_headings
from .modes import detect_mode as _detect_mode
from .profiles import Choice, Profile, choose_profile
from .records import Document, Heading, Node
from .treeview import tree_html

__all__ = ["Tree", "build_tree", "detect_mode", "struct_levels"]


class Tree(list[Node]):
    """A document's nodes in reading order, the root first.

    `document` is the text they point into, `mode` how the headings were found ("markdown",
    "chapter", or "given" by the reader), `levels` the level of each kind of heading (see
    `struct_levels`), `choice` the profile and why it was taken.
    """

    def __init__(
        self,
        nodes: Iterable[Node],
        document: Document,
        mode: str,
        levels: dict[str, int],
        choice: Choice,
    ) -> None:
        super().__init__(nodes)
        self.document = document
        self.mode = mode
        self.levels = levels
        self.choice = choice

    def explain(self) -> dict[str, Any]:
        """How the sections were found: mode, profile and why, levels, sections by kind, and what
        cleaning removed from the pages.
        """
        return {
            "mode": self.mode,
            "profile": self.choice.profile.name,
            "why": self.choice.why,
            "levels": self.levels,
            "sections": dict(Counter(node.kind for node in self[1:])),
            "removed": dict(self.document.removed),
        }

    def _repr_html_(self) -> str:
        """The tree as nested lists that fold, for a notebook."""
        return tree_html([(node.level, node.title, node.page_start) for node in self])

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


def build_tree(
    pages: PageInput,
    title: str | None = None,
    kind: str | None = None,
    profile: str | Profile = "auto",
    remove_furniture: bool = True,
) -> Tree:
    """The section tree of a document.

    `pages` is a str, a list of str or of (number, str) pairs, an iterator of either, or a Document
    from `assemble` or a reader, whose headings are used where it has them. `kind` None: "markdown"
    for one str, "pdf" for several pages. `title` becomes the title of the root. `profile` says what
    opens a section where headings are not marked: "auto" picks by the text's words, a name of
    `profiles.PROFILES` or a Profile of your own sets it, "none" takes marked headings only.
    `remove_furniture=False` keeps the running heads, feet and page numbers of extracted pages.

    Raises EmptyDocument, DocumentError (NUL characters), InvalidType, InvalidArgument.
    """
    single = isinstance(pages, str)
    if isinstance(pages, Document):
        single = len(pages.page_numbers) == 1
    kind = kind or ("markdown" if single else "pdf")
    document = assemble(pages, kind, remove_furniture)
    choice = choose_profile(profile, document.text)
    levels: dict[str, int] = {}
    if document.headings is not None:
        _check_headings(document.headings, len(document.text))
        mode, headings = "given", document.headings
    else:
        mode, headings, levels = _found(document, kind, choice.profile)
    return Tree(_nodes(document, headings, title or ""), document, mode, levels, choice)


def _found(
    document: Document, kind: str, profile: Profile
) -> tuple[str, Sequence[Heading], dict[str, int]]:
    """The mode, the headings in the text, and the level of each kind."""
    source = kind in ("markdown", "html")
    marked: list[Heading] = []
    if kind != "text":
        marked = markdown_headings(document.text, source)
    if profile.name == "none":
        return "markdown", marked, {}
    mode = _detect_mode(document.text if source else document)
    if mode == "markdown" and marked and (source or profile.numbered != "clauses"):
        return mode, marked, {}
    captions = document.marked or [(heading.start, heading.level) for heading in marked]
    headings, levels = chapter_headings(document.text, profile, captions)
    if mode == "markdown" and marked and len(headings) < 2 * len(marked):
        # Of a contract's extract only its captions may be marked, and none of its clauses.
        return mode, marked, {}
    return "chapter", headings, levels


def _check_headings(headings: Sequence[Heading], length: int) -> None:
    """Raise unless a reader's headings are in order, inside of the text and below the root."""
    at = -1
    for heading in headings:
        if not at < heading.start < length or heading.level < 1:
            raise InvalidArgument(
                f"heading {heading.title!r} is at character {heading.start} of {length}, level"
                f" {heading.level}, after one at {at}; give headings in the order of the text,"
                " with levels from 1"
            )
        at = heading.start


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
