"""Structure without vectors: documents, tables of contents, whole sections."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import numpy as np

from .connection import Connection
from .errors import InvalidType, NotFound
from .hits import Record
from .sql import statements
from .store import CHUNK_BITS, id_range
from .treeview import tree_html


class Entry(Record):
    """A node of a table of contents: id, title, label, level, kind, pages and characters."""

    def _line(self) -> str:
        """`  Title  (p. 3, node 1048577)`, indented by its level."""
        return f"{'  ' * self.level}{self.title}  (p. {self.page_start}, node {self.id})"


class Toc(list[Entry]):
    """A document's sections in reading order; prints as an indented tree."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return tree_html([(entry.level, entry.title, entry.page_start) for entry in self])


def find_doc(connection: Connection, doc: int | str) -> int:
    """A document's id from its id, source or title. Raises NotFound, also on two of one title."""
    if isinstance(doc, bool) or not isinstance(doc, int | np.integer | str):
        raise InvalidType(f"doc must be an id, a source or a title, not {type(doc).__name__}.")
    if not isinstance(doc, str):
        doc = int(doc)  # of NumPy's kinds too
        if not _is_id(doc) or not connection.one("SELECT id FROM docs WHERE id = ?", (doc,)):
            raise NotFound(f"There is no document {doc}. docs() lists those that there are.")
        return doc
    # SQLite holds no lone surrogates: escaped, they are a name that is not there.
    name = unicodedata.normalize("NFC", doc).encode("utf-8", "backslashreplace").decode()
    found = connection.rows(statements("read")["docs_matching"], (name,))
    by_source = connection.one("SELECT id FROM docs WHERE source = ?", (name,))
    if by_source is not None:
        return int(by_source)
    if len(found) == 1:
        return int(found[0].id)
    if found:
        ids = ", ".join(str(row.id) for row in found)
        raise NotFound(f"{len(found)} documents have the title {doc!r} (ids {ids}). Give the id.")
    raise NotFound(f"There is no document {doc!r}. docs() lists those that there are.")


def _is_id(number: int) -> bool:
    return 0 < number < 1 << 63  # SQLite's integers


def toc(connection: Connection, doc: int | str) -> Toc:
    """The section tree of a document, the root first."""
    doc_id = find_doc(connection, doc)
    rows = connection.rows(statements("read")["nodes_of"], id_range(doc_id))
    return Toc(Entry(row) for row in rows)


def explain_tree(connection: Connection, doc: int | str) -> Record:
    """How a document's sections were found when it was stored."""
    doc_id = find_doc(connection, doc)
    kept = connection.rows("SELECT * FROM docs WHERE id = ?", (doc_id,))[0].get("tree")
    if kept is None:
        raise NotFound(
            f"Document {doc_id} was stored by an older version, which kept no reasons. Delete it"
            " and add it again."
        )
    return Record(json.loads(kept))


def text_of(connection: Connection, doc: int | str) -> str:
    """The whole text that offsets count in."""
    return join_chunks(connection, *id_range(find_doc(connection, doc)))


def read_node(connection: Connection, node_id: int) -> str:
    """The text of a section with all its children, to the last word."""
    if isinstance(node_id, bool) or not isinstance(node_id, int | np.integer):
        raise InvalidType(f"node_id must be an int, not {type(node_id).__name__}.")
    node_id = int(node_id)
    found = connection.rows(statements("read")["node"], (node_id,)) if _is_id(node_id) else []
    if not found:
        raise NotFound(f"There is no section {node_id}. toc(doc) lists those of a document.")
    node = found[0]
    base = node.doc_id << CHUNK_BITS
    text = join_chunks(connection, base + node.first_seq, base + node.last_seq)
    return text.strip("\n\r \t")


def join_chunks(connection: Connection, first: int, last: int) -> str:
    """Chunks joined by their offsets: what overlaps is there once."""
    parts: list[str] = []
    at: int | None = None
    rows: list[Any] = connection.rows(statements("read")["text"], (first, last))
    for row in rows:
        skip = 0 if at is None else max(0, at - row.char_start)
        parts.append(row.content[skip:])
        at = row.char_end
    return "".join(parts)
