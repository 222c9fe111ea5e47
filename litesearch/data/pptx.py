"""PowerPoint files: a slide is a section and a page, its notes are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from .content import Builder, FileContent, FilePath, check_zip, counted, escaped, extra, parsing

# What stands on every slide alike, by placeholder: date, slide number, foot and head.
_FURNITURE = ("DATE", "SLIDE_NUMBER", "FOOTER", "HEADER")
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def read_pptx(path: FilePath) -> FileContent:
    """A PowerPoint file as markdown: the slides' titles are its headings, their numbers its pages.

    A slide without a title is "Slide 3". Its shapes come in the file's own order.
    """
    check_zip(path, "a PowerPoint file (.pptx)")
    pptx = extra("pptx", "office", path)
    left_out: Counter[str] = Counter()
    builder = Builder()
    with parsing(path, "a PowerPoint file (.pptx)"):
        with open(path, "rb") as stream:
            show = pptx.Presentation(stream)
        for number, slide in enumerate(show.slides, 1):
            _slide(builder, number, slide, left_out)
        title = (show.core_properties.title or "").strip()
        author = (show.core_properties.author or "").strip()
    if title == "PowerPoint Presentation":  # what PowerPoint writes for a file without a title
        title = ""
    metadata = {"author": author} if author else {}
    names = ("images", "charts", "diagrams")
    notes = counted(**{name: left_out[name] for name in names})
    return FileContent("pptx", builder.document(), title, metadata, notes)


def _slide(builder: Builder, number: int, slide: Any, left_out: Counter[str]) -> None:
    builder.page(number)
    title = slide.shapes.title
    words = "" if title is None else " ".join(title.text_frame.text.split())
    builder.heading(1, words or f"Slide {number}")
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        if kind is None or kind.name not in _FURNITURE:
            _shape(builder, shape, left_out)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            builder.block(f"Notes: {escaped(_lines(notes))}")


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """All shapes, those of groups as well."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _shape(builder: Builder, shape: Any, left_out: Counter[str]) -> None:
    if shape.has_text_frame:
        lines = [
            f"{'  ' * paragraph.level}- {words}" if paragraph.level else escaped(words)
            for paragraph in shape.text_frame.paragraphs
            if (words := _lines(paragraph.text).strip())
        ]
        builder.block("\n".join(lines))
    elif getattr(shape, "has_table", False):
        builder.table([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif getattr(shape, "has_chart", False):
        left_out["charts"] += 1
    elif hasattr(shape, "image"):
        left_out["images"] += 1
    elif _DIAGRAM in shape.element.xml:
        left_out["diagrams"] += 1


def _lines(text: str) -> str:
    """A soft line break is a vertical tab in python-pptx."""
    return text.replace("\v", "\n")
