"""Faults that users of such software report: a test a row of ../shared/CASES.md, with its input."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import string
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlite_vec

from litesearch import (
    Database,
    EmptyDocument,
    EncodeError,
    EncoderMismatch,
    InvalidArgument,
    ParseError,
    database,
)
from litesearch.data import pdf_parse

ROOT = Path(__file__).resolve().parents[1]
PDFS = ROOT.parent / "shared" / "data" / "pdf_cases"
needs_pdfs = pytest.mark.skipif(not PDFS.is_dir(), reason="../shared/data/pdf_cases is missing")


def keyword(*texts: str, **options: Any) -> Database:
    """A file for keyword search with each text as a document; its source is its number from 1."""
    db = database(encoder=None)
    for number, text in enumerate(texts, 1):
        db.add_doc(text, source=str(number), kind="text", **options)
    return db


def found(db: Database, q: str, **options: Any) -> list[str]:
    return [hit.source for hit in db.doc_search(q, **options)]


class Table:
    """An encoder of `dims` numbers: a vector a text from `rows`, ones for any other text."""

    def __init__(
        self, rows: dict[str, Sequence[float]], dims: int = 2, name: str = "table"
    ) -> None:
        self.rows, self.dims, self.name = rows, dims, name
        self.asked: list[tuple[str, str]] = []

    def _encode(self, kind: str, texts: Sequence[str]) -> np.ndarray:
        self.asked += [(kind, text) for text in texts]
        rows = [self.rows.get(text.strip(), [1.0] * self.dims) for text in texts]
        return np.array(rows, dtype=np.float32)

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode("document", texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode("query", texts)


# FTS query syntax


@pytest.mark.parametrize("q", ["INV-2044", "-2044", "state-of-the-art"])
def test_q01_hyphens(q: str) -> None:
    db = keyword("Other text.", "Order INV-2044 shipped to Oakfield by state-of-the-art carriers.")
    assert found(db, q)[0] == "2"
    assert found(db, q, mode="hybrid")[0] == "2"


def test_q02_apostrophes() -> None:
    db = keyword("She said don't panic", "She said don\u2019t panic", "Panic over nothing")
    for q in ("don't panic", "don\u2019t panic"):
        assert sorted(found(db, q)[:2]) == ["1", "2"]


@pytest.mark.parametrize("q", ["", "   ", "\n\t"])
def test_q04_empty_queries(q: str) -> None:
    with database() as db:
        db.add_doc("Some text.")
        db.get_store("flat").sync([{"content": "Some text."}])
        assert db.doc_search(q) == db.sections(q) == db.search(q) == []
        assert db.search(q, table_name="flat") == []


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("AND", {"1"}),
        ("OR", {"2"}),
        ("NOT", {"3"}),
        ("NOT panic", {"3"}),
        ("NEAR(a b", {"4"}),
        ("*", set()),
        ("**", set()),
    ],
)
def test_q05_operator_words_are_words(q: str, expected: set[str]) -> None:
    db = keyword("red and blue", "red or blue", "do not panic", "a house near b", "nothing else")
    assert set(found(db, q)) == expected
    assert isinstance(db.sections(q), list)


@pytest.mark.parametrize("q", ["std::vector", "foo:bar", "https://x.org/a", "a::b", "heading:"])
def test_q07_colons(q: str) -> None:
    db = keyword("Use std::vector here", "Nothing of the kind")
    assert found(db, q)[:1] == (["1"] if "std" in q else [])


def test_q08_a_column_name_is_a_word() -> None:
    with database(encoder=None) as db:
        db.add_doc("# Config\n\nbody\n\n# Other\n\nthe title config is here", source="a")
        for q in ("title:config", "heading:config", "content : config", "{heading content}:config"):
            plain = "".join(c if c.isalnum() else " " for c in q)
            assert db.doc_search(q) == db.doc_search(plain) != []
        assert [h.heading for h in db.doc_search("title:config")] == ["Other", "Config"]


def test_q10_phone_made_quotes() -> None:
    db = keyword("a red house, a kite report", "red kite report", "kite, red report")
    straight = db.doc_search('"red kite"')
    assert straight[0].source == "2"
    assert [h.source for h in straight] == found(db, "\u201cred kite\u201d")


def test_q11_a_quoted_phrase_with_operators() -> None:
    db = keyword("warnings about error", "pass --error-on-warnings to fail")
    best = db.doc_search('"--error-on-warnings"')[0]
    assert best.source == "2"
    assert best.legs["phrase"] == 1


def test_q13_a_nul_byte() -> None:
    db = keyword("order number x")
    assert found(db, "order\x00x") == ["1"]
    assert found(db, "\x00order") == ["1"]
    assert found(db, "\x00") == []


def test_q14_prefix_by_a_raw_expression() -> None:
    db = keyword("agentic dashboards", "agentic sidebars", "other things")
    assert found(db, "agent*") == ["1", "2"]
    assert found(db, "dash", any="dash*") == ["1"]
    assert found(db, "agents", any="agent* NOT sidebar*", all="", pairs="") == ["1"]
    with pytest.raises(InvalidArgument, match=r"it was any=.agent\* NOT"):
        db.doc_search("agents", any="agent* NOT")


def test_q16_questions_are_answered_without_every_word() -> None:
    db = keyword("run app_cfg_reload() to reload the config", "something about how you do it")
    assert found(db, "how do I reload the config")[0] == "1"
    assert found(db, "reload the config") == ["1"]


def test_q17_stop_words_do_not_drown_the_rest() -> None:
    filler = ["how do I the a of how do I the a of, and how" for _ in range(20)]
    db = keyword(*filler, "An escrow is a deposit.")
    assert found(db, "how do I open the escrow")[0] == "21"


@pytest.mark.parametrize(
    "q", ["Downloads/notes", "a=b", "a+b", "x^2", "{b}", "C#", "C++", "F*", "[1]", "a|b", "~"]
)
def test_q19_paths_and_operators(q: str) -> None:
    db = keyword("See Downloads/notes for a=b, a+b, x^2, {b}, C#, C++, F*, [1] and a|b.")
    assert found(db, q) == (["1"] if q != "~" else [])


def test_q19_every_printable_character() -> None:
    db = keyword("the order is here")
    for char in string.printable:
        for q in (char, char * 2, f"{char}order", f"order{char}", f"{char}order{char}"):
            hits = db.doc_search(q)
            assert hits or not (q.strip(char) == "order" and not char.isalnum()), q


def test_q20_citations_by_number() -> None:
    text = (
        "# 702.60 Haunt\n\nA creature with haunt, see 702.\n\n# 702.6 Flying\n\nIt may fly.\n\n"
        "# 30101 Terms\n\n(4) The term means this. (1)(a) Not that.\n\n# 4 Other\n\n30 101 (4)\n"
    )
    with database() as db:
        db.add_doc(text, source="rules")
        for mode in ("keyword", "hybrid"):
            titles = [hit.path[-1] for hit in db.doc_search("702.6", mode=mode)]
            assert titles[0] == "702.6 Flying"
            assert db.doc_search("30101(4)", mode=mode)[0].path[-1] == "30101 Terms"
            assert isinstance(db.doc_search("§ 12(1)(a)", mode=mode), list)
        assert db.sections("702.6")[0].section == "702.6 Flying"


# Tokenisation and languages


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("合同终止条款在第七页", ("终止", "合同终止", "条款在第七", "七页")),
        ("契約の終了に関する条項", ("契約", "終了に", "条項")),
        ("계약 종료 조항은 일곱 번째", ("계약", "종료", "조항은")),
    ],
)
def test_t01_parts_of_a_run_of_cjk(text: str, queries: tuple[str, ...]) -> None:
    db = keyword("Something else 别的", text)
    for q in queries:
        assert found(db, q) == ["2"], q
        assert q in db.doc_search(q)[0].snippet


@pytest.mark.parametrize("q", ["终止", "gt", "止", "x"])
def test_t02_short_queries(q: str) -> None:
    db = keyword("合同终止 gt x", "其他 y")
    assert found(db, q) == ["1"]


@pytest.mark.parametrize("q", ["Koner", "Köner", "Ko\u0308ner", "KÖNER", "apfel", "ÄPFEL", "Äpfel"])
def test_t04_accents_fold_on_both_sides(q: str) -> None:
    db = keyword("Thomas Köner", "Äpfel", "else")
    assert found(db, q) == ["2" if "pf" in q.lower() else "1"]


@pytest.mark.parametrize("q", "okland lodz duong strasse Økland Łódź đường Straße".split())
def test_t05_letters_that_do_not_decompose(q: str) -> None:
    assert found(keyword("Økland visited Łódź by đường and Straße", "else"), q) == ["1"]


@pytest.mark.parametrize("q", ["final", "office", "ﬁnal", "oﬃce", "naive"])
def test_t07_ligatures(q: str) -> None:
    db = keyword("naïve ﬁnal oﬃce", "else")
    assert found(db, q) == ["1"]
    assert db.doc_search(q)[0].content == "naïve ﬁnal oﬃce"  # what the page had


@pytest.mark.parametrize("q", ["prefix", "pre\u00adfix", "PREFIX"])
def test_t08_soft_hyphens(q: str) -> None:
    assert found(keyword("pre\u00adfix", "prefix", "else"), q) == ["1", "2"]


def test_t10_one_source_in_two_unicode_forms() -> None:
    composed, decomposed = "Or\u00e7amento.md", "Orc\u0327amento.md"
    with database(encoder=None) as db:
        assert db.add_doc("one", source=decomposed) == db.add_doc("two", source=composed)
        assert [doc.source for doc in db.docs()] == [composed]
        assert len(db.toc(decomposed)) == 1
        for name in (composed, decomposed):
            assert len(db.doc_search("two", docs=[name])) == 1
        db.delete_doc(decomposed)
        assert db.docs() == []


def test_t10_the_source_filter_in_two_unicode_forms() -> None:
    with database(encoder=None) as db:
        db.add_doc("two", source="Or\u00e7amento.md")
        assert len(db.doc_search("two", source="Or\u00e7a*")) == 1
        assert len(db.doc_search("two", source="Orc\u0327a*")) == 1


def test_t11_a_snippet_holds_the_stemmed_match() -> None:
    db = keyword("filler " * 200 + "configuration is stored here")
    assert "configuration" in db.doc_search("configure")[0].snippet
    assert "configuration" in db.sections("configure")[0].snippet


# Vectors


@pytest.fixture(scope="module")
def big() -> Iterator[Database]:
    """More chunks than vec0's largest k: 4,400 sections with vectors round a circle."""

    def embed(texts: Sequence[str]) -> np.ndarray:
        turns = [hash_of(text) % 4399 / 700 for text in texts]
        return np.array([[np.cos(turn), np.sin(turn)] for turn in turns])

    with database(encoder=None) as db:
        text = "\n\n".join(f"# Item {i}\n\nblue thing number {i}" for i in range(4400))
        db.add_doc(text, source="big", emb_fn=embed)
        yield db


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[-6:], "big")


