"""PDF files: one markdown text per page, from the spans that pdf-oxide finds on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import EmptyDocument, ParseError
from .layout import Style, page_markdown, title_key
from .lines import Line, page_lines

# Reading spans costs 0.2 of to_markdown's CPU time, so 40 pages read twice cost 1-2 % of a parse.
_SAMPLED_PAGES = 40
_FILE_NAME = re.compile(r"\.\w{2,4}$|\.\.|_|Microsoft Word")


def _open(path: str | PathLike[str], password: str | None) -> Any:
    from pdf_oxide import PdfDocument, disable_logging

    name = fspath(path)
    file = Path(name)
    if not file.is_file():
        raise ParseError(f"{name}: no such file; check the path")
    if file.stat().st_size == 0:
        raise ParseError(f"{name}: the file is empty (0 bytes); fetch or copy it again")
    _check_ends(file)
    disable_logging()
    try:
        pdf = PdfDocument(name)
        if password is not None and not pdf.authenticate(password):
            raise ParseError(f"{name}: the password does not open this PDF; pass the right one")
        count = pdf.page_count()
    except (OSError, RuntimeError, ValueError) as error:
        raise ParseError(
            f"{name}: a broken PDF ({error}); open it in a viewer and save it as PDF again"
        ) from error
    if not count:
        raise ParseError(f"{name}: a PDF without pages; open it in a viewer and save it again")
    return pdf


def _check_ends(file: Path) -> None:
    """Refuse what is no PDF or only the first part of one.

    pdf-oxide reads a cut file as if it were whole: of a paper's 15 pages it gave 6 without a word.
    """
    with file.open("rb") as stream:
        head = stream.read(1024)
        stream.seek(max(0, file.stat().st_size - 4096))
        tail = stream.read().rstrip(b"\0\r\n\t ")
    if b"%PDF-" not in head:
        raise ParseError(f"{file}: not a PDF, whatever its name; give it its right suffix")
    if b"%%EOF" not in tail[-2048:]:
        raise ParseError(f"{file}: the PDF is cut off, its end is missing; fetch or copy it again")


def _bookmarks(pdf: Any) -> dict[str, list[tuple[int, int]]]:
    """Bookmark titles -> (depth, page); empty where they are too few to be the whole structure."""
    found: dict[str, list[tuple[int, int]]] = {}
    count = 0

    def walk(items: list[dict[str, Any]], level: int) -> None:
        nonlocal count
        for item in items:
            page = item.get("page")
            if page is not None:
                found.setdefault(title_key(item["title"]), []).append((level, page))
                count += 1
            walk(item.get("children") or [], level + 1)

    walk(pdf.get_outline() or [], 1)
    # Under 5 the outline names the document's parts at best, not its sections.
    return found if count >= 5 else {}


def pdf_pages(path: str | PathLike[str], password: str | None = None) -> Iterator[str]:
    """The pages of a PDF one by one, as markdown; a page without text is "".

    Raises ParseError when the file is encrypted, truncated or no PDF, and EmptyDocument when no
    page has text. Memory does not grow with the number of pages.
    """
    pdf = _open(path, password)
    count = pdf.page_count()
    step = max(1, count // _SAMPLED_PAGES)
    style = Style.of(page_lines(_spans(pdf, page)) for page in range(0, count, step))
    style.titles = _bookmarks(pdf)
    blank = 0
    for page in range(count):
        text = page_markdown(_lines(pdf, page), style, page)
        blank += not text
        yield text
    if blank == count:
        _explain_blanks(path, count)


def _lines(pdf: Any, page: int) -> list[list[Line]]:
    return page_lines(_spans(pdf, page), cache(lambda: list(pdf.extract_chars(page))))


def _spans(pdf: Any, page: int) -> Any:
    try:
        return pdf.extract_spans(page)
    except (OSError, RuntimeError, ValueError) as error:
        raise ParseError(
            f"page {page + 1} cannot be read ({error}); "
            "open the file in a viewer and save it as PDF again"
        ) from error


def _explain_blanks(path: str | PathLike[str], count: int) -> None:
    """Raise what the lack of any text means; pdf-oxide gives "" for each of these faults."""
    name = fspath(path)
    if b"/Encrypt" in Path(name).read_bytes():
        raise ParseError(
            f"{name}: the PDF is encrypted; pass its password: pdf_parse(path, password=...)"
        )
    raise EmptyDocument(
        f"{name}: none of its {count} pages has text, as in a scan; "
        "run OCR over it (for example ocrmypdf) and add the result"
    )


def pdf_parse(path: str | PathLike[str], password: str | None = None) -> list[str]:
    """All pages of a PDF as markdown texts; index 0 is page 1. See `pdf_pages`."""
    return list(pdf_pages(path, password))


def pdf_title(path: str | PathLike[str], password: str | None = None) -> str:
    """The title in the PDF's metadata, "" without one."""
    pdf = _open(path, password)
    try:
        found = pdf.xmp_metadata()
    except (OSError, RuntimeError, ValueError):
        return ""  # Broken metadata says nothing about the pages.
    title = " ".join(str((found or {}).get("dc_title") or "").split())
    # Publishing tools leave file names there ("CL2021R0695EN_cp 1..1", "Microsoft Word - a.doc").
    return "" if len(title.split()) < 2 or _FILE_NAME.search(title) else title
