"""Bad documents and hopeless queries: one clear error or an empty list, nothing half-written."""

from __future__ import annotations

import json
import string
import time
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
        ([(3, "three"), (1, "one")], InvalidArgument),
        ([(10**30, "far")], InvalidArgument),
        ([("1", "text")], InvalidType),
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
        lambda texts: [[1.0] * (i + 1) for i in range(len(texts))],
        lambda texts: np.full((len(texts), 8), 1e300),
        lambda texts: np.ones((len(texts), 9000)),
        lambda texts: np.ones((len(texts), 2, 2)),
        lambda texts: ([1.0] for _ in texts),
        5,
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


def tables(db: Database) -> dict[str, int]:
    """The rows of every table of the file and the terms of its index."""
    names = [r.name for r in db.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = {name: db.one(f'SELECT count(*) FROM "{name}"') for name in names}
    found["words"] = db.one("SELECT count(*) FROM fts WHERE fts MATCH 'text OR more OR ok'")
    return found


@pytest.mark.parametrize("fault", ["raises", "count", "nan", "size"])
def test_every_table_is_as_before(fault: str) -> None:
    def embed(texts: list[str]) -> np.ndarray:
        rows = np.array([[1.0, len(text)] for text in texts])
        if not any("some text" in text for text in texts):
            return rows
        if fault == "raises":
            raise RuntimeError(fault)
        if fault == "nan":
            rows[-1, 0] = np.nan
        return {"count": rows[1:], "size": np.ones((len(texts), 3))}.get(fault, rows)

    with database(encoder=None) as db:
        db.add_doc("ok", source="a", emb_fn=embed)
        before, text = tables(db), db.text("a")
        for source in ("a", "new"):
            with pytest.raises(LitesearchError):
                db.add_doc(TEXT, source=source, emb_fn=embed)
            assert tables(db) == before
            assert db.text("a") == text
        good = lambda texts: np.array([[1.0, len(t)] for t in texts])  # noqa: E731
        db.add_doc(TEXT, source="new", emb_fn=good)
        assert db.doc_search("some text", mode="keyword")[0].source == "new"
        assert db.status().vectors == 3
        db.sql.execute("INSERT INTO fts(fts, rank) VALUES ('integrity-check', 1)")


class Broken:
    """An encoder that fails at texts with the word "bad"."""

    name, dims = "broken", 2

    def encode_documents(self, texts: list[str]) -> np.ndarray:
        if any("bad" in text for text in texts):
            raise ConnectionError("the model is gone")
        return np.ones((len(texts), 2))

    encode_queries = encode_documents


def test_an_encoder_that_raises(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("bad words")
    (tmp_path / "b.md").write_text("good words")
    with database(encoder=Broken()) as db:
        with pytest.raises(EncodeError, match="encoder broken raised ConnectionError: the model"):
            db.add_doc("bad words")
        assert set(everything(db)) == {0}
        summary = db.add_dir(tmp_path, progress=False)
        assert list(summary.failed) == [str(tmp_path / "a.md")]
        assert "the model is gone" in next(iter(summary.failed.values()))
        assert [doc.source for doc in db.docs()] == ["b.md"]


def test_a_reader_that_raises_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from litesearch.data import READERS, Reader

    def read(path: Any) -> Any:
        raise RecursionError("too deep")

    monkeypatch.setitem(READERS, ".deep", Reader("text", read))
    (tmp_path / "a.deep").write_text("x")
    (tmp_path / "b.txt").write_text("good")
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        reason = summary.failed[str(tmp_path / "a.deep")]
        assert reason.startswith("RecursionError: too deep")
        assert [doc.source for doc in db.docs()] == ["b.txt"]


def test_wrong_options_are_not_the_files_fault(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("good")
    with database(encoder=None) as db:
        for options in ({"chunk_size": 0}, {"nonsense": 1}, {"pattern": ""}, {"pattern": "/x"}):
            with pytest.raises(InvalidArgument):
                db.add_dir(tmp_path, progress=False, **options)


@pytest.mark.parametrize("path", [None, 5, b"a.db", "a\0b", "\ud800"])
def test_database_paths(path: Any) -> None:
    with pytest.raises(InvalidType if not isinstance(path, str) else InvalidArgument):
        database(path)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (10**30, NotFound),
        (-1, NotFound),
        ("\ud800", NotFound),
        ("a\0b", NotFound),
        (None, InvalidType),
        (True, InvalidType),
        (1.5, InvalidType),
    ],
)
def test_documents_and_sections_that_are_not_there(
    db: Database, name: Any, error: type[Exception]
) -> None:
    for call in (db.toc, db.text, db.delete_doc):
        with pytest.raises(error):
            call(name)
    with pytest.raises(error):
        db.read(name)


def test_numpys_integers_are_ids(db: Database) -> None:
    first = db.toc(1)
    assert db.toc(np.int64(1)) == first  # type: ignore[arg-type]
    assert db.read(np.int64(first[0].id)) == db.read(first[0].id)  # type: ignore[arg-type]
    assert db.doc_search("order", docs=[np.int64(1)], limit=np.int32(3))


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (None, InvalidType),
        (["text"], InvalidType),
        ([{"content": "a\ud800"}], InvalidArgument),
        ([{"content": "a\0"}], InvalidArgument),
        ([{"content": 5}], InvalidArgument),
        ([{}], InvalidArgument),
        ([{"content": "a", "x": object()}], InvalidArgument),
        ([{"content": "a", "x": 1 << 63}], InvalidArgument),
        ([{"content": "a", "x": "\ud800"}], InvalidArgument),
    ],
)
def test_rows_of_a_flat_store(rows: Any, error: type[Exception]) -> None:
    with database(encoder=None) as db:
        store = db.get_store("flat", x=str)
        with pytest.raises(error):
            store.sync(rows)
        assert len(store) == 0
        assert store.sync([{"content": "a", "x": None}]) == 1