def test_v02_limits_on_a_big_index(big: Database) -> None:
    assert big.status().vectors == 4400
    for call in (big.doc_search, big.sections):
        with pytest.raises(ValueError, match="1,000"):
            call("blue thing", limit=5000)
        assert len(call("blue thing", limit=1000)) == 1000
        assert len(call("blue", [1.0, 0.0], limit=1000)) == 1000
    assert len(big.doc_search("blue", [1.0, 0.0], depth=4096, limit=1000)) == 1000


def test_v02_a_page_beyond_the_deepest_leg_is_empty(big: Database) -> None:
    last = big.doc_search("blue thing", [1.0, 0.0], offset=4000, limit=1000)
    assert [hit.rank for hit in last] == list(range(4001, 4001 + len(last)))
    assert big.doc_search("blue thing", offset=100_000) == []


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="no sqlite3 program")
def test_v03_nearest_neighbours_in_an_old_sqlite(tmp_path: Path) -> None:
    with database(tmp_path / "a.db", encoder=Table({"a": [1, 0], "b": [0, 1]})) as db:
        for text in "ab":
            db.add_doc(text, source=text, kind="text")
    script = (
        f".load {sqlite_vec.loadable_path()}\n"
        "SELECT source FROM doc_search"
        " WHERE params = json_object('vec', json('[0.1, 1]'), 'limit', 2);\n"
    )
    done = subprocess.run(
        ["sqlite3", "-readonly", str(tmp_path / "a.db")],
        input=script, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr) == (["b", "a"], "")


