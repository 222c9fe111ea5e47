"""Create, check and upgrade a file: ordered, named steps under `PRAGMA user_version`.

A file says what it is by `PRAGMA application_id`.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable

from .connection import Connection
from .errors import NewerFormat, NotALitesearchFile
from .function_words import FUNCTION_WORDS, NO_PAIRS
from .outline import join_chunks
from .records import Node
from .schema import FUSION, create_views
from .sql import script, statements
from .store import CHUNK_BITS, id_range, write_terms

APPLICATION_ID = 0x4C535248  # "LSRH"


def stop_rows() -> list[tuple[str, bool]]:
    """The rows of `stop` in a new file."""
    return [(word, word in NO_PAIRS) for word in sorted(FUNCTION_WORDS)]


def _first_format(connection: Connection) -> None:
    connection.write(script("schema"))
    connection.write_many("INSERT INTO stop VALUES (?, ?)", stop_rows())
    connection.write("INSERT INTO meta VALUES ('fusion', ?)", (json.dumps(FUSION),))


def _terms(connection: Connection) -> None:
    """Keys, definitions and cross-references, worked out for the documents that are there."""
    from .terms import extract_terms

    connection.write(script("terms"))
    for doc_id in [int(row.id) for row in connection.rows("SELECT id FROM docs ORDER BY id")]:
        nodes = stored_nodes(connection, doc_id)
        text = join_chunks(connection, *id_range(doc_id))
        pages = _page_finder(connection, doc_id)
        write_terms(connection, extract_terms(nodes, text), doc_id, text, pages)


def stored_nodes(connection: Connection, doc_id: int) -> list[Node]:
    """A document's nodes as build_tree made them."""
    base = doc_id << CHUNK_BITS
    return [
        Node(
            row.seq, None if row.parent_id is None else row.parent_id - base, row.level, row.title,
            row.label, row.kind, row.page_start, row.page_end, row.char_start, row.char_end,
        )
        for row in connection.rows(statements("read")["nodes_of"], id_range(doc_id))
    ]  # fmt: skip


def _page_finder(connection: Connection, doc_id: int) -> Callable[[int], int]:
    """The page that the chunk of an offset begins on: a file does not keep where pages begin."""
    rows = connection.rows(
        "SELECT char_start, page FROM store WHERE id BETWEEN ? AND ? ORDER BY id", id_range(doc_id)
    )
    starts = [row.char_start for row in rows]
    return lambda offset: int(rows[max(0, bisect_right(starts, offset) - 1)].page)


# Each step brings a file from one format to the next; its place in the list is the version.
STEPS: tuple[tuple[str, Callable[[Connection], None]], ...] = (
    ("first format", _first_format),
    ("terms", _terms),
)
FORMAT = len(STEPS)


def prepare(connection: Connection) -> None:
    """Make a new file litesearch's, bring an old one up to date, refuse anything else."""
    version, application = _identity(connection)
    if application == APPLICATION_ID and version == FORMAT:
        return
    tables = connection.one("SELECT count(*) FROM sqlite_schema")
    if application != APPLICATION_ID and (tables or version or application):
        raise NotALitesearchFile(
            f"{connection.path} is an SQLite database of another program. Choose another path."
        )
    if version > FORMAT:
        raise NewerFormat(
            f"{connection.path} has format {version}; this version of litesearch reads up to"
            f" {FORMAT}. Upgrade it: pip install --upgrade litesearch-db."
        )
    if connection.readonly and not tables:
        raise NotALitesearchFile(
            f"{connection.path} is empty and open for reading only. Open it for writing first."
        )
    if connection.readonly:
        return  # an older format answers every search; what came later says so when asked for
    with connection.transaction():
        version, _ = _identity(connection)  # another process may have been first
        for _, step in STEPS[version:]:
            step(connection)
        create_views(connection)
        connection.write(f"PRAGMA user_version={FORMAT:d}")
        connection.write(f"PRAGMA application_id={APPLICATION_ID:d}")


def _identity(connection: Connection) -> tuple[int, int]:
    return connection.one("PRAGMA user_version"), connection.one("PRAGMA application_id")
