"""Adding, replacing and deleting documents; flat stores; encoders and their stamp."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from litesearch import (
    Database,
    EncodeError,
    EncoderMismatch,
    InvalidArgument,
    NotFound,
    database,
)
from litesearch.encoders.static import StaticEncoder
from litesearch.store import check_size


class Letters:
    """An encoder that counts letters: small, and different from the static one."""

    name = "letters:26"
    dims = 26

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray:
        rows = [[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts]
        array = np.array(rows, dtype=np.float32)
        return array / np.maximum(np.linalg.norm(array, axis=1, keepdims=True), 1e-9)

    encode_queries = encode_documents


def counts(db: Database) -> tuple[int, ...]:
    tables = ("docs", "nodes", "store", "vec")
    return tuple(db.one(f"SELECT count(*) FROM {table}") for table in tables)


def test_same_source_is_replaced_and_the_old_words_are_gone() -> None:
    with database() as db:
        first = db.add_doc("# A\n\noldword here\n\n# B\n\nmore", source="a")
        second = db.add_doc("# A\n\nnewword here", source="a")
        assert first == second
        assert [hit.content for hit in db.doc_search("oldword", mode="keyword")] == []
        assert len(db.doc_search("newword", mode="keyword")) == 1
        assert counts(db) == (1, 2, 1, 1)
        db.sql.execute("INSERT INTO fts(fts, rank) VALUES('integrity-check', 1)")


def test_unchanged_is_left_alone_and_metadata_updated() -> None:
    with database() as db:
        db.add_doc("text", source="a")
        before = db.docs()[0]
        changes = db.sql.total_changes()
        db.add_doc("text", source="a")
        assert db.sql.total_changes() == changes
        db.add_doc("text", source="a", metadata={"tag": "x"}, title="New")
        after = db.docs()[0]
        assert (after.meta, after.title, after.updated_at) == (
            {"tag": "x"}, "New", before.updated_at,
        )  # fmt: skip


def test_changed_options_take_effect() -> None:
    text = "One sentence stands here. " * 100
    with database() as db:
        db.add_doc(text, source="a")
        small = db.docs()[0].chunks
        db.add_doc(text, source="a", chunk_size=2000)
        assert db.docs()[0].chunks < small


def test_without_a_source_each_call_is_a_document() -> None:
    with database() as db:
        ids = [db.add_doc("same text", title="same") for _ in range(3)]
        assert len(set(ids)) == 3
        assert len(db.doc_search("same text")) == 3
        with pytest.raises(NotFound, match="3 documents have the title 'same'"):
            db.toc("same")


def test_delete() -> None:
    with database() as db:
        db.add_doc("secret word", source="a")
        db.delete_doc("a")
        assert counts(db) == (0, 0, 0, 0)
        assert db.doc_search("secret") == []
        with pytest.raises(NotFound):
            db.delete_doc("a")
        assert db.add_doc("secret word", source="a") == 2  # an id is not used again


def test_one_spelling_of_a_source() -> None:
    with database() as db:
        assert db.add_doc("x y", source="Orc\u0327amento.md") == db.add_doc(
            "x z", source="Or\u00e7amento.md"
        )
        assert db.text("Orc\u0327amento.md") == "x z"


def test_strategies_and_token_limits() -> None:
    text = "# Title\n\n" + "A sentence about harbours and ships. " * 60
    with database() as db:
        db.add_doc(text, source="a", strategy="token", max_chunk_tokens=50, overlap=40)
        assert len(db.toc("a")) == 1
        encoder = StaticEncoder()
        rows = db.t.store(order_by="id")
        assert all(encoder.count_tokens(row.content) <= 60 for row in rows)
        assert rows[1].char_start < rows[0].char_end
        assert db.text("a") == text
    with database(encoder=None) as db, pytest.raises(InvalidArgument, match="counts tokens"):
        db.add_doc(text, max_chunk_tokens=50)


def test_too_many_chunks_is_said() -> None:
    from litesearch import DocumentError

    check_size(1 << 20, 1)
    with pytest.raises(DocumentError, match="Raise chunk_size"):
        check_size((1 << 20) + 1, 1)


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with database(path, encoder=Letters()) as db:
        db.add_doc("alpha beta", source="a")
        assert "vec" in db.doc_search("alpha").legs
    with pytest.raises(EncoderMismatch, match=r"letters:26.*static.*encoder=None"):
        database(path)
    with database(path, encoder=None) as db:
        found = db.doc_search("alpha")
        assert len(found) == 1
        assert "without its encoder letters:26" in found.notes[0]
        with pytest.raises(EncoderMismatch):
            db.add_doc("more")
        with pytest.raises(EncoderMismatch, match=r"26 dimensions.*256|256.*26"):
            db.add_doc("more", emb_fn=StaticEncoder().encode_documents)


def test_another_callable_is_refused() -> None:
    def one(texts: list[str]) -> np.ndarray:
        return np.array([[len(t), 1.0, 0.0] for t in texts])

    def other(texts: list[str]) -> np.ndarray:
        return np.array([[1.0, len(t), 5.0] for t in texts])

    with database() as db:
        db.add_doc("first", emb_fn=one)
        db.add_doc("second", emb_fn=one)
        with pytest.raises(EncoderMismatch, match="callable:3"):
            db.add_doc("third", emb_fn=other)
        with pytest.raises(EncodeError, match="raised ZeroDivisionError"):
            db.add_doc("fourth", emb_fn=lambda texts: 1 / 0)
        assert len(db.docs()) == 2


def test_texts_without_known_tokens_have_no_vector() -> None:

    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[0.0, 0.0] if "zero" in t else [1.0, 0.0] for t in texts])

    with database() as db:
        db.add_doc("# A\n\nzero\n\n# B\n\none", emb_fn=embed, with_heading=False)
        assert counts(db)[2:] == (2, 1)
        found = db.doc_search("q", [1.0, 0.0], mode="semantic")
        assert [hit.cosine for hit in found] == [1.0]


class TestFlatStores:
    """get_store, sync and search."""

    def test_the_same_text_once(self) -> None:
        with database() as db:
            store = db.get_store("flat", doc=str, page=int)
            rows = [{"content": "red kite", "doc": "a", "page": 1}] * 2
            assert store.sync(rows) == 1
            assert store.sync([{"content": "red kite", "doc": "b", "page": 2}]) == 0
            assert [(row.doc, row.page) for row in store()] == [("b", 2)]
            assert len(store) == 1
            twice = db.get_store("twice", hash=False)
            twice.sync([{"content": "red kite"}] * 2)
            assert len(twice()) == 2

    def test_search_rows(self) -> None:
        with database() as db:
            store = db.get_store("it's", doc=str)
            store.sync([{"content": "red kites", "doc": "a"}, {"content": "blue", "doc": "b"}])
            found = db.search("red kite", columns=["content", "doc"], table_name="it's", limit=1)
            assert (found[0].content, found[0].doc, found[0].rank) == ("red kites", "a", 1)
            assert db.search("", table_name="it's") == []
            with pytest.raises(InvalidArgument, match="no column 'nope'"):
                db.search("red", columns=["nope"], table_name="it's")
            with pytest.raises(NotFound):
                db.search("red", table_name="none")

    def test_all_rows_or_none(self) -> None:
        with database() as db:
            store = db.get_store("flat")
            with pytest.raises(InvalidArgument, match="Row 1"):
                store.sync([{"content": "good"}, {"content": " "}])
            with pytest.raises(InvalidArgument, match="column 'x'"):
                store.sync([{"content": "good", "x": 1}])
            assert len(store) == 0

    def test_reopening_asks_for_the_same_columns(self) -> None:
        with database() as db:
            db.get_store("flat", doc=str)
            assert len(db.get_store("flat", doc=str)) == 0
            with pytest.raises(InvalidArgument, match="columns"):
                db.get_store("flat", other=str)
            for name in ("store", "docs", "flat_fts", ""):
                with pytest.raises(InvalidArgument):
                    db.get_store(name)

    def test_another_encoder_is_refused(self) -> None:
        with database() as db:
            store = db.get_store("flat")
            store.sync([{"content": "a b"}])
            with pytest.raises(EncoderMismatch):
                store.sync([{"content": "c d"}], emb_fn=Letters().encode_documents)


class TestStaticEncoder:
    """The default encoder."""

    def test_unit_rows(self) -> None:
        rows = StaticEncoder().encode_documents(["the supplier delivers", "", "a ship"])
        assert rows.shape == (3, 256)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0, 1], atol=1e-5)

    def test_meaning(self) -> None:
        car, automobile, soup = StaticEncoder().encode_queries(
            ["car repair", "automobile maintenance", "fish soup"]
        )
        assert car @ automobile > 0.4 > car @ soup

    def test_no_texts(self) -> None:
        assert StaticEncoder().encode_documents([]).shape == (0, 256)


LONG = """
import re
from litesearch import database
taken = 0
def pages():
    global taken
    for number in range(1, 1501):
        taken += 1
        lines = (f"Line {n} of {number} says that item {n * number} is due." for n in range(45))
        yield number, "\\n".join(lines)
with database() as db:
    db.add_doc(pages(), source="long", kind="pdf")
    last = db.doc_search("item 66000 is due", limit=1)[0]
    # Not ru_maxrss, which counts what the parent had before exec.
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    print(taken, last.page, int(peak) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells its peak memory")
def test_a_long_document_stays_small() -> None:  # X14: 1,500 pages of 45 lines
    done = subprocess.run([sys.executable, "-c", LONG], capture_output=True, text=True, check=True)
    taken, page, megabytes = map(int, done.stdout.split())
    assert (taken, page) == (1500, 1500)
    assert megabytes < 300