def test_v05_zero_vectors_are_not_stored() -> None:
    encoder = Table({"zero": [0, 0], "near": [1, 0.1], "far": [-1, 0], "what": [1, 0]})
    with database(encoder=encoder) as db:
        for text in ("zero", "near", "far"):
            db.add_doc(text, source=text, kind="text")
        hits = db.doc_search("what")
        assert [hit.source for hit in hits] == ["near", "far"]
        assert all(np.isfinite(hit.cosine) and np.isfinite(hit.score) for hit in hits)
        unknown = db.doc_search("near", [0.0, 0.0])
        assert [hit.source for hit in unknown] == ["near"]
        assert "all zeros" in unknown.notes[0]


def test_v06_another_model_of_another_size(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with database(path, encoder=Table({}, dims=8, name="model-a")) as db:
        db.add_doc("kept words", source="a")
    with pytest.raises(EncoderMismatch, match=r"model-a.*model-b.*encoder=None"):
        database(path, encoder=Table({}, dims=16, name="model-b"))
    with database(path, encoder=Table({}, dims=16, name="model-a")) as db:
        with pytest.raises(EncoderMismatch, match=r"8 dimensions.*16 dimensions.*new file"):
            db.add_doc("more")
        assert len(db.doc_search("kept", mode="keyword")) == 1
    with database(path, encoder=None) as db:
        assert len(db.doc_search("kept")) == 1
        with pytest.raises(EncoderMismatch, match=r"16 dimensions.* 8 "):
            db.doc_search("kept", [1.0] * 16)


def test_v06_one_name_and_two_sizes_in_a_search(tmp_path: Path) -> None:
    with database(tmp_path / "a.db", encoder=Table({}, dims=8)) as db:
        db.add_doc("kept words", source="a")
    with (
        pytest.raises(EncoderMismatch, match=r"8 dimensions|16 dimensions"),
        database(tmp_path / "a.db", encoder=Table({}, dims=16)) as db,
    ):
        db.doc_search("kept")


def test_v08_queries_and_documents_are_encoded_apart() -> None:
    encoder = Table({})
    with database(encoder=encoder) as db:
        db.add_doc("stored words", source="a", kind="text")
        encoder.asked.clear()
        db.doc_search("asked words")
        assert encoder.asked == [("query", "asked words")]
        assert db.text("a") == "stored words"


@pytest.mark.parametrize("name", ["cos-notes", "it's", 'a"b', "drop table x;--", "état", "[x]"])
def test_v09_any_name(name: str, tmp_path: Path) -> None:
    with database(tmp_path / f"{name}.db", encoder=Table({})) as db:
        db.add_doc("# A\n\nwords here", title=name, source=name, metadata={name: name})
        assert len(db.toc(name)) == 2
        assert found(db, "words", docs=[name]) == [name]
        store = db.get_store(name, **{name: str})
        store.sync([{"content": "red kite", name: name}])
        assert db.search("kite", columns=[name], table_name=name)[0][name] == name
        assert [row.content for row in db.t[name](where="content = ?", args=("red kite",))] == [
            "red kite"
        ]
        db.delete_doc(name)
        assert db.docs() == []
    assert (tmp_path / f"{name}.db").is_file()


@pytest.mark.parametrize(
    "name",
    [
        *("cos-notes", "it's", "drop table x;--", "état", "a.b", "7", "x y"),
        *('a"b', "[x]", "$", "$.x", "[0]"),
    ],
)
def test_v09_any_key_of_the_metadata(name: str) -> None:
    with database(encoder=None) as db:
        db.add_doc("words here", source="a", metadata={name: name})
        assert found(db, "words", meta={name: name}) == ["a"]
        assert found(db, "words", meta={name: "other"}) == []


@pytest.mark.parametrize("name", ["mine", "it's", "a.b", "[0]", "$", "état", 'a"b'])
def test_v09_any_name_of_a_leg(name: str) -> None:
    with database(encoder=None) as db:
        db.add_doc("words here", source="a")
        chunk = db.doc_search("words")[0].first_id
        hits = db.doc_search("words", legs={name: [chunk]}, w={name: 2.0})
        assert hits[0].legs[name] == 1
        once = db.doc_search("words", legs={name: [chunk]}, w={name: 0.5})
        assert hits[0].score - once[0].score == pytest.approx(1.5 / 11, abs=1e-9)


def test_v11_the_nearest_are_found_first(big: Database) -> None:
    big.doc_search("blue", [1.0, 0.0])
    started = time.process_time()
    assert len(big.doc_search("blue", [1.0, 0.0], mode="semantic")) == 10
    assert time.process_time() - started < 1


class Empty(Table):
    """An encoder that has no vector for a query, in one way or another."""

    answer: Any = None

    def encode_queries(self, texts: Sequence[str]) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [[], b""])
