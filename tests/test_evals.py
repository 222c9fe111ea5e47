"""The harness's metrics against values computed by hand."""

from __future__ import annotations

import doctest
import math
import subprocess
import sys
from pathlib import Path

import pytest

from litesearch import InvalidArgument, NotFound, database, evals
from litesearch.evals import (
    Case,
    Topic,
    bootstrap_difference,
    distinct,
    evaluate,
    evaluate_topics,
    format_table,
    load_beir,
    ndcg,
    print_table,
    recall,
    reciprocal_rank,
    success,
    text_hit,
    topics_of,
)

RANKED = ["d", "a", "x", "b", "y"]


def test_docstring() -> None:
    assert doctest.testmod(evals).failed == 0


def test_no_heavy_import() -> None:
    code = (
        "import sys, litesearch.evals; print({'sklearn', 'model2vec', 'tqdm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# metrics of one query


def test_ndcg_binary_by_hand() -> None:
    # a at 2, b at 4, of three relevant ones.
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(RANKED, {"a": 1, "b": 1, "c": 1}) == pytest.approx(gained / ideal)
    assert ndcg(RANKED, {"a": 1, "b": 1, "c": 1}) == pytest.approx(0.49819, abs=1e-5)


def test_ndcg_grades_are_gains() -> None:
    # gains 1, 3 at ranks 1, 2; the best order is 3, 1.
    got = (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert ndcg(["p", "q"], {"p": 1, "q": 3}) == pytest.approx(got)
    assert ndcg(["q", "p"], {"p": 1, "q": 3}) == 1


def test_ndcg_is_cut_at_k() -> None:
    assert ndcg(RANKED, {"b": 1}, k=3) == 0
    assert ndcg(RANKED, {"b": 1}, k=4) == pytest.approx(1 / math.log2(5))
    # With k = 1 the ideal is one document, however many are relevant.
    assert ndcg(["a"], {"a": 1, "b": 1}, k=1) == 1


def test_ndcg_without_relevant_or_results() -> None:
    assert ndcg(RANKED, {}) == 0
    assert ndcg([], {"a": 1}) == 0
    assert ndcg(RANKED, {"a": 0}) == 0


def test_a_repeated_document_counts_once_at_its_first_place() -> None:
    assert distinct(["a", "b", "a", 7, "7"]) == ["a", "b", "7"]
    assert ndcg(["a", "a", "a", "b"], {"a": 1, "b": 1}) == 1
    assert recall(["a", "a", "b"], {"a": 1, "b": 1}, k=2) == 1
    assert reciprocal_rank(["x", "x", "a"], {"a": 1}) == 0.5


def test_reciprocal_rank_recall_success() -> None:
    relevant = {"a": 1, "b": 1, "c": 1}
    assert reciprocal_rank(RANKED, relevant) == 0.5
    assert reciprocal_rank(RANKED, relevant, k=1) == 0
    assert recall(RANKED, relevant, k=5) == pytest.approx(2 / 3)
    assert recall(RANKED, relevant, k=3) == pytest.approx(1 / 3)
    assert recall(RANKED, {}) == 0
    assert (success(RANKED, relevant, k=1), success(RANKED, relevant, k=2)) == (0, 1)


@pytest.mark.parametrize("metric", [ndcg, recall, success, reciprocal_rank])
def test_k_below_one_is_refused(metric: object) -> None:
    with pytest.raises(InvalidArgument, match="k is 0"):
        metric(["a"], {"a": 1}, k=0)  # type: ignore[operator]


# known items

PROVISION = (
    "Member States may, however, not impose a general requirement that invoices be translated."
)
CUT = "Member States may, however, general requirement that invoices be translated"


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The rate is 5 %", "… the  RATE\nis 5 % …"),
        ("", "any"),
    ],
)
def test_strict_ignores_case_and_white_space(sentence: str, text: str) -> None:
    assert text_hit(sentence, text, strict=True)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (CUT, PROVISION),
        ("other than a single- purpose voucher", "(3) other than a single-purpose voucher;"),
        ("goods are trans-\nported by sea or by air", "Goods are transported by sea or by air."),
        ("M1 (h) the progress of the reforms", "(h) the progress of the reforms."),
        ("“the seller” delivers it", "'the seller' delivers it"),
    ],
)  # fmt: skip
def test_lenient_finds_what_a_text_layer_cut(sentence: str, text: str) -> None:
    assert not text_hit(sentence, text, strict=True)
    assert text_hit(sentence, text)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        # A word of the sentence is missing, or stands elsewhere.
        ("the supply of goods is exempt", "the supply of services is exempt"),
        ("the buyer shall pay the seller", "the seller shall pay the buyer"),
        (CUT, "Member States may, however, require that invoices be translated."),
        # More than a few words between: another sentence that happens to hold the words.
        (
            "Member States shall exempt the supply of water",
            "Member States shall tax books. They exempt, under Article 2, the import of oil and"
            " the supply of clean drinking water",
        ),
        # Half of a short sentence's words, not four.
        ("tax the goods", "tax a lot of the goods"),
        ("M1", "M2"),
        ("(…)", "no words asked"),
    ],
)
def test_lenient_lets_no_other_sentence_pass(sentence: str, text: str) -> None:
    assert not text_hit(sentence, text)


