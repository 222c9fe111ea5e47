"""The file: schema, statements, views, what may be opened, journal modes, threads, processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import apsw.ext
import pytest

from litesearch import (
    DatabaseError,
    EncoderMismatch,
    NewerFormat,
    NotALitesearchFile,
    NotFound,
    ReadOnly,
    database,
)
from litesearch.formats import APPLICATION_ID, FORMAT
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


def test_every_statement_of_the_schema_prepares() -> None:
    made = apsw.Connection(":memory:")
    for name in ("schema", "terms", "views"):
        rest = script(name)
        if name == "views":  # they read the vector table
            with database() as db:
                db.add_doc("words")
                vectors = db.one("SELECT sql FROM sqlite_schema WHERE name = 'vec'")
            connection_with_vec0(made)
            made.execute(vectors)
        made.execute(rest)
    names = {row[0] for row in made.execute("SELECT name FROM sqlite_schema")}
    with database() as db:
        db.add_doc("words")
        assert names == {row.name for row in db.rows("SELECT name FROM sqlite_schema")}
    for view in ("hits", "doc_search", "sections", "about", "fts_source"):
        assert made.execute(f"SELECT count(*) FROM {view}").fetchall()


def connection_with_vec0(connection: apsw.Connection) -> None:
    import sqlite_vec

    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())


def test_the_newest_words_of_sqlite_are_not_used() -> None:
    text = (script("schema") + script("views")).lower()
    for word in ("jsonb", "string_agg", "timediff", "octet_length", "concat_ws", "unhex", " full "):
        assert word not in text, word


def test_a_database_of_another_encoder_is_refused(path: Path) -> None:
    class Other:
        name, dims = "other", 2

        def encode_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 2.0] for _ in texts]

        encode_queries = encode_documents

    before = path.read_bytes()
    with pytest.raises(EncoderMismatch, match=r"static.*other.*encoder=None"):
        database(path, encoder=Other())  # type: ignore[arg-type]
    with database(path, encoder=None) as db:
        assert len(db.doc_search("words")) == 1
    assert path.read_bytes() == before


def test_a_step_that_fails_leaves_the_file_as_it_was(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from litesearch import formats

    def broken(connection: object) -> None:
        raise RuntimeError("half way")

    monkeypatch.setattr(formats, "STEPS", (*formats.STEPS, ("broken", broken)))
    monkeypatch.setattr(formats, "FORMAT", len(formats.STEPS))
    for name in (path, tmp_path / "new.db"):
        with pytest.raises(RuntimeError, match="half way"):
            database(name)
    monkeypatch.undo()
    with database(path) as db:
        assert len(db.doc_search("words")) == 1
        assert db.one("PRAGMA user_version") == FORMAT
    with database(tmp_path / "new.db") as db:
        assert db.add_doc("words") == 1


KILLED = """
import os, sys
from litesearch import database
db = database(sys.argv[1], encoder=None)
for i in range(5):
    db.add_doc(f"document {i} is whole", source=str(i))
with db.transaction():
    db.add_doc("half a document", source="half")
    db.sql.cache_flush()
    os._exit(9)
"""


def test_a_killed_writer_leaves_whole_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == 9
    assert (tmp_path / "a.db-wal").stat().st_size > 0
    with database(path, encoder=None, readonly=True) as db:
        assert len(db.docs()) == 5
    with database(path, encoder=None) as db:
        assert len(db.doc_search("document whole")) == 5
        assert db.doc_search("half") == []
        db.sql.execute("INSERT INTO fts(fts, rank) VALUES('integrity-check', 1)")
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"]


@pytest.fixture
def media(path: Path) -> Iterator[Path]:
    """A read-only folder that every user may enter, with a read-only copy of the file."""
    folder = Path(tempfile.mkdtemp())
    shutil.copy(path, folder / "a.db")
    (folder / "a.db").chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


ANOTHER_USER = """
import json, os, sys
from litesearch import ReadOnly, database
with database() as first:  # imports everything while this user still may
    first.add_doc("words")
    first.doc_search("words")
if os.geteuid() == 0:  # root does not notice a read-only folder
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
assert not os.access(".", os.W_OK)
try:
    database(encoder=None).close()
except Exception as error:
    sys.exit(f"SKIP {error}")
found = []
for options in ({}, {"readonly": True}):
    with database("a.db", **options) as db:
        assert db.readonly
        found.append([hit.source for hit in db.doc_search("words")])
        try:
            db.add_doc("more")
        except ReadOnly as error:
            found.append(str(error))
print(json.dumps(found))
"""


def as_another_user(folder: Path) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", ANOTHER_USER],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.stderr.startswith("SKIP"):
        pytest.skip(f"another user may not read the packages: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert [p.name for p in folder.iterdir()] == ["a.db"]
    return json.loads(done.stdout)


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users")
def test_another_user_reads_from_a_read_only_folder(media: Path) -> None:
    found = as_another_user(media)
    assert found[0] == found[2] == ["a.md"]
    assert "reading only" in str(found[1])


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs users")
def test_another_user_reads_a_file_left_in_wal_mode(media: Path) -> None:
    media.chmod(0o755)
    (media / "a.db").chmod(0o644)
    left = sqlite3.connect(media / "a.db")
    assert left.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
    left.close()
    (media / "a.db").chmod(0o444)
    media.chmod(0o555)
    assert as_another_user(media)[0] == ["a.md"]


def test_a_copy_of_the_closed_file_is_whole(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "copy.db")
    with database(tmp_path / "copy.db") as db:
        assert db.one("PRAGMA integrity_check") == "ok"
        assert db.doc_search("words")[0].source == "a.md"


def test_two_objects_write_in_turn(path: Path) -> None:
    with database(path) as one, database(path) as two:
        for i in range(5):
            one.add_doc(f"from one {i}", source=f"one{i}")
            two.add_doc(f"from two {i}", source=f"two{i}")
        assert len(one.docs()) == len(two.docs()) == 11
    assert [p.name for p in path.parent.iterdir()] == ["a.db"]


def test_a_writer_that_waits_too_long_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from litesearch import Busy

    with database(path) as one, database(path) as two:
        two.sql.set_busy_timeout(50)
        with one.transaction(), pytest.raises(Busy, match=r"another connection.*Try again"):
            two.add_doc("more")
        two.add_doc("more")


def test_readers_see_whole_documents_of_a_writer_at_work(path: Path) -> None:
    with database(path) as writer, database(path, readonly=True) as reader:
        with writer.transaction():
            writer.add_doc("# X\n\nnew words\n\n# Y\n\nmore", source="x")
            assert len(writer.docs()) == 2
            assert len(reader.docs()) == 1
            assert [h.source for h in reader.doc_search("new words", mode="keyword")] == ["a.md"]
        assert len(reader.docs()) == 2
        assert reader.doc_search("new words", mode="keyword")[0].source == "x"
