"""The file: schema, statements, views, what may be opened, journal modes, threads, processes."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from pathlib import Path

import apsw
import apsw.ext
import pytest

from litesearch import (
    DatabaseError,
    NewerFormat,
    NotALitesearchFile,
    NotFound,
    ReadOnly,
    database,
)
from litesearch.schema import APPLICATION_ID, FORMAT
from litesearch.sql import quote_identifier, script, statements
from litesearch.sql.compose import views_script


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed file of one document with vectors."""
    with database(tmp_path / "a.db") as db:
        db.add_doc("# One\n\nsome words", source="a.md")
    return tmp_path / "a.db"


@pytest.mark.parametrize("name", ["read", "write"])
def test_every_statement_prepares(path: Path, name: str) -> None:
    with database(path) as db:
        for key, statement in statements(name).items():
            count = apsw.ext.query_info(db.sql, statement)
            parsed = count.query
            assert parsed is not None, key


def test_views_script_is_what_compose_makes() -> None:
    assert script("views") == views_script(), "run: make sql"


def test_schema_opens_in_the_oldest_sqlite_at_hand(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert sqlite3.sqlite_version_info >= (3, 38)
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    for name in ("docs", "nodes", "store", "fts", "vec", "stop", "meta", "about", "fts_source"):
        assert name in names
    for view in ("doc_search", "sections", "hits"):
        assert {view, f"{view}_text"} <= names
        rows = connection.execute(
            f"SELECT * FROM {view}_text WHERE params = json_object('q', 'words')"
        )
        assert len(rows.fetchall()) == 1
    assert dict(connection.execute("SELECT key, value FROM about"))["documents"] == 1
    connection.close()


def test_the_file_says_what_it_is(path: Path) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()


def test_reopening_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    with database(path) as db:
        assert db.doc_search("words")
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["a.db"]


def test_what_is_refused(tmp_path: Path, path: Path) -> None:
    (tmp_path / "text.db").write_text("no database, but long enough to be taken for one\n" * 20)
    with pytest.raises(NotALitesearchFile):
        database(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE x(y)")
    other.close()
    with pytest.raises(NotALitesearchFile, match="another program"):
        database(tmp_path / "other.db")
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version=99")
    newer.close()
    with pytest.raises(NewerFormat, match="format 99"):
        database(path)
    with pytest.raises(NotFound):
        database(tmp_path / "none.db", readonly=True)
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(DatabaseError, match="folder exists"):
        database(tmp_path / "none" / "a.db")


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    with pytest.raises(NotALitesearchFile, match="empty"):
        database(tmp_path / "a.db", readonly=True)
    with database(tmp_path / "a.db") as db:
        assert db.docs() == []


def test_readonly_and_closed(path: Path) -> None:
    with database(path, readonly=True) as db:
        with pytest.raises(ReadOnly):
            db.add_doc("more")
        assert len(db.docs()) == 1
    with pytest.raises(DatabaseError, match="is closed"):
        db.docs()
    db.close()


def test_wal_while_writing_and_one_file_after(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    reader = None
    with database(path) as db:
        db.add_doc("first")
        assert db.one("PRAGMA journal_mode") == "wal"
        reader = database(path, readonly=True)
        assert len(reader.docs()) == 1
    reader.close()
    with database(path):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


def test_a_failing_write_leaves_nothing(path: Path) -> None:
    with database(path) as db:
        before = db.status()
        with pytest.raises(ZeroDivisionError), db.transaction():
            db.add_doc("second")
            raise ZeroDivisionError
        assert db.status() == before
        assert db.doc_search("second", mode="keyword") == []


def test_threads_share_one_object(path: Path) -> None:
    errors: list[BaseException] = []
    with database(path) as db:

        def work(number: int) -> None:
            try:
                for i in range(10):
                    db.add_doc(f"thread {number} item {i}", source=f"{number}-{i}")
                    assert db.doc_search(f"thread {number}")
            except BaseException as error:  # noqa: BLE001  # handed to the main thread
                errors.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(db.docs()) == 41


def _write(path: str, number: int) -> None:
    with database(path, encoder=None) as db:
        for i in range(20):
            db.add_doc(f"# P{number}\n\nitem {i}\n\n# Q\n\nend", source=f"{number}-{i}")


def test_two_writers_and_a_reader(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    database(path, encoder=None).close()
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(path, n)) for n in range(2)]
    for writer in writers:
        writer.start()
    with database(path, readonly=True) as reader:
        while any(writer.is_alive() for writer in writers):
            rows = reader.rows("SELECT doc_id, count(*) AS n FROM store GROUP BY doc_id")
            assert {row.n for row in rows} <= {2}  # never half a document
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    with database(path) as db:
        assert len(db.docs()) == 40
        db.sql.execute("INSERT INTO fts(fts, rank) VALUES('integrity-check', 1)")


def test_vec0_loads() -> None:
    with database() as db:
        assert db.one("SELECT vec_version()").startswith("v0.1.9")
        with pytest.raises(apsw.Error):
            db.sql.load_extension("anything")


def test_identifiers() -> None:
    assert quote_identifier('a"b; drop') == '"a""b; drop"'
    for bad in ("", "a\0b"):
        with pytest.raises(ValueError, match="cannot be the name"):
            quote_identifier(bad)


def test_trace() -> None:
    seen: list[str] = []
    with database(trace=seen.append) as db:
        db.add_doc("words")
    assert any(statement.startswith("INSERT INTO store") for statement in seen)
