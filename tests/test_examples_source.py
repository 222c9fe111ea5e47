"""The example documents hold what their questions ask for, and the PDFs match their sources.

The examples are the first thing a newcomer searches, so a question whose answer has been edited
away, or a PDF that was not rendered again after its source changed, has to fail here. Nothing of
the package is used: the checks must not share its idea of what a document contains.
"""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pdf_oxide
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PDF_SOURCES = {
    "harbour_regulation.pdf": "harbour_regulation.txt",
    "market_regulation_plain.pdf": "market_regulation_plain.txt",
}
GROUPS = {
    **dict.fromkeys(PDF_SOURCES, "regulations"),
    "sounding_rig_manual.md": "manual",
    "staff_handbook.html": "handbook",
}
CHARACTERS_A_PAGE = 3_000
SHORTEST_PARAGRAPH = 80


class Heading(NamedTuple):
    """A heading as it stands in a document; the level decides where its section ends."""

    level: int
    text: str
    start: int
    body: int


def squash(text: str) -> str:
    """Text without white space and markup signs: line ends in a PDF fall anywhere."""
    return re.sub(r"[\s*_|#\\]+", "", text)


def read(name: str) -> str:
    """The text of one file of the examples."""
    return (EXAMPLES / name).read_text(encoding="utf-8")


def source_text(pdf: str) -> str:
    """The source that a PDF was rendered from."""
    return read(f"source/{PDF_SOURCES[pdf]}")


@cache
def questions() -> list[dict[str, str]]:
    """The questions in the order of the file."""
    return [json.loads(line) for line in read("questions.jsonl").splitlines()]


@cache
def pdf_pages(path: Path) -> list[str]:
    """The text of each page."""
    document = pdf_oxide.PdfDocument(str(path))
    return [document.to_markdown(number) for number in range(document.page_count())]


@cache
def pdf_body(name: str) -> str:
    """A PDF's text, squashed, without running heads and page numbers, which cut paragraphs."""
    furniture = re.findall(r"^%(?:head|series) (.*)", source_text(name), re.MULTILINE)
    body = ""
    for number, page in enumerate(pdf_pages(EXAMPLES / name), start=1):
        text = squash(page)
        for line in [*furniture, f"– {number} –"]:
            text = text.replace(squash(line), "")
        body += text
    return body


def pdf_headings(name: str) -> list[Heading]:
    """Headings of the source located in the PDF; the contents page has a dash between the two."""
    found = []
    body, position = pdf_body(name), 0
    for line in re.findall(r"^#+ .*", source_text(name), re.MULTILINE):
        marks, _, rest = line.partition(" ")
        text, _, subtitle = rest.partition(" | ")
        start = body.index(squash(text + subtitle), position)
        position = start + len(squash(text + subtitle))
        found.append(Heading(len(marks), text, start, position))
    return found


@cache
def markdown_lines() -> list[tuple[int, str]]:
    """Lines of the manual with their heading level, 0 for text; a fence holds no headings."""
    lines, fenced = [], False
    for line in read("sounding_rig_manual.md").splitlines():
        if line.strip().startswith("```"):
            fenced = not fenced
        match = None if fenced else re.match(r"(#{1,6}) (.*)", line)
        lines.append((len(match[1]), match[2]) if match else (0, line))
    return lines


class Blocks(HTMLParser):
    """The handbook's text as (heading level or 0, text) blocks, without script and style."""

    LEAVES = ("h1", "h2", "h3", "h4", "p", "li", "dt", "dd", "td", "th", "caption", "title")

    def __init__(self) -> None:
        """Start outside of everything."""
        super().__init__()
        self.blocks: list[tuple[int, str]] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a block, or hide what is no text."""
        self.hidden = tag in ("script", "style")
        if tag in self.LEAVES:
            self.blocks.append((int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0, ""))

    def handle_endtag(self, tag: str) -> None:
        """Show text again; what follows a nested list belongs to no earlier block."""
        self.hidden = False
        if tag in self.LEAVES:
            self.blocks.append((0, ""))

    def handle_data(self, data: str) -> None:
        """Add text to the open block."""
        if self.blocks and not self.hidden:
            level, text = self.blocks[-1]
            self.blocks[-1] = (level, text + data)


@cache
def handbook_blocks() -> list[tuple[int, str]]:
    """The handbook's blocks that have text."""
    parser = Blocks()
    parser.feed(read("staff_handbook.html"))
    return [(level, " ".join(text.split())) for level, text in parser.blocks if text.strip()]


@cache
def outline(name: str) -> tuple[str, list[Heading]]:
    """The squashed text of a document and its headings."""
    if name in PDF_SOURCES:
        return pdf_body(name), pdf_headings(name)
    blocks = markdown_lines() if name.endswith(".md") else handbook_blocks()
    text, headings = "", []
    for level, line in blocks:
        start = len(text)
        text += squash(line)
        if level:
            headings.append(Heading(level, line, start, len(text)))
    return text, headings


def section_text(name: str, section: str) -> str:
    """The squashed text under one heading, its subsections included."""
    text, headings = outline(name)
    (place,) = [number for number, heading in enumerate(headings) if heading.text == section]
    level = headings[place].level
    ends = [heading.start for heading in headings[place + 1 :] if heading.level <= level]
    return text[headings[place].body : min(ends, default=len(text))]


@pytest.mark.parametrize("question", questions(), ids=lambda question: question["section"])
def test_answer_stands_in_its_section(question: dict[str, str]) -> None:
    """Verbatim, and in the innermost section: a chapter's heading would be too easy a target."""
    section = section_text(question["source"], question["section"])
    assert squash(question["answer"]) in section


