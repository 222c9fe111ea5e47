"""Write, replace and forget one document, each in one transaction, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from .connection import Connection
from .errors import DocumentError
from .schema import Stamp, check_stamp, create_vectors, create_views, get_meta
from .sql import statements

if TYPE_CHECKING:
    from .encoders.base import Rows
    from .records import Chunk
    from .terms import Terms
    from .tree import Tree

CHUNK_BITS = 20  # a chunk's id is doc_id << 20 | seq
MAX_CHUNKS = 1 << CHUNK_BITS


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document with everything slow done: ready to be written.

    `headings` and `folded` are as the keyword index takes them, a row a chunk (folded None: as
    the content). `summaries` has a row a node. `vectors` has a row a chunk, or is None; a row of
    zeros is not stored.
    """

    source: str | None
    title: str
    kind: str
    metadata: dict[str, Any]
    content_hash: str
    tree: Tree
    chunks: Sequence[Chunk]
    headings: Sequence[str]
    folded: Sequence[str | None]
    terms: Terms
    summaries: Sequence[str | None]
    vectors: Rows | None = None
    stamp: Stamp | None = None
    mtime: float | None = None
    size: int | None = None


def id_range(doc_id: int) -> tuple[int, int]:
    """The first and last id that the nodes and chunks of a document can have."""
    return doc_id << CHUNK_BITS, (doc_id << CHUNK_BITS) + MAX_CHUNKS - 1


def check_size(chunks: int, nodes: int) -> None:
    """Raise DocumentError for a document of more chunks or nodes than its ids can count."""
    if max(chunks, nodes) > MAX_CHUNKS:
        raise DocumentError(
            f"The document has {chunks} chunks and {nodes} sections; the most is {MAX_CHUNKS}."
            " Raise chunk_size, or split the document."
        )


def write_document(connection: Connection, document: Prepared) -> int:
    """Store a document, in place of the one with the same source if there is one. -> its id."""
    sql = statements("write")
    with connection.transaction():
        doc_id = _write_doc(connection, document)
        forget_chunks(connection, doc_id)
        _write_nodes(connection, document, doc_id)
        connection.write_many(sql["insert_chunk"], _chunk_rows(document, doc_id))
        connection.write(sql["index_chunks"], id_range(doc_id))
        text = document.tree.document
        write_terms(connection, document.terms, doc_id, text.text, text.page_at)
        if document.vectors is not None and document.stamp is not None:
            _write_vectors(connection, document.chunks, document.vectors, document.stamp, doc_id)
    return doc_id


