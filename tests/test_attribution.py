"""Every result says rightly where it stands: document, path, page, characters (SC-008)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litesearch import Database, database
from litesearch.tree import build_tree

WORDS = "alpha beta gamma delta quay berth rate owner shall pay dues Article 3 (1) (a)".split()
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=3, max_size=30).map(" ".join)
SECTION = st.tuples(
    st.integers(1, 4),
    st.sampled_from(["Scope", "Article 1 - Terms", "2.1 Rates", "Dues", "§ 4 Ends", ""]),
    st.lists(SENTENCE, max_size=3),
)
PAGE = st.lists(SECTION, max_size=3).map(
    lambda sections: "\n\n".join(
        "\n\n".join([f"{'#' * level} {title}".strip(), *(f"{text}." for text in texts)])
        for level, title, texts in sections
    )
)
PAGES = st.lists(PAGE, min_size=1, max_size=4).filter(lambda pages: any(p.strip() for p in pages))


def place_is_right(db: Database, trees: dict[str, object], found: object) -> None:
    """What a hit, section or place says of itself against the tree built from the same pages."""
    tree = trees[found.source]  # type: ignore[attr-defined]
    text = tree.document.text  # type: ignore[attr-defined]
    assert db.text(found.doc_id) == text  # type: ignore[attr-defined]
    node = tree[found.node_id & 0xFFFFF]  # type: ignore[index,attr-defined]
    assert found.node_id >> 20 == found.doc_id  # type: ignore[attr-defined]
    assert found.path == tree.path(node)  # type: ignore[attr-defined]
    assert found.heading == " > ".join(found.path)  # type: ignore[attr-defined]
    start = found.char_start  # type: ignore[attr-defined]
    # A document's first chunk holds the blanks before its first heading.
    assert node.char_start <= start or not text[start : node.char_start].strip()
    assert start <= found.char_end <= node.char_end  # type: ignore[attr-defined]


@settings(max_examples=60)
@given(st.lists(PAGES, min_size=1, max_size=3), st.sampled_from(WORDS[:10]), st.booleans())
def test_hits_and_sections_stand_where_they_say(
    documents: list[list[str]], word: str, paged: bool
) -> None:
    trees = {}
    with database(encoder=None) as db:
        for number, pages in enumerate(documents):
            given_pages = pages if paged else "\n\n".join(pages)
            kind = "html" if paged else "markdown"  # both keep the pages' own text
            db.add_doc(given_pages, source=f"{number}.md", kind=kind, chunk_size=60)
            trees[f"{number}.md"] = build_tree(given_pages, kind=kind)
        for hit in db.doc_search(word, limit=50):
            place_is_right(db, trees, hit)
            tree = trees[hit.source]
            assert tree.document.text[hit.char_start : hit.char_end] == hit.content
            assert hit.page == tree.document.page_at(hit.char_start)
            assert hit.page <= hit.page_end <= max(tree.document.page_numbers)
        for section in db.sections(word, limit=20):
            place_is_right(db, trees, section)
            node = trees[section.source][section.node_id & 0xFFFFF]
            assert (section.char_start, section.char_end) == (node.char_start, node.char_end)
            assert section.text.strip() == trees[section.source].text(node).strip()
            assert (section.page, section.page_end) == (node.page_start, node.page_end)


@settings(max_examples=60)
@given(PAGES)
def test_every_term_stands_where_it_says(pages: list[str]) -> None:
    with database(encoder=None) as db:
        doc = db.add_doc("\n\n".join(pages), source="a.md")
        text = db.text(doc)
        ends = {row.id: (row.char_start, row.char_end) for row in db.t.nodes()}
        for row in db.t.xrefs():
            assert text[row.char_start : row.char_end] == row.raw
            low, high = ends[row.node_id]
            assert low <= row.char_start < high
            if row.to_node is not None:
                start, end = ends[row.to_node]
                assert start <= row.to_start <= row.to_end <= end
        for row in db.t["keys"]():
            start, end = ends[row.node_id]
            assert start <= row.char_start <= row.char_end <= end
        for row in db.t.defs():
            assert text[row.char_start : row.char_end] == row.content
            assert ends[row.node_id][0] <= row.char_start


@pytest.mark.parametrize("kind", ["markdown", "text", "html"])
@settings(max_examples=60)
@given(pages=PAGES)
def test_no_word_is_lost(kind: str, pages: list[str]) -> None:
    with database(encoder=None) as db:
        doc = db.add_doc(pages, source="a", kind=kind, chunk_size=40)
        rows = db.rows("SELECT content FROM store ORDER BY id")
        assert " ".join(pages).split() == "".join(row.content for row in rows).split()
        assert db.text(doc).split() == " ".join(pages).split()