@pytest.mark.parametrize(("extra", "found"), [(5, True), (6, False)])
def test_lenient_allows_four_and_one_in_ten(extra: int, found: bool) -> None:
    words = [f"w{i}x" for i in range(12)]
    text = [*words[:6], *["other"] * extra, *words[6:]]
    assert text_hit(" ".join(words), " ".join(text)) is found


def test_lenient_tries_every_start() -> None:
    # The first "the" begins no match; the second does.
    text = "the " + "word " * 9 + "the rate of tax on books is low"
    assert text_hit("the rate of (tax) on books is low", text)


# evaluations


def test_evaluate_by_hand() -> None:
    lists = {"first": "abc", "third": "xya", "eleventh": "..........a", "never": "xyz"}
    cases = [Case(query, lambda result: result == "a") for query in lists]
    row = evaluate(lambda query: list(lists[query]), cases, k=10, name="letters")
    assert (row.n, row.r1, row.r5, row.r10) == (4, 0.25, 0.5, 0.5)
    assert row.values == (1, pytest.approx(1 / 3), 0, 0)
    assert row.mrr == pytest.approx((1 + 1 / 3) / 4)
    assert row.as_dict() == {
        "name": "letters", "n": 4, "r1": 0.25, "r5": 0.5, "r10": 0.5, "mrr": row.mrr,
    }  # fmt: skip


def test_evaluate_topics_by_hand() -> None:
    topics = [Topic("one", {"a": 1}), Topic("two", {"b": 2, "c": 1})]
    answers = {"one": ["x", "a"], "two": ["b", "b", "x"]}
    row = evaluate_topics(lambda query: answers[query], topics)
    second = 2 / (2 + 1 / math.log2(3))
    assert row.values == (pytest.approx(1 / math.log2(3)), pytest.approx(second))
    assert row.ndcg == pytest.approx((1 / math.log2(3) + second) / 2)
    assert (row.r1, row.r5, row.mrr, row.recall) == (0.5, 1, 0.75, 0.75)


def test_nothing_to_evaluate_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="no cases"):
        evaluate(lambda query: [], [])
    with pytest.raises(InvalidArgument, match="no topics"):
        evaluate_topics(lambda query: [], [])


def test_evaluate_a_database() -> None:
    with database(encoder=None) as db:
        db.add_doc("# Rates\n\nThe rate for books is 5 %.\n\n# Maps\n\nMaps are exempt.")
        sentence = "The rate for books is 5 %"
        cases = [Case("rate books", lambda hit: text_hit(sentence, hit.content, strict=True))]
        assert evaluate(db.doc_search, cases).r1 == 1


# intervals


def test_interval_of_a_clear_difference() -> None:
    found = bootstrap_difference([1.0] * 50, [0.5] * 50)
    assert (found.mean, found.low, found.high) == (0.5, 0.5, 0.5)
    assert found.clear
    assert str(found) == "+0.500 [+0.500, +0.500]"


