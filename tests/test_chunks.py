"""Chunks: they partition the text, stay in their node, and cut where a reader would."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litesearch.chunks import chunk_tree
from litesearch.errors import InvalidArgument
from litesearch.tree import Tree, build_tree

LINES = st.sampled_from(
    [
        "",
        "",
        "# One",
        "## Two ##",
        "### Three",
        "Setext",
        "===",
        "---",
        "```",
        "```python",
        "~~~",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "- item",
        "   ",
        "x" * 90,
        "A sentence. And one more!",
        "word " * 30,
        "表の中の文。次の文。",
        "Article 5",
        "CHAPTER II",
        "1.2 Scope",
        "é" * 7,
        "\t# tab",
        "\u2028 odd \u00a0 blanks",
        "text|with|bars",
        "> quote",
        "<pre>",
        "</pre>",
        "(a) point;",
    ]
)
SOURCES = st.lists(LINES, min_size=1, max_size=40).map("\n".join).filter(lambda t: t.strip())


def own_range(tree: Tree, seq: int) -> tuple[int, int]:
    start = tree[seq].char_start
    return start, tree[seq + 1].char_start if seq + 1 < len(tree) else len(tree.document.text)


@given(source=SOURCES, size=st.integers(20, 300), kind=st.sampled_from(["markdown", "text"]))
@settings(max_examples=200, deadline=None)
def test_chunks_partition_the_text(source: str, size: int, kind: str) -> None:
    tree = build_tree(source, kind=kind)
    chunks = chunk_tree(tree, size=size)
    assert "".join(chunk.content for chunk in chunks) == source
    at = 0
    for seq, chunk in enumerate(chunks):
        assert chunk.seq == seq
        assert chunk.char_start == at < chunk.char_end
        at = chunk.char_end
        assert chunk.content == source[chunk.char_start : chunk.char_end]
        assert chunk.content.strip()
        assert seq == 0 or not chunk.content[0].isspace()
        assert len(chunk.content.strip()) <= size
        low, high = own_range(tree, chunk.node)
        assert chunk.char_end <= high
        assert chunk.char_start >= low or seq == 0


@given(source=SOURCES, size=st.integers(20, 300), overlap=st.integers(1, 19))
@settings(max_examples=200, deadline=None)
def test_overlap_only_reaches_back(source: str, size: int, overlap: int) -> None:
    tree = build_tree(source)
    chunks = chunk_tree(tree, size=size, overlap=overlap)
    covered = 0
    for chunk in chunks:
        assert chunk.content == source[chunk.char_start : chunk.char_end]
        assert covered - overlap <= chunk.char_start <= covered < chunk.char_end
        assert len(chunk.content.strip()) <= size
        if chunk.char_start < covered:
            assert chunk.char_start >= own_range(tree, chunk.node)[0]
            assert chunk.char_start == 0 or source[chunk.char_start - 1].isspace()
        covered = chunk.char_end
    assert covered == len(source)


@given(source=SOURCES, limit=st.integers(5, 60))
@settings(max_examples=100, deadline=None)
def test_token_limit(source: str, limit: int) -> None:
    tree = build_tree(source)
    chunks = chunk_tree(tree, max_tokens=limit, count_tokens=lambda text: len(text.split()))
    assert "".join(chunk.content for chunk in chunks) == source
    assert all(len(chunk.content.split()) <= limit for chunk in chunks)


@pytest.mark.parametrize("text", ["x" * 5000, "QUJD" * 750])
def test_text_without_blanks(text: str) -> None:  # C02
    chunks = chunk_tree(build_tree(text), size=500, overlap=50)
    assert "".join(chunk.content for chunk in chunks) == text
    assert max(len(chunk.content) for chunk in chunks) <= 500


def test_repeated_text_has_true_offsets() -> None:  # C03
    text = "This is a test line. " * 200
    starts = [chunk.char_start for chunk in chunk_tree(build_tree(text))]
    assert starts == sorted(set(starts))


def test_table_keeps_rows_and_header() -> None:  # C05
    rows = [f"| option_{i} | {'zephyr' if i == 55 else 'type'} | {i * i} |" for i in range(60)]
    table = "\n".join(["| param | type | default |", "|---|---|---|", *rows])
    chunks = chunk_tree(build_tree(f"# Options\n\n{table}\n\nAfter it.\n"))
    hit = next(chunk for chunk in chunks if "zephyr" in chunk.content)
    assert hit.kind == "table"
    assert hit.header.startswith("| param | type | default |")
    for chunk in chunks:
        for line in chunk.content.splitlines():
            assert line.count("|") in (0, 4)
    assert not any("After" in chunk.content and chunk.kind == "table" for chunk in chunks)


def test_code_is_cut_only_alone_and_at_lines() -> None:  # C09
    code = "\n".join(["```python", *(f"value_{i} = compute({i})" for i in range(200)), "```"])
    text = f"# Run\n\n{'Intro words. ' * 30}\n\n{code}\n\nAfter.\n"
    start, end = text.index("```python"), text.index("\n\nAfter")
    for chunk in chunk_tree(build_tree(text), size=6000):
        assert not start < chunk.char_start < end
        assert not start < len(chunk.content.rstrip()) + chunk.char_start < end
    small = chunk_tree(build_tree(text), size=512)
    inside = [c for c in small if start <= c.char_start < end]
    assert {c.kind for c in inside} == {"code"}
    assert all(c.content.rstrip("\n").endswith((")", "```")) for c in inside)


def test_short_code_stays_whole() -> None:
    text = "# A\n\n" + "Some words here. " * 28 + "\n\n```sh\nmake\nmake test\n```\n\nEnd.\n"
    chunk = next(c for c in chunk_tree(build_tree(text)) if "make test" in c.content)
    assert "```sh\nmake\nmake test\n```" in chunk.content


def test_heading_stays_with_its_text() -> None:
    text = "# Head\n\n" + "This is a sentence of some words. " * 40
    first = chunk_tree(build_tree(text))[0]
    assert first.content.startswith("# Head\n\nThis is")
    assert len(first.content) > 250


def test_heading_alone_is_a_header() -> None:  # M28
    chunks = chunk_tree(build_tree("# One\n## Two\n### Three\nfoo"))
    assert [chunk.kind for chunk in chunks] == ["header", "header", "content"]


def test_no_small_tail() -> None:
    text = "A sentence of exactly these words. " * 15
    sizes = [len(chunk.content) for chunk in chunk_tree(build_tree(text))]
    assert min(sizes) >= 128


def test_page_of_a_chunk() -> None:
    pages = [(5, "First page text."), (6, ""), (9, "Third page text.")]
    chunks = chunk_tree(build_tree(pages), size=20)
    assert [(chunk.page, chunk.page_end) for chunk in chunks] == [(5, 5), (9, 9)]


@pytest.mark.parametrize(
    "options",
    [
        {"size": 0},
        {"size": 10, "overlap": 10},
        {"overlap": -1},
        {"max_tokens": 5},
        {"max_tokens": 0, "count_tokens": len},
        {"count_tokens": len},
    ],
)
def test_wrong_options(options: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument):
        chunk_tree(build_tree("text"), **options)  # type: ignore[arg-type]


def test_a_heading_with_a_number_in_brackets_is_a_header() -> None:
    kinds = [chunk.kind for chunk in chunk_tree(build_tree("# Cases (21)\n\n## Two\n\nText."))]
    assert kinds == ["header", "content"]