def test_v12_an_encoder_without_a_query_vector(answer: Any) -> None:
    encoder = Empty({})
    encoder.answer = answer
    with database(encoder=encoder) as db:
        db.add_doc("some words", source="a")
        hits = db.doc_search("words")
        assert [hit.source for hit in hits] == ["a"]
        assert "keyword search only" in hits.notes[0]


@pytest.mark.parametrize("vector", [[], b"", np.zeros(2)])
def test_v12_an_empty_query_vector(vector: Any) -> None:
    with database(encoder=Table({})) as db:
        db.add_doc("some words", source="a")
        hits = db.doc_search("words", vector)
        assert [hit.source for hit in hits] == ["a"]
        assert "keyword search only" in hits.notes[0]


# Fusion and ranking


def test_f01_more_words_rank_higher() -> None:
    with database() as db:
        db.add_doc("The kite is here.", source="B", kind="text")
        db.add_doc("A red kite eats small fish near harbours.", source="A", kind="text")
        for mode in ("keyword", "hybrid"):
            hits = db.doc_search("red kite eats small fish", mode=mode)
            assert [hit.source for hit in hits] == ["A", "B"]
            assert hits[0].bm25 < hits[1].bm25 < 0  # FTS5's sign: lower is better


def test_f02_an_identifier_is_not_drowned() -> None:
    with database() as db:
        for i in range(30):
            text = f"the engine part number {i} is listed here"
            db.add_doc(text, source=str(i), kind="text")
        db.add_doc("part ZX-991 is listed", source="id", kind="text")
        assert "id" in found(db, "engine part number ZX-991", limit=3)
        assert found(db, "ZX-991", limit=1) == ["id"]


