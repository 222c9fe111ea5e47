"""Flat stores: searchable tables without documents or sections, beside the tree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from .connection import Connection
from .encoders.base import Encoder
from .encoders.stamp import encode
from .errors import InvalidArgument, InvalidType, NotFound
from .normalise import fold
from .schema import Stamp, check_stamp, create_vectors, get_meta, meta_key
from .sql import quote_identifier as quote
from .sql.compose import hits_view
from .sql.stages import Tables

if TYPE_CHECKING:
    from .encoders.base import Rows

RESERVED = ("id", "content", "folded", "hash")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL", bytes: "BLOB", bool: "INTEGER"}


class FlatStore:
    """A table `name` with its FTS5 index, its vectors if it has any, and a view of its hits.

    Calling it gives its rows; `sync` loads it; `len(store)` counts it.
    """

    def __init__(self, connection: Connection, encoder: Encoder | None, name: str) -> None:
        _check_name(name)
        found = connection.rows("SELECT * FROM stores WHERE name = ?", (name,))
        if not found:
            raise NotFound(f"There is no store {name!r}. get_store({name!r}) makes one.")
        self.connection = connection
        self.encoder = encoder
        self.name = name
        self.unique = bool(found[0].hash)
        self.ann = bool(found[0].ann)
        self.columns: list[str] = json.loads(found[0].columns)

    def __call__(self, **options: Any) -> list[Any]:
        """All rows, as TableReader gives them (select, where, args, order_by, limit)."""
        return TableReader(self.connection, self.name)(**options)

    def __len__(self) -> int:
        return int(self.connection.one(f"SELECT count(*) FROM {quote(self.name)}"))

    def __repr__(self) -> str:
        return f"FlatStore({self.name!r}, {len(self)} rows)"

    def sync(
        self, rows: Iterable[Mapping[str, Any]], emb_fn: Callable[..., Any] | None = None
    ) -> int:
        """Load rows: dicts of `content` and the store's columns. -> how many were new.

        In a store with hash=True a text is there once: a known one only has its columns updated,
        and is not encoded again. Vectors come from `emb_fn`, else from the file's encoder; with
        ann=False there are none. All rows are stored, or none.
        """
        if not isinstance(rows, Iterable):
            raise InvalidType(f"rows must be dicts in a list, not {type(rows).__name__}.")
        checked = [self._checked(row, i) for i, row in enumerate(rows)]
        hashes = [_hash(row["content"]) for row in checked]
        known = self._known(hashes) if self.unique else {}
        fresh: dict[Any, Mapping[str, Any]] = {}
        for i, (row, key) in enumerate(zip(checked, hashes, strict=True)):
            if key not in known:
                fresh[key if self.unique else i] = row
        texts = [row["content"] for row in fresh.values()]
        encoded = encode(self.encoder, emb_fn, texts) if self.ann and texts else None
        if encoded is not None:
            check_stamp(self.connection, encoded[1], self.name)
        with self.connection.transaction():
            self._update(
                [(known[k], r) for k, r in zip(hashes, checked, strict=True) if k in known]
            )
            self._insert(list(fresh.values()), encoded)
        return len(fresh)

    def _checked(self, row: Mapping[str, Any], at: int) -> Mapping[str, Any]:
        if not isinstance(row, Mapping):
            raise InvalidType(f"Row {at} is {type(row).__name__}. Give a dict with 'content'.")
        content = row.get("content")
        if not isinstance(content, str) or not content.strip():
            raise InvalidArgument(
                f"Row {at} has no text in 'content'. Give each row a non-empty str."
            )
        if "\0" in content:
            raise InvalidArgument(f"Row {at} holds a NUL character. Remove it from 'content'.")
        unknown = set(row) - {"content", *self.columns}
        if unknown:
            raise InvalidArgument(
                f"Row {at} has a column {sorted(unknown)[0]!r}; the store {self.name!r} has content"
                f" and {', '.join(self.columns) or 'no others'}."
            )
        for column, value in row.items():
            if not _is_storable(value):
                raise InvalidArgument(
                    f"Row {at} has {value!r:.80} in {column!r}, which SQLite cannot hold. Give a"
                    " str without lone surrogates, an int of 64 bits, a float, bytes or None."
                )
        return row

    def _known(self, hashes: Sequence[bytes]) -> dict[bytes, int]:
        wanted = set(hashes)
        rows = self.connection.rows(f"SELECT id, hash FROM {quote(self.name)}")
        return {row.hash: row.id for row in rows if row.hash in wanted}

    def _insert(self, rows: list[Mapping[str, Any]], encoded: tuple[Rows, Stamp] | None) -> None:
        first = int(self.connection.one(f"SELECT coalesce(max(id), 0) + 1 FROM {quote(self.name)}"))
        names = ["id", "content", "folded", "hash", *self.columns]
        values = []
        for i, row in enumerate(rows, first):
            content, folded = row["content"], fold(row["content"])
            kept = folded if folded != content else None
            values.append((i, content, kept, _hash(content), *(row.get(c) for c in self.columns)))
        marks = ", ".join("?" * len(names))
        self.connection.write_many(
            f"INSERT INTO {quote(self.name)}({', '.join(map(quote, names))}) VALUES ({marks})",
            values,
        )
        self.connection.write(
            f"INSERT INTO {quote(self.name + '_fts')}(rowid, content) SELECT id, content"
            f" FROM {quote(self.name + '_source')} WHERE id >= ?",
            (first,),
        )
        if encoded is not None:
            self._insert_vectors(first, *encoded)

    def _insert_vectors(self, first: int, rows: Rows, stamp: Stamp) -> None:
        check_stamp(self.connection, stamp, self.name)
        if get_meta(self.connection, meta_key("vec", self.name)) is None:
            _create_view(
                self.connection, self.name, create_vectors(self.connection, stamp, self.name)
            )
        self.connection.write_many(
            f"INSERT INTO {quote(self.name + '_vec')}(id, embedding, doc_id) VALUES (?, ?, 0)",
            [(i, row.tobytes()) for i, row in enumerate(rows, first) if row.any()],
        )

    def _update(self, known: list[tuple[int, Mapping[str, Any]]]) -> None:
        if not self.columns:
            return
        changes = ", ".join(f"{quote(column)} = ?" for column in self.columns)
        self.connection.write_many(
            f"UPDATE {quote(self.name)} SET {changes} WHERE id = ?",
            [(*(row.get(c) for c in self.columns), i) for i, row in known],
        )


def _is_storable(value: Any) -> bool:
    if isinstance(value, str):
        return not _SURROGATE.search(value)
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63
    return value is None or isinstance(value, float | bytes)


def _check_name(name: str) -> None:
    if not isinstance(name, str):
        raise InvalidType(f"The name of a store must be a str, not {type(name).__name__}.")
    if _SURROGATE.search(name):
        raise InvalidArgument(f"{name!r} holds a lone surrogate. Choose another name.")


def _hash(content: str) -> bytes:
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def create_store(
    connection: Connection,
    encoder: Encoder | None,
    name: str,
    unique: bool,
    ann: bool,
    columns: Mapping[str, type],
) -> FlatStore:
    """Make a flat store, or open the one of that name if its columns are the same."""
    for given in (name, *columns):
        _check_name(given)
    for column, kind in columns.items():
        if column.lower() in RESERVED or kind not in _TYPES:
            raise InvalidArgument(
                f"The column {column!r}: {kind!r} cannot be made. Its type must be one of"
                f" {', '.join(t.__name__ for t in _TYPES)}, its name none of {', '.join(RESERVED)}."
            )
    known = connection.rows("SELECT * FROM stores WHERE name = ?", (name,))
    if known:
        kept = (bool(known[0].hash), bool(known[0].ann), json.loads(known[0].columns))
        if kept != (unique, ann, list(columns)):
            raise InvalidArgument(
                f"The store {name!r} exists with hash={kept[0]}, ann={kept[1]} and columns"
                f" {kept[2]}. Open it with those, or choose another name."
            )
        return FlatStore(connection, encoder, name)
    _create_tables(connection, name, unique, ann, columns)
    return FlatStore(connection, encoder, name)


def _create_tables(
    connection: Connection, name: str, unique: bool, ann: bool, columns: Mapping[str, type]
) -> None:
    try:
        table, source, fts = quote(name), quote(name + "_source"), quote(name + "_fts")
    except ValueError as error:
        raise InvalidArgument(f"{error}. Choose another name.") from error
    parts = [name, *(name + suffix for suffix in ("_source", "_fts", "_vec", "_hits"))]
    taken = [part for part in parts if _exists(connection, part)]
    if taken or name.lower().startswith("sqlite_"):
        raise InvalidArgument(f"{taken[0] if taken else name!r} is taken. Choose another name.")
    typed = "".join(f", {quote(c)} {_TYPES[kind]}" for c, kind in columns.items())
    with connection.transaction():
        connection.write(
            f"CREATE TABLE {table}(id INTEGER PRIMARY KEY, content TEXT NOT NULL, folded TEXT,"
            f" hash BLOB NOT NULL {'UNIQUE' if unique else ''}{typed})"
        )
        connection.write(
            f"CREATE VIEW {source} AS SELECT id, coalesce(folded, content) AS content FROM {table}"
        )
        option = "'" + (name + "_source").replace("'", "''") + "'"
        connection.write(
            f"CREATE VIRTUAL TABLE {fts} USING fts5(content, content={option}, content_rowid='id',"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        connection.write(
            "INSERT INTO stores VALUES (?, ?, ?, ?)", (name, unique, ann, json.dumps(list(columns)))
        )
        _create_view(connection, name, None)


def _create_view(connection: Connection, name: str, vec: str | None) -> None:
    connection.write(f"DROP VIEW IF EXISTS {quote(name + '_hits')}")
    tables = Tables(name + "_fts", name, vec, columns=1, tree=False)
    connection.write(hits_view(name + "_hits", tables))


def _exists(connection: Connection, name: str) -> bool:
    found = connection.one("SELECT 1 FROM sqlite_schema WHERE lower(name) = lower(?)", (name,))
    return found is not None


def store_columns(store: FlatStore, columns: Sequence[str] | None) -> list[str]:
    """The columns asked for, checked; all of them for None."""
    known = ["id", "content", *store.columns]
    if columns is None:
        return known
    unknown = [c for c in columns if c not in known]
    if unknown:
        raise InvalidArgument(
            f"The store {store.name!r} has no column {unknown[0]!r}; it has {', '.join(known)}."
        )
    return list(columns)


class TableReader:
    """The rows of one table or view as dicts that answer to attributes."""

    def __init__(self, connection: Connection, name: str) -> None:
        self.connection = connection
        self.name = name
        _check_name(name)
        if not _exists(connection, name):
            raise NotFound(f"There is no table or view {name!r} in {connection.path}.")

    def __call__(
        self,
        select: str = "*",
        where: str | None = None,
        args: Sequence[Any] | Mapping[str, Any] = (),
        order_by: str | None = None,
        limit: int | None = None,
    ) -> list[Any]:
        """Rows; `select`, `where` and `order_by` are SQL of the caller's, `args` their values."""
        import apsw

        statement = f"SELECT {select} FROM {quote(self.name)}"
        statement += f" WHERE {where}" if where else ""
        statement += f" ORDER BY {order_by}" if order_by else ""
        if limit is not None:
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise InvalidType(f"limit must be an int, not {type(limit).__name__}.")
            statement += f" LIMIT {limit:d}"
        try:
            return self.connection.rows(statement, args)
        except apsw.SQLError as error:
            raise InvalidArgument(
                f"{error} in {statement!r}. Check select, where, order_by."
            ) from error


class TableReaders:
    """`db.t.docs()`, `db.t.nodes(where="level = 1")`: readers by table name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> TableReader:
        if name.startswith("__"):
            raise AttributeError(name)
        return TableReader(self._connection, name)

    def __getitem__(self, name: str) -> TableReader:
        return TableReader(self._connection, name)
