"""A file of ours, searched without our package: by Python's sqlite3 and the sqlite3 program."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlite_vec

from litesearch import Database, database

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
QUERIES = (
    "annual leave",
    "the speed of a vessel in the Narrows",
    "Article 12a",
    "battery pack's capacity (0 °C)",
    "AND OR NOT",
    "of the in the",
    "état 合同终止 条",
    "-2044 state-of-the-art",
    "*",
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed file with the example documents and one in Chinese."""
    made = tmp_path_factory.mktemp("file") / "library.db"
    with database(made) as db:
        db.add_dir(EXAMPLES, pattern="*", progress=False)
        db.add_doc("合同终止条款在第七页", source="zh.txt", kind="text")
    return made


@pytest.fixture(scope="module")
def db(path: Path) -> Iterator[Database]:
    with database(path, readonly=True) as opened:
        yield opened


def stock(path: Path, query: str = "mode=ro") -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?{query}", uri=True)


def ask(connection: sqlite3.Connection, view: str, **params: Any) -> list[tuple[Any, ...]]:
    statement = f"SELECT rank, round(score, 9), first_id, content FROM {view} WHERE params = ?"
    return connection.execute(statement, (json.dumps(params),)).fetchall()


def python_rows(hits: list[Any]) -> list[tuple[Any, ...]]:
    return [(hit.rank, round(hit.score, 9), hit.first_id, hit.content) for hit in hits]


@pytest.mark.parametrize("q", QUERIES)
def test_q_alone_is_pythons_keyword_search(path: Path, db: Database, q: str) -> None:
    connection = stock(path)
    assert ask(connection, "doc_search_text", q=q) == python_rows(db.doc_search(q, mode="keyword"))
    connection.close()


@pytest.mark.parametrize("q", QUERIES)
def test_the_same_params_give_the_same_rows(path: Path, db: Database, q: str) -> None:
    connection = stock(path)
    params = db.params(q, mode="keyword", limit=5, docs=[1, 2])
    found = ask(connection, "doc_search_text", **params)
    assert found == python_rows(db.doc_search(q, mode="keyword", limit=5, docs=[1, 2]))
    connection.close()


def test_sections_and_hits(path: Path, db: Database) -> None:
    connection = stock(path)
    for view in ("sections_text", "hits_text"):
        statement = f"SELECT node_id FROM {view} WHERE params = json_object('q', 'annual leave')"
        assert connection.execute(statement).fetchall()
    row = connection.execute(
        "SELECT section, truncated, json_array_length(snippets) FROM sections_text"
        " WHERE params = json_object('q', 'carrying leave over', 'limit', 1)"
    ).fetchone()
    assert row[0] == db.sections("carrying leave over", mode="keyword")[0].section
    connection.close()


def test_many_queries_at_once(path: Path) -> None:
    connection = stock(path)
    wanted = [json.dumps({"q": q, "limit": 1}) for q in ("annual leave", "harbour dues")]
    rows = connection.execute(
        "SELECT params, source FROM doc_search_text WHERE params IN (?, ?)", wanted
    ).fetchall()
    assert sorted(params for params, _ in rows) == sorted(wanted)
    connection.close()


def test_two_connections_read_only_and_immutable(path: Path) -> None:
    one, two = stock(path), stock(path, "immutable=1")
    assert (
        ask(one, "doc_search_text", q="harbour") == ask(two, "doc_search_text", q="harbour") != []
    )
    one.close()
    two.close()


def test_from_bytes(path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(path.read_bytes())
    assert ask(connection, "doc_search_text", q="harbour")
    connection.close()


PROBE = """
import json, sqlite3, sys
assert "litesearch" not in sys.modules
connection = sqlite3.connect(sys.argv[1])
rows = connection.execute(
    "SELECT rank, heading FROM doc_search_text WHERE params = json_object('q', 'annual leave')")
print(json.dumps(rows.fetchall()))
"""


def test_as_another_user_from_a_read_only_folder(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "media"
    folder.mkdir()
    shutil.copy(path, folder / "x.db")
    (folder / "x.db").chmod(0o444)
    folder.chmod(0o555)
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # root does not notice a read-only folder
        user = {"user": 65534, "group": 65534, "extra_groups": []}
        for parent in [folder, *folder.parents]:
            if parent != Path(parent.anchor) and not os.stat(parent).st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o055)
    python = sys.executable if os.geteuid() else shutil.which("python3", path="/usr/bin")
    if python is None:
        pytest.skip("no Python that another user may run")
    found = subprocess.run(
        [python, "-c", PROBE, "x.db"],
        cwd=folder, capture_output=True, text=True, check=True, **user,
    )  # fmt: skip
    assert json.loads(found.stdout)[0][0] == 1
    folder.chmod(0o755)


needs_program = pytest.mark.skipif(
    shutil.which("sqlite3") is None, reason="the sqlite3 program is not installed"
)


def program(path: Path, script: str, *options: str) -> list[list[Any]]:
    """The rows of the sqlite3 program's JSON output."""
    done = subprocess.run(
        ["sqlite3", "-json", *options, str(path)],
        input=script, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stderr
    return [list(row.values()) for row in json.loads(done.stdout or "[]")]


@needs_program
@pytest.mark.parametrize("options", [(), ("-readonly",)])
def test_the_program_without_extensions(path: Path, db: Database, options: tuple[str, ...]) -> None:
    rows = program(
        path,
        "SELECT rank, first_id FROM doc_search_text"
        " WHERE params = json_object('q', 'annual leave', 'docs', json_array(4), 'limit', 4);",
        *options,
    )
    expected = db.doc_search("annual leave", mode="keyword", docs=[4], limit=4)
    assert rows == [[hit.rank, hit.first_id] for hit in expected]
    assert rows


@needs_program
def test_the_program_with_vec0(path: Path, db: Database) -> None:
    load = f".load {sqlite_vec.loadable_path()}\n"
    params = json.dumps(db.params("what may stay in port", limit=5)).replace("'", "''")
    rows = program(path, f"{load}SELECT rank, first_id FROM doc_search WHERE params = '{params}';")
    assert rows == [[h.rank, h.first_id] for h in db.doc_search("what may stay in port", limit=5)]
    chunk = rows[0][1]
    alike = program(
        path,
        f"{load}SELECT first_id FROM doc_search WHERE params = json_object('like', {chunk});",
        "-readonly",
    )
    assert [row[0] for row in alike] == [h.first_id for h in db.doc_search("", like=chunk)]
    assert alike