def test_f04_ties_keep_their_order_over_pages() -> None:
    db = keyword(*["the same text"] * 10)
    runs = [[h.first_id for h in db.doc_search("same text", limit=10)] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] == sorted(runs[0])
    pages = [
        [h.first_id for h in db.doc_search("same text", limit=5, offset=offset)]
        for offset in (0, 5, 10)
    ]
    assert pages[0] + pages[1] == runs[0]
    assert pages[2] == []


def test_f05_either_leg_is_enough() -> None:
    encoder = Table({"automobile repair": [1, 0], "zx car": [0, 1], "car mending": [1, 0.1]})
    with database(encoder=encoder) as db:
        for text in ("automobile repair", "zx car"):
            db.add_doc(text, source=text, kind="text")
        hits = db.doc_search("car mending", depth=1)
        assert {hit.source: set(hit.legs) for hit in hits} == {
            "automobile repair": {"vec"}, "zx car": {"any"},
        }  # fmt: skip


@pytest.mark.parametrize("fusion", ["rrf", "linear"])
@pytest.mark.parametrize("limit", [3, 20, 300, 1000])
def test_f07_scores_fall_down_the_list(big: Database, fusion: str, limit: int) -> None:
    for call in (big.doc_search, big.sections):
        scores = [h.score for h in call("blue item 17", [0.5, 0.5], limit=limit, fusion=fusion)]
        assert scores == sorted(scores, reverse=True)
        assert all(score > 0 for score in scores)


def test_f10_one_passage_once_and_two_texts_twice() -> None:
    with database() as db:
        for source in "ab":
            db.add_doc("The red kite is a bird.", source=source, kind="text")
        db.add_doc("A red bicycle.", source="c", kind="text")
        hits = db.doc_search("red kite bird")
        assert [hit.source for hit in hits][:2] == ["a", "b"]
        assert len({hit.first_id for hit in hits}) == len(hits) == 3
        first = hits[0]
        weights = db.configure()["w"]
        expected = sum(weights[leg] / (10 + rank) for leg, rank in first.legs.items())
        assert {"any", "all", "vec"} <= set(first.legs)
        assert first.score == pytest.approx(expected, abs=1e-9)


def test_f13_a_limit_is_met() -> None:
    db = keyword(*[f"a matching section {i}" for i in range(60)])
    assert len(db.doc_search("matching", limit=50)) == 50
    assert len(db.doc_search("matching", limit=60)) == 60
    assert len(db.sections("matching", limit=50)) == 50


def test_f14_a_word_in_every_row() -> None:
    db = keyword("common", "common")
    hits = db.doc_search("common")
    assert [hit.source for hit in hits] == ["1", "2"]
    assert all(hit.score > 0 for hit in hits)
    assert len(db.doc_search("common", fusion="linear")) == 2