@pytest.mark.parametrize("name", [5, None, "", "\ud800", "a\0b", "sqlite_x"])
def test_names_of_flat_stores(name: Any) -> None:
    with database(encoder=None) as db:
        before = tables(db)
        with pytest.raises(LitesearchError):
            db.get_store(name)
        assert tables(db) == before


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
        ({"metadata": {"x": "\ud800"}}, InvalidType),
        ({"chunk_size": -1}, InvalidArgument),
        ({"overlap": -1}, InvalidArgument),
        ({"max_chunk_tokens": 0}, InvalidArgument),
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


@given(st.text(alphabet=st.characters(exclude_categories=())), st.text())
def test_any_text_with_surrogates_is_safe(q: str, other: str) -> None:
    for call in (SHARED.doc_search, SHARED.sections, SHARED.search):
        call(q + other, limit=3)
    SHARED.doc_search("words", source=q, kind=other, mode="keyword")
    json.dumps(SHARED.params(q))


@given(st.text(alphabet="\"'*^:(){}+-AND NOTEAR/words.", max_size=60))
def test_any_mix_of_fts5s_own_syntax_is_safe(q: str) -> None:
    SHARED.doc_search(q)
    SHARED.sections(q)


WORST = {
    "one word": "word " * 20_000,
    "no blanks": "wordswords" * 10_000,
    "quotes": '"' * 100_000,
    "stars": "* " * 50_000,
    "brackets": "(" * 100_000,
    "distinct": " ".join(f"w{i}" for i in range(17_000))[:100_000],
    "chinese": "合同终止条款" * 16_667,
    "accents": "e\u0301" * 50_000,
    "emoji": "\U0001f600" * 100_000,
}


@pytest.mark.parametrize("kind", WORST)
def test_a_query_of_100_000_characters_of_a_kind(kind: str) -> None:
    assert len(WORST[kind]) >= 99_990
    started = time.process_time()
    SHARED.doc_search(WORST[kind])
    SHARED.sections(WORST[kind], mode="keyword")
    assert time.process_time() - started < 3


SHARED = database()
SHARED.add_doc("# One\n\nsome words stand here\n\n# Two\n\n合同终止条款", source="a")


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_limits_name_the_maximum(db: Database, limit: int) -> None:
    with pytest.raises(ValueError, match="1,000"):
        db.doc_search("order", limit=limit)


@pytest.mark.parametrize(
    "options",
    [
        {"docs": [99]},
        {"docs": "none"},
        {"pages": (1,)},
        {"pages": ("1", "2")},
        {"w": {"any": -1}},
        {"w": {"any": float("nan")}},
        {"w": {"any": True}},
        {"rrf_k": 0},
        {"offset": -1},
        {"depth": 5000},
        {"any": '"'},
        {"phrase": "nocolumn:x"},
        {"source": 5},
        {"vec": [1.0] * 3},
        {"vec": "x"},
        {"docs": 5.0},
        {"meta": {"a": object()}},
        {"meta": {"a": np.nan}},
        {"emb": b"1234", "dtype": "nonsense"},
    ],
    ids=str,
)
def test_search_options(db: Database, options: dict[str, Any]) -> None:
    with pytest.raises(LitesearchError):
        db.doc_search("order", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"limit": np.int64(5)},
        {"rrf_k": np.int32(20)},
        {"w": {"any": np.float32(2)}},
        {"node": np.int64(1 << 20)},
        {"like": np.int64(1 << 20)},
        {"vec": np.ones(256, np.float32)},
        {"meta": {"x": np.int64(1)}},
    ],
    ids=str,
)
def test_numpys_numbers_are_numbers(options: dict[str, Any]) -> None:
    with database() as made:
        made.add_doc("an order", metadata={"x": 1})
        made.add_doc("an order too", metadata={"x": 1})
        assert made.doc_search("order", **options)


def test_an_expression_without_words(db: Database) -> None:
    assert [hit.source for hit in db.doc_search("", any='"order"', mode="keyword")] == ["order"]


@pytest.mark.parametrize("name", ["any", "vec"])
def test_a_leg_from_outside_takes_no_name_of_ours(db: Database, name: str) -> None:
    with pytest.raises(InvalidArgument, match=name):
        db.doc_search("order", legs={name: [1 << 20]})


def test_a_leg_from_outside_counts_a_chunk_once(db: Database) -> None:
    once, twice = (db.doc_search("", legs={"mine": [1 << 20] * n}) for n in (1, 2))
    assert once == twice


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