def test_questions_are_unique_and_spread() -> None:
    """Ten for each group of documents, none asked twice, each answer a short quotation."""
    asked = [question["question"].casefold() for question in questions()]
    assert len(set(asked)) == len(asked)
    assert Counter(GROUPS[question["source"]] for question in questions()) == dict.fromkeys(
        ("regulations", "manual", "handbook"), 10
    )
    for question in questions():
        assert set(question) == {"question", "source", "section", "answer"}
        assert 8 <= len(question["answer"].split()) <= 25, question["answer"]


def paragraphs() -> list[tuple[str, str]]:
    """Every paragraph, list item and table row of the examples, with its file."""
    found = []
    for pdf in PDF_SOURCES:
        found += [(pdf, line) for line in source_text(pdf).splitlines()]
    found += [("sounding_rig_manual.md", line) for _, line in markdown_lines()]
    found += [("staff_handbook.html", text) for _, text in handbook_blocks()]
    return found


def test_no_paragraph_occurs_twice() -> None:
    """A repeated paragraph has two right sections, and a question on it none.

    A label such as (1) in front does not make a paragraph another one.
    """
    files: dict[str, list[str]] = {}
    for name, text in paragraphs():
        bare = re.sub(r"^\s*(\(\w+\)|\d+\.|[-#>|]+)\s*", "", text).strip().casefold()
        if len(bare) >= SHORTEST_PARAGRAPH:
            files.setdefault(squash(bare), []).append(name)
    assert len(files) > 500
    assert {text: names for text, names in files.items() if len(names) > 1} == {}


@pytest.mark.parametrize("pdf", PDF_SOURCES)
def test_pdf_holds_its_source_in_order(pdf: str) -> None:
    """Needs no reportlab, so that a forgotten rendering is seen on every machine."""
    body, position = pdf_body(pdf), 0
    for line in source_text(pdf).splitlines():
        if line.strip() and line[0] not in "%#|":
            wanted = squash(line.lstrip("^~> "))
            position = body.find(wanted, position)
            assert position >= 0, line
            position += len(wanted)


@pytest.mark.parametrize("pdf", PDF_SOURCES)
def test_cross_references_lead_somewhere(pdf: str) -> None:
    """Each Article, paragraph and Annex that a regulation cites exists in it."""
    source = source_text(pdf)
    articles = re.split(r"^#### Article (\w+) \|", source, flags=re.MULTILINE)[1:]
    numbers = dict(zip(articles[::2], articles[1::2], strict=True))
    for article, paragraph in re.findall(r"Article (\d+[a-z]?)(?:\((\d+)\))?", source):
        assert article in numbers
        mark = rf"^(\({paragraph}\)|{paragraph}\.) "
        assert not paragraph or re.search(mark, numbers[article], re.MULTILINE), (
            f"Article {article}({paragraph})"
        )
    annexes = set(re.findall(r"^# ANNEX (\w+)", source, re.MULTILINE))
    assert set(re.findall(r"Annex ([IVX]+)\b", source)) <= annexes


def bookmark_titles(entries: list[dict[str, object]] | None) -> list[str]:
    """Titles of all bookmarks, depth first."""
    titles: list[str] = []
    for entry in entries or []:
        children = entry["children"]
        assert isinstance(children, list)
        titles += [str(entry["title"]), *bookmark_titles(children)]
    return titles


def bookmarks(path: Path) -> list[str]:
    """Titles of a PDF's bookmarks."""
    return bookmark_titles(pdf_oxide.PdfDocument(str(path)).get_outline())


def test_bookmarks_are_the_headings_of_the_first_regulation_only() -> None:
    """The second shows what reading does without them."""
    lines = re.findall(r"^#+ (.*)", source_text("harbour_regulation.pdf"), re.MULTILINE)
    titles = bookmarks(EXAMPLES / "harbour_regulation.pdf")
    assert titles == [line.replace(" | ", " – ") for line in lines]
    assert bookmarks(EXAMPLES / "market_regulation_plain.pdf") == []


def test_the_examples_fill_forty_pages() -> None:
    """PDF pages as they are; the other files at the characters of a printed page."""
    pages = sum(len(pdf_pages(EXAMPLES / pdf)) for pdf in PDF_SOURCES)
    pages += len(read("sounding_rig_manual.md")) // CHARACTERS_A_PAGE
    pages += sum(len(text) for _, text in handbook_blocks()) // CHARACTERS_A_PAGE
    assert pages >= 40


@pytest.fixture
def renderer(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script beside the examples, whose folder is not on the path."""
    pytest.importorskip("reportlab")
    monkeypatch.syspath_prepend(str(EXAMPLES / "source"))
    return importlib.import_module("render")


def test_pdfs_are_what_the_script_makes(renderer: ModuleType, tmp_path: Path) -> None:
    """Text and bookmarks page by page: the bytes also depend on the zlib that compressed them.

    Two runs on one machine give the same bytes.
    """
    runs = [tmp_path / "first", tmp_path / "second"]
    for folder in runs:
        folder.mkdir()
        assert sorted(path.name for path in renderer.render_all(folder)) == sorted(PDF_SOURCES)
    for pdf in PDF_SOURCES:
        first, second = (folder / pdf for folder in runs)
        assert first.read_bytes() == second.read_bytes()
        assert pdf_pages(first) == pdf_pages(EXAMPLES / pdf)
        assert bookmarks(first) == bookmarks(EXAMPLES / pdf)
