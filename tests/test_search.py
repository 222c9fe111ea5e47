"""doc_search and sections: what hits say, filters, depth, fusion settings, snippets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from litesearch import Database, EncoderMismatch, InvalidArgument, InvalidType, database
from litesearch.request import stemmer
from litesearch.snippets import Highlighter

GUIDE = """# Rates

The rate for books is 5 %.

## Exceptions

Maps and charts are exempt. A chart on paper is a chart all the same.

# Refunds

A refund is paid within thirty days.
"""


@pytest.fixture
def db() -> Iterator[Database]:
    """Two documents of a few sections."""
    with database() as made:
        made.add_doc(GUIDE, title="VAT guide", source="guide.md", metadata={"year": 2026})
        pages = [(7, "Harbour dues are paid on arrival."), (8, "A refund of dues is not made.")]
        made.add_doc(pages, title="Dues", source="dues.pdf", metadata={"year": 2020})
        yield made


def sources(hits: list) -> set[str]:
    return {hit.source for hit in hits}


def test_a_hit_says_where_it_stands(db: Database) -> None:
    hit = db.doc_search("maps exempt")[0]
    assert (hit.rank, hit.heading, hit.path) == (1, "Rates > Exceptions", ["Rates", "Exceptions"])
    assert (hit.source, hit.title, hit.page, hit.page_end) == ("guide.md", "VAT guide", 1, 1)
    assert db.text(hit.doc_id)[hit.char_start : hit.char_end] == hit.content
    assert hit["content"] == hit.content
    assert hit.legs["any"] == 1
    assert db.read(hit.node_id).startswith("## Exceptions")


def test_pages_are_the_callers_numbers(db: Database) -> None:
    assert db.doc_search("harbour arrival")[0].page == 7
    assert db.doc_search("refund of dues", docs=["dues.pdf"])[0].page_end == 8


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"docs": ["dues.pdf"]}, {"dues.pdf"}),
        ({"docs": 1}, {"guide.md"}),
        ({"source": "*.md"}, {"guide.md"}),
        ({"kind": "pdf"}, {"dues.pdf"}),
        ({"meta": {"year": 2020}}, {"dues.pdf"}),
        ({"pages": (8, 9)}, {"dues.pdf"}),
        ({"pages": 1}, {"guide.md"}),
        ({"docs": []}, set()),
        ({"source": "*.md", "kind": "pdf"}, set()),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_filters(db: Database, mode: str, filters: dict, expected: set[str]) -> None:
    assert sources(db.doc_search("refund", mode=mode, **filters)) == expected


def test_filter_by_section_takes_its_children(db: Database) -> None:
    rates = next(entry for entry in db.toc("guide.md") if entry.title == "Rates")
    found = db.doc_search("chart refund books", node=rates.id)
    assert {hit.path[0] for hit in found} == {"Rates"}
    assert {len(hit.path) for hit in found} == {1, 2}


def test_sections(db: Database) -> None:
    best = db.sections("books rate")[0]
    assert best.section == "Rates"
    assert best.text.startswith("# Rates")
    assert best.text.endswith("all the same.")
    assert not best.truncated
    assert best.snippets[0].startswith("# Rates")


def test_a_long_section_is_cut_and_says_so() -> None:
    with database(encoder=None) as db:
        words = " ".join(f"word{i}" for i in range(4000))
        db.add_doc(f"# Long\n\n{words}\n\n## Child\n\nthe end", source="long")
        best = db.sections("word7")[0]
        assert best.truncated
        assert 11_000 < len(best.text) <= 12_000
        assert db.read(best.node_id).endswith("the end")


@pytest.mark.parametrize("score", ["max", "mean", "sum"])
def test_section_scores(db: Database, score: str) -> None:
    found = db.sections("refund", score=score, limit=10)
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


def test_deeper_results_come_below() -> None:
    with database(encoder=None) as db:
        for i in range(130):
            db.add_doc(f"Item {i} is blue.", source=f"{i}", kind="text")
        few, many = db.doc_search("blue item", limit=3), db.doc_search("blue item", limit=130)
        assert len(many) == len({hit.first_id for hit in many}) == 130
        assert [hit.first_id for hit in many[:3]] == [hit.first_id for hit in few]
        scores = [hit.score for hit in many]
        assert scores == sorted(scores, reverse=True)
        second = db.doc_search("blue item", limit=5, offset=5)
        assert [hit.first_id for hit in second] == [hit.first_id for hit in many[5:10]]


def test_weights_and_settings_are_in_the_file(db: Database) -> None:
    assert db.doc_search("refund", w={"vec": 0}).legs == ("any", "all")
    settings = db.configure(w={"vec": 0.0}, rrf_k=20)
    assert (settings["w"]["vec"], settings["rrf_k"]) == (0.0, 20)
    assert "vec" not in db.doc_search("refund").legs
    with pytest.raises(InvalidArgument, match=r"w\['any'\] is -1"):
        db.configure(w={"any": -1})


def test_linear_fusion_scores_are_absolute(db: Database) -> None:
    hit = db.doc_search("maps exempt", fusion="linear", mode="keyword")[0]
    assert hit.path == ["Rates", "Exceptions"]
    # any of all words, both words, and their share of what pairs could give: at most 2.49
    assert 0.7 < hit.score <= 2.49
    by_rank = db.doc_search("maps exempt", mode="keyword")[0]
    assert by_rank.score != hit.score


def test_vectors_from_outside() -> None:
    with database() as db:
        vectors = {"north": [1.0, 0.0], "east": [0.0, 1.0]}

        def embed(texts: list[str]) -> np.ndarray:
            return np.array([vectors.get(text, [0.0, 0.0]) for text in texts], dtype=np.float16)

        db.add_doc("north", source="n", kind="text", emb_fn=embed)
        db.add_doc("east", source="e", kind="text", emb_fn=embed)
        query = np.array([0.1, 1.0], dtype=np.float16)
        for given in (query, query.tobytes(), list(query)):
            found = db.doc_search("zzz", given)
            assert [hit.source for hit in found] == ["e", "n"]
        assert db.doc_search("zzz", query.tobytes(), dtype=np.float16)[0].source == "e"
        with pytest.raises(EncoderMismatch, match=r"3 dimensions.* 2 "):
            db.doc_search("zzz", [1, 2, 3])
        noted = db.doc_search("north")
        assert [hit.source for hit in noted] == ["n"]
        assert "callable:2" in noted.notes[0]


def test_more_like_this(db: Database) -> None:
    chunk = db.doc_search("refund thirty days")[0].first_id
    found = db.doc_search("", like=chunk, limit=3)
    assert chunk not in {hit.first_id for hit in found}
    assert found


def test_legs_from_outside(db: Database) -> None:
    chunk = db.doc_search("harbour")[0].first_id
    found = db.doc_search("", legs={"mine": [chunk]})
    assert [(hit.first_id, hit.legs) for hit in found] == [(chunk, {"mine": 1})]
    assert found.legs == ("mine",)


def test_adaptive_changes_the_weights(db: Database) -> None:
    plain = db.params("what is the refund?")
    assert "w" not in plain
    assert db.params("what is the refund?", adaptive=True)["w"] == {"vec": 2.0}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"limit": 0}, InvalidArgument),
        ({"limit": 1001}, InvalidArgument),
        ({"limit": "3"}, InvalidType),
        ({"mode": "exact"}, InvalidArgument),
        ({"pages": "x"}, InvalidType),
        ({"meta": [1]}, InvalidType),
        ({"legs": {"a": "x"}}, InvalidType),
        ({"depth": 0}, InvalidArgument),
        ({"nonsense": 1}, InvalidArgument),
        ({"any": '"'}, InvalidArgument),
    ],
)
def test_wrong_options(db: Database, options: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        db.doc_search("refund", **options)


class TestSnippets:
    """Snippets are centred on the query's words, found by stem."""

    light = Highlighter(["configure", "łódź"], lambda word: word[:6])

    def test_the_match_is_inside(self) -> None:
        text = "filler " * 300 + "the configuration is stored here" + " filler" * 300
        snippet = self.light.snippet(text)
        assert "configuration is stored" in snippet
        assert snippet.startswith("...")
        assert snippet.endswith("...")
        assert len(snippet) < 260

    def test_short_texts_whole_and_long_ones_from_the_start(self) -> None:
        assert self.light.snippet("## One\n\n two ") == "One two"
        assert self.light.snippet("other " * 100).startswith("other other")

    def test_offsets(self) -> None:
        assert self.light.matches("a Configured thing") == [(2, 12)]
        with database() as db:
            assert Highlighter(["lodz"], stemmer(db)).matches("in Łódź") == [(3, 7)]
