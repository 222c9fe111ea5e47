"""Structure of PDFs by their type and bookmarks: small PDFs drawn here (CASES.md P*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litesearch.assemble import assemble
from litesearch.data.bookmarks import Outline
from litesearch.data.layout import Layout
from litesearch.data.lines import page_lines
from litesearch.data.pdf import pdf_parse
from litesearch.data.typography import Style
from litesearch.furniture import furniture_of
from litesearch.records import Page
from litesearch.tree import Tree, build_tree

pytest.importorskip("reportlab")

PLAIN, BOLD, MONO = "Helvetica", "Helvetica-Bold", "Courier"
# One line: x, y, size, font, words.
Drawn = tuple[float, float, float, str, str]
Bookmark = tuple[str, int, int]  # title, page from 0, level from 0

WORDS = (
    "the carrier shall deliver the goods to the named port within thirty days of",
    "the notice and shall bear all costs until they have passed the rail of the",
    "vessel, after which the risk lies with the buyer and with nobody else here.",
)


def draw(path: Path, pages: Sequence[Sequence[Drawn]], outline: Sequence[Bookmark] = ()) -> Path:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    for number, lines in enumerate(pages):
        for x, y, size, font, words in lines:
            canvas.setFont(font, size)
            canvas.drawString(x, y, words)
        for title, page, level in outline:
            if page == number:
                key = f"{page}-{title}"
                canvas.bookmarkPage(key)
                canvas.addOutlineEntry(title, key, level)
        canvas.showPage()
    canvas.save()
    return path


def page_of(*blocks: tuple[float, str, str], top: float = 740.0) -> list[Drawn]:
    """Headings (size, font, words) down the page, each with three lines of text below it."""
    lines: list[Drawn] = []
    y = top
    for size, font, words in blocks:
        y -= 30
        for part in words.split("\n"):
            lines.append((72, y, size, font, part))
            y -= 1.3 * size
        y -= 8
        for text in WORDS:
            lines.append((72, y, 10, PLAIN, text))
            y -= 13
    return lines


def toc(tree: Tree) -> list[tuple[int, str]]:
    return [(len(tree.path(node)), node.title) for node in tree[1:]]


BOOK = [
    page_of((18, BOLD, "1 Carriage"), (14, BOLD, "1.1 Scope"), (12, BOLD, "1.1.1 Sea"),
            (12, BOLD, "1.1.2 Air")),
    page_of((14, BOLD, "1.2 Delivery of goods to the named port and\ntransfer of risk"),
            (10, BOLD, "Mind the tide")),
    page_of((18, BOLD, "2 Payment"), (14, BOLD, "2.1 Price"), (10, BOLD, "1. Sign the invoice")),
    page_of((14, BOLD, "2.2 Interest"), (18, BOLD, "A. Forms"), (18, BOLD, "Index")),
]  # fmt: skip
BOOK_TOC = [
    (1, "1 Carriage"), (2, "1.1 Scope"), (3, "1.1.1 Sea"), (3, "1.1.2 Air"),
    (2, "1.2 Delivery of goods to the named port and transfer of risk"), (1, "2 Payment"),
    (2, "2.1 Price"), (2, "2.2 Interest"), (1, "A. Forms"), (1, "Index"),
]  # fmt: skip


def test_numbers_and_type_give_the_levels(tmp_path: Path) -> None:  # P04
    tree = build_tree(pdf_parse(draw(tmp_path / "book.pdf", BOOK)))
    assert toc(tree) == BOOK_TOC
    wrapped = next(node for node in tree if node.label == "1.2")
    own = tree.text(wrapped)
    assert own.count("transfer of risk") == 1 and "Mind the tide" in own
    assert wrapped.page_start == 2


def test_bold_words_are_sections_where_nothing_is_numbered(tmp_path: Path) -> None:
    pages = [page_of((10, BOLD, "Carriage"), (10, BOLD, "Delivery")), page_of((10, BOLD, "Price"))]
    tree = build_tree(pdf_parse(draw(tmp_path / "plain.pdf", pages)))
    assert toc(tree) == [(1, "Carriage"), (1, "Delivery"), (1, "Price")]


def test_chapter_and_its_number_stand_above_the_title(tmp_path: Path) -> None:
    pages = []
    for number, count in enumerate(("ONE", "TWO", "THREE"), 1):
        opener = [(430.0, 760.0, 10.0, BOLD, "CHAPTER"), (450.0, 735.0, 14.0, BOLD, count),
                  (380.0, 690.0, 14.0, BOLD, f"PART {'I' * number} OF IT")]  # fmt: skip
        sections = page_of((14, BOLD, f"{number}.1 First"), (14, BOLD, f"{number}.2 Then"), top=650)
        pages.append([*opener, *sections])
    tree = build_tree(pdf_parse(draw(tmp_path / "chapters.pdf", pages)))
    assert toc(tree)[:3] == [(1, "CHAPTER ONE PART I OF IT"), (2, "1.1 First"), (2, "1.2 Then")]
    assert [level for level, _ in toc(tree)] == [1, 2, 2] * 3


OUTLINE = [
    ("Carriage", 0, 0), ("Scope", 0, 1), ("Payment", 2, 0), ("Price", 2, 1), ("Interest", 3, 1),
    ("Delivery of goods to the named port and transfer of risk", 1, 1),
]  # fmt: skip


def test_bookmarks_are_matched_over_two_lines(tmp_path: Path) -> None:
    """Numbers that go deeper than the bookmarks are headings as well; "Index" has no bookmark."""
    path = draw(tmp_path / "marked.pdf", BOOK, OUTLINE)
    assert toc(build_tree(pdf_parse(path))) == BOOK_TOC[:8]
    assert toc(build_tree(pdf_parse(path, outline=False))) == BOOK_TOC


def test_a_long_title_within_a_line(tmp_path: Path) -> None:
    pages = [page_of((14, BOLD, "Note to readers: Carriage of goods (new)"), (14, BOLD, "Other"))]
    outline = [("Carriage of goods", 0, 0), *[(f"Missing {n}", 0, 0) for n in range(2)],
               ("Other", 0, 0), ("Lost", 0, 0)]  # fmt: skip
    tree = build_tree(pdf_parse(draw(tmp_path / "within.pdf", pages, outline)))
    assert toc(tree) == [(1, "Note to readers: Carriage of goods (new)"), (1, "Other")]


def test_bookmarks_of_another_document_are_not_used(tmp_path: Path) -> None:
    outline = [(f"Slide {number}", number % 4, 0) for number in range(8)]
    tree = build_tree(pdf_parse(draw(tmp_path / "wrong.pdf", BOOK, outline)))
    assert toc(tree) == BOOK_TOC


def test_a_chapter_without_number_beside_bookmarks(tmp_path: Path) -> None:
    names = ["Carriage", "Payment", "Interest", "Notices", "Law"]
    pages = [
        page_of((14, BOLD, f"{n} {name}"), (12, BOLD, "Detail")) for n, name in enumerate(names, 1)
    ]
    pages.append(page_of((14, BOLD, "References"), (12, BOLD, "Detail")))
    outline = [(name, page, 0) for page, name in enumerate(names)]
    tree = build_tree(pdf_parse(draw(tmp_path / "paper.pdf", pages, outline)))
    titles = [f"{n} {name}" for n, name in enumerate(names, 1)]
    assert [title for _, title in toc(tree)] == [*titles, "References"]


@pytest.mark.parametrize("leaders", ["." * 60, ""])
def test_contents_pages_are_no_sections(tmp_path: Path, leaders: str) -> None:
    entries = ["1 DEFINITIONS", "2 BASIC PRINCIPLES", "3 CONFIGURATION", "4 OWNERSHIP", "5 PRICES"]
    contents: list[Drawn] = [(72, 700, 10, PLAIN, "TABLE OF CONTENTS")]
    for index, words in enumerate(entries):
        y = 670 - 16 * index
        contents.append((72, y, 10, PLAIN, f"{words} {leaders}".rstrip()))
        contents.append((480, y, 10, PLAIN, str(2 + index)))
    bodies = [page_of((10, PLAIN, words)) for words in entries]
    tree = build_tree(pdf_parse(draw(tmp_path / "contents.pdf", [contents, *bodies])))
    found = [(node.page_start, node.title) for node in tree if node.label]
    assert found == [(2 + index, words) for index, words in enumerate(entries)]
    assert "1 DEFINITIONS .... 2" in tree.document.text


def test_contents_in_typewriter_type(tmp_path: Path) -> None:
    entries = ["1 DEFINITIONS", "2 BASIC PRINCIPLES", "3 CONFIGURATION", "4 OWNERSHIP"]
    contents: list[Drawn] = [(72, 700, 8, MONO, "TABLE OF CONTENTS")]
    for index, words in enumerate(entries):
        contents.append((72, 670 - 16 * index, 8, MONO, f"{words:70}{2 + index}"))
    bodies = [
        [(72, 700, 8, MONO, words)] + [(72, 680 - 9 * i, 8, MONO, w) for i, w in enumerate(WORDS)]
        for words in entries
    ]
    tree = build_tree(pdf_parse(draw(tmp_path / "typed.pdf", [contents, *bodies])))
    assert [node.page_start for node in tree if node.label] == [2, 3, 4, 5]


def test_running_heads_that_name_the_section(tmp_path: Path) -> None:  # P10
    heads = ["1. Carriage", "1.2. Delivery", "Chapter 2. Payment", "2.2. Interest"]
    pages = [
        [*page, (72, 780, 9, PLAIN, "Oakfield Manual"), (72, 40, 9, BOLD, f"{head} {n + 3}")]
        for n, (page, head) in enumerate(zip(BOOK, heads, strict=True))
    ]
    texts = pdf_parse(draw(tmp_path / "heads.pdf", pages))
    tree = build_tree(texts)
    assert toc(tree) == BOOK_TOC
    assert tree.document.removed == {"running head": 8}
    assert "Oakfield" not in tree.document.text and "Interest 6" not in tree.document.text
    kept = assemble(texts, "pdf", remove_furniture=False)
    assert kept.removed == {} and kept.text.count("Oakfield Manual") == 4
    assert "Chapter 2. Payment 5" in kept.text


NAMES = ["Carriage", "Payment", "Interest", "Notices", "Law", "Costs"]


@pytest.mark.parametrize("foot", ["", "\n\n{n}"])
def test_chapters_of_a_page_each_stay(foot: str) -> None:
    body = " ".join(WORDS)
    pages = [Page(n, f"{n} {name}\n\n{body}{foot.format(n=n)}") for n, name in enumerate(NAMES, 1)]
    assert furniture_of(pages) == [frozenset([str(page.number)] if foot else []) for page in pages]
    pages = [Page(n, f"Article {n}\n\n{body}") for n in range(1, 7)]
    assert not any(furniture_of(pages))


def test_two_columns_are_read_one_by_one(tmp_path: Path) -> None:  # P12
    left = ["The lessee shall keep", "the roof in good repair", "and pay the rent of the",
            "house on the first day", "of each month, in full"]  # fmt: skip
    right = ["The lessor shall insure", "the building against fire", "and shall let the lessee",
             "see the policy whenever", "he asks for it in words"]  # fmt: skip
    lines: list[Drawn] = []
    for index, (one, two) in enumerate(zip(left, right, strict=True)):
        lines += [(72, 700 - 13 * index, 10, PLAIN, one), (320, 700 - 13 * index, 10, PLAIN, two)]
    text = "\n".join(pdf_parse(draw(tmp_path / "columns.pdf", [lines])))
    assert "keep the roof in good repair" in text and "keep The lessor" not in text


def test_hyphens_of_lines_and_of_words(tmp_path: Path) -> None:  # P15
    lines = ["the goods are deliv-", "ered with vracht- en verzendkosten and a long-",
             "term pre- and post-trial bond; the long-term price is in the annex"]  # fmt: skip
    drawn: list[Drawn] = [(72, 700 - 13 * i, 10, PLAIN, words) for i, words in enumerate(lines)]
    text = pdf_parse(draw(tmp_path / "hyphens.pdf", [drawn]))[0]
    assert "are delivered with vracht- en verzendkosten" in text
    assert "a long-term pre- and post-trial bond" in text


def test_a_sentence_over_a_page_break(tmp_path: Path) -> None:  # P16, P18
    first = "as said, the buyer may not rely on"
    pages: list[list[Drawn]] = [
        [(72, 700, 14, BOLD, "1 Reliance"), (72, 670, 10, PLAIN, first)],
        [],
        [(72, 700, 10, PLAIN, "them when reading the kestrel clause of the contract.")],
    ]  # fmt: skip
    tree = build_tree(pdf_parse(draw(tmp_path / "break.pdf", pages)))
    document = tree.document
    assert "may not rely on them when reading" in document.text
    assert document.page_at(document.text.index("kestrel")) == 3
    assert document.blank_pages == (2,)
    assert (tree[-1].page_start, tree[-1].page_end) == (1, 3)


def test_heading_words_in_other_languages(tmp_path: Path) -> None:  # P03
    pages = [page_of((12, BOLD, "ARTICLE 1. SCOPE"), (12, BOLD, "ARTICLE 2. TERM")),
             page_of((12, BOLD, "ARTICLE 3. PRICE"), (12, BOLD, "ARTICLE 4. LAW"))]  # fmt: skip
    tree = build_tree(pdf_parse(draw(tmp_path / "articles.pdf", pages)))
    assert [node.label for node in tree[1:]] == [f"ARTICLE {n}" for n in range(1, 5)]
    assert all("carrier shall deliver" in tree.text(node) for node in tree[1:])


def test_page_ranges_do_not_leave_the_file(tmp_path: Path) -> None:  # P21
    contents: list[Drawn] = [(72, 700, 12, PLAIN, "Contents")]
    for index, words in enumerate(("1 Carriage", "2 Payment", "3 Law", "4 Ends")):
        contents += [(72, 670 - 16 * index, 10, PLAIN, words),
                     (480, 670 - 16 * index, 10, PLAIN, str(88 + index))]  # fmt: skip
    tree = build_tree(pdf_parse(draw(tmp_path / "ranges.pdf", [contents, *BOOK])))
    ranges = [(node.page_start, node.page_end) for node in tree[1:]]
    assert all(1 <= first <= last <= 5 for first, last in ranges)
    assert [first for first, _ in ranges] == sorted(first for first, _ in ranges)


def test_footnote_marks_are_no_part_of_titles(tmp_path: Path) -> None:
    lines = [*page_of((16, BOLD, "1 Transfer of risk"), (16, BOLD, "2 Price")),
             *page_of((16, BOLD, "3 Law"), (16, BOLD, "4 Costs"), top=420)]  # fmt: skip
    width = 72 + 16 * 0.556 * len("1 Transfer of risk") * 0.93
    lines.append((width, 716, 8, BOLD, "7"))
    tree = build_tree(pdf_parse(draw(tmp_path / "marks.pdf", [lines])))
    assert [node.title for node in tree[1:]] == [
        "1 Transfer of risk", "2 Price", "3 Law", "4 Costs",
    ]  # fmt: skip


def test_hanging_numbers_are_no_table(tmp_path: Path) -> None:
    lines: list[Drawn] = []
    for index, number in enumerate(("20.02", "20.03", "20.04")):
        for row, words in enumerate(WORDS):
            y = 700 - 13 * (3 * index + row)
            if not row:
                lines.append((72, y, 10, PLAIN, number))
            lines.append((130, y, 10, PLAIN, words.capitalize() if not row else words))
    text = pdf_parse(draw(tmp_path / "hanging.pdf", [lines]))[0]
    assert "|" not in text and text.count("Vessel") == 0
    assert [line[:5] for line in text.split("\n\n")] == ["20.02", "20.03", "20.04"]


def test_ligatures_set_apart_are_closed() -> None:  # P13
    text = assemble(["an e ffi cient and di\ufb03cult sta ff ing of wi fi shops", "Next."]).text
    assert text.startswith("an efficient and di\ufb03cult staffing of wi fi shops")


def test_numbers_of_lines_in_the_margin(tmp_path: Path) -> None:
    pages: list[list[Drawn]] = []
    for number in range(1, 5):
        said = [f"SEC. {number}. SHORT TITLE.", *([WORDS[0], WORDS[1]] * 8)][: 16 - number]
        lines: list[Drawn] = []
        for row, words in enumerate(said):
            y = 740.0 - 24 * row
            lines += [(90 if row < 9 else 85, y, 10, PLAIN, f"{row + 1}"),
                      (120, y, 12 if row else 14, PLAIN if row else BOLD, words)]  # fmt: skip
        pages.append(lines)
    tree = build_tree(pdf_parse(draw(tmp_path / "bill.pdf", pages)))
    assert [node.title for node in tree[1:]] == [f"SEC. {n}. SHORT TITLE." for n in range(1, 5)]
    assert tree.document.removed == {"line numbers": 4}
    assert "days of the notice" in tree.document.text and "1 2 3" not in tree.document.text


# --- any page --------------------------------------------------------------------------------

SAID = st.sampled_from(
    ["CHAPTER", "ONE", "Chapter 2", "ABOUT IT", "1 Scope", "1.1 Scope", "1.1", "3", "iv", "A",
     "Contents", "1 Scope .......... 3", "2 Terms      4", "ARTICLE 5", "SEC. 2. TERMS", "end.",
     "running words that fill a line of the page to its end and more", "deliv-", "ered", "20.02",
     "(a) point", "*", "ﬁ", "表", "# 5", "|", "```"]
)  # fmt: skip
SPAN = st.tuples(
    st.sampled_from([72.0, 130.0, 320.0, 480.0]), st.integers(4, 50),
    st.sampled_from([7.0, 10.0, 10.0, 12.0, 14.3, 18.0]),
    st.sampled_from(["AB+CMR10", "AB+CMBX12", "Helvetica-Bold", "AB+CMTT10"]), SAID,
)  # fmt: skip


def spans_of(drawn: Sequence[tuple[float, int, float, str, str]]) -> list[SimpleNamespace]:
    return [
        SimpleNamespace(
            bbox=(x, 15.0 * row, 0.5 * size * len(text), size), font_size=size, font_name=font,
            is_bold="Bold" in font, is_monospace=False, sequence=order, text=text,
        )
        for order, (x, row, size, font, text) in enumerate(drawn)
    ]  # fmt: skip


@given(
    pages=st.lists(st.lists(SPAN, max_size=14), min_size=1, max_size=4),
    titles=st.lists(st.tuples(SAID, st.integers(0, 3)), max_size=8),
)
@settings(max_examples=300, deadline=None)
def test_no_letter_is_lost(
    pages: list[list[tuple[float, int, float, str, str]]], titles: list[tuple[str, int]]
) -> None:
    flows = [page_lines(spans_of(page)) for page in pages]
    layout = Layout(Style.of(flows))
    outline = Outline.of([{"title": title, "page": page} for title, page in titles])
    layout.outline = outline.checked(enumerate(flows), layout.style)
    written = "".join(layout.page(lines, number) for number, lines in enumerate(flows))
    said = "".join(span[-1] for page in pages for span in page)

    def letters(text: str) -> Counter[str]:
        return Counter(filter(str.isalpha, text))

    assert letters(written) == letters(said)