# Updates, deletes, failures


def test_i02_edited_text() -> None:
    encoder = Table({"oldword": [1, 0], "newword": [0, 1]})
    with database(encoder=encoder) as db:
        for text in ("oldword", "newword"):
            db.add_doc(text, source="a", kind="text")
        assert found(db, "oldword", mode="keyword") == []
        hits = db.doc_search("newword", mode="keyword")
        assert [hit.content for hit in hits] == ["newword"]
        near = db.doc_search("oldword", [1.0, 0.0], mode="semantic")
        assert [hit.content for hit in near] == ["newword"]  # the one vector left
        assert near[0].cosine == pytest.approx(0, abs=1e-6)
        assert db.one("SELECT count(*) FROM vec") == 1
        assert db.one("SELECT count(*) FROM fts_vocab WHERE term = 'oldword'") == 0


def test_i05_no_stale_rows_in_the_index() -> None:
    db = keyword("oldword one", "other")
    for text in ("newword two", "oldword three", "newword four"):
        db.add_doc(text, source="1", kind="text")
    assert db.one("SELECT count(*) FROM fts WHERE fts MATCH 'oldword'") == 0
    assert db.one("SELECT count(*) FROM fts WHERE fts MATCH 'newword'") == 1
    db.sql.execute("INSERT INTO fts(fts, rank) VALUES ('integrity-check', 1)")


def test_i06_the_index_is_never_out_of_step() -> None:
    import apsw

    check = "INSERT INTO fts(fts, rank) VALUES ('integrity-check', 1)"
    db = keyword("ﬁrst words", "second 合同 words")
    db.add_doc("ﬁrst words again", source="1", kind="text")
    db.delete_doc("2")
    db.sql.execute(check)
    db.sql.execute("DELETE FROM store")  # behind the API's back
    with pytest.raises(apsw.CorruptError):
        db.sql.execute(check)
    db.sql.execute("INSERT INTO fts(fts) VALUES ('rebuild')")
    db.sql.execute(check)
    assert db.doc_search("first") == []


def test_i12_found_at_once() -> None:
    with database(encoder=Table({"new thing": [1, 0]})) as db:
        assert db.doc_search("new thing") == []
        for source in ("a", "b"):
            db.add_doc("new thing", source=source, kind="text")
            assert found(db, "new thing", mode="keyword")[-1] == source
            assert found(db, "new thing", mode="semantic")[-1] == source


