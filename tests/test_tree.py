"""The tree: where sections stand, how they nest, what opens none."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litesearch.data import pdf_parse
from litesearch.tree import Tree, build_tree, detect_mode, struct_levels

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="shared/data is not beside the project")


@cache
def tree_of(name: str) -> Tree:
    return build_tree(pdf_parse(DATA / name))


def toc(tree: Tree) -> list[tuple[int, str]]:
    return [(node.level, node.title) for node in tree[1:]]


def check_nesting(tree: Tree) -> None:
    text, numbers = tree.document.text, list(tree.document.page_numbers)
    root = tree[0]
    assert (root.level, root.parent, root.char_start, root.char_end) == (0, None, 0, len(text))
    page, end_of = 0, {0: 0}
    for seq, node in enumerate(tree):
        assert node.seq == seq
        assert 0 <= node.char_start < node.char_end <= len(text)
        first, last = numbers.index(node.page_start), numbers.index(node.page_end)
        assert page <= first <= last
        page = first
        if node.parent is None:
            continue
        parent = tree[node.parent]
        assert parent.seq < seq and parent.level < node.level
        assert parent.char_start <= node.char_start and node.char_end <= parent.char_end
        assert end_of.get(parent.seq, 0) <= node.char_start
        end_of[parent.seq] = node.char_end
        assert not text[node.char_start].isspace()
        letters = "".join(filter(str.isalnum, node.title))
        own = re.sub(r"[▼►][A-Z]+\d*", "", text[node.char_start : node.char_end])
        assert "".join(filter(str.isalnum, own)).startswith(letters[:8])


LINES = st.sampled_from(
    [
        "",
        "",
        "# One",
        "## Two ##",
        "### Three",
        "Title",
        "===",
        "---",
        "```",
        "~~~",
        "some words",
        "A sentence. And one more!",
        "Article 1",
        "Article 2",
        "Article 3 Scope",
        "CHAPTER II",
        "TITLE I",
        "ANNEX",
        "1 Payment",
        "1.1 Price",
        "2 Delivery",
        "PART A",
        "Section 4 - Terms",
        "(a) point;",
        "| a | b |",
        "Page 3",
        "CONTENTS",
        "\r",
        "\ttab",
        "running on",
        "▼M3",
    ]
)
SOURCES = st.lists(LINES, min_size=1, max_size=40).map("\n".join).filter(lambda t: t.strip())


@given(source=SOURCES, kind=st.sampled_from(["markdown", "text", "pdf"]))
@settings(max_examples=200, deadline=None)
def test_nodes_of_one_text_nest(source: str, kind: str) -> None:
    check_nesting(build_tree(source, kind=kind))


@given(pages=st.lists(SOURCES | st.just(""), min_size=1, max_size=6).filter(any))
@settings(max_examples=200, deadline=None)
def test_nodes_of_pages_nest(pages: list[str]) -> None:
    check_nesting(build_tree(list(enumerate(pages, 7))))


# --- real acts -----------------------------------------------------------------------------------

ARTICLES = {
    "dir_1993_13_2022-05-28_eng": 13,
    "dir_1993_83_2019-06-06_eng": 15,
    "dir_1996_9_2019-06-06_eng": 17,
    "reg_2021_241_2024-03-01_eng": 41,
    "reg_2021_523_2024-03-01_eng": 37,
    "reg_2021_694_2023-09-21_eng": 35,
    "reg_2021_695_2024-03-01_eng": 58,
    "dir_2006_112_2022-07-01_eng": 439,
}


@needs_data
@pytest.mark.parametrize("name", ARTICLES)
def test_every_article_once(name: str) -> None:
    tree = tree_of(f"eu/{name}.pdf")
    labels = [node.label for node in tree if node.kind == "article"]
    assert len(labels) == len(set(labels)) == ARTICLES[name]
    if name.startswith("dir_2006"):
        assert labels == json.loads((DATA / "eu/dir_2006_112_articles.json").read_text())
    parents = {node.parent for node in tree}
    bare = [
        node.title
        for node in tree
        if node.seq not in parents and len(tree.text(node).split()) <= len(node.title.split())
    ]
    assert len(bare) <= 0.01 * len(tree), bare
    check_nesting(tree)


@needs_data
def test_levels_of_the_vat_directive() -> None:
    pages = list(enumerate(pdf_parse(DATA / "eu/dir_2006_112_2022-07-01_eng.pdf")))
    assert detect_mode(pages) == "chapter"
    assert struct_levels(pages) == {
        "title": 1,
        "part": 1,
        "annex": 1,
        "chapter": 2,
        "section": 3,
        "subsection": 4,
        "article": 5,
    }
    tree = build_tree(pages, title="VAT")
    assert [node.label for node in tree if node.level == 1][:3] == [
        "TITLE I",
        "TITLE II",
        "TITLE III",
    ]
    at = next(node for node in tree if node.label == "Article 37")
    assert tree.path(at) == [
        "TITLE V PLACE OF TAXABLE TRANSACTIONS",
        "CHAPTER 1 Place of supply of goods",
        "Section 3 Supply of goods on board ships, aircraft or trains",
        "Article 37",
    ]


@needs_data
def test_sections_of_a_paper() -> None:
    tree = tree_of("eu/attention_is_all_you_need.pdf")
    numbers = [node.label for node in tree if node.label]
    assert numbers == [
        "1",
        "2",
        "3",
        "3.1",
        "3.2",
        "3.2.1",
        "3.2.2",
        "3.2.3",
        "3.3",
        "3.4",
        "3.5",
        "4",
        "5",
        "5.1",
        "5.2",
        "5.3",
        "5.4",
        "6",
        "6.1",
        "6.2",
        "6.3",
        "7",
    ]
    others = [node.title for node in tree[1:] if not node.label]
    assert others == ["Abstract", "References", "Attention Visualizations"]
    assert tree[7].title == "3.2.1 Scaled Dot-Product Attention"
    assert tree.mode == "markdown" and tree.levels == {}


@needs_data
@pytest.mark.parametrize(
    "name",
    [
        "debian-policy/policy",
        "developers-reference/developers-reference",
        "r-manuals/R-FAQ",
        "r-manuals/R-data",
        "r-manuals/R-intro",
    ],
)
def test_bookmarks_are_the_tree(name: str) -> None:
    from litesearch.data.layout import title_key

    rows = map(json.loads, (DATA / "structure/outlines.jsonl").read_text().splitlines())
    outline = next(row["outline"] for row in rows if row["pdf"] == f"{name}.pdf")
    want = Counter((title_key(o["title"]), o["level"], o["page"]) for o in outline)
    found = Counter(
        (title_key(node.title), node.level, node.page_start)
        for node in tree_of(f"structure/{name}.pdf")[1:]
    )
    assert 2 * (want & found).total() / (want.total() + found.total()) >= 0.95


# --- markdown (CASES.md M*) ----------------------------------------------------------------------

MARKDOWN = {
    "M01": (
        "# Setup\n\n```python\n# not a heading\nx=1\n```\n\n## Run\ngo",
        [(1, "Setup"), (2, "Run")],
    ),
    "M02": ("# A\n~~~\n```\n# no\n~~~\n# B", [(1, "A"), (1, "B")]),
    "M04": ("# A\n```mdc\n## ex\n```js\n## ex2\n```\n## B", [(1, "A"), (2, "B")]),
    "M05": ("# A\n```\ncode\n## B\ntext", [(1, "A")]),
    "M07": ("# A\n1. step\n   ```sh\n   # comment\n   ```\n\n## B", [(1, "A"), (2, "B")]),
    "M08": ("Guide\n=\n\nintro\n\nUsage\n--\n\ntext", [(1, "Guide"), (2, "Usage")]),
    "M10": ("# A\n---\nbody\n## B", [(1, "A"), (2, "B")]),
    "M11": ("Long\ntitle\n===\nbody", [(1, "Long title")]),
    "M13": ("# Title ##\n## C#\n### x #y", [(1, "Title"), (2, "C#"), (3, "x #y")]),
    "M14": ("#tag line\n# Real\n####### seven", [(1, "Real")]),
    "M16": ("# A\n<pre>\n# not\n---\n</pre>\n\n## B", [(1, "A"), (2, "B")]),
    "M17": ("# Doc\n### Deep\nd\n## Mid\nm", [(1, "Doc"), (3, "Deep"), (2, "Mid")]),
    "M20": ("# A\r\nt\r\n## B\r\n```\r\n# no\r\n```\r\n## C\r\n", [(1, "A"), (2, "B"), (2, "C")]),
    "M22": ("#\ttab\n\n#\u00a0nbsp", [(1, "tab")]),
    "M23": ("# Root\n## 24/7 Support\nx", [(1, "Root"), (2, "24/7 Support")]),
    "M28": ("# One\n## Two\n### Three\nfoo", [(1, "One"), (2, "Two"), (3, "Three")]),
    "front matter": ("---\ntitle: x\n# no\n---\n\n# A\n", [(1, "A")]),
    "byte order mark": ("\ufeff# A\ntext", [(1, "A")]),
    "emphasis": ("# **Bold** `code` [link](http://x.org)\n", [(1, "Bold code link")]),
}


@pytest.mark.parametrize("case", MARKDOWN)
def test_markdown_headings(case: str) -> None:
    source, want = MARKDOWN[case]
    tree = build_tree(source)
    assert toc(tree) == want
    assert tree.document.text == source
    check_nesting(tree)


def test_skipped_level_takes_the_nearest_parent() -> None:  # M17
    tree = build_tree("# Doc\n### Deep\nd\n## Mid\nm")
    assert tree.path(3) == ["Doc", "Mid"]
    assert tree[2].parent == tree[3].parent == 1


def test_white_space_is_kept() -> None:  # M19, M25
    source = "# A\npara one.\n\npara two.\n## Child\n" + "word " * 2000 + "end"
    tree = build_tree(source)
    assert tree.text(1) == source


def test_offsets_after_front_matter() -> None:  # M31
    source = "---\ntitle: Größe\n---\nimport x\n\n# Ünïcode 表\n\n## Target\nbody\n"
    node = build_tree(source)[2]
    assert source[node.char_start :].startswith("## Target")


# --- numbered and legal text (CASES.md P*) -------------------------------------------------------


def test_numbered_parts() -> None:  # P01, P09
    pages = [
        "PART I\n\n1. Definitions\n\n1.1 Interpretation\n\n(a) words mean things;\n\n"
        "Text of it goes on here.",
        "PART II\n\n1. Obligations\n\nThe seller delivers.",
    ]
    tree = build_tree(pages)
    paths = [tree.path(node) for node in tree[1:]]
    assert paths[2] == ["PART I", "1. Definitions", "1.1 Interpretation"]
    assert paths[4] == ["PART II", "1. Obligations"]
    assert [node.page_start for node in tree[1:]] == [1, 1, 1, 2, 2]


def test_heading_words_open_sections() -> None:  # P03
    source = (
        "GENERAL PROVISIONS\nARTICLE 1. SCOPE\ntext of it\nArtículo 5 Plazo\nmás\n"
        "Kapitel 3\nWorte\n§ 7 Fees\nThe fee is small."
    )
    titles = [node.title for node in build_tree(source, kind="text")[1:]]
    assert titles == ["ARTICLE 1. SCOPE", "Artículo 5 Plazo", "Kapitel 3 Worte", "§ 7 Fees"]


def test_steps_are_no_sections() -> None:  # P06
    source = "1 Payment\n1. Sign the invoice.\n2. Send it.\n3. Keep a copy."
    tree = build_tree(source, kind="text")
    assert [node.title for node in tree[1:]] == ["1 Payment"]
    assert tree.text(1) == source


@pytest.mark.parametrize(
    "line",
    [
        "In 2025. the parties met.",
        "(b) 2024 was a leap year.",
        "E = mc2 (1)",
        "3.5 kg",
        "12 May 2020",
        "Article 5 of the Treaty applies.",
        "Article 12(3), second subparagraph",
        "Annex X, Part A.",
        "Section 4 shall not apply to goods.",
        "1 This Agreement is entered into between A and B on 3 May.",
    ],
)
def test_lines_that_open_nothing(line: str) -> None:  # P07, P19
    tree = build_tree(f"Some text before.\n\n{line}\n\nSome text after.", kind="text")
    assert len(tree) == 1


def test_letters_in_numbers() -> None:  # P24
    source = "5.A General\n\nwords\n\n5.A.1 Scope\n\nwords\n\nAnnex B.2 Tables\n\nwords"
    tree = build_tree(source, kind="text")
    assert [node.title for node in tree[1:]] == ["5.A General", "5.A.1 Scope", "Annex B.2 Tables"]
    assert tree[2].parent == 1


def test_long_section_keeps_its_number() -> None:  # P22
    body = "Goods left behind are kept for a year. " * 1000
    tree = build_tree(f"§ 90.425 Abandoned goods\n\n{body}\n\nThe answer.", kind="text")
    assert [(node.label, node.title) for node in tree[1:]] == [
        ("§ 90.425", "§ 90.425 Abandoned goods")
    ]
    assert tree.text(1).endswith("The answer.")


def test_page_ranges_follow_the_pages() -> None:  # P21
    pages = [
        "CONTENTS\n\n1 Scope .... 90\n\n2 Fees .... 95",
        "1 Scope\n\nText of scope.",
        "2 Fees\n\nText of fees.",
        "More of the same.",
    ]
    tree = build_tree(pages)
    assert [(node.title, node.page_start, node.page_end) for node in tree[1:]] == [
        ("1 Scope", 2, 2),
        ("2 Fees", 3, 4),
    ]


@needs_data
def test_contract_pdf() -> None:  # P04, P06, P07, P10, P16
    tree = tree_of("pdf_cases/contract.pdf")
    text = tree.document.text
    assert [node.title for node in tree[1:]] == [
        "CONTENTS",
        "PART I General",
        "1 Definitions",
        "1.1 Interpretation",
        "2 Delivery of goods to the named port and transfer of risk",
        "PART II Money",
        "1 Payment",
    ]
    assert "may not rely on them when reading" in text
    assert "Confidential" not in text and "Page 2 of 4" not in text
    assert "listed in the schedule and" in text and '"cost-plus price"' in text
    assert tree.document.removed == {"running head": 8}


def test_marks_without_depth_are_noise() -> None:
    pages = [
        f"# Article {n}\n\n# The text of article {n} goes  on here.\n\n# And more of it."
        for n in range(1, 12)
    ]
    assert detect_mode(pages) == "chapter"
    tree = build_tree(pages)
    assert [node.label for node in tree[1:]] == [f"Article {n}" for n in range(1, 12)]
    assert "#" not in tree.document.text and "goes on" in tree.document.text


def test_table_of_references_opens_nothing() -> None:
    pages = [
        f"Article {n}\n\nText of article {n} is a sentence of fair length, as they are."
        for n in range(1, 8)
    ]
    pages.append(
        "ANNEX II\n\nCORRELATION TABLE\n\nArticle 3\n\nArticle 2\n\nArticle 5\n\n"
        "| Article 1 | Article 9 |\n|---|---|\n| Article 2 | Article 7 |"
    )
    labels = [node.label for node in build_tree(pages)[1:]]
    assert labels == [f"Article {n}" for n in range(1, 8)] + ["ANNEX II"]


def test_titles_carry_no_marks() -> None:
    pages = [
        "►M3 Article 1 ◄\n\nScope of it\n\nA sentence of text stands here.",
        "",
        "Article 2\n\n▼M3\n\nFees\n\nA sentence of text stands here.\n\nArticle 3 *\n\nThe end.",
    ]
    titles = [node.title for node in build_tree(pages)[1:]]
    assert titles == ["Article 1 Scope of it", "Article 2 Fees", "Article 3"]


def test_letterspaced_headings_are_words() -> None:
    tree = build_tree(
        ["S e c t i o n 1\n\nD e f i n i t i o n s\n\nA sentence of text stands here."]
    )
    assert tree[1].title == "Section 1 Definitions"
    assert "Definitions" in tree.document.text


def test_article_contains_sections() -> None:
    pages = [
        "ARTICLE I DEFINITIONS\n\nSection 1.1 Terms\n\nA sentence of text stands here.\n\n"
        "Section 1.2 Rules\n\nText here.\n\nARTICLE II FEES\n\nSection 2.1 Sums\n\nText here."
    ]
    tree = build_tree(pages)
    assert struct_levels(pages) == {"article": 1, "section": 2}
    assert tree.path(2) == ["ARTICLE I DEFINITIONS", "Section 1.1 Terms"]


def test_parts_and_titles_contain_one_another_as_they_stand() -> None:  # P25
    code = ["TITLE 47\n\nPart 8\n\nSome rules stand here, and they are long enough to be text."]
    assert [(n.level, n.label) for n in build_tree(code)[1:]] == [(1, "TITLE 47"), (2, "Part 8")]
    treaty = ["PART ONE\n\nPART II\n\nTITLE I\n\nText of the title, as the parties agreed it."]
    assert [(n.level, n.label) for n in build_tree(treaty)[1:]] == [(1, "PART II"), (2, "TITLE I")]


def test_a_source_keeps_its_titles_as_written() -> None:
    text = "# Cases (21)\n\n## Vcs-*\n\n## 10 ► M1 kept\n\nText."
    assert [n.title for n in build_tree(text)[1:]] == ["Cases (21)", "Vcs-*", "10 ► M1 kept"]
