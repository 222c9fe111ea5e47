"""Faults that users of such software report, each with the behaviour they expect.

The tests are named after the kinds of fault: Q queries, T tokens, V vectors, F fusion, I updates,
D durability, C chunks, U use, X formats, K packaging.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litesearch import Database, EncoderMismatch, InvalidArgument, database


@pytest.fixture
def db() -> Iterator[Database]:
    with database() as made:
        yield made


def first(db: Database, q: str, **options: Any) -> str:
    found = db.doc_search(q, **options)
    return found[0].source if found else ""


def add(db: Database, *texts: str) -> None:
    for i, text in enumerate(texts):
        db.add_doc(text, source=str(i), kind="text")


@pytest.mark.parametrize("q", ["INV-2044", "-2044", "inv 2044"])
def test_q01_hyphens(db: Database, q: str) -> None:
    add(db, "An order.", "Order INV-2044 shipped to Oakfield.", "A state-of-the-art rig.", "2045")
    assert first(db, q) == "1"
    assert first(db, "state-of-the-art") == "2"


@pytest.mark.parametrize("q", ["don't panic", "don\u2019t panic"])
@pytest.mark.parametrize("text", ["She said don't panic", "She said don\u2019t panic"])
def test_q02_apostrophes(db: Database, q: str, text: str) -> None:
    add(db, "nothing of the kind", text)
    assert first(db, q) == "1"


def test_q05_operators_are_words(db: Database) -> None:
    add(db, "this and that", "no panic")
    assert first(db, "AND", mode="keyword") == "0"
    assert first(db, "NOT panic", mode="keyword") == "1"
    for q in ("OR", "NOT", "NEAR(a b", "*", "**"):
        db.doc_search(q)


@pytest.mark.parametrize("q", ["std::vector", "foo:bar", "https://x.org/a"])
def test_q07_colons(db: Database, q: str) -> None:
    add(db, "Use std::vector here")
    db.doc_search(q)
    assert first(db, "std::vector", mode="keyword") == "0"


def test_q08_column_names_are_no_language(db: Database) -> None:
    db.add_doc("# Config\n\nbody", source="a")
    db.add_doc("the title config of it", source="b", kind="text")
    for plain in ("title config", "heading config"):
        with_colon = plain.replace(" ", ":")
        one, other = (db.doc_search(q, mode="keyword") for q in (plain, with_colon))
        assert [h.first_id for h in one] == [h.first_id for h in other]


def test_q10_q11_quotes(db: Database) -> None:
    add(db, "red kite report", "kite red", "pass --error-on-warnings to fail")
    curly, straight = db.doc_search("\u201cred kite\u201d"), db.doc_search('"red kite"')
    assert [h.source for h in curly] == [h.source for h in straight]
    assert curly[0].source == "0"
    assert first(db, '"--error-on-warnings"') == "2"


def test_q13_nul(db: Database) -> None:
    add(db, "order x")
    assert first(db, "order\x00x") == "0"


def test_q16_questions_fall_back_on_any_word(db: Database) -> None:
    add(db, "other things", "run app_cfg_reload() to reload the config")
    assert first(db, "how do I reload the config", mode="keyword") == "1"
    assert first(db, "app_cfg_reload") == "1"


def test_q17_function_words_do_not_drown_the_word(db: Database) -> None:
    add(db, *["how do I the a of and to open it"] * 20, "the escrow account")
    assert first(db, "how do I open the escrow", mode="keyword") == "20"


def test_q20_numbers(db: Database) -> None:
    add(db, "702.60 Haunt", "702.6 Flying", "30101 Terms\n\n(4) the fourth", "4 apples")
    assert first(db, "702.6", mode="keyword") == "1"
    assert first(db, "30101(4)", mode="keyword") == "2"
    db.doc_search("§ 12(1)(a)")


@pytest.mark.parametrize("q", ["终止", "合同终止", "第七页", "合", "页"])
def test_t01_t02_chinese(db: Database, q: str) -> None:
    add(db, "其他文字", "合同终止条款在第七页")
    assert [h.source for h in db.doc_search(q, mode="keyword")] == ["1"]


@pytest.mark.parametrize(("text", "q"), [("계약을 해지한다", "계약"), ("カタカナの文", "タカ")])
def test_t01_korean_and_japanese(db: Database, text: str, q: str) -> None:
    add(db, "other", text)
    assert [h.source for h in db.doc_search(q, mode="keyword")] == ["1"]


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Thomas Köner and Äpfel", ["Koner", "Köner", "apfel", "ÄPFEL"]),  # T04
        ("Økland visited Łódź by đường", ["okland", "lodz", "duong", "Łódź"]),  # T05
        ("naïve \ufb01nal o\ufb03ce", ["final", "office", "naive"]),  # T07
        ("pre\u00adfix", ["prefix"]),  # T08
        ("Straße", ["strasse", "straße"]),
    ],
)
def test_t04_t08_folding(db: Database, text: str, queries: list[str]) -> None:
    add(db, "other", text)
    for q in queries:
        found = db.doc_search(q, mode="keyword")
        assert [h.content for h in found] == [text], q  # the text as the page had it


def test_t11_u01_snippets_show_the_stemmed_match(db: Database) -> None:
    add(db, "filler " * 200 + "configuration is stored here " + "filler " * 600)
    assert "configuration" in db.doc_search("configure", mode="keyword")[0].snippet


def test_v03_v02_many_chunks(db: Database) -> None:
    def embed(texts: list[str]) -> np.ndarray:
        return np.random.default_rng(0).random((len(texts), 4))

    db.add_doc("\n\n".join(f"paragraph {i}" for i in range(5000)), emb_fn=embed, chunk_size=15)
    found = db.doc_search("paragraph", [1, 0, 0, 0], limit=1000)
    assert len(found) == 1000
    with pytest.raises(InvalidArgument, match="1,000"):
        db.doc_search("paragraph", limit=5000)


def test_v05_zero_vectors(db: Database) -> None:
    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[float("one" in t), float("two" in t)] for t in texts])

    for i, text in enumerate(("nothing", "one", "two")):
        db.add_doc(text, source=str(i), kind="text", emb_fn=embed)
    found = db.doc_search("", [1.0, 0.1], mode="semantic")
    assert [h.source for h in found] == ["1", "2"]
    assert all(h.cosine is not None for h in found)


def test_v06_another_size(db: Database) -> None:
    db.add_doc("some words", emb_fn=lambda texts: np.eye(len(texts), 8) + 1)
    with pytest.raises(EncoderMismatch, match=r"8 dimensions.*16 dimensions|16.*8"):
        db.add_doc("more", emb_fn=lambda texts: np.eye(len(texts), 16) + 1)
    with pytest.raises(EncoderMismatch, match=r"16 dimensions.* 8 "):
        db.doc_search("words", [1.0] * 16)
    assert db.doc_search("words")


@pytest.mark.parametrize("name", ["cos-notes", "it's", 'a"b', "drop table x;--"])
def test_v09_names_are_values(db: Database, name: str) -> None:
    db.add_doc("red kite", title=name, source=name)
    assert db.doc_search("kite", docs=[name])[0].title == name
    assert len(db.toc(name)) == 1
    db.get_store(name, **{name: str}).sync([{"content": "blue kite", name: name}])
    assert db.search("kite", table_name=name)[0][name] == name
    db.delete_doc(name)
    assert db.docs() == []


def test_f01_more_words_first(db: Database) -> None:
    add(db, "alpha", "alpha beta gamma delta epsilon", "zeta eta")
    for mode in ("keyword", "hybrid"):
        assert first(db, "alpha beta gamma delta epsilon", mode=mode) == "1"


def test_f02_an_identifier_is_not_drowned(db: Database) -> None:
    add(db, *[f"the engine part number {i} is listed" for i in range(30)], "part ZX-991 is listed")
    assert first(db, "engine part number ZX-991") == "30"


def test_f04_f10_equal_texts(db: Database) -> None:
    add(db, *["the same words"] * 10)
    pages = [[h.source for h in db.doc_search("same words", offset=o, limit=5)] for o in (0, 5)]
    assert pages[0] == [str(i) for i in range(5)]
    assert pages[1] == [str(i) for i in range(5, 10)]


def test_f05_both_legs_count(db: Database) -> None:
    def embed(texts: list[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] if "automobile" in t else [0.0, 1.0] for t in texts])

    for i, text in enumerate(("a car", "an automobile")):
        db.add_doc(text, source=str(i), kind="text", emb_fn=embed)
    assert {h.source for h in db.doc_search("car", [1.0, 0.0])} == {"0", "1"}


def test_f07_f13_scores_and_limits(db: Database) -> None:
    add(db, *[f"item {i} is red" for i in range(60)])
    scores = [h.score for h in db.doc_search("red item", limit=50)]
    assert len(scores) == 50
    assert scores == sorted(scores, reverse=True)


def test_f14_a_word_in_every_text(db: Database) -> None:
    add(db, "common one", "common two")
    assert len(db.doc_search("common", mode="keyword")) == 2


def test_i02_i12_updates_are_seen_at_once(db: Database) -> None:
    db.add_doc("oldword", source="a")
    assert db.doc_search("oldword", mode="keyword")
    db.add_doc("newword", source="a")
    assert db.doc_search("oldword", mode="keyword") == []
    assert len(db.doc_search("newword", mode="keyword")) == 1


def test_d04_vectors_in_each_connection(tmp_path: Path) -> None:
    with database(tmp_path / "a.db") as one, database(tmp_path / "a.db") as other:
        one.add_doc("a harbour for ships", source="a")
        for each in (one, other):
            assert "vec" in each.doc_search("port for vessels").legs


def test_c06_the_tail_is_embedded(db: Database) -> None:
    garden = "Roses and hedges grow along the garden wall. " * 350
    db.add_doc(f"# Garden\n\n{garden}\n\nA submarine dived.", source="a")
    assert "submarine" in db.doc_search("submarine", mode="semantic")[0].content


def test_c08_the_second_half_knows_its_section(db: Database) -> None:
    text = "Money goes back. " * 60 + "\n\n" + "The clock runs out after a month. " * 30
    db.add_doc(f"# Refunds\n\n{text}\n\n# Other\n\nTime.", source="a")
    hit = db.doc_search("refunds time limit clock month")[0]
    assert hit.path == ["Refunds"]


def test_u04_long_sections_are_read_whole(db: Database) -> None:
    db.add_doc("# Long\n\n" + "word " * 12_000 + "last", source="a")
    assert db.read(db.toc("a")[1].id).endswith(" last")


def test_x10_output_on_an_old_console() -> None:
    code = (
        "from litesearch import database\n"
        "from litesearch.cli import main\n"
        "import tempfile, os\n"
        "os.chdir(tempfile.mkdtemp())\n"
        "with database('library.db', encoder=None) as db: db.add_doc('done \\u2713 words')\n"
        "main(['search', 'words'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONIOENCODING": "cp1252", "PATH": ""}, capture_output=True, check=True,
    )  # fmt: skip
    assert b"done ? words" in done.stdout


def test_k03_k05_no_network_and_no_torch() -> None:
    code = (
        "import sys, socket\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = refuse\n"
        "from litesearch import database\n"
        "db = database(); db.add_doc('a harbour'); assert 'vec' in db.doc_search('port').legs\n"
        "assert 'torch' not in sys.modules and 'transformers' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