def test_d04_vectors_in_every_connection(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    encoder = Table({"north": [1, 0], "east": [0, 1], "n": [1, 0.1]})
    with database(path, encoder=encoder) as one, database(path, encoder=encoder) as two:
        for text in ("east", "north"):
            one.add_doc(text, source=text, kind="text")
        with database(path, encoder=encoder, readonly=True) as three:
            for db in (one, two, three):
                assert found(db, "n", mode="semantic") == ["north", "east"]
        two.add_doc("north", source="again", kind="text")
        assert found(one, "n", mode="semantic") == ["north", "again", "east"]


def rows_by_table(db: Database) -> dict[str, int]:
    tables = db.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'stop'")
    names = {row.name for row in tables if not row.name.startswith(("fts_", "vec_", "sqlite_"))}
    counts = {name: db.one(f"SELECT count(*) FROM {name}") for name in sorted(names)}
    return counts | {"terms": db.one("SELECT count(*) FROM fts_vocab")}


def test_d05_a_generator_that_raises() -> None:
    def pages() -> Iterator[str]:
        yield from ("one page", "two pages")
        raise RuntimeError("the third page is gone")

    with database() as db:
        before = rows_by_table(db)
        with pytest.raises(RuntimeError, match="third page"):
            db.add_doc(pages(), source="a")
        assert rows_by_table(db) == before
        db.add_doc(["one page", "two pages", "three"], source="a")
        assert found(db, "three", mode="keyword") == ["a"]


@pytest.mark.parametrize("stored", [False, True])
def test_d05_an_embedder_that_raises_at_the_fifth_chunk(stored: bool) -> None:
    text = "\n\n".join(f"# Part {i}\n\nwords of part {i}" for i in range(9))

    def embed(texts: Sequence[str]) -> list[list[float]]:
        assert len(texts) < 5, "chunk 5"
        return [[1.0, float(len(text))] for text in texts]

    with database(encoder=None) as db:
        if stored:
            db.add_doc("an older version", source="a", emb_fn=embed)
        before = rows_by_table(db)
        with pytest.raises(EncodeError, match=r"emb_fn raised AssertionError: chunk 5"):
            db.add_doc(text, source="a", emb_fn=embed)
        assert rows_by_table(db) == before
        assert len(db.doc_search("older version")) == stored
        db.add_doc(text, source="a", emb_fn=lambda t: [[1.0, float(len(x))] for x in t])
        assert db.status().vectors == 9
        assert found(db, "older version", mode="keyword") == []


# Chunks


def test_c06_the_end_of_a_long_section_is_encoded() -> None:
    words = "The garden has roses, lawns and a hedge of yew along its old brick wall. " * 215
    with database() as db:
        db.add_doc(f"# Gardens\n\n{words}\n\nThe submarine dived deep.", source="a")
        db.add_doc("# Kitchens\n\nThe oven bakes bread. " * 5, source="b")
        hit = db.doc_search("submarine", mode="semantic", limit=1)[0]
        assert "submarine dived" in hit.content


def test_c08_a_chunk_knows_its_section() -> None:
    first = "A refund is asked for in writing at the desk. " * 40
    second = "The time limit is thirty days and no more, by the clock of the office. " * 40
    with database() as db:
        db.add_doc(f"# Shop\n\n## Refunds\n\n{first}\n\n{second}", source="a")
        db.add_doc("# Other\n\nThe time limit of parking is one hour.", source="b")
        hits = db.doc_search("refunds time limit", spans=False)
        assert hits[0].path == ["Shop", "Refunds"]
        assert "time limit" in hits[0].content
        assert "refund" not in hits[0].content
        assert "any" in hits[0].legs  # by its heading; the leg for all words reads the text alone


# Reading and showing


def test_u01_a_snippet_holds_the_match() -> None:
    words = [f"word{i}" for i in range(1000)]
    words[900] = "needle"
    db = keyword(" ".join(words), chunk_size=20_000)
    hit = db.doc_search("needle")[0]
    assert "needle" in hit.snippet
    assert len(hit.snippet) < 300 < len(hit.content)


@pytest.mark.parametrize("q", ["终止", "合同终止", "止"])
def test_u01_a_snippet_in_chinese(q: str) -> None:
    filler = "其他文字没有关系，" * 60
    db = keyword(f"{filler}合同终止条款在此。{filler}", chunk_size=5000)
    assert q in db.doc_search(q)[0].snippet


def test_u04_a_long_section_is_marked_as_cut() -> None:
    text = "A line of some words. " * 2800
    with database(encoder=None) as db:
        db.add_doc(f"# Long\n\n{text}end.", source="a")
        section = db.sections("line")[0]
        assert section.truncated
        assert len(section.text) < 12_001
        whole = db.read(section.node_id)
        assert len(whole) > 60_000
        assert whole.endswith("end.")
        assert section.char_end - section.char_start >= len(whole)  # how much there is
        db.add_doc("# Short\n\nother words", source="b")
        assert not db.sections("other")[0].truncated


def picture_pages(path: Path, texts: Sequence[str]) -> Path:
    """A PDF with a picture on each page, and the text where there is any."""
    pytest.importorskip("reportlab")
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    picture = io.BytesIO()
    Image.new("RGB", (40, 40), "navy").save(picture, "PNG")
    pdf = Canvas(str(path))
    for text in texts:
        if text:
            pdf.drawString(72, 700, text)
        else:
            pdf.drawImage(ImageReader(picture), 0, 0, 595, 842)
        pdf.showPage()
    pdf.save()
    return path


def test_x11_u05_pages_without_text_are_named(tmp_path: Path) -> None:
    picture_pages(tmp_path / "part.pdf", ["First page has words.", "", "Third page has words."])
    picture_pages(tmp_path / "scan.pdf", ["", "", ""])
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        notes = list(summary.notes.values())
        assert len(notes) == 1
        assert "page 2" in notes[0] and "OCR" in notes[0]
        reason = next(iter(summary.failed.values()))
        assert "3 pages" in reason and "OCR" in reason
        assert [(doc.source, doc.blank_pages) for doc in db.docs()] == [("part.pdf", [2])]
        assert db.doc_search("third page")[0].page_end == 3
        with pytest.raises(EmptyDocument, match="OCR"):
            db.add_file(tmp_path / "scan.pdf")
        assert len(db.docs()) == 1


def test_x11_add_file_warns_of_pages_without_text(tmp_path: Path) -> None:
    from litesearch import LitesearchWarning

    picture_pages(tmp_path / "part.pdf", ["First page has words.", ""])
    with database(encoder=None) as db, pytest.warns(LitesearchWarning, match=r"page 2.*OCR"):
        db.add_file(tmp_path / "part.pdf")


@needs_pdfs
def test_x13_broken_files_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    whole = (PDFS / "contract.pdf").read_bytes()
    (tmp_path / "half.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "page.pdf").write_text("<html><body>A page</body></html>")
    (tmp_path / "zero.pdf").write_bytes(b"")
    (tmp_path / "z.md").write_text("# Good\n\nwords")
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        failed = {Path(name).name: reason for name, reason in summary.failed.items()}
        assert sorted(failed) == ["half.pdf", "page.pdf", "zero.pdf"]
        assert "cut off" in failed["half.pdf"]
        assert "not a PDF" in failed["page.pdf"]
        assert "0 bytes" in failed["zero.pdf"]
        assert [doc.source for doc in db.docs()] == ["z.md"]
    for name in failed:
        with pytest.raises(ParseError):
            pdf_parse(tmp_path / name)


SHOW = r"""
from litesearch import database
with database(encoder=None) as db:
    db.add_doc("# Marks \u2713\n\nA mark \u2713 is here.", title="\u2713", source="a")
    print(db.doc_search("mark")[0])
    print(db.doc_search("mark"))
    print(db.sections("mark")[0])
    print(db.toc("a"))
"""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_x10_a_console_without_the_character(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env=os.environ | {"PYTHONIOENCODING": encoding}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.stderr == b""
    out = done.stdout.decode(encoding)
    assert "is here." in out
    assert ("\u2713" in out) == (encoding == "utf-8")


def test_x10_the_command_line_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Marks\n\nA mark \u2713 is here.", encoding="utf-8")
    command = [sys.executable, "-c", "from litesearch.cli import main; main()"]
    options: dict[str, Any] = {
        "cwd": tmp_path, "env": os.environ | {"PYTHONIOENCODING": "cp1252"}, "check": True,
        "capture_output": True,
    }  # fmt: skip
    subprocess.run([*command, "add", "a.md", "--db", "a.db"], **options)
    done = subprocess.run([*command, "search", "mark", "--db", "a.db"], **options)
    assert b"is here" in done.stdout


# Packaging


def test_k02_vec0_really_runs() -> None:
    with database() as db:
        assert db.one("SELECT vec_version()").startswith("v0.1")
        assert db.one("SELECT vec_distance_cosine('[1, 0]', '[0, 1]')") == pytest.approx(1)


def test_k03_no_torch() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {name.split(">")[0].split("=")[0].strip().lower() for name in project["dependencies"]}
    assert "apsw" in names
    assert not names & {"torch", "transformers", "sentence-transformers", "onnxruntime", "scipy"}
    code = (
        "import sys, litesearch as l; db = l.database(); db.add_doc('some words');"
        "db.doc_search('words'); print({'torch', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_k05_nothing_is_fetched() -> None:
    code = (
        "import socket\n"
        "def refuse(*args, **options): raise AssertionError('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from litesearch import database\n"
        "db = database(); db.add_doc('a harbour'); assert 'vec' in db.doc_search('port').legs\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_k06_the_file_is_read_by_the_oldest_sqlite(tmp_path: Path) -> None:
    with database(tmp_path / "a.db", encoder=Table({})) as db:
        db.add_doc("# One\n\nsome words 合同终止", source="a.md", metadata={"year": 1})
        expected = db.doc_search("words", mode="keyword", meta={"year": 1})
    assert sqlite3.sqlite_version_info >= (3, 38)
    connection = sqlite3.connect(f"{(tmp_path / 'a.db').as_uri()}?mode=ro", uri=True)
    for q in ("words", "终止"):
        rows = connection.execute(
            "SELECT first_id, content FROM doc_search_text"
            " WHERE params = json_object('q', ?, 'meta', json_object('year', 1))",
            (q,),
        ).fetchall()
        assert rows == [(hit.first_id, hit.content) for hit in expected]
    connection.close()
