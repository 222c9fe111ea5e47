"""Word, PowerPoint and Excel files: structure kept, what is lost is said."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from litesearch import MissingExtra, ParseError, database
from litesearch.data import FileContent, read_file
from litesearch.data.docx_styles import Numbers
from litesearch.errors import EmptyDocument
from litesearch.tree import build_tree

docx = pytest.importorskip("docx")
pptx = pytest.importorskip("pptx")
openpyxl = pytest.importorskip("openpyxl")

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def xml(text: str) -> Any:
    """An element from XML in which the prefix w is known."""
    from docx.oxml import parse_xml

    head, rest = text.split(">", 1) if "/>" not in text.split(">", 1)[0] + ">" else ("", "")
    return parse_xml(f"{head} {W}>{rest}" if head else text.replace("/>", f" {W}/>", 1))


def numbered(document: Any, levels: list[tuple[str, str, str]], number: int = 90) -> None:
    """Add a list; its levels are (format, text, style's name or "")."""
    rows = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        + (f'<w:pStyle w:val="{style.replace(" ", "")}"/>' if style else "")
        + f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text, style) in enumerate(levels)
    )
    root = document.part.numbering_part.element
    root.insert(0, xml(f'<w:abstractNum w:abstractNumId="{number}">{rows}</w:abstractNum>'))
    root.append(xml(f'<w:num w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'))
    for at, (_, _, style) in enumerate(levels):
        if style:
            properties = document.styles[style].element.get_or_add_pPr()
            properties.append(
                xml(f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>')
            )


def listed(paragraph: Any, number: int, level: int = 0) -> None:
    """Put a paragraph into a list."""
    properties = paragraph._p.get_or_add_pPr()
    properties.append(
        xml(f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')
    )


def saved(document: Any, path: Path) -> FileContent:
    document.save(str(path))
    return read_file(path)


def outline(found: FileContent) -> list[tuple[int, str]]:
    tree = build_tree(found.pages, kind=found.kind)
    for node in tree[1:]:
        assert tree.text(node).lstrip("# ").startswith(node.title)
    return [(node.level, node.title) for node in tree[1:]]


def text_of(found: FileContent) -> str:
    return build_tree(found.pages, kind=found.kind).document.text


@pytest.fixture
def document() -> Any:
    return docx.Document()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.docx"


def test_x01_heading_by_outline_level(document: Any, path: Path) -> None:
    from docx.enum.style import WD_STYLE_TYPE

    style = document.styles.add_style("Nadpis1", WD_STYLE_TYPE.PARAGRAPH)
    style.element.get_or_add_pPr().append(xml('<w:outlineLvl w:val="1"/>'))
    child = document.styles.add_style("Mein Kapitel", WD_STYLE_TYPE.PARAGRAPH)
    child.base_style = style
    document.add_heading("Smlouva", 1)
    document.add_paragraph("Predmet", style="Nadpis1")
    document.add_paragraph("Gegenstand", style="Mein Kapitel")
    own = document.add_paragraph("Own level")
    own._p.get_or_add_pPr().append(xml('<w:outlineLvl w:val="2"/>'))
    body = document.add_paragraph("No heading", style="Heading 1")
    body._p.get_or_add_pPr().append(xml('<w:outlineLvl w:val="9"/>'))
    want = [(1, "Smlouva"), (2, "Predmet"), (2, "Gegenstand"), (3, "Own level")]
    assert outline(saved(document, path)) == want


def test_x02_x07_automatic_numbers(document: Any, path: Path) -> None:
    numbered(document, [("decimal", "%1", "Heading 1"), ("decimal", "%1.%2", "Heading 2")])
    for level, words in (
        (1, "Introduction"),
        (2, "Terms"),
        (2, "Scope"),
        (1, "Duties"),
        (2, "Fees"),
    ):
        document.add_heading(words, level)
    want = [
        (1, "1 Introduction"), (2, "1.1 Terms"), (2, "1.2 Scope"), (1, "2 Duties"), (2, "2.1 Fees"),
    ]  # fmt: skip
    found = saved(document, path)
    assert outline(found) == want
    assert [node.label for node in build_tree(found.pages)][1:] == ["1", "1.1", "1.2", "2", "2.1"]
    with database(encoder=None) as db:
        db.add_file(path)
        assert db.doc_search("1.2")[0].heading.endswith("1.2 Scope")


def test_lists_keep_their_numbers(document: Any, path: Path) -> None:
    numbered(document, [("lowerLetter", "(%1)", ""), ("lowerRoman", "(%2)", "")], 91)
    numbered(document, [("bullet", "•", "")], 92)
    for words, number, level in (
        ("first", 91, 0), ("second", 91, 0), ("below", 91, 1), ("third", 91, 0), ("below", 91, 1),
        ("point", 92, 0),
    ):  # fmt: skip
        listed(document.add_paragraph(words), number, level)
    listed(document.add_paragraph("no number", style="List Number"), 0)
    assert text_of(saved(document, path)).split("\n\n")[:-1] == [
        "(a) first", "(b) second", "(i) below", "(c) third", "(i) below", "- point", "no number",
    ]  # fmt: skip


def test_lists_begin_again_where_they_say_so(document: Any, path: Path) -> None:
    numbered(document, [("decimal", "%1.", "")])
    document.part.numbering_part.element.append(
        xml(
            '<w:num w:numId="95"><w:abstractNumId w:val="90"/><w:lvlOverride w:ilvl="0">'
            '<w:startOverride w:val="5"/></w:lvlOverride></w:num>'
        )
    )
    for number in (90, 90, 95, 95, 90):
        listed(document.add_paragraph("x"), number)
    assert text_of(saved(document, path)).split() == "1. x 2. x 5. x 6. x 7. x".split()


@pytest.mark.parametrize(
    ("form", "printed"),
    [
        ("decimal", "28"), ("upperRoman", "XXVIII"), ("lowerRoman", "xxviii"),
        ("upperLetter", "BB"), ("lowerLetter", "bb"), ("ordinal", "28th"), ("none", ""),
        ("decimalZero", "28"), ("chineseCounting", "28"),
    ],
)  # fmt: skip
def test_number_formats(form: str, printed: str) -> None:
    from lxml import etree

    levels = f'<w:lvl w:ilvl="0"><w:start w:val="28"/><w:numFmt w:val="{form}"/>'
    root = etree.fromstring(
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="1">{levels}<w:lvlText w:val="%1"/>'
        '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
        "</w:numbering>"
    )
    assert Numbers(root, {}).next("1", 0) == printed


def test_legal_numbers_are_decimal(document: Any, path: Path) -> None:
    numbered(
        document, [("upperRoman", "Article %1.", "Heading 1"), ("decimal", "%1.%2", "Heading 2")]
    )
    level = document.part.numbering_part.element[0][1]
    level.insert(2, xml("<w:isLgl/>"))
    document.add_heading("Rates", 1)
    document.add_heading("Books", 2)
    found = saved(document, path)
    assert outline(found) == [(1, "Article I. Rates"), (2, "1.1 Books")]
    assert build_tree(found.pages)[1].label == "Article I"


def test_clauses_without_heading_styles_go_by_their_words(document: Any, path: Path) -> None:
    for number in range(1, 5):
        document.add_paragraph(f"Article {number}")
        document.add_paragraph(f"The duties of part {number} are these, and no others are.")
    tree = build_tree(saved(document, path).pages)
    assert [node.label for node in tree[1:]] == [f"Article {n}" for n in range(1, 5)]


def test_x04_text_boxes(document: Any, path: Path) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>the kestrel</w:t></w:r></w:p></w:txbxContent>"
    new = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    run = document.add_paragraph("Before the box.")._p
    run.append(
        xml(
            f"<w:r><mc:AlternateContent {new}><mc:Choice Requires='wps'><w:drawing>{box}"
            f"</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
            "</mc:AlternateContent></w:r>"
        )
    )
    document.add_paragraph("After.")._p.append(xml(f"<w:r><w:pict>{box}</w:pict></w:r>"))
    assert text_of(saved(document, path)).split("\n\n")[:-1] == [
        "Before the box.", "the kestrel", "After.", "the kestrel",
    ]  # fmt: skip


def test_x05_what_looks_like_markup_is_words(document: Any, path: Path) -> None:
    document.add_heading("Real", 1)
    lines = ["# 5 is the unit number", "---", "| no table |", "``` no fence", "===", "#hashtag"]
    for line in lines:
        document.add_paragraph(line)
    document.add_heading("Last", 1)
    found = saved(document, path)
    assert outline(found) == [(1, "Real"), (1, "Last")]
    text = text_of(found)
    assert [node.title for node in build_tree(text, kind="markdown")[1:]] == ["Real", "Last"]
    assert "\\# 5 is the unit number\n" in text
    assert "\n#hashtag\n" in text


def test_tracked_changes_are_accepted_and_said(document: Any, path: Path) -> None:
    paragraph = document.add_paragraph("The fee is ")._p
    paragraph.append(xml('<w:del w:id="1"><w:r><w:delText>ten</w:delText></w:r></w:del>'))
    paragraph.append(xml('<w:ins w:id="2"><w:r><w:t>twelve</w:t></w:r></w:ins>'))
    paragraph.append(xml('<w:ins w:id="3"><w:r><w:t> marks.</w:t></w:r></w:ins>'))
    joined = document.add_paragraph("One para")
    joined._p.get_or_add_pPr().append(xml('<w:rPr><w:del w:id="4"/></w:rPr>'))
    document.add_paragraph("graph.")
    found = saved(document, path)
    assert text_of(found) == "The fee is twelve marks.\n\nOne paragraph.\n\n"
    assert found.notes == ("tracked changes accepted: 2 insertions, 1 deletion",)


def test_docx_tables(document: Any, path: Path) -> None:
    table = document.add_table(2, 3)
    for at, words in enumerate(["Item", "Unit|s", "Price", "Rope\nthick", "m", "2"]):
        table.cell(at // 3, at % 3).text = words
    merged = document.add_table(2, 3)
    merged.cell(1, 1).text = "x"
    merged.cell(0, 0).merge(merged.cell(0, 1)).text = "wide"
    merged.cell(0, 2).text = "end"
    frame = document.add_table(1, 1).cell(0, 0)
    frame.paragraphs[0].text = "Framed."
    text = text_of(saved(document, path))
    assert "| Item | Unit\\|s | Price |\n| --- | --- | --- |\n| Rope thick | m | 2 |\n" in text
    assert "| wide |  | end |\n| --- | --- | --- |\n|  | x |  |" in text
    assert text.endswith("\n\nFramed.\n\n")


def test_docx_states_what_it_leaves_out(document: Any, path: Path, tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (2, 2)).save(tmp_path / "a.png")
    document.add_picture(str(tmp_path / "a.png"))
    document.add_picture(str(tmp_path / "a.png"))
    document.sections[0].header.paragraphs[0].text = "secrethead"
    document.core_properties.title = "The rules"
    document.add_paragraph("Words.")
    found = saved(document, path)
    assert (found.title, text_of(found)) == ("The rules", "Words.\n\n")
    assert found.notes == ("headers and footers left out", "2 images left out")
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        assert summary.notes == {str(path): "headers and footers left out; 2 images left out"}
        again = db.add_dir(tmp_path, progress=False)
        assert again.unchanged and again.notes == summary.notes
        assert "note: " in str(summary)
        assert db.docs()[0].kind == "docx"


def test_footnotes_follow_their_paragraph(document: Any, path: Path) -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    notes = f'<w:footnotes {W}><w:footnote w:id="2"><w:p><w:r><w:t>See ferret.</w:t></w:r></w:p>'
    blob = f"{notes}</w:footnote></w:footnotes>".encode()
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, blob, document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document.add_paragraph("Claim")._p.append(xml('<w:r><w:footnoteReference w:id="2"/></w:r>'))
    document.add_heading("Next", 1)._p.append(xml('<w:r><w:footnoteReference w:id="2"/></w:r>'))
    found = saved(document, path)
    note = "[^2]: See ferret.\n\n"
    assert text_of(found) == f"Claim[^2]\n\n{note}# Next\n\n{note}"
    assert outline(found) == [(1, "Next")]


def test_runs_with_signs(document: Any, path: Path) -> None:
    paragraph = document.add_paragraph("a\tb\nc")._p
    for run in ("<w:noBreakHyphen/><w:t>d</w:t>", '<w:sym w:font="S" w:char="F0B7"/>',
                "<w:instrText>PAGE</w:instrText>"):  # fmt: skip
        paragraph.append(xml(f"<w:r>{run}</w:r>"))
    paragraph.append(xml("<w:hyperlink><w:r><w:t> link</w:t></w:r></w:hyperlink>"))
    assert text_of(saved(document, path)) == "a b\nc-d link\n\n"


def test_contents_pages_are_left_out(document: Any, path: Path) -> None:
    from docx.enum.style import WD_STYLE_TYPE

    document.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("Rates ... 1", style="toc 1")
    document.add_heading("Rates", 1)
    found = saved(document, path)
    assert text_of(found) == "# Rates\n\n"
    assert found.notes == ("table of contents left out",)


def test_docx_without_text(document: Any, path: Path) -> None:
    document.save(str(path))
    with pytest.raises(EmptyDocument, match=r"no text.*OCR"):
        read_file(path)


@pytest.fixture
def slides() -> Any:
    return pptx.Presentation()


def test_slides(slides: Any, tmp_path: Path) -> None:
    first = slides.slides.add_slide(slides.slide_layouts[1])
    first.shapes.title.text = "Harbour\vdues"
    frame = first.placeholders[1].text_frame
    frame.text = "Due at entry"
    deeper = frame.add_paragraph()
    deeper.text, deeper.level = "half for ferries", 1
    first.notes_slide.notes_text_frame.text = "Mention the kestrel."
    second = slides.slides.add_slide(slides.slide_layouts[6])
    table = second.shapes.add_table(2, 2, 0, 0, 999, 999).table
    for at, words in enumerate(["Ship", "Due", "Ferry", "7"]):
        table.cell(at // 2, at % 2).text = words
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "# in a group"
    path = tmp_path / "a.pptx"
    found = saved(slides, path)
    assert outline(found) == [(1, "Harbour dues"), (1, "Slide 2")]
    assert text_of(found) == (
        "# Harbour dues\n\nDue at entry\n  - half for ferries\n\nNotes: Mention the kestrel.\n\n"
        "# Slide 2\n\n| Ship | Due |\n| --- | --- |\n| Ferry | 7 |\n\n\\# in a group\n\n"
    )
    with database(encoder=None) as db:
        db.add_file(path)
        hit = db.doc_search("in a group")[0]
        assert (hit.page, hit.heading, db.docs()[0].pages) == (2, "Slide 2", 2)


def test_slides_state_what_they_leave_out(slides: Any, tmp_path: Path) -> None:
    from PIL import Image
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    Image.new("RGB", (2, 2)).save(tmp_path / "a.png")
    shapes = slides.slides.add_slide(slides.slide_layouts[6]).shapes
    shapes.add_picture(str(tmp_path / "a.png"), 0, 0)
    data = CategoryChartData()
    data.categories = ["a"]
    data.add_series("s", [1])
    shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 99, 99, data)
    assert saved(slides, tmp_path / "a.pptx").notes == ("1 image left out", "1 chart left out")


def test_sheets(tmp_path: Path) -> None:
    import datetime

    book = openpyxl.Workbook()
    first = book.active
    first.title = "Prices"
    for row in (
        ["Price list"], [], ["Item", "Price", "Share", "Since"],
        ["Rope", 1.50, 0.05, datetime.datetime(2024, 5, 1)], [], ["Bolt", 3.0, None, True],
    ):  # fmt: skip
        first.append(row)
    first["C4"].number_format = "0.0%"
    second = book.create_sheet("Old")
    second.sheet_state = "hidden"
    second["B2"] = "=1+1"
    path = tmp_path / "a.xlsx"
    found = saved(book, path)
    assert outline(found) == [(1, "Prices"), (1, "Old")]
    assert text_of(found) == (
        "# Prices\n\nPrice list\n\n| Item | Price | Share | Since |\n| --- | --- | --- | --- |\n"
        "| Rope | 1.5 | 5% | 2024-05-01 |\n| Bolt | 3 |  | TRUE |\n\n# Old\n\n"
    )
    assert found.notes == (
        "1 formula has no stored result: open the file in a spreadsheet program and save it",
        "1 hidden sheet read as well",
    )


def test_stored_results_of_formulas(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Sum", "=2+3"])
    book.save(tmp_path / "plain.xlsx")
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("sheet1.xml"):
                data = data.replace(b"<f>2+3</f><v></v>", b"<f>2+3</f><v>5</v>")
            target.writestr(name, data)
    found = read_file(path)
    assert "| Sum | 5 |" in text_of(found)
    assert found.notes == ()


def test_a_long_sheet_repeats_its_head(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Ship", "Dues"])
    for number in range(200):
        book.active.append([f"Ship number {number}", number])
    book.save(tmp_path / "a.xlsx")
    with database(encoder=None) as db:
        doc = db.add_file(tmp_path / "a.xlsx")
        assert len(db.t.store(select="id")) > 5
        assert "| Ship number 199 | 199 |" in db.text(doc)


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx", ".epub"])
def test_x13_broken_office_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    for data, says in (
        (b"", "0 bytes"),
        (b"<html>no archive</html>", "not a"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password.*2007"),
    ):
        path.write_bytes(data)
        with pytest.raises(ParseError, match=says):
            read_file(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme", "another kind of archive")
    with pytest.raises(ParseError, match=r"broken, or of an unusual form.*save it again"):
        read_file(path)


def test_half_a_docx(document: Any, path: Path) -> None:
    document.add_paragraph("Words.")
    document.save(str(path))
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(ParseError, match="only a part of one"):
        read_file(path)


def test_entities_are_not_followed(document: Any, path: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secretword")
    document.add_paragraph("PLACE")
    document.save(str(tmp_path / "plain.docx"))
    with zipfile.ZipFile(tmp_path / "plain.docx") as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "word/document.xml":
                uri = (tmp_path / "secret.txt").as_uri().encode()
                head, body = data.split(b"?>", 1)
                entity = b'<!DOCTYPE x [<!ENTITY e SYSTEM "' + uri + b'">]>'
                data = head + b"?>" + entity + body.replace(b"PLACE", b"a &e; b")
            target.writestr(name, data)
    with pytest.raises(ParseError, match="Entity"):
        read_file(path)


@pytest.mark.parametrize(
    ("suffix", "module"), [(".docx", "docx.opc.package"), (".pptx", "pptx"), (".xlsx", "openpyxl")]
)
def test_an_absent_extra_is_named(
    suffix: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a{suffix}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", "y")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"not installed.*'\.\[office\]'"):
        read_file(path)