def test_interval_of_no_difference_and_its_width() -> None:
    first, second = [1.0, 0.0] * 200, [0.0, 1.0] * 200
    found = bootstrap_difference(first, second)
    # Differences of +-1: the mean of 400 has a standard error of 1/20.
    assert found.mean == 0
    assert not found.clear
    assert found.low == pytest.approx(-1.96 / 20, abs=0.01)
    assert found.high == pytest.approx(1.96 / 20, abs=0.01)


def test_interval_is_paired_and_repeatable() -> None:
    # Values vary a lot from query to query, their difference hardly: a paired interval is narrow.
    second = [i / 100 for i in range(100)]
    first = [value + 0.01 + 0.001 * (i % 3) for i, value in enumerate(second)]
    found = bootstrap_difference(first, second, seed=3)
    assert found.clear and found.high - found.low < 0.001
    assert found == bootstrap_difference(first, second, seed=3)


@pytest.mark.parametrize(
    ("first", "second", "level", "says"),
    [
        ([1.0], [1.0, 2.0], 0.95, "1 and 2 values"),
        ([], [], 0.95, "0 and 0 values"),
        ([1.0], [1.0], 95, "level is 95"),
    ],
)
def test_interval_refuses(first: list[float], second: list[float], level: float, says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        bootstrap_difference(first, second, level=level)


# collections


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "1", "title": "T", "text": "a"}\n\n{"_id": 2, "text": "é\u2028b"}\n',
        encoding="utf-8",
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "x"}\n{"_id": "q2", "text": "y"}\n{"_id": "q3", "text": "z"}\n',
        encoding="utf-8",
    )
    qrels = "query-id\tcorpus-id\tscore\nq1\t1\t2\nq1\t2\t0\nq2\t2\t1\nq3\t1\t0\n"
    (tmp_path / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return tmp_path


def test_load_beir(beir: Path) -> None:
    corpus, queries, qrels = load_beir(beir)
    assert list(corpus) == ["1", "2"]
    assert corpus["2"] | {"_id": ""} == {
        "_id": "", "title": "", "text": "é\u2028b", "metadata": {},
    }  # fmt: skip
    assert queries == {"q1": "x", "q2": "y"}  # q3 has no relevant document
    assert qrels == {"q1": {"1": 2}, "q2": {"2": 1}}
    assert topics_of(queries, qrels) == [Topic("x", {"1": 2}), Topic("y", {"2": 1})]


def test_load_beir_of_the_original_layout_without_header(beir: Path) -> None:
    (beir / "qrels").mkdir()
    (beir / "qrels.tsv").rename(beir / "qrels" / "dev.tsv")
    with pytest.raises(NotFound, match=r"test\.tsv"):
        load_beir(beir)
    (beir / "qrels" / "dev.tsv").write_text("q3\t1\t1\n", encoding="utf-8")
    assert load_beir(beir, split="dev")[1:] == ({"q3": "z"}, {"q3": {"1": 1}})


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("corpus.jsonl", '{"_id": "1"}\n{"_id', r"corpus\.jsonl:2"),
        ("queries.jsonl", "[1]\n", r"queries\.jsonl:1"),
        ("qrels.tsv", "q1 1 1\n", r"qrels\.tsv:1: 'q1 1 1'"),
        ("qrels.tsv", "a\tb\tscore\nq1\t1\thigh\n", r"qrels\.tsv:2: "),
    ],
)
def test_load_beir_names_the_broken_line(beir: Path, file: str, text: str, says: str) -> None:
    (beir / file).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgument, match=says):
        load_beir(beir)


def test_load_beir_names_what_is_missing(beir: Path) -> None:
    with pytest.raises(NotFound, match="no such folder"):
        load_beir(beir / "none")
    (beir / "corpus.jsonl").unlink()
    with pytest.raises(NotFound, match=r"corpus\.jsonl"):
        load_beir(beir)


# tables


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    row = evaluate(lambda query: "ba", [Case("q", lambda r: r == "a")], name="two letters")
    rows = [row, {"name": "x", "mrr": 0.25, "note": "less"}]
    print_table(rows, "Scores")
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "Scores",
        "name         n     r1     r5    r10    mrr  note",
        "two letters  1  0.000  1.000  1.000  0.500",
        "x                                    0.250  less",
    ]
    assert format_table([]) == ""
