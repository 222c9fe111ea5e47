"""The views against an independent fusion (tests/oracle.py) on random data."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import numpy as np
import oracle
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from litesearch import Database, database

# Words that Porter's stemmer leaves alone, and four function words, two of them in `no_pairs`.
MADE_UP = [a + b + c for a in "bdf" for b in "aou" for c in "kmp"]
WORDS = [*MADE_UP[:14], "of", "the", "shall", "which"]
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
vectors = st.tuples(*[st.integers(-3, 3)] * 3)
relaxed = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


lighter = settings(relaxed, max_examples=settings.default.max_examples // 3)


@st.composite
def documents(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One to four documents: sections of a depth and title, each of one or more pages."""
    found = []
    pages = st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=2)
    for i in range(draw(st.integers(1, 4))):
        section = st.tuples(st.integers(1, 2), st.sampled_from(MADE_UP), pages)
        found.append({
            "source": f"{draw(st.sampled_from(['a', 'b']))}{i}.md",
            "kind": draw(st.sampled_from(["markdown", "html"])),
            "year": draw(st.integers(1, 2)),
            "first_page": draw(st.integers(1, 3)),
            "sections": draw(st.lists(section, min_size=1, max_size=3)),
        })  # fmt: skip
    return found


def pages_of(doc: dict[str, Any]) -> list[tuple[int, str]]:
    """The pages of a document: a section begins on a page of its own."""
    texts = []
    for depth, title, pages in doc["sections"]:
        for i, paragraphs in enumerate(pages):
            head = f"{'#' * depth} {title}\n\n" if i == 0 else ""
            texts.append(head + "\n\n".join(paragraphs))
    return list(enumerate(texts, doc["first_page"]))


def direction(text: str, dims: int) -> np.ndarray:
    return np.random.default_rng(list(text.encode())).normal(size=dims).astype(np.float32)


def embed(texts: Sequence[str]) -> np.ndarray:
    """A direction a text, worked out from its letters; one text of five has none."""
    return np.array([direction(text, 3) * (crc32(text.encode()) % 5 > 0) for text in texts])


def oracle_rows(db: Database, vector: Callable[[str], np.ndarray]) -> list[oracle.Row]:
    """The chunks as they stand in `store`, with vectors worked out here."""
    rows = []
    for row in db.t.store(order_by="id"):
        raw = vector(row.content.strip())
        length = np.linalg.norm(raw)
        rows.append(
            oracle.Row(
                row.id, row.doc_id, row.node_id, row.seq, row.page, row.page_end, row.heading,
                row.content, raw / length if length else None,
            )
        )  # fmt: skip
    return rows


def build(docs: list[dict[str, Any]]) -> tuple[Database, list[oracle.Row]]:
    db = database(encoder=None)
    for doc in docs:
        db.add_doc(
            pages_of(doc), title="zap", source=doc["source"], kind=doc["kind"],
            metadata={"year": doc["year"]}, emb_fn=embed, with_heading=False, chunk_size=60,
        )  # fmt: skip
    return db, oracle_rows(db, lambda text: embed([text])[0])


def subtree(db: Database, node: int) -> set[int]:
    """The ids of a node and everything below it."""
    parents = {row.id: row.parent_id for row in db.t.nodes()}
    inside = {node}
    for child in sorted(parents):  # a parent comes before its children
        if parents[child] in inside:
            inside.add(child)
    return inside


