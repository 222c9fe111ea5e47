"""Word files: headings by outline level in any language, automatic numbers, tables, notes.

The converters at hand (markitdown 0.1.9, mammoth 1.13, docx2python 3.7) lose the outline levels
of styles with other names and the automatic numbers, and give "# 5 is the unit number" as a
heading. So python-docx opens the file and this module walks through it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import EmptyDocument
from .content import Builder, FileContent, FilePath, check_zip, counted, escaped, extra, parsing
from .docx_styles import Numbers, Styles, W, integer, value

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_NOTE_MARK = re.compile(r"\[\^e?-?\d+\]")
_SPACES = re.compile(r"[ \t\xa0]+")
# What a run holds beside its text, and the characters that stand for it.
_SIGNS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
_DRAWINGS = tuple(f"{W}{name}" for name in ("drawing", "pict", "object"))
_PICTURES = (
    "{http://schemas.openxmlformats.org/drawingml/2006/main}blip",
    "{urn:schemas-microsoft-com:vml}imagedata",
)


def read_docx(path: FilePath) -> FileContent:
    """A Word file as markdown, its headings those of Word's own outline."""
    check_zip(path, "a Word file (.docx)")
    opc = extra("docx.opc.package", "office", path)
    with parsing(path, "a Word file (.docx)"):
        package = opc.OpcPackage.open(str(path))
        walk = _Walk(package, extra("lxml.etree", "office", path))
        walk.blocks(walk.body)
        walk.end()
        title = (package.core_properties.title or "").strip() or walk.title
        author = (package.core_properties.author or "").strip()
        document = walk.builder.document(search=True)
    if not document.text:
        raise EmptyDocument(
            f"{path}: no text ({'; '.join(walk.notes()) or 'empty'}); if its pages are pictures,"
            " save it as PDF and run OCR over it (for example ocrmypdf)"
        )
    return FileContent("docx", document, title, {"author": author} if author else {}, walk.notes())


