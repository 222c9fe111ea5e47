"""Pages -> one text: verbatim sources, cleaned extracts, page numbers, bad input."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litesearch.assemble import assemble
from litesearch.errors import DocumentError, EmptyDocument, InvalidType, LitesearchError
from litesearch.records import Document

BODY = "The parties agree on what follows, in the words of this page and no others"


@given(st.text(min_size=1).filter(str.strip))
@settings(max_examples=200, deadline=None)
def test_one_source_is_verbatim(source: str) -> None:
    if re.search("[\0\ud800-\udfff]", source):
        with pytest.raises(DocumentError):
            assemble(source)
    else:
        document = assemble(source)
        assert document.text == source
        assert (document.page_numbers, document.page_starts) == ((1,), (0,))


WORDS = st.lists(
    st.sampled_from(
        [
            "alpha",
            "Beta",
            "gamma.",
            "12",
            "x-ray",
            "Delta",
            "pre-",
            "epsilon;",
            "(a)",
            "\n",
            "\n\n",
            "|",
            "#",
            "'quoted'",
            "Article",
            "end",
        ]
    ),
    max_size=30,
).map(" ".join)


@given(
    st.lists(WORDS, min_size=1, max_size=6).filter(lambda pages: any(p.strip() for p in pages)),
    st.integers(0, 9),
)
@settings(max_examples=200, deadline=None)
def test_pages_keep_their_words_numbers_and_places(pages: list[str], first: int) -> None:
    document = assemble(list(enumerate(pages, first)))
    assert list(document.page_numbers) == list(range(first, first + len(pages)))
    assert list(document.page_starts) == sorted(document.page_starts)
    assert len(document.page_starts) == len(pages)
    assert document.text == document.text.strip()
    if not document.removed:
        # Only heading marks and blanks may go, and a hyphen at a page's end.
        letters = re.sub(r"[\s#-]", "", "".join(pages))
        assert re.sub(r"[\s#-]", "", document.text) == letters
        for page, number, start in zip(
            pages, document.page_numbers, document.page_starts, strict=True
        ):
            if page.strip("# \n"):
                assert document.page_at(start) == number


def test_several_source_pages_are_joined_by_a_blank_line() -> None:
    document = assemble(["# A\n", "text", "", "# B\n\n", "end"], kind="markdown")
    assert document.text == "# A\n\ntext\n\n# B\n\nend"
    assert [document.page_at(document.text.index(word)) for word in ("A", "text", "B", "end")] == [
        1,
        2,
        4,
        5,
    ]


def test_a_document_is_returned_as_it_is() -> None:
    document = Document("text")
    assert assemble(document, "pdf") is document


def test_a_generator_is_read_once() -> None:
    assert assemble(page for page in ("one", "two")).page_numbers == (1, 2)


@pytest.mark.parametrize("pages", ["", "  \n", [], [""], [" ", "\n"], iter(()), [(3, "")]])
def test_no_text(pages: object) -> None:
    with pytest.raises(EmptyDocument):
        assemble(pages)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pages", "says"),
    [
        (["one", None], "page 2 is NoneType"),
        ([(7, b"x")], "page 7 is bytes"),
        (5, "not int"),
        ([("one", "x")], "number of page 1 is str"),
        (None, "not NoneType"),
    ],
)
def test_wrong_types(pages: object, says: str) -> None:
    with pytest.raises(InvalidType, match=says) as caught:
        assemble(pages)  # type: ignore[arg-type]
    assert isinstance(caught.value, TypeError | LitesearchError)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\0b", "page 2 has a NUL character at character 1"),
        ("ab\ud800", "page 2 has a lone surrogate at character 2"),
    ],
)
def test_characters_that_cannot_be_stored(text: str, says: str) -> None:
    with pytest.raises(DocumentError, match=says):
        assemble(["fine", text])


def test_running_heads_and_page_numbers_go() -> None:  # P10
    pages = [
        f"Oakfield Supply Agreement - Confidential\n\nClause {chr(65 + n)}. {BODY}.\n\n"
        f"{'Many' * n} more words.\n\nPage {n} of 4"
        for n in range(1, 5)
    ]
    document = assemble(pages)
    assert "Confidential" not in document.text
    assert "of 4" not in document.text
    assert document.removed == {"running head": 8}
    assert document.text.count("The parties") == 4


def test_bare_page_numbers_go_and_other_numbers_stay() -> None:
    pages = [f"{'Again ' * n} {BODY}.\n\n{2000 if n == 3 else n + 6}" for n in range(1, 7)]
    document = assemble(pages)
    assert document.removed == {"page number": 5}
    assert "2000" in document.text


def test_headings_at_page_tops_stay() -> None:
    pages = [f"Article {n}\n\n{BODY}." for n in range(1, 6)]
    assert assemble(pages).removed == {}


def test_lines_that_are_the_text_stay() -> None:
    pages = [f"Result of run {n}" for n in range(1, 6)]
    assert assemble(pages).text.count("Result") == 5


@pytest.mark.parametrize(
    ("one", "two", "joined"),
    [
        ("the buyer may not rely on", "them when reading", "rely on them when"),  # P16
        ("over the years sales grew to", "$4.2 million in all", "grew to $4.2 million"),
        ("the sale of agri-", "cultural goods", "of agricultural goods"),
        ("it ends here.", "and goes on", "here.\n\nand"),
        ("it goes on with", "(a) a point", "with\n\n(a)"),
        ("it goes on with", "Article 5", "with\n\nArticle 5"),
        ("FINAL PROVISIONS", "The text", "PROVISIONS\n\nThe"),
        ("words before", "| a | b |", "before\n\n| a"),
    ],
)
def test_page_breaks(one: str, two: str, joined: str) -> None:
    document = assemble([one, two])
    assert joined in document.text
    at = document.page_starts[1]
    assert document.page_at(at) == 2 and document.page_at(at - 1) == 1


def test_real_hyphens_stay() -> None:  # P15
    text = "vracht- en verzendkosten, pre- and post-trial"
    assert assemble([text, "Next page."]).text.startswith(text)


def test_blanks_are_folded_outside_of_code_and_tables() -> None:
    page = "two  blanks\n\n```\na   b\n```\n\n| a   | b |\n|---|---|"
    text = assemble([page, "Next page."]).text
    assert "two blanks" in text and "a   b" in text and "| a   | b |" in text


def test_blank_pages_are_named() -> None:  # P18
    document = assemble(["one", "", "three kestrel"])
    assert document.blank_pages == (2,)
    assert document.page_at(document.text.index("kestrel")) == 3


def test_marks_with_depth_stay() -> None:
    pages = ["# Guide\n\nText.\n\n## Setup\n\nText.", "## Use\n\nText.\n\n### Fast\n\nText."]
    assert assemble(pages).text.count("#") == 8