def _write_doc(connection: Connection, document: Prepared) -> int:
    doc = document.tree.document
    values = {
        "id": None,
        "source": document.source,
        "title": document.title,
        "kind": document.kind,
        "meta": json.dumps(document.metadata, ensure_ascii=False),
        "content_hash": document.content_hash,
        "mtime": document.mtime,
        "size": document.size,
        "pages": len(doc.page_numbers),
        "blank_pages": json.dumps(list(doc.blank_pages)),
        "tree": json.dumps(document.tree.explain(), ensure_ascii=False),
        "now": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if document.source is None:
        # Without a source each call is a document of its own, named by its id.
        last = connection.one("SELECT max(seq) FROM sqlite_sequence WHERE name = 'docs'") or 0
        values["id"] = last + 1
        values["source"] = f"doc:{last + 1}"
    return int(connection.one(statements("write")["insert_doc"], values))


def _write_nodes(connection: Connection, document: Prepared, doc_id: int) -> None:
    spans = subtree_spans(document.tree, document.chunks)
    base = doc_id << CHUNK_BITS
    connection.write_many(
        statements("write")["insert_node"],
        [
            (
                base + n.seq, doc_id, None if n.parent is None else base + n.parent, n.seq,
                n.level, n.title or document.title if n.parent is None else n.title, n.label,
                n.kind, n.page_start, n.page_end, n.char_start, n.char_end, first, last, summary,
            )
            for n, (first, last), summary in zip(
                document.tree, spans, document.summaries, strict=True
            )
        ],
    )  # fmt: skip


def subtree_spans(tree: Tree, chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """For each node the first and last seq of its subtree's chunks; (n, n - 1) for none."""
    counts = [0] * len(tree)
    for chunk in chunks:
        counts[chunk.node] += 1
    firsts, at = [], 0
    for count in counts:
        firsts.append(at)
        at += count
    lasts = [first + count - 1 for first, count in zip(firsts, counts, strict=True)]
    for node in reversed(tree):
        if node.parent is not None:
            lasts[node.parent] = max(lasts[node.parent], lasts[node.seq])
    return list(zip(firsts, lasts, strict=True))


def _chunk_rows(document: Prepared, doc_id: int) -> list[tuple[Any, ...]]:
    base = doc_id << CHUNK_BITS
    return [
        (
            base + c.seq, doc_id, base + c.node, c.seq, c.page, c.page_end, c.char_start,
            c.char_end, heading, c.content, folded, c.kind,
            blake2b(f"{heading}\0{c.content}".encode(), digest_size=16).digest(),
        )
        for c, heading, folded in zip(
            document.chunks, document.headings, document.folded, strict=True
        )
    ]  # fmt: skip


def write_terms(
    connection: Connection, terms: Terms, doc_id: int, text: str, page_at: Callable[[int], int]
) -> None:
    """Keys, definitions and cross-references of a document that has none yet."""
    from .terms.definitions import term_key

    sql, base = statements("write"), doc_id << CHUNK_BITS
    keys = [(p.key, doc_id, base + p.node, p.start, p.end, page_at(p.start)) for p in terms.keys]
    keys += [(name, doc_id, base, 0, len(text), page_at(0)) for name in terms.names]
    connection.write_many(sql["insert_key"], keys)
    connection.write_many(
        sql["insert_def"],
        [
            (
                base + seq, doc_id, base + d.node, d.term, term_key(d.term), page_at(d.start),
                d.start, d.end, d.exception, text[d.start : d.end],
            )
            for seq, d in enumerate(terms.definitions)
        ],
    )  # fmt: skip
    connection.write_many(
        sql["insert_xref"],
        [
            (
                base + seq, doc_id, base + link.node, page_at(link.mention.start),
                link.mention.start, link.mention.end, link.mention.raw, link.key, link.mention.act,
                *((base + t.node, t.start, t.end) if (t := link.target) else (None,) * 3),
                link.exact,
            )
            for seq, link in enumerate(terms.links)
        ],
    )  # fmt: skip


def _write_vectors(
    connection: Connection, chunks: Sequence[Chunk], vectors: Rows, stamp: Stamp, doc_id: int
) -> None:
    check_stamp(connection, stamp)
    if get_meta(connection, "vec") is None:
        create_vectors(connection, stamp)
        create_views(connection)
    base = doc_id << CHUNK_BITS
    connection.write_many(
        statements("write")["insert_vector"],
        [
            (base + chunk.seq, row.tobytes(), doc_id)
            for chunk, row in zip(chunks, vectors, strict=True)
            if row.any()  # vec0 gives NULL as the distance of a zero vector
        ],
    )


def forget_chunks(connection: Connection, doc_id: int) -> None:
    """Take a document's chunks and nodes out of the tables and both indexes."""
    sql = statements("write")
    span = id_range(doc_id)
    if get_meta(connection, "vec") is not None:
        connection.write(sql["delete_vectors"], span)
    connection.write(sql["unindex_chunks"], span)
    connection.write(sql["delete_chunks"], span)
    connection.write(sql["delete_nodes"], span)
    connection.write(sql["delete_keys"], (doc_id,))
    connection.write(sql["delete_defs"], span)
    connection.write(sql["delete_xrefs"], span)


def forget_document(connection: Connection, doc_id: int) -> None:
    """Remove a document and everything that belongs to it."""
    with connection.transaction():
        forget_chunks(connection, doc_id)
        connection.write(statements("write")["delete_doc"], (doc_id,))