def filters(
    db: Database, docs: list[dict[str, Any]], rows: list[oracle.Row], choice: int
) -> tuple[dict[str, Any], set[int]]:
    """One filter of each kind, as params and as the ids that it allows."""
    by_doc = {i + 1: doc for i, doc in enumerate(docs)}
    some = rows[len(rows) // 2]
    parent = next(n.parent_id for n in db.t.nodes() if n.id == some.node) or some.node
    page = some.page_end
    options: list[tuple[dict[str, Any], Callable[[oracle.Row], bool]]] = [
        ({}, lambda row: True),
        ({"docs": [1, 3]}, lambda row: row.doc in (1, 3)),
        ({"docs": [99]}, lambda row: False),
        ({"node": some.node}, lambda row: row.node in subtree(db, some.node)),
        ({"node": parent}, lambda row: row.node in subtree(db, parent)),
        ({"source": "a*"}, lambda row: by_doc[row.doc]["source"].startswith("a")),
        ({"kind": "html"}, lambda row: by_doc[row.doc]["kind"] == "html"),
        ({"meta": {"year": 2}}, lambda row: by_doc[row.doc]["year"] == 2),
        ({"docs": [2], "source": "b*"},
         lambda row: row.doc == 2 and by_doc[2]["source"].startswith("b")),
        ({"pages": [page, page]}, lambda row: row.page <= page <= row.page_end),
        ({"pages": [2, 3], "kind": "html"},
         lambda row: row.page <= 3 and row.page_end >= 2 and by_doc[row.doc]["kind"] == "html"),
    ]  # fmt: skip
    params, allows = options[choice]
    return params, {row.id for row in rows if allows(row)}


def stop_lists(db: Database) -> tuple[set[str], set[str]]:
    rows = db.t.stop()
    return {r.term for r in rows}, {r.term for r in rows if r.pairs}


def near_tie(rows: list[oracle.Row], vector: np.ndarray | None) -> bool:
    """Whether two vectors score so nearly alike that float32 may order them either way."""
    if vector is None:
        return False
    near = sorted(
        (float(r.vector @ vector), r.vector.tobytes()) for r in rows if r.vector is not None
    )
    return any(b[0] - a[0] < 1e-6 and a[1] != b[1] for a, b in itertools.pairwise(near))


def near_sum(found: dict[str, oracle.Leg], scores: dict[int, float], how: oracle.Ranking) -> bool:
    """The same of sums in absolute scores, where cosines are of float32."""
    if not how.linear or "vec" not in found:
        return False
    cosines = found["vec"].scores
    order = best_first(scores)
    return any(
        abs(scores[a] - scores[b]) < 1e-5 and cosines.get(a) != cosines.get(b)
        for a, b in itertools.pairwise(order)
    )


def exact(how: oracle.Ranking) -> float:
    """How far a score may be off: ranks fuse exactly, cosines are of float32."""
    return 1e-6 if how.linear else 1e-9


@st.composite
def rankings(draw: st.DrawFn) -> oracle.Ranking:
    """The default ranking half of the time, else other weights, k, heading and depth."""
    if draw(st.booleans()):
        return oracle.Ranking(linear=draw(st.booleans()))
    weight = st.sampled_from([0.0, 0.5, 1.0, 3.0])
    legs = ("any", "all", "pairs", "phrase", "vec")
    return oracle.Ranking(
        linear=draw(st.booleans()),
        rrf_k=draw(st.sampled_from([1, 10, 60])),
        w={leg: draw(weight) for leg in legs},
        heading=draw(st.sampled_from([0.0, 1.0, 2.5])),
        depth=draw(st.sampled_from([2, 100, 1000])),
        share=draw(st.sampled_from([0.1, 1.0])),
    )


def request(how: oracle.Ranking, found: dict[str, oracle.Leg]) -> dict[str, Any]:
    """The params that ask for a ranking."""
    asked: dict[str, Any] = {"w": how.w, "rrf_k": how.rrf_k, "depth": how.depth}
    if how.linear:
        asked["fusion"] = "linear"
        asked["attainable"] = {
            name: leg.attainable for name, leg in found.items() if name in ("any", "pairs")
        }
    return asked


@relaxed
@given(
    documents(), words, st.none() | vectors, st.integers(0, 10), st.integers(0, 3), rankings()
)  # fmt: skip
def test_views_equal_the_oracle(
    docs: list[dict[str, Any]],
    query: str,
    vector: Any,
    choice: int,
    offset: int,
    how: oracle.Ranking,
) -> None:
    db, rows = build(docs)
    db.configure(heading=how.heading)
    unit = None
    if vector is not None and any(vector) and db.status().vectors:
        unit = np.array(vector, np.float32) / np.float32(np.linalg.norm(vector))
    assume(not near_tie(rows, unit))
    params, allowed = filters(db, docs, rows, choice)
    found = oracle.legs(rows, query, unit, *stop_lists(db), allowed, how)
    scores = oracle.fuse(found, how)
    asked = {"q": query, "limit": 1000, **params, **request(how, found)}
    if unit is not None:
        asked["vec"] = [float(v) for v in unit]
    assume(not near_sum(found, scores, how))
    check_hits(db, asked, found, scores, exact(how))
    check_spans(db, rows, asked, scores, offset, exact(how))
    for score in ("max", "mean", "sum"):
        check_sections(db, rows, asked, scores, score, exact(how))
    db.close()


def view(db: Database, name: str, params: dict[str, Any]) -> list[Any]:
    return db.rows(f"SELECT * FROM {name} WHERE params = ?", (json.dumps(params),))


def best_first(scores: dict[int, float]) -> list[int]:
    return sorted(scores, key=lambda i: (-scores[i], i))


def check_hits(
    db: Database,
    asked: dict[str, Any],
    found: dict[str, oracle.Leg],
    scores: dict[int, float],
    off: float = 1e-9,
) -> None:
    expected = best_first(scores)
    for name in ["hits"] if "vec" in asked else ["hits", "hits_text"]:
        hits = view(db, name, asked)
        assert [hit.id for hit in hits] == expected
        assert [hit.score for hit in hits] == pytest.approx([scores[i] for i in expected], abs=off)
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        for hit in hits:
            legs = {n: leg.ranks[hit.id] for n, leg in found.items() if hit.id in leg.ranks}
            assert json.loads(hit.legs) == legs
            for column, leg, sign in (("bm25", "any", -1), ("cosine", "vec", 1)):
                score = found[leg].scores.get(hit.id) if leg in found else None
                value = None if score is None else pytest.approx(sign * score, abs=1e-6)
                assert hit[column] == value


def check_spans(
    db: Database,
    rows: list[oracle.Row],
    asked: dict[str, Any],
    scores: dict[int, float],
    skip: int,
    off: float = 1e-9,
) -> None:
    expected = oracle.spans(rows, scores)
    got = view(db, "doc_search", asked)
    assert [(hit.first_id, hit.last_id) for hit in got] == [span[1:] for span in expected]
    assert [hit.score for hit in got] == pytest.approx([span[0] for span in expected], abs=off)
    by_id = {row.id: row for row in rows}
    for hit in got:
        span = [by_id[i] for i in range(hit.first_id, hit.last_id + 1)]
        text = "".join(row.content for row in span).rstrip()
        assert hit.content == text
        assert db.text(hit.doc_id)[hit.char_start : hit.char_end] == text
        assert (hit.page, hit.page_end, hit.chunks) == (span[0].page, span[-1].page_end, len(span))
    paged = view(db, "doc_search", {**asked, "offset": skip, "limit": 2})
    assert [(h.rank, h.first_id) for h in paged] == [
        (h.rank, h.first_id) for h in got[skip : skip + 2]
    ]
    single = view(db, "doc_search", {**asked, "spans": 0})
    assert [h.first_id for h in single] == best_first(scores)


def check_sections(
    db: Database,
    rows: list[oracle.Row],
    asked: dict[str, Any],
    scores: dict[int, float],
    how: str,
    off: float = 1e-9,
) -> None:
    expected = oracle.sections(rows, scores, how)
    got = view(db, "sections", {**asked, "score": how, "per": 2})
    # The mean and the sum of the same numbers differ in the last digit by their order.
    assert [s.score for s in got] == pytest.approx([score for score, _ in expected], abs=off)
    if how == "max":
        assert [s.node_id for s in got] == [node for _, node in expected]
    else:
        assert {s.node_id for s in got} == {node for _, node in expected}
    content = {row.id: row.content.rstrip() for row in rows}
    for section in got:
        inside = [r.id for r in rows if r.id in scores and r.node == section.node_id]
        assert section.chunks == len(inside)
        best = [i for i in best_first(scores) if i in inside][:2]
        assert json.loads(section.snippets) == [content[i] for i in best]


@relaxed
@given(documents(), words, vectors, st.integers(0, 10), st.sampled_from(["rrf", "linear"]))
def test_python_passes_what_the_oracle_works_out(
    docs: list[dict[str, Any]], query: str, vector: Any, choice: int, fusion: str
) -> None:
    db, rows = build(docs)
    how = oracle.Ranking(linear=fusion == "linear")
    settings = db.configure(fusion=fusion)
    how = dataclasses.replace(how, w=settings["linear" if how.linear else "w"])
    unit = None
    if any(vector) and db.status().vectors:
        unit = np.array(vector, np.float32) / np.float32(np.linalg.norm(vector))
    assume(not near_tie(rows, unit))
    params, allowed = filters(db, docs, rows, choice)
    assume(params.get("docs") != [99] and max(params.get("docs", [0])) <= len(docs))
    found = oracle.legs(rows, query, unit, *stop_lists(db), allowed, how)
    scores = oracle.fuse(found, how)
    assume(not near_sum(found, scores, how))
    expected = oracle.spans(rows, scores)
    hits = db.doc_search(query, vector, limit=1000, **params)
    assert [(h.first_id, h.last_id) for h in hits] == [span[1:] for span in expected]
    assert [h.score for h in hits] == pytest.approx([span[0] for span in expected], abs=exact(how))
    assert [h.rank for h in hits] == list(range(1, len(hits) + 1))
    nodes = [node for _, node in oracle.sections(rows, scores, "max")]
    assert [s.node_id for s in db.sections(query, vector, limit=1000, **params)] == nodes
    db.close()


@lighter
@given(documents(), st.integers(0, 50), st.integers(1, 3))
def test_more_like_a_chunk(docs: list[dict[str, Any]], at: int, limit: int) -> None:
    db, rows = build(docs)
    chunk = rows[at % len(rows)]
    assume(chunk.vector is not None and not near_tie(rows, chunk.vector))
    found = oracle.legs(
        rows, "", chunk.vector, set(), set(), {r.id for r in rows}, oracle.Ranking()
    )
    scores = oracle.fuse(found, oracle.Ranking())
    assert scores.pop(chunk.id) > 0
    hits = view(db, "hits", {"like": chunk.id, "limit": 1000})
    assert [hit.id for hit in hits] == best_first(scores)
    assert [hit.score for hit in hits] == pytest.approx(
        [scores[i] for i in best_first(scores)], abs=1e-9
    )
    few = db.doc_search("", like=chunk.id, limit=limit, spans=False)
    assert [hit.first_id for hit in few] == best_first(scores)[:limit]
    db.close()


@lighter
@given(documents(), words, st.lists(st.integers(0, 30), max_size=8, unique=True))
def test_legs_from_outside(docs: list[dict[str, Any]], query: str, picked: list[int]) -> None:
    db, rows = build(docs)
    ids = list(dict.fromkeys(rows[i % len(rows)].id for i in picked))
    how = oracle.Ranking()
    found = oracle.legs(rows, query, None, *stop_lists(db), {r.id for r in rows}, how)
    if ids:
        found["mine"] = oracle.Leg({i: rank for rank, i in enumerate(ids, 1)}, {})
    how.w["mine"] = 2.5
    scores = oracle.fuse(found, how)
    asked = {"q": query, "legs": {"mine": ids}, "w": {"mine": 2.5}, "limit": 1000}
    check_hits(db, asked, found, scores)
    db.close()


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_a_chunk_over_two_pages_is_on_both(mode: str) -> None:
    db = database(encoder=None)
    pages = [(4, "bak dum"), (5, "bak fob"), (6, "# Fak\n\nbak kip")]
    db.add_doc(pages, kind="markdown", emb_fn=embed)
    assert [(row.page, row.page_end) for row in db.t.store(order_by="id")] == [(4, 5), (6, 6)]
    for first, last, expected in (
        (3, 3, []), (4, 4, [4]), (5, 5, [4]), (6, 6, [6]), (5, 6, [4, 6]), (1, 9, [4, 6]),
    ):  # fmt: skip
        hits = db.doc_search("bak", [1.0, 2.0, 3.0], mode=mode, pages=(first, last))
        assert sorted(hit.page for hit in hits) == expected
    db.close()


def many_chunks(seed: int) -> tuple[Database, list[oracle.Row], random.Random]:
    """A few hundred chunks in sections of a few: more than the legs take at first."""
    chance = random.Random(seed)
    size = chance.randint(110, 330)
    db = database(encoder=None)

    for source in ("a", "b"):
        sections = []
        for _ in range(size // 6):
            paragraphs = [" ".join(chance.choices(WORDS, k=chance.randint(4, 9))) for _ in range(3)]
            sections.append(f"# {chance.choice(MADE_UP)}\n\n" + "\n\n".join(paragraphs))
        db.add_doc(
            "\n\n".join(sections), title="zap", source=source, with_heading=False, chunk_size=40,
            emb_fn=lambda texts: np.array([direction(text, 4) for text in texts]),
        )  # fmt: skip
    return db, oracle_rows(db, lambda text: direction(text, 4)), chance


@pytest.mark.parametrize("seed", range(6))
def test_legs_are_cut_at_their_depth(seed: int) -> None:
    db, rows, chance = many_chunks(seed)
    query = " ".join(chance.choices(MADE_UP[:14], k=3))
    unit = np.array(chance.choices(range(-9, 10), k=4), np.float32)
    unit /= np.linalg.norm(unit)
    assert not near_tie(rows, unit)
    stops = stop_lists(db)
    for depth, params in ((100, {}), (20, {}), (1000, {}), (100, {"docs": [2]})):
        how = oracle.Ranking(depth=depth)
        allowed = {row.id for row in rows if not params or row.doc == 2}
        found = oracle.legs(rows, query, unit, *stops, allowed, how)
        assert max(len(leg.ranks) for leg in found.values()) == min(depth, len(allowed))
        scores = oracle.fuse(found, how)
        asked = {"q": query, "vec": [float(v) for v in unit], "limit": 1000, **params}
        if depth != 100:
            asked["depth"] = depth
        check_hits(db, asked, found, scores)
        check_spans(db, rows, asked, scores, 3)
        check_sections(db, rows, asked, scores, "max")
    db.close()


@pytest.mark.parametrize("seed", range(6))
def test_few_of_many_results_are_the_first(seed: int) -> None:
    db, rows, chance = many_chunks(seed)
    query = " ".join(chance.choices(MADE_UP[:14], k=2))
    unit = np.array(chance.choices(range(-9, 10), k=4), np.float32)
    options: list[dict[str, Any]] = [{}, {"spans": False}, {"docs": [2]}, {"fusion": "linear"}]
    for emb, more in itertools.product((None, unit), options):
        calls = [db.doc_search] if "spans" in more else [db.doc_search, db.sections]
        for call in calls:
            many = call(query, emb, limit=1000, **more)
            seen = [(h.node_id, h.get("first_id"), h.score) for h in many]
            assert len(set(seen)) == len(seen)
            assert [h.score for h in many] == sorted((h.score for h in many), reverse=True)
            for limit in (1, 3, 20, 99, 150, 300):
                few = [(h.node_id, h.get("first_id"), h.score) for h in call(
                    query, emb, limit=limit, **more)]  # fmt: skip
                assert few == seen[:limit]
            page = call(query, emb, limit=7, offset=100, **more)
            assert [(h.node_id, h.get("first_id"), h.score) for h in page] == seen[100:107]
    every = db.doc_search(query, unit, limit=1000, spans=False)
    assert {h.first_id for h in every} == {row.id for row in rows}  # each has a vector
    db.close()


@pytest.mark.parametrize("table", ["store", "flat"])
def test_few_of_many_rows_are_the_first(table: str) -> None:
    db, rows, _ = many_chunks(0)
    by_text = {row.content: row.vector for row in rows}
    db.get_store("flat").sync(
        [{"content": row.content} for row in rows],
        lambda texts: [by_text.get(text, np.ones(4)) for text in texts],
    )
    query, unit = "bak dum", [1.0, 2.0, -1.0, 0.5]
    many = [(h.id, h.score) for h in db.search(query, unit, limit=300, table_name=table)]
    few = [(h.id, h.score) for h in db.search(query, unit, limit=20, table_name=table)]
    db.close()
    assert few == many[:20]


@lighter
@given(documents(), words)
def test_q_alone_is_the_keyword_mode(docs: list[dict[str, Any]], query: str) -> None:
    db, _ = build(docs)
    alone = view(db, "doc_search_text", {"q": query, "limit": 50})
    called = db.doc_search(query, mode="keyword", limit=50)
    assert [(h.first_id, h.score) for h in alone] == [(h.first_id, h.score) for h in called]
    db.close()


@relaxed
@given(st.text(alphabet=st.characters(codec="ascii")), st.sampled_from(["bak dum", "the bak"]))
def test_q_alone_in_any_ascii(noise: str, some: str) -> None:
    db = ASCII
    for q in (noise + some, some + noise, f"bak{noise}dum", noise):
        if "\0" in q:  # SQLite's functions take a text to its NUL only
            continue
        alone = view(db, "doc_search_text", {"q": q})
        called = db.doc_search(q, mode="keyword")
        assert [(h.first_id, h.score) for h in alone] == [(h.first_id, h.score) for h in called]


ASCII = database(encoder=None)
ASCII.add_doc("# Bak\n\nbak dum the fob\n\n# Dum\n\nbak 7 a b x-1 C", source="a")


def test_both_parsers_take_64_words() -> None:
    db = database(encoder=None)
    names = [f"w{i}" for i in range(70)]
    for i in (0, 62, 63, 64, 69):
        db.add_doc(f"# x\n\n{names[i]}", source=str(i), kind="text", title="y")
    db.add_doc(" ".join(names[:64]), source="all", kind="text", title="y")
    query = " ".join(names)
    alone = view(db, "doc_search_text", {"q": query})
    called = db.doc_search(query, mode="keyword")
    for hits in (alone, called):
        assert {hit.source for hit in hits} == {"all", "0", "62", "63"}
    legs = {"any", "all", "pairs", "phrase"}
    assert set(json.loads(alone[0].legs)) == set(called[0].legs) == legs
    assert [(h.source, h.score) for h in alone] == [(h.source, h.score) for h in called]
    db.close()


CJK = st.text(alphabet="合同终止条款かなカナ한국어 abk、。", min_size=1, max_size=12)


@relaxed
@given(st.lists(CJK, min_size=1, max_size=6), CJK)
def test_q_alone_in_cjk(texts: list[str], query: str) -> None:
    db = database(encoder=None)
    for i, text in enumerate(texts):
        if text.strip():
            db.add_doc(text, source=str(i), kind="text")
    alone = view(db, "doc_search_text", {"q": query})
    called = db.doc_search(query, mode="keyword")
    assert [(h.first_id, h.score) for h in alone] == [(h.first_id, h.score) for h in called]
    run = "".join(query.split())
    for text in texts:  # a CJK run is found in every text that holds it
        if len(run) > 1 and run == query and run in text and run.isalpha() and not run.isascii():
            assert called
    db.close()
