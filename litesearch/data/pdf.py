"""PDF files: one markdown text per page, from the spans that pdf-oxide finds on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import EmptyDocument, ParseError
from .bookmarks import Outline
from .layout import Layout
from .lines import page_lines
from .margins import number_margin, split_margin
from .typography import Style

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


def pdf_pages(
    path: str | PathLike[str], password: str | None = None, outline: bool = True
) -> Iterator[str]:
    """The pages of a PDF one by one, as markdown; a page without text is "".

    `outline=False` leaves its bookmarks unread, where they are wrong: headings are then found by
    their type and numbers. Memory does not grow with the number of pages.

    Raises ParseError when the file is encrypted, truncated or no PDF, and EmptyDocument when no
    page has text.
    """
    pdf = _open(path, password)
    count = pdf.page_count()
    step = max(1, count // _SAMPLED_PAGES)
    spans = {page: _spans(pdf, page) for page in range(0, count, step)}
    margin = number_margin(spans.values())
    sample = {page: page_lines(_split(found, margin)[0]) for page, found in spans.items()}
    layout = Layout(Style.of(sample.values()))
    if outline:
        layout.outline = Outline.of(pdf.get_outline() or []).checked(sample.items(), layout.style)
    del sample, spans
    blank = 0
    for page in range(count):
        found, numbers = _split(_spans(pdf, page), margin)
        lines = page_lines(found, cache(partial(_chars, pdf, page)))
        text = layout.page(lines, page)
        text = f"{text}\n\n{numbers}" if numbers else text
        blank += not text
        yield text
    if blank == count:
        _explain_blanks(path, count)


def _chars(pdf: Any, page: int) -> list[Any]:
    return list(pdf.extract_chars(page))


def _split(spans: Sequence[Any], margin: int | None) -> tuple[Sequence[Any], str]:
    return (spans, "") if margin is None else split_margin(spans, margin)


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


def pdf_parse(
    path: str | PathLike[str], password: str | None = None, outline: bool = True
) -> list[str]:
    """All pages of a PDF as markdown texts; index 0 is page 1. See `pdf_pages`."""
    return list(pdf_pages(path, password, outline))


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