class _Walk:
    """One pass over the document in reading order."""

    def __init__(self, package: Any, etree: Any) -> None:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        main = package.main_document_part
        self._parts: dict[str, Any] = {}
        self.left_out: Counter[str] = Counter()
        for relation in main.rels.values():
            kind = relation.reltype.rsplit("/", 1)[-1]
            if not relation.is_external and kind in (
                "styles", "numbering", "footnotes", "endnotes", "comments", "header", "footer",
            ):  # fmt: skip
                root = etree.fromstring(relation.target_part.blob, parser)
                self._parts[kind] = root
                filled = any(text.strip() for text in root.itertext(f"{W}t"))
                self.left_out[kind] += filled and kind in ("header", "footer")
        self._notes = {
            (kind, note.get(f"{W}id")): note
            for kind in _NOTES.values()
            for note in self._parts.get(f"{kind}s", ())
        }
        self.body = etree.fromstring(main.blob, parser).find(f"{W}body")
        if self.body is None:
            raise ValueError("no body; the strict form of Open XML is not read")
        self.left_out["comments"] = len(self._parts.get("comments", ()))
        self.styles = Styles(self._parts.get("styles"))
        self.numbers = Numbers(self._parts.get("numbering"), self.styles.list_styles())
        self.builder = Builder()
        self.title = ""
        self._open = ""  # text of a paragraph whose mark was deleted: the next one goes on with it
        self._after: list[Any] = []  # text boxes and notes of the paragraph at hand

    def blocks(self, parent: Any) -> None:
        """Every paragraph and table below `parent`."""
        for element in parent:
            name = _name(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._table(element)
            elif name == "altChunk":
                self.left_out["embedded documents"] += 1
            elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
                self.blocks(element)

    def end(self) -> None:
        """Write what a last deleted paragraph mark left open."""
        self.builder.block(escaped(self._open))
        self._open = ""

    def notes(self) -> tuple[str, ...]:
        """What is not in the text."""
        left = self.left_out
        tracked = [
            f"{left[name]} {name[: -1 if left[name] == 1 else None]}"
            for name in ("insertions", "deletions")
            if left[name]
        ]
        notes = [f"tracked changes accepted: {', '.join(tracked)}"] if tracked else []
        if left["header"] or left["footer"]:
            notes.append("headers and footers left out")
        if left["contents"]:
            notes.append("table of contents left out")
        names = ("images", "comments", "embedded_documents", "embedded_objects")
        return (*notes, *counted(**{name: left[name.replace("_", " ")] for name in names}))

    def _paragraph(self, paragraph: Any) -> None:
        properties = paragraph.find(f"{W}pPr")
        style = value(properties, "pStyle") if properties is not None else None
        style = self.styles.default if style is None else style
        if self.styles.name(style).startswith("toc "):
            self.left_out["contents"] += 1
            return
        text = self._open + "".join(self._inline(paragraph))
        self._open = ""
        if properties is not None and properties.find(f"{W}rPr/{W}del") is not None:
            self._open = text
            return
        level = self._outline(properties, style)
        number = self._number(properties, style)  # an empty paragraph counts as well
        if text.strip() or self._after:
            self._write(text, level, style, number if text.strip() else "")

    def _write(
        self, text: str, level: int | None, style: str, number: tuple[str, int] | str
    ) -> None:
        label, depth = number if isinstance(number, tuple) else ("", 0)
        words = _SPACES.sub(" ", text).strip()
        if level is not None:
            label = "" if label == "-" else label
            words = _NOTE_MARK.sub("", words)
            self.builder.heading(level, f"{label} {words}", label.rstrip("."))
        elif label:
            self.builder.block(f"{'  ' * depth if label == '-' else ''}{label} {words}")
        else:
            self.builder.block(escaped(words))
            if self.styles.name(style) == "title" and not self.title:
                self.title = " ".join(words.split())
        self._write_after()

    def _write_after(self) -> None:
        """The text boxes and notes of what was just written."""
        after, self._after = self._after, []
        for element in after:
            if isinstance(element, str):
                self.builder.block(element)
            else:
                self.blocks(element)

    def _outline(self, properties: Any, style: str) -> int | None:
        own = value(properties, "outlineLvl") if properties is not None else None
        if own is None:
            return self.styles.outline(style)
        level = integer(own, 9)
        return level + 1 if level < 9 else None

    def _number(self, properties: Any, style: str) -> tuple[str, int] | str:
        """The automatic number and its level in the list; "" for a paragraph without one."""
        number, level, named = None, None, style
        if properties is not None:
            number = value(properties, "numPr", "numId")
            found = value(properties, "numPr", "ilvl")
            level = None if found is None else integer(found, 0)
        if number is None:
            by_style = self.styles.number(style)
            if by_style is None:
                return ""
            number, style_level, named = by_style
            level = style_level if level is None else level
            if level is None:
                level = self.numbers.level_of_style(number, named)
        return (self.numbers.next(number, level or 0), level or 0) if number != "0" else ""

    def _inline(self, element: Any) -> Iterator[str]:
        """The text of a paragraph or run. Deleted text goes, inserted text stays."""
        for child in element:
            name = _name(child)
            if name == "t":
                yield child.text or ""
            elif name in _SIGNS:
                yield "" if child.get(f"{W}type") in ("page", "column") else _SIGNS[name]
            elif name == "sym":
                yield _symbol(child.get(f"{W}char") or "")
            elif name in _NOTES:
                yield self._note(_NOTES[name], child.get(f"{W}id"))
            elif name in ("del", "moveFrom"):
                self.left_out["deletions"] += name == "del"
            elif name == "AlternateContent" and next(child.iter(*_DRAWINGS), None) is None:
                yield from self._inline(_or_empty(child.find(f"{_MC}Fallback")))
            elif name in ("drawing", "pict", "object", "AlternateContent"):
                self._drawing(child)
            elif name == "oMath" or name == "oMathPara":
                yield "".join(child.itertext(f"{_MATH}t"))
            elif name not in ("pPr", "rPr", "instrText", "delText"):
                self.left_out["insertions"] += name == "ins"
                yield from self._inline(child)

    def _note(self, kind: str, key: str | None) -> str:
        """A mark in the text; the note itself follows the paragraph."""
        note = self._notes.get((kind, key))
        if note is None:
            return ""
        mark = f"[^{key}]" if kind == "footnote" else f"[^e{key}]"
        self._after.append(f"{mark}: {' '.join(self._plain(note.iter(f'{W}p')).split())}")
        return mark

    def _drawing(self, element: Any) -> None:
        """Text boxes follow their paragraph; pictures are counted."""
        choice = element.find(f"{_MC}Choice") if _name(element) == "AlternateContent" else None
        if choice is not None:
            # Word writes a box twice, in its new form and for old readers.
            element = choice
        boxes = list(element.iter(f"{W}txbxContent"))
        self._after += [
            box for box in boxes if not any(up in boxes for up in box.iterancestors(box.tag))
        ]
        self.left_out["images"] += sum(1 for name in _PICTURES for _ in element.iter(name))
        self.left_out["embedded objects"] += _name(element) == "object"

    def _table(self, table: Any) -> None:
        rows = [
            list(_cells(row, "tc"))
            for row in _cells(table, "tr")
            if row.find(f"{W}trPr/{W}del") is None
        ]
        if len(rows) == 1 and len(rows[0]) == 1:
            self.blocks(rows[0][0])  # one cell is a frame around text, not a table
            return
        written = []
        for row in rows:
            cells: list[str] = []
            for cell in row:
                cells.append(self._plain(_paragraphs(cell)))
                span = integer(value(cell, "tcPr", "gridSpan"), 1)
                cells += [""] * min(span - 1, 200)
            written.append(cells)
        self.builder.table(written)
        self._write_after()

    def _plain(self, paragraphs: Iterable[Any]) -> str:
        parts = []
        for paragraph in paragraphs:
            text = "".join(self._inline(paragraph)).strip()
            properties = paragraph.find(f"{W}pPr")
            style = (value(properties, "pStyle") if properties is not None else None) or ""
            number = self._number(properties, style) if text else ""
            parts.append(f"{number[0]} {text}".strip() if isinstance(number, tuple) else text)
        return " ".join(filter(None, parts))


def _name(element: Any) -> str:
    """The name without its namespace; "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _or_empty(element: Any) -> Any:
    return () if element is None else element


def _cells(parent: Any, name: str) -> Iterator[Any]:
    """The rows of a table or the cells of a row, also those inside of content controls."""
    for child in parent:
        if _name(child) == name:
            yield child
        elif _name(child) in ("sdt", "sdtContent", "customXml"):
            yield from _cells(child, name)


def _paragraphs(cell: Any) -> Iterator[Any]:
    """The paragraphs of a cell and of the tables in it; not those of text boxes."""
    for child in cell:
        if _name(child) == "p":
            yield child
        elif _name(child) in ("tbl", "tr", "tc", "sdt", "sdtContent", "customXml"):
            yield from _paragraphs(child)


def _symbol(code: str) -> str:
    """A character of a symbol font; those of private places have no meaning in text."""
    number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,6}", code) else 0
    return chr(number) if 32 <= number < 0xD800 else ""
