"""EPUB books: the chapters in reading order, with their own headings."""

from __future__ import annotations

import posixpath
import zipfile
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..errors import EmptyDocument, ParseError
from ..headings import markdown_headings
from ..records import Document
from .content import Builder, FileContent, FilePath, check_zip, counted, parsing
from .html import read_html
from .text import decode

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TEXT = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


def read_epub(path: FilePath) -> FileContent:
    """An EPUB book as markdown. A chapter without a heading has its entry of the contents as one.

    The contents page itself and the pictures are left out.
    """
    check_zip(path, "an EPUB book")
    with parsing(path, "an EPUB book"), zipfile.ZipFile(path) as archive:
        book = _Book(archive)
        if book.locked():
            raise ParseError(f"{path}: the book is locked (DRM); use a copy without a lock")
        builder = Builder()
        for name in book.chapters():
            markdown = read_html(decode(archive.read(name), f"{path}: {name}"))
            headings = markdown_headings(markdown, True)
            if not headings and name in book.contents and not markdown.isspace():
                level, label = book.contents[name]
                builder.heading(level, label)
            builder.append(Document(markdown, headings=headings))
        document = builder.document(search=True)
    if not document.text:
        raise EmptyDocument(
            f"{path}: the book has no text; if its pages are pictures, save it as PDF and run OCR"
            " over it (for example ocrmypdf)"
        )
    return FileContent("epub", document, book.title, book.metadata, counted(images=book.images))


class _Book:
    """What the package file and the contents say."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())
        container = self._xml("META-INF/container.xml")
        root_file = next(_all(container, "rootfile"))
        self._file = str(root_file.get("full-path"))
        self._package = self._xml(self._file)
        self._items = {item.get("id"): item for item in _all(self._package, "item")}
        types = [str(item.get("media-type")) for item in self._items.values()]
        self.images = sum(kind.startswith("image/") for kind in types)
        self.title = self._word("title")
        known = {"author": self._word("creator"), "language": self._word("language")}
        self.metadata: dict[str, Any] = {key: word for key, word in known.items() if word}
        self.contents = self._contents()

    def chapters(self) -> list[str]:
        """The files of the book's text in reading order, without the contents page."""
        found = []
        for reference in _all(self._package, "itemref"):
            item = self._items.get(reference.get("idref"))
            if item is None or item.get("media-type") not in _TEXT:
                continue
            name = _target(self._file, str(item.get("href")))
            if "nav" not in str(item.get("properties")).split() and name in self._names:
                found.append(name)
        return found

    def locked(self) -> bool:
        """Whether a chapter is encrypted; fonts often are, which is no matter."""
        name = "META-INF/encryption.xml"
        if name not in self._names:
            return False
        locked = {unquote(str(e.get("URI"))) for e in _all(self._xml(name), "CipherReference")}
        return not locked.isdisjoint(self.chapters())

    def _xml(self, name: str) -> Element:
        from xml.etree import ElementTree

        return ElementTree.fromstring(self._archive.read(name))

    def _word(self, name: str) -> str:
        found = next(_all(self._package, name), None)
        return "" if found is None else " ".join("".join(found.itertext()).split())

    def _contents(self) -> dict[str, tuple[int, str]]:
        """File -> level and title of its first entry in the contents, of EPUB 3 or 2."""
        found: dict[str, tuple[int, str]] = {}
        for item in self._items.values():
            name = _target(self._file, str(item.get("href")))
            if name not in self._names:
                continue
            if "nav" in str(item.get("properties")).split():
                entries = _nav_entries(self._archive.read(name))
            elif item.get("media-type") == "application/x-dtbncx+xml":
                entries = list(_ncx_entries(self._xml(name), 0))
            else:
                continue
            for level, href, label in entries:
                found.setdefault(_target(name, href), (level, label))
        return found


def _nav_entries(source: bytes) -> list[tuple[int, str, str]]:
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(source, "html.parser")
    nav = soup.find("nav", attrs={"epub:type": "toc"}) or soup.find("nav")
    return [
        (
            max(1, len(link.find_parents("ol"))),
            str(link.get("href")),
            link.get_text(" ", strip=True),
        )
        for link in (nav.find_all("a", href=True) if nav else [])
    ]


def _ncx_entries(parent: Element, level: int) -> Any:
    for child in parent:
        if _name(child) == "navPoint":
            label = "".join(next(_all(child, "navLabel")).itertext())
            yield level + 1, str(next(_all(child, "content")).get("src")), label
            yield from _ncx_entries(child, level + 1)
        elif _name(child) == "navMap":
            yield from _ncx_entries(child, level)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _all(root: Element, name: str) -> Any:
    return (element for element in root.iter() if _name(element) == name)


def _target(base: str, href: str) -> str:
    """A link as the name of a file in the archive."""
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base
