"""Printed tables of contents on a page: their entries are no headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lines import Line
from .typography import KEYWORD, has_leaders, short_leaders

CONTENTS_HEADING = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières", re.I
)
_ENTRY = re.compile(r"(?P<words>.*?\S)(?P<gap>[\s.·…_]+)(?P<page>\d{1,4}|[ivxlc]{1,7})$")
_LAST = frozenset("0123456789ivxlc")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s|[A-Z]\.(?:\d|\s)|[IVXL]+\.\s")
# Entries in a row that make a table of contents; three lines end in growing numbers by chance.
_FEWEST = 4


def contents_lines(flow: Sequence[Line], goes_on: bool) -> tuple[set[int], bool]:
    """The indexes of the lines that a table of contents takes, and whether it runs to the end.

    An entry ends in a page number, after leaders or a gap; the numbers do not fall. `goes_on`: the
    page before ended inside such a table. Without a heading "Contents" or leaders, most entries
    must begin with a number of their own.
    """
    entries = [_page_of(line) for line in flow]
    found: set[int] = set()
    last_entry = -1
    start = 0
    while start < len(flow):
        run = _run(entries, start)
        if not run:
            break
        led = sum(bool(has_leaders(flow[index].text)) for index in run)
        numbered = sum(bool(_is_numbered(flow[index].text)) for index in run)
        headed = any(CONTENTS_HEADING.fullmatch(flow[i].text.strip()) for i in range(run[0]))
        titled = headed or (goes_on and run[0] < 6) or bool(found)
        enough = len(run) >= _FEWEST or (titled and len(run) >= 2)
        if enough and (titled or led >= 0.5 * len(run) or numbered >= 0.6 * len(run)):
            first = run[0]
            found.update(range(first, run[-1] + 1))
            last_entry = run[-1]
        start = run[-1] + 1
    return found, last_entry >= 0 and last_entry >= len(flow) - 4


def _run(entries: Sequence[int | None], start: int) -> list[int]:
    """The next run of entries from `start` on whose page numbers do not fall.

    At most two lines between two entries are the first lines of a wrapped one.
    """
    run: list[int] = []
    for index in range(start, len(entries)):
        page = entries[index]
        if page is None:
            if run and index - run[-1] > 2:
                break
            continue
        if run and page < (entries[run[-1]] or 0):
            break
        run.append(index)
    return run


def _page_of(line: Line) -> int | None:
    """The page that an entry names; roman ones, of the front matter, count as before page 1."""
    if len(line.cells) > 3 or line.cells[-1].text[-1:] not in _LAST:
        return None
    found = _ENTRY.fullmatch(line.text)
    if not found or not any(map(str.isalpha, found["words"])):
        return None
    alone = len(line.cells) > 1 and line.cells[-1].text.strip(" .") == found["page"]
    if not alone and found["gap"].count(".") < 4:
        return None
    return int(found["page"]) if found["page"].isdigit() else 0


def _is_numbered(text: str) -> bool:
    return bool(_NUMBERED.match(text) or KEYWORD.match(text))


def entry(text: str) -> str:
    """A contents line with leaders before its page number, so that nothing takes it for a title."""
    if has_leaders(text):
        return short_leaders(text)
    found = _ENTRY.fullmatch(text)
    return f"{found['words']} .... {found['page']}" if found else text
