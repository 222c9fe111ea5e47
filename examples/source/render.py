"""Render the example regulations from their text sources to PDF.

    python examples/source/render.py             # writes the PDFs above this folder
    python examples/source/render.py OUTPUT_DIR  # writes them elsewhere, to compare

The PDFs are committed so that the examples work without reportlab; the sources are what is
edited. Rendering is deterministic (no dates, no random identifiers), so that an unchanged source
gives an unchanged file. Only the standard Times faces are used: their encoding has the curly
quotes and dashes that the texts need, and nothing has to be embedded.

The layout is one that text extraction reads in order: headings start at the left margin, because
pdf-oxide takes a page of centred ones for a second column and moves them behind the text.

A source is a text file with one block a line and blank lines between blocks:

    %key value             metadata; %contents places the table of contents
    # TITLE I | SCOPE      a heading and its subtitle; ## chapter, ### section, #### article
    ^ text                 a line of the act's name       ~ text   a note in italics
    > text                 the closing formula            | a | b  a table row, the first the head
    %widths 3 1 1          relative widths of the columns of the next table
    (1) text, 1. text      a numbered paragraph           text     any other paragraph
      (a) text             a point; four spaces: a sub-point
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.enums import TA_JUSTIFY, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

SOURCES = Path(__file__).resolve().parent
EXAMPLES = SOURCES.parent

MARGIN = 21 * mm
HANG = 6 * mm
TEXT_WIDTH = A4[0] - 2 * MARGIN
LABEL = re.compile(r"(\(\w+\)|\d+\.)\s+")
ARTICLE_LEVEL = 4
KEYS = ("title", "subject", "author", "head", "series", "output", "bookmarks")


@dataclass
class Block:
    """One unit of a source: a heading, a paragraph or a whole table."""

    kind: str
    text: str = ""
    level: int = 0
    subtitle: str = ""
    rows: list[list[str]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)


@dataclass
class Source:
    """A parsed source: what the page furniture needs, and the blocks in order."""

    meta: dict[str, str]
    blocks: list[Block]


def parse_source(path: Path) -> Source:
    """Read a source; an unknown `%key` is an error, so that a typing slip cannot vanish."""
    meta: dict[str, str] = {}
    blocks: list[Block] = []
    widths: list[float] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line[1:].partition(" ")
        if line.startswith("%") and key == "contents":
            blocks.append(Block("contents"))
        elif line.startswith("%") and key == "widths":
            widths = [float(part) for part in value.split()]
        elif line.startswith("%") and key in KEYS:
            meta[key] = value
        elif line.startswith("%"):
            raise ValueError(f"{path.name}: unknown key {key!r}")
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not blocks or blocks[-1].kind != "table":
                blocks.append(Block("table", widths=widths or [1.0] * len(cells)))
                widths = []
            blocks[-1].rows.append(cells)
        elif line.strip():
            blocks.append(parse_line(line))
        elif blocks and blocks[-1].kind == "table":
            blocks.append(Block("gap"))  # ends the table
    return Source(meta, blocks)


def parse_line(line: str) -> Block:
    """Turn a line that is neither metadata nor a table row into its block."""
    marks, _, rest = line.partition(" ")
    if marks and set(marks) == {"#"}:
        heading, _, subtitle = rest.partition(" | ")
        return Block("heading", heading, level=len(marks), subtitle=subtitle)
    if marks in ("^", "~", ">"):
        return Block({"^": "name", "~": "note", ">": "closing"}[marks], rest)
    indent = len(line) - len(line.lstrip())
    return Block("paragraph", line.strip(), level=indent // 2)


def _style(name: str, **options: object) -> ParagraphStyle:
    base: dict[str, object] = {"fontName": "Times-Roman", "fontSize": 10, "leading": 12}
    return ParagraphStyle(name, **(base | options))


def _heading_style(level: int, size: float, before: float) -> ParagraphStyle:
    return _style(
        f"heading{level}",
        fontSize=size,
        leading=size + 2.4,
        spaceBefore=before,
        keepWithNext=1,
    )


STYLES = {
    "name": _style("name", fontName="Times-Bold", fontSize=13, leading=17),
    "note": _style("note", fontName="Times-Italic", fontSize=9.5, leading=12, spaceAfter=6),
    "closing": _style("closing", alignment=TA_RIGHT, spaceBefore=8),
    "cell": _style("cell", fontSize=9, leading=10.4),
    "head_cell": _style("head_cell", fontName="Times-Bold", fontSize=9, leading=10.4),
    "contents": _style("contents", fontName="Times-Bold", fontSize=12),
}
HEADING_STYLES = {
    1: _heading_style(1, 12, 14),
    2: _heading_style(2, 11, 10),
    3: _heading_style(3, 10.5, 9),
    4: _heading_style(4, 10, 7),
}
SUBTITLE_STYLES = {
    level: _style(
        f"subtitle{level}",
        fontName="Times-Bold",
        fontSize=style.fontSize,
        leading=style.leading,
        spaceAfter=4,
        keepWithNext=1,
    )
    for level, style in HEADING_STYLES.items()
}
CONTENTS_STYLES = [
    _style(f"contents{level}", fontSize=size, leading=size + 1.4, leftIndent=indent * mm)
    for level, (size, indent) in enumerate([(10, 0), (9.5, 4), (9.5, 8), (9, 12)])
]


class Regulation(BaseDocTemplate):
    """The page furniture, and the bookmarks and contents entries taken from headings."""

    def __init__(self, path: Path, source: Source) -> None:
        """Two templates, because the running head starts on the second page."""
        self.source = source
        self.open_levels: list[int] = []
        super().__init__(
            str(path),
            pagesize=A4,
            invariant=1,
            title=source.meta["title"],
            subject=source.meta["subject"],
            author=source.meta["author"],
        )
        frame = Frame(MARGIN, MARGIN, TEXT_WIDTH, A4[1] - 2 * MARGIN - 4 * mm, 0, 0, 0, 0)
        self.addPageTemplates(
            [
                PageTemplate("first", frame, onPage=self.draw_foot, autoNextPageTemplate="later"),
                PageTemplate("later", frame, onPage=self.draw_furniture),
            ]
        )

    def draw_foot(self, canvas: Canvas, _doc: BaseDocTemplate) -> None:
        """Page number, centred at the foot as in an official journal."""
        canvas.saveState()
        canvas.setFont("Times-Roman", 9)
        canvas.drawCentredString(A4[0] / 2, 14 * mm, f"– {canvas.getPageNumber()} –")
        canvas.restoreState()

    def draw_furniture(self, canvas: Canvas, doc: BaseDocTemplate) -> None:
        """Running head with a rule under it, and the page number."""
        top = A4[1] - MARGIN + 4 * mm
        canvas.saveState()
        canvas.setFont("Times-Italic", 9)
        canvas.drawString(MARGIN, top, self.source.meta["head"])
        canvas.drawRightString(A4[0] - MARGIN, top, self.source.meta["series"])
        canvas.setLineWidth(0.4)
        canvas.line(MARGIN, top - 2 * mm, A4[0] - MARGIN, top - 2 * mm)
        canvas.restoreState()
        self.draw_foot(canvas, doc)

    def beforeDocument(self) -> None:
        """Start the outline anew: the document is built twice to settle the page numbers."""
        self.open_levels = []

    def afterFlowable(self, flowable: Flowable) -> None:
        """Note each heading for the contents page and, where asked for, as a bookmark."""
        block = getattr(flowable, "heading_block", None)
        if block is None:
            return
        label = f"{block.text} – {block.subtitle}" if block.subtitle else block.text
        key = re.sub(r"\W+", "-", f"{self.page}-{label}")
        self.canv.bookmarkPage(key)
        self.notify("TOCEntry", (block.level - 1, escape(label), self.page, key))
        # Titles without chapters hold articles directly; an outline may not skip a level.
        self.open_levels = [level for level in self.open_levels if level < block.level]
        if self.source.meta["bookmarks"] == "yes":
            self.canv.addOutlineEntry(label, key, level=len(self.open_levels), closed=True)
        self.open_levels.append(block.level)


def markup(text: str) -> str:
    """Text as reportlab reads it; a percent sign stays on the line of its number."""
    return escape(re.sub(r"(?<=\d) %", "\u00a0%", text))


def heading_flowables(block: Block, follows_heading: bool) -> Iterator[Flowable]:
    """A heading and its subtitle on two lines, kept together with what follows.

    Only the first of a run of headings may ask for a new page: a break between TITLE I and its
    CHAPTER 1 would leave the former alone at the foot.
    """
    if block.text == "ANNEX I":
        yield PageBreak()  # the annexes start on a new page, together
    if not follows_heading:
        yield CondPageBreak((25 if block.level == ARTICLE_LEVEL else 55) * mm)
    text = escape(block.text)
    if block.level == ARTICLE_LEVEL:
        text = f"<i>{text}</i>"
    first = Paragraph(text, HEADING_STYLES[block.level])
    first.heading_block = block
    yield first
    if block.subtitle:
        yield Paragraph(escape(block.subtitle), SUBTITLE_STYLES[block.level])


def paragraph_flowable(block: Block) -> Paragraph:
    """A paragraph; a label such as (1) or (a) stands out to the left of its text.

    The label is part of the first line, not set apart at its own place: readers of PDF take a
    row of labels with white space beside it for a column, and move them away from their text.
    """
    indent = block.level * 7 * mm
    label = LABEL.match(block.text)
    options: dict[str, object] = {"alignment": TA_JUSTIFY, "spaceAfter": 3, "leftIndent": indent}
    if not label:
        return Paragraph(markup(block.text), _style("body", **options))
    options |= {"leftIndent": indent + HANG, "firstLineIndent": -HANG}
    text = f"{label.group(1)}\u00a0\u00a0{markup(block.text[label.end() :])}"
    return Paragraph(text, _style("labelled", **options))


def table_flowable(block: Block) -> Table:
    """A ruled table whose head row is repeated on each page."""
    total = sum(block.widths)
    rows = [
        [Paragraph(markup(cell), STYLES["cell" if number else "head_cell"]) for cell in row]
        for number, row in enumerate(block.rows)
    ]
    table = Table(
        rows,
        colWidths=[TEXT_WIDTH * width / total for width in block.widths],
        repeatRows=1,
        spaceBefore=4,
        spaceAfter=10,
    )
    table.setStyle(
        TableStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return table


def contents_flowables() -> Iterator[Flowable]:
    """The contents, between the name of the act and its text."""
    table = TableOfContents(levelStyles=CONTENTS_STYLES, dotsMinLevel=0)
    yield from (Spacer(1, 5 * mm), Paragraph("CONTENTS", STYLES["contents"]), Spacer(1, 3 * mm))
    yield from (table, Spacer(1, 8 * mm))


def flowables(source: Source) -> Iterator[Flowable]:
    """The whole story, block by block."""
    previous = ""
    for block in source.blocks:
        if block.kind == "contents":
            yield from contents_flowables()
        elif block.kind == "heading":
            yield from heading_flowables(block, previous == "heading")
        elif block.kind == "table":
            yield table_flowable(block)
        elif block.kind == "paragraph":
            yield paragraph_flowable(block)
        elif block.kind != "gap":
            yield Paragraph(escape(block.text), STYLES[block.kind])
            yield Spacer(1, 2 * mm)
        previous = block.kind


def render_all(output: Path) -> list[Path]:
    """Render every source into `output` and return the files written."""
    written = []
    for path in sorted(SOURCES.glob("*.txt")):
        source = parse_source(path)
        target = output / source.meta["output"]
        Regulation(target, source).multiBuild(list(flowables(source)))
        written.append(target)
    return written


def main(arguments: list[str]) -> None:
    """Render to the folder named on the command line, or above this folder."""
    for path in render_all(Path(arguments[0]) if arguments else EXAMPLES):
        print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
