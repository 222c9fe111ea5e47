"""The connection to one file: how it is opened, written and closed, and its errors translated."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self

import apsw
from fastcore.basics import AttrDict

from .errors import (
    Busy,
    DatabaseError,
    InvalidArgument,
    InvalidType,
    NotALitesearchFile,
    NotFound,
    ReadOnly,
)

BUSY_TIMEOUT_MS = 10_000
# SQLite's 2 MB page cache does not hold the vectors of one large document: 1.9 ms a scan of 3,200
# vectors with it, 1.4 ms with this.
CACHE_KIB = 65_536


def load_vec0(connection: apsw.Connection) -> None:
    """Load sqlite-vec into a connection, and close the door to extensions behind it."""
    import sqlite_vec

    connection.enable_load_extension(True)
    try:
        connection.load_extension(sqlite_vec.loadable_path())
    except apsw.ExtensionLoadingError as error:
        raise DatabaseError(
            f"sqlite-vec cannot be loaded ({error}). Reinstall it for this platform:"
            " pip install --force-reinstall sqlite-vec."
        ) from error
    finally:
        connection.enable_load_extension(False)


def _checked_path(path: str | PathLike[str]) -> str:
    try:
        name = fspath(path)
        name.encode()
    except (TypeError, AttributeError) as error:
        raise InvalidType(f"path must be a str or a Path, not {type(path).__name__}.") from error
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"path {path!r} is no text ({error}). Rename the file.") from error
    if "\0" in name:
        raise InvalidArgument(f"path {path!r} holds a NUL character. Remove it.")
    return name


class Connection:
    """One SQLite connection with litesearch's policy; usable from several threads in turn.

    Writers turn the file to WAL at their first write and back to a single file (journal mode
    DELETE) when the last of them closes, so that the closed file can be copied or opened from
    read-only media. Every commit is synchronous=FULL.
    """

    def __init__(
        self,
        path: str | PathLike[str] = ":memory:",
        readonly: bool = False,
        trace: Callable[[str], object] | None = None,
    ) -> None:
        self.path = _checked_path(path)
        self.in_memory = self.path in (":memory:", "")
        self._lock = threading.RLock()
        self._wrote = False
        self._sql: apsw.Connection | None = None
        self._sql = self._open(readonly)
        self.readonly = readonly or self._sql.readonly("main")
        self._trace = trace
        if trace is not None:
            self._sql.trace_v2(apsw.SQLITE_TRACE_STMT, self._traced)

    def _traced(self, event: dict[str, Any]) -> None:
        if self._trace is not None:
            self._trace(event["sql"])

    def _open(self, readonly: bool) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY
        if not readonly:
            flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        named = not self.in_memory and not self.path.startswith("file:")
        if readonly and named and not Path(self.path).is_file():
            raise NotFound(f"{self.path}: no such file. Check the path, or open it for writing.")
        try:
            sql = apsw.Connection(self.path, flags=flags)
            sql.set_busy_timeout(BUSY_TIMEOUT_MS)
            sql.execute("PRAGMA synchronous=FULL")
            sql.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            sql.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except apsw.NotADBError as error:
            raise NotALitesearchFile(
                f"{self.path} is no SQLite database. Choose another path, or remove the file."
            ) from error
        except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
            sql = self._open_immutable(error)
        load_vec0(sql)
        return sql

    def _open_immutable(self, error: Exception) -> apsw.Connection:
        """A file in WAL mode cannot be opened where no -shm file can be made, except as immutable.

        That is only right while no writer's log stands beside it.
        """
        log = Path(self.path + "-wal")
        if Path(self.path).is_file() and not (log.exists() and log.stat().st_size):
            uri = Path(self.path).absolute().as_uri() + "?immutable=1"
            try:
                sql = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY)
                sql.execute("SELECT count(*) FROM sqlite_schema").fetchall()
                return sql
            except apsw.CantOpenError:
                pass
        raise DatabaseError(
            f"{self.path} cannot be opened ({error}). Check that the folder exists and that you"
            " may read it; a file with a -wal file beside it must be closed by its writer first."
        ) from error

    @property
    def sql(self) -> apsw.Connection:
        """The apsw connection. Raises DatabaseError once closed."""
        if self._sql is None:
            raise DatabaseError(
                f"{self.path} is closed. Open it again with database({self.path!r})"
            )
        return self._sql

    def rows(self, statement: str, bindings: Any = ()) -> list[Any]:
        """The result rows as AttrDicts: keys and attributes are the column names."""
        with self._lock:
            cursor = self.sql.execute(statement, bindings)
            first = next(cursor, None)
            if first is None:
                return []
            names = [column[0] for column in cursor.get_description()]
            records = [AttrDict(zip(names, first, strict=True))]
            records += [AttrDict(zip(names, row, strict=True)) for row in cursor]
            return records

    def one(self, statement: str, bindings: Any = ()) -> Any:
        """The first column of the first row, or None."""
        with self._lock:
            row = next(self.sql.execute(statement, bindings), None)
            return None if row is None else row[0]

    def write(self, statement: str, bindings: Any = ()) -> None:
        """Run one statement; inside transaction()."""
        self.sql.execute(statement, bindings)

    def write_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of bindings; inside transaction()."""
        self.sql.executemany(statement, rows)

    @contextmanager
    def transaction(self) -> Iterator[Self]:
        """BEGIN IMMEDIATE ... COMMIT, or ROLLBACK of everything when the body raises.

        Inside another transaction of this connection it is a part of that one. Raises ReadOnly,
        and Busy when another writer holds the file for longer than 10 s.
        """
        with self._lock:
            if self.readonly:
                raise ReadOnly(
                    f"{self.path} is open for reading only. Open a writable copy of the file with"
                    " readonly=False."
                )
            if self._in_transaction():
                yield self
                return
            try:
                if not self._wrote and not self.in_memory:
                    self.sql.execute("PRAGMA journal_mode=WAL").fetchall()
                    self._wrote = True
                self.sql.execute("BEGIN IMMEDIATE")
            except apsw.BusyError as error:
                raise Busy(
                    f"{self.path} is being written by another connection for more than"
                    f" {BUSY_TIMEOUT_MS // 1000} s. Try again when it has finished."
                ) from error
            except apsw.ReadOnlyError as error:
                raise ReadOnly(
                    f"{self.path} cannot be written: {error}. Check its rights."
                ) from error
            try:
                yield self
                self.sql.execute("COMMIT")
            except BaseException:
                if self._in_transaction():
                    self.sql.execute("ROLLBACK")
                raise

    def _in_transaction(self) -> bool:
        return self.sql.in_transaction

    def close(self) -> None:
        """Close the file. A writer that is the last one leaves a single file behind."""
        with self._lock:
            if self._sql is None:
                return
            if not self.readonly and not self.in_memory:
                self._leave_wal(self._sql)
            self._sql.close()
            self._sql = None

    @staticmethod
    def _leave_wal(sql: apsw.Connection) -> None:
        """Back to one file, whoever wrote it; while others have it open, their close does this."""
        try:
            sql.set_busy_timeout(0)
            if sql.execute("PRAGMA journal_mode").fetchall() == [("wal",)]:
                sql.execute("PRAGMA journal_mode=DELETE").fetchall()
        except (apsw.BusyError, apsw.ReadOnlyError):
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"
