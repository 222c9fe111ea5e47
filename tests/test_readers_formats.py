"""EPUB books, mails, notebooks, tables of values, JSON: read without any extra."""

from __future__ import annotations

import json
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from litesearch import InvalidArgument, ParseError, database
from litesearch.data import READERS, Builder, FileContent, Reader, read_file
from litesearch.errors import DocumentError, EmptyDocument
from litesearch.records import Document, Heading
from litesearch.tree import build_tree

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
OPF = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The Harbour</dc:title><dc:creator>A. Pilot</dc:creator>
<dc:language>en</dc:language></metadata>
<manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
<item id="a" href="text/a%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="z" href="text/z.xhtml" media-type="application/xhtml+xml"/>
<item id="i" href="i.png" media-type="image/png"/></manifest>
<spine><itemref idref="n"/><itemref idref="z"/><itemref idref="a"/></spine></package>"""
NAV = (
    '<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li>'
    '<a href="text/z.xhtml">Opening menuword</a></li></ol></nav></body></html>'
)


def outline(found: FileContent) -> list[tuple[int, str]]:
    return [(node.level, node.title) for node in build_tree(found.pages, kind=found.kind)[1:]]


def text_of(found: FileContent) -> str:
    return build_tree(found.pages, kind=found.kind).document.text


def make_epub(path: Path, **changes: str) -> Path:
    files = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": OPF,
        "OEBPS/nav.xhtml": NAV,
        "OEBPS/text/z.xhtml": "<html><body><p>It was late &mdash; very.</p></body></html>",
        "OEBPS/text/a b.xhtml": "<html><body><h1>One</h1><h2>Sub</h2><p>Text.</p></body></html>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, **changes}.items():
            archive.writestr(name, text)
    return path


def test_epub_in_the_order_of_its_spine(tmp_path: Path) -> None:
    found = read_file(make_epub(tmp_path / "a.epub"))
    assert outline(found) == [(1, "Opening menuword"), (1, "One"), (2, "Sub")]
    assert text_of(found) == (
        "# Opening menuword\n\nIt was late — very.\n\n# One\n\n## Sub\n\nText.\n\n"
    )
    assert (found.kind, found.title) == ("epub", "The Harbour")
    assert found.metadata == {"author": "A. Pilot", "language": "en"}
    assert found.notes == ("1 image left out",)
    with database(encoder=None) as db:
        doc = db.add_file(make_epub(tmp_path / "a.epub"))
        assert db.docs()[0].title == "The Harbour"
        assert db.doc_search("very late")[0].heading == "Opening menuword"
        assert db.text(doc) == text_of(found)


def test_epub_2_has_its_contents_in_an_ncx(tmp_path: Path) -> None:
    opf = OPF.replace(
        '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
        '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    )
    ncx = (
        "<ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src='x.xhtml'/>"
        "<navPoint><navLabel><text>Late</text></navLabel><content src='text/z.xhtml#p'/>"
        "</navPoint></navPoint></navMap></ncx>"
    )
    path = make_epub(tmp_path / "a.epub", **{"OEBPS/book.opf": opf, "OEBPS/toc.ncx": ncx})
    assert outline(read_file(path)) == [(2, "Late"), (1, "One"), (2, "Sub")]


def test_a_locked_epub_is_refused(tmp_path: Path) -> None:
    lock = '<encryption><CipherReference URI="OEBPS/text/a%20b.xhtml"/></encryption>'
    path = make_epub(tmp_path / "a.epub", **{"META-INF/encryption.xml": lock})
    with pytest.raises(ParseError, match="DRM"):
        read_file(path)
    fonts = lock.replace("text/a%20b.xhtml", "font.ttf")
    assert read_file(make_epub(path, **{"META-INF/encryption.xml": fonts})).title


def test_an_epub_without_text(tmp_path: Path) -> None:
    empty = {f"OEBPS/text/{name}.xhtml": "<html><body/></html>" for name in ("z", "a b")}
    with pytest.raises(EmptyDocument, match=r"no text.*OCR"):
        read_file(make_epub(tmp_path / "a.epub", **empty))


def mail(**heads: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in {"Subject": "Über the dues", "From": "Ann <a@x.org>", **heads}.items():
        message[name] = value
    return message


def test_mail(tmp_path: Path) -> None:
    message = mail(To="b@x.org", Date="Wed, 01 May 2024 10:00:00 +0200")
    message.set_content("Hello,\n# 5 is late.\n")
    message.add_alternative("<p>htmlword</p>", subtype="html")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="dués.pdf")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    found = read_file(tmp_path / "a.eml")
    assert text_of(found) == (
        "# Über the dues\n\nFrom: Ann <a@x.org>\nTo: b@x.org\nDate: 2024-05-01T10:00:00+02:00\n\n"
        "Hello,\n\\# 5 is late.\n\n"
    )
    assert found.title == "Über the dues"
    assert found.metadata == {
        "from": "Ann <a@x.org>", "to": "b@x.org", "date": "2024-05-01T10:00:00+02:00",
        "attachments": ["dués.pdf"],
    }  # fmt: skip
    assert found.notes == ("attachments not read: dués.pdf",)
    with database(encoder=None) as db:
        db.add_file(tmp_path / "a.eml")
        assert len(db.doc_search("late", meta={"to": "b@x.org"})) == 1
        assert db.doc_search("Ann")[0].heading == "Über the dues"


def test_mail_of_html_only(tmp_path: Path) -> None:
    message = mail()
    message.set_content("<script>x()</script><h1>Dues</h1><p>Pay.</p>", subtype="html")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    found = read_file(tmp_path / "a.eml")
    assert outline(found) == [(1, "Über the dues"), (2, "Dues")]
    assert "x()" not in text_of(found)


def test_mail_in_an_unknown_encoding(tmp_path: Path) -> None:
    head = b"Subject: a\r\nContent-Type: text/plain; charset=x-none\r\n"
    (tmp_path / "a.eml").write_bytes(head + "\r\ncafé\r\n".encode())
    assert "café" in text_of(read_file(tmp_path / "a.eml"))
    (tmp_path / "b.eml").write_bytes(b"just some words")
    with pytest.raises(ParseError, match="no head"):
        read_file(tmp_path / "b.eml")


def make_notebook(path: Path, cells: list[dict[str, Any]], **metadata: Any) -> Path:
    path.write_text(json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}))
    return path


def test_notebook(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Study\n", "Some text.\n", "```\nopen fence"]},
        {"cell_type": "code", "source": "# no heading\nx = '''\n```\n'''", "outputs": [{}, {}]},
        {"cell_type": "markdown", "source": "## Result"},
        {"cell_type": "code", "source": "", "outputs": []},
        {"cell_type": "raw", "source": "as it is"},
    ]
    path = make_notebook(tmp_path / "a.ipynb", cells, language_info={"name": "python"})
    found = read_file(path)
    assert outline(found) == [(1, "Study"), (2, "Result")]
    assert "````python\n# no heading\nx = '''\n```\n'''\n````\n\n## Result\n\nas it is" in text_of(
        found
    )
    assert (found.title, found.notes) == ("Study", ("2 outputs left out",))
    assert found.metadata == {"language": "python"}


def test_old_and_broken_notebooks(tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": "y"},
    ]
    path.write_text(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert text_of(read_file(path)) == "## Old\n\n```\ny\n```\n\n"
    for text in ("{", "[]", "{}", '{"cells": [3]}', '{"cells": 3}'):
        path.write_text(text)
        with pytest.raises(ParseError, match=r"not a notebook.*save it again"):
            read_file(path)
    with pytest.raises(EmptyDocument):
        read_file(make_notebook(path, []))


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_csv(sign: str, tmp_path: Path) -> None:
    rows = [["Ship", "Due"], ['"a\nb"', "7"], ["c", "8|9"]]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(sign.join(row) for row in rows), encoding="utf-8")
    want = "| Ship | Due |\n| --- | --- |\n| a b | 7 |\n| c | 8\\|9 |\n\n"
    assert text_of(read_file(path)) == want


def test_csv_of_one_column_and_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Ship\nFerry\n")
    assert text_of(read_file(tmp_path / "a.csv")) == "| Ship |\n| --- |\n| Ferry |\n\n"
    (tmp_path / "b.csv").write_text("")
    with database(encoder=None) as db, pytest.raises(EmptyDocument):
        db.add_file(tmp_path / "b.csv")


def test_json_is_text_without_sections(tmp_path: Path) -> None:
    text = '{\n"a": "Article 1",\n"b": [2]\n}\n'
    (tmp_path / "a.json").write_text(text)
    found = read_file(tmp_path / "a.json")
    assert (text_of(found), outline(found)) == (text, [])


def test_a_reader_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, ".log", READERS[".txt"])
    (tmp_path / "a.log").write_text("ferry sank")
    with database(encoder=None) as db:
        assert db.add_dir(tmp_path, progress=False).stored
        assert db.doc_search("ferry")


def test_a_readers_own_headings_notes_and_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(path: Any) -> FileContent:
        made = Builder()
        for number in (3, 4):
            made.page(number)
            made.heading(1, f"Log {number}", f"L{number}")
            made.block("Wind north.")
        return FileContent("log", made.document(), "Ship's log", notes=("1 chart left out",))

    monkeypatch.setitem(READERS, ".log", Reader("log", read))
    (tmp_path / "a.log").write_text("")
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        assert list(summary.notes.values()) == ["1 chart left out"]
        assert [(e.title, e.label, e.page_start) for e in db.toc("a.log")][1:] == [
            ("Log 3", "L3", 3), ("Log 4", "L4", 4),
        ]  # fmt: skip
        assert db.doc_search("wind", kind="log", pages=(4, 4))[0].heading == "Log 4"
        assert db.add_dir(tmp_path, progress=False).unchanged


def test_other_headings_of_the_same_text_are_stored_again() -> None:
    def document(level: int) -> Document:
        return Document("One\ntwo", headings=(Heading(4, 7, level, "two", "", "heading"),))

    with database(encoder=None) as db:
        first = db.add_doc(document(1), source="a", kind="log")
        assert db.add_doc(document(1), source="a", kind="log") == first
        db.add_doc(document(2), source="a", kind="log")
        assert [entry.level for entry in db.toc("a")] == [0, 2]


@pytest.mark.parametrize("places", [[(4, 0)], [(4, 1), (0, 1)], [(7, 1)], [(4, 1), (4, 2)]])
def test_wrong_headings_of_a_reader(places: list[tuple[int, int]]) -> None:
    headings = [Heading(at, 7, level, "two", "", "heading") for at, level in places]
    with pytest.raises(InvalidArgument, match="in the order of the text"):
        build_tree(Document("One\ntwo", headings=headings))


def test_documents_are_checked_as_strings_are() -> None:
    with database(encoder=None) as db:
        with pytest.raises(DocumentError, match="NUL"):
            db.add_doc(Document("a\0b", headings=()))
        with pytest.raises(EmptyDocument):
            db.add_doc(Document("  ", headings=()))


def test_builder_doctest() -> None:
    import doctest

    from litesearch.data import content

    assert doctest.testmod(content).failed == 0
