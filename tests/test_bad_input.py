"""Bad documents and hopeless queries: one clear error or an empty list, nothing half-written."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from litesearch import (
    Database,
    DocumentError,
    EmptyDocument,
    EncodeError,
    InvalidArgument,
    InvalidType,
    LitesearchError,
    NotFound,
    database,
)

TEXT = "# A\n\nsome text here\n\n# B\n\nmore of it"


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    with database() as made:
        made.add_doc("Order INV-2044 shipped to Oakfield and not to Ashby.", source="order")
        made.add_doc("She said don't panic. Use std::vector here, in C++.", source="quote")
        yield made


def everything(db: Database) -> tuple[int, ...]:
    tables = ["docs", "nodes", "store", "fts_docsize"]
    if db.one("SELECT 1 FROM sqlite_schema WHERE name = 'vec'"):
        tables.append("vec")
    return tuple(db.one(f"SELECT count(*) FROM {table}") for table in tables)


def raising() -> Iterator[str]:
    yield "page one"
    raise OSError("page two is gone")


@pytest.mark.parametrize(
    ("pages", "error"),
    [
        ("", EmptyDocument),
        (" \n\t", EmptyDocument),
        ([], EmptyDocument),
        (["", "  "], EmptyDocument),
        (iter(()), EmptyDocument),
        (None, InvalidType),
        (5, InvalidType),
        ([None], InvalidType),
        ([(1, None)], InvalidType),
        (b"bytes", InvalidType),
        ("nul \0 inside", DocumentError),
        (["good", "lone \ud800"], DocumentError),
        (raising(), OSError),
    ],
)
def test_documents(pages: Any, error: type[Exception]) -> None:
    with database() as db:
        with pytest.raises(error):
            db.add_doc(pages, source="a")
        assert set(everything(db)) == {0}
        assert db.add_doc(TEXT, source="a") == 1


def changing() -> Callable[[list[str]], np.ndarray]:
    sizes = iter((8, 9, 10))
    return lambda texts: np.ones((len(texts), next(sizes)))


@pytest.mark.parametrize(
    "embed",
    [
        lambda texts: 1 / 0,
        lambda texts: np.ones((1, 8)),
        lambda texts: np.full((len(texts), 8), np.nan),
        lambda texts: np.full((len(texts), 8), np.inf),
        lambda texts: np.ones(8),
        lambda texts: np.ones((len(texts), 0)),
        lambda texts: None,
        lambda texts: ["x"] * len(texts),
        changing(),
    ],
)
def test_emb_fn(embed: Callable[..., Any]) -> None:
    with database() as db:
        with pytest.raises(EncodeError):
            db.add_doc(TEXT, source="a", emb_fn=embed)
        assert set(everything(db)) == {0}
        db.add_doc(TEXT, source="a")
        assert everything(db) == (1, 3, 2, 2, 2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"chunk_size": 0}, InvalidArgument),
        ({"chunk_size": "x"}, InvalidType),
        ({"overlap": 512}, InvalidArgument),
        ({"strategy": "magic"}, InvalidArgument),
        ({"nonsense": 1}, InvalidArgument),
        ({"metadata": {"x": object()}}, InvalidType),
        ({"metadata": {"x": float("nan")}}, InvalidType),
        ({"metadata": [1]}, InvalidType),
        ({"source": 5}, InvalidType),
        ({"source": "a\0b"}, InvalidArgument),
        ({"title": "\ud800"}, InvalidArgument),
    ],
)
def test_options(options: dict[str, Any], error: type[Exception]) -> None:
    with database() as db:
        with pytest.raises(error):
            db.add_doc(TEXT, **options)
        assert set(everything(db)) == {0}


def test_paths(tmp_path: Path) -> None:
    with database() as db:
        with pytest.raises(NotFound, match="no such file"):
            db.add_file(tmp_path / "none.pdf")
        with pytest.raises(NotFound, match="no such folder"):
            db.add_dir(tmp_path / "none")
        with pytest.raises(InvalidArgument, match="no file of a known kind"):
            db.add_dir(tmp_path)
        assert set(everything(db)) == {0}


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Good\n\ntext")
    (tmp_path / "b.pdf").write_bytes(b"<html>not a pdf</html>")
    (tmp_path / "c.pdf").write_bytes(b"")
    (tmp_path / "d.txt").write_text("  ")
    (tmp_path / "e.html").write_text("<p>also good</p>")
    (tmp_path / ".hidden.md").write_text("hidden")
    with database() as db:
        summary = db.add_dir(tmp_path, progress=False)
        assert [Path(name).name for name in summary.stored] == ["a.md", "e.html"]
        assert {Path(name).name for name in summary.failed} == {"b.pdf", "c.pdf", "d.txt"}
        assert "3 failed" in str(summary)
        assert "c.pdf: the file is empty" in str(summary)
        assert [doc.source for doc in db.docs()] == ["a.md", "e.html"]


CASES = Path(__file__).resolve().parents[2] / "shared" / "data" / "pdf_cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared data folder is missing")
def test_hostile_pdfs() -> None:
    with database() as db:
        summary = db.add_dir(CASES, pattern="*.pdf", progress=False)
        failed = {Path(name).name: reason for name, reason in summary.failed.items()}
        assert set(failed) == {"empty.pdf", "enc_user.pdf", "notpdf.pdf", "trunc.pdf"}
        assert "encrypted" in failed["enc_user.pdf"]
        assert "cut off" in failed["trunc.pdf"]
        notes = {Path(name).name: note for name, note in summary.notes.items()}
        assert "OCR" in notes["scanlike.pdf"]
        scan = next(doc for doc in db.docs() if doc.source == "scanlike.pdf")
        assert scan.blank_pages


@pytest.mark.parametrize("q", [None, 5, b"bytes", ["list"], 1.5])
def test_queries_must_be_text(db: Database, q: Any) -> None:
    for call in (db.doc_search, db.sections, db.search, db.params):
        with pytest.raises(InvalidType, match="q must be a str"):
            call(q)


@pytest.mark.parametrize("q", ["", "   ", "*", "**", "()", '"', "-", "§", "\0", "\ud800", "\n"])
def test_hopeless_queries_give_an_empty_list(db: Database, q: str) -> None:
    for call in (db.doc_search, db.sections, db.search):
        assert call(q) == []


def test_a_query_of_100_000_characters(db: Database) -> None:
    found = db.doc_search("order " + " ".join(f"w{i}" for i in range(14_000)))
    assert found[0].source == "order"
    assert "the first 64 were used" in found.notes[0]
    assert db.doc_search("x" * 100_000, mode="keyword") == []


@pytest.mark.parametrize("char", sorted(set(string.printable) | set("“”‘’«»…–—\u00a0\u00ad")))
def test_any_character_anywhere(db: Database, char: str) -> None:
    for q in (char, char * 2, f"{char}order", f"order{char}", f"or{char}der", f"{char}order{char}"):
        db.doc_search(q)
        db.sections(q)
    assert db.doc_search(f"{char} order {char}")[0].source == "order"


@given(st.text())
def test_any_text_is_safe(q: str) -> None:
    SHARED.doc_search(q)
    SHARED.sections(q, mode="keyword")


SHARED = database()
SHARED.add_doc("# One\n\nsome words stand here\n\n# Two\n\n合同终止条款", source="a")


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_limits_name_the_maximum(db: Database, limit: int) -> None:
    with pytest.raises(ValueError, match="1,000"):
        db.doc_search("order", limit=limit)


@pytest.mark.parametrize("vector", [[1.0] * 5, b"123", np.full(256, np.nan), "text", [[1, 2], [3]]])
def test_wrong_vectors(db: Database, vector: Any) -> None:
    with pytest.raises(LitesearchError):
        db.doc_search("order", vector)


@pytest.mark.parametrize("vector", [[], b"", np.zeros(256)])
def test_empty_vectors_are_noted(db: Database, vector: Any) -> None:
    found = db.doc_search("order", vector)
    assert found[0].source == "order"
    assert "keyword search only" in found.notes[0]
    assert "vec" not in found.legs
