"""Readers: PDF, markdown, HTML and text files, and files that are not what they seem."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from litesearch.data import READERS, FileContent, Reader, chunk_markdown, pdf_parse, read_file
from litesearch.data.html import read_html
from litesearch.data.markdown import read_markdown
from litesearch.data.text import decode
from litesearch.errors import (
    DocumentError,
    EmptyDocument,
    InvalidArgument,
    LitesearchWarning,
    ParseError,
)
from litesearch.tree import build_tree

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CASES = DATA / "pdf_cases"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="shared/data is not beside the project")


def make_pdf(path: Path, pages: list[list[tuple[float, float, str]]], size: float = 10) -> Path:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    pdf = canvas.Canvas(str(path))
    for page in pages:
        pdf.setFont("Helvetica", size)
        for x, y, text in page:
            pdf.drawString(x, y, text)
        pdf.showPage()
    pdf.save()
    return path


@needs_data
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("empty.pdf", "0 bytes"),
        ("notpdf.pdf", "not a PDF"),
        ("enc_user.pdf", "encrypted.*password"),
        ("trunc.pdf", "cut off"),
        ("missing.pdf", "no such file"),
    ],
)
def test_broken_pdf(name: str, says: str) -> None:  # X13
    with pytest.raises(ParseError, match=says):
        pdf_parse(CASES / name)


@needs_data
def test_pages_without_text_are_blank() -> None:  # X11
    assert pdf_parse(CASES / "scanlike.pdf") == ["", "Only page two has text."]


def test_scan_names_ocr(tmp_path: Path) -> None:  # X11, U05
    path = make_pdf(tmp_path / "scan.pdf", [[], []])
    with pytest.raises(EmptyDocument, match=r"2 pages.*OCR"):
        pdf_parse(path)


@needs_data
def test_half_a_pdf_is_refused(tmp_path: Path) -> None:
    source = next((DATA / "eu").glob("reg_2021_241*.pdf")).read_bytes()
    half = tmp_path / "half.pdf"
    for share in (0.1, 0.5, 0.9):
        half.write_bytes(source[: int(len(source) * share)])
        with pytest.raises(ParseError, match="cut off"):
            pdf_parse(half)


def test_password(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path / "locked.pdf"
    pdf = Canvas(str(path), encrypt=StandardEncryption("sesame", "owner", strength=128))
    pdf.drawString(72, 700, "Behind the door.")
    pdf.save()
    with pytest.raises(ParseError, match="encrypted"):
        pdf_parse(path)
    with pytest.raises(ParseError, match="password"):
        pdf_parse(path, password="wrong")
    assert pdf_parse(path, password="sesame") == ["Behind the door."]


@needs_data
@pytest.mark.parametrize("name", ["twocol.pdf", "enc_empty.pdf"])
def test_columns_are_read_one_by_one(name: str) -> None:  # P12
    [page] = pdf_parse(CASES / name)
    assert page.startswith("The lessee shall keep the roof in good repair and report")
    assert "keep the The lessor" not in page


def test_table_of_a_pdf(tmp_path: Path) -> None:
    rows = [
        ("Item", "Unit", "Price"),
        ("Bolt", "piece", "0.20"),
        ("Rope", "metre", "1.50"),
        ("Paint", "litre", "9.00"),
    ]
    page = [
        (60 + 140 * x, 700 - 20 * y, cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    ]
    [text] = pdf_parse(make_pdf(tmp_path / "table.pdf", [page]))
    assert text.splitlines()[0] == "| Item | Unit | Price |"
    assert "| Rope | metre | 1.50 |" in text


def test_line_end_hyphens(tmp_path: Path) -> None:
    lines = [
        "A well-known rule of this agree-",
        "ment is that pre- and post-",
        "trial costs and well-",
        "known fees are shared.",
    ]
    page = [(60, 700 - 12 * y, line) for y, line in enumerate(lines)]
    [text] = pdf_parse(make_pdf(tmp_path / "hyphen.pdf", [page]))
    assert "this agreement is that pre- and" in text
    assert "well-known fees" in text


@needs_data
def test_letterspaced_words_of_a_pdf() -> None:
    pages = pdf_parse(DATA / "eu/dir_2006_112_2022-07-01_eng.pdf")
    assert "Section 1\n\nSupply of goods without transport" in pages[24].replace("# ", "")


@needs_data
def test_headings_of_a_pdf_carry_depth() -> None:
    tree = build_tree(pdf_parse(DATA / "fixtures/HR8847_CNIMDT_AIGCE_STD_Act.pdf"))
    at = next(node for node in tree if node.label == "SEC. 102")
    assert [title.split(" - ")[0] for title in tree.path(at)[-3:]] == [
        "TITLE I",
        "CHAPTER 1",
        "SEC. 102. FINDINGS.",
    ]


HTML = """<html><head><title>Site</title></head><body><nav>menuword</nav>
<script>var a="scriptword"</script><style>.x{}</style><header>sitehead</header>
<main><h1>A</h1><p>x <b>bold</b> a_b</p><div hidden>secret</div><p style="display: none">gone</p>
<table><tr><th>p</th><th>q</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre class="language-python"><code># no heading
x = 1</code></pre><h2>B</h2></main><footer>foot</footer></body></html>"""


def test_html() -> None:  # X08
    text = read_html(HTML)
    tree = build_tree(text, kind="html")
    assert [(node.level, node.title) for node in tree[1:]] == [(1, "A"), (2, "B")]
    for word in ("menuword", "scriptword", "sitehead", "secret", "gone", "foot", ".x{"):
        assert word not in text
    assert "| p | q |\n| --- | --- |\n| 1 | 2 |" in text
    assert "```python\n# no heading\nx = 1\n```" in text
    assert "a_b" in text


def test_html_words_that_look_like_markup() -> None:  # X05
    html = (
        "<h1># 1 Real</h1><p># 5 is the unit number</p><p>a\n## b</p><p>line<br>===</p><p>x\n---\ny"
        "</p><p>```</p><table><tr><th>a|b</th><td># 7</td></tr></table><pre># code</pre><h2>Z</h2>"
    )
    text = read_html(html)
    tree = build_tree(text, kind="html")
    assert [(node.level, node.title) for node in tree[1:]] == [(1, "# 1 Real"), (2, "Z")]
    assert "\n\\# 5 is the unit number\n" in text
    assert "| a\\|b | # 7 |" in text
    assert "```\n# code\n```" in text


@needs_data
def test_html_twin_has_the_headings_of_its_parser() -> None:
    from bs4 import BeautifulSoup

    html = decode((DATA / "structure/r-manuals/R-data.html").read_bytes())
    want = [
        " ".join(tag.get_text().split())
        for tag in BeautifulSoup(html, "html.parser").find_all(["h1", "h2", "h3", "h4", "h5", "h6"])
    ]
    tree = build_tree(read_html(html), kind="html")
    squeezed = ["".join(node.title.split()) for node in tree[1:]]
    assert squeezed == ["".join(title.split()) for title in want]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain", "plain"),
        ("\ufeffé".encode(), "é"),
        ("é".encode("utf-16"), "é"),
        ("é".encode("utf-32"), "é"),
    ],
)
def test_decode(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"PK\0\0")
    found = read_file(tmp_path / "a.txt")
    with pytest.raises(DocumentError, match="NUL"):
        build_tree(found.pages, kind=found.kind)


def test_decode_warns_about_windows_text() -> None:
    with pytest.warns(LitesearchWarning, match="Windows-1252"):
        assert decode(b"caf\xe9 \x96") == "café –"


def test_read_file_by_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.MD").write_text("---\ntitle: Rules\nyear: 2024\n---\n# One\n")
    (tmp_path / "b.txt").write_text("Article 1\n\nText.")
    (tmp_path / "c.html").write_text(HTML)
    found = read_file(tmp_path / "a.MD")
    assert (found.kind, found.title, found.metadata["year"]) == ("markdown", "Rules", 2024)
    assert read_file(tmp_path / "b.txt").kind == "text"
    assert read_file(tmp_path / "c.html").title == "Site"
    with pytest.raises(ParseError, match=r"no reader for '\.xyz'.*\.html.*\.pdf"):
        read_file(tmp_path / "d.xyz")
    with pytest.raises(ParseError, match="no such file"):
        read_file(tmp_path / "none.md")


def test_a_user_registers_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, ".log", Reader("text", lambda path: FileContent("text", "a line")))
    (tmp_path / "x.log").write_text("")
    assert read_file(tmp_path / "x.log").pages == "a line"


@pytest.mark.parametrize("size", [64, 512, 4096])
def test_chunk_markdown(size: int) -> None:
    text = "".join(f"# Head {n}\n\n{'Some words of text. ' * (n % 40)}\n\n" for n in range(60))
    chunks = chunk_markdown(text, size=size)
    assert "".join(chunks) == text
    assert max(map(len, chunks)) <= size
    assert chunk_markdown("") == []
    with pytest.raises(InvalidArgument):
        chunk_markdown(text, size=0)


def test_import_is_light() -> None:
    code = (
        "import sys, litesearch.data, litesearch.tree, litesearch.chunks;"
        "heavy = {'pdf_oxide', 'markdown_it', 'bs4', 'markdownify'};"
        "print(sorted(heavy.intersection(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@needs_data
def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    pdf_parse(DATA / "eu/attention_is_all_you_need.pdf")
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_front_matter_is_yaml(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ntags: [a, b]\ndate: 2024-05-01\nowner: {team: docs}\n---\n# One\n")
    _, _, metadata = read_markdown(path)
    assert metadata == {"tags": ["a", "b"], "date": "2024-05-01", "owner": {"team": "docs"}}


def test_broken_front_matter_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ntags: [a\n---\n# One\n")
    with pytest.warns(LitesearchWarning, match="no YAML"):
        text, _, metadata = read_markdown(path)
    assert metadata == {}
    assert "# One" in text
