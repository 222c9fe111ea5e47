"""Lines of one paragraph put together: hyphens, raised marks, gaps that part paragraphs."""

from __future__ import annotations

import re

from .lines import RAISED, Line
from .typography import Style

_LAST_WORD = re.compile(r"[\w-]+-$")
_FIRST_WORD = re.compile(r"[\w-]+")
_RAISED_MARK = re.compile(rf" ?{RAISED}")


def has_wide_break(above: Line, below: Line, style: Style) -> bool:
    pitch = above.y - below.y
    return pitch < 0 or pitch > 1.3 * style.leading * max(above.size, below.size)


def joined(above: str, below: str, compounds: set[str]) -> str:
    """Two lines of a paragraph as one: a hyphen that only broke the line goes."""
    if not above:
        return below
    if above.endswith("\u00ad"):
        return above[:-1] + below
    last, first = _LAST_WORD.search(above), _FIRST_WORD.match(below)
    if last is None or first is None or not last[0][0].isalpha():
        return f"{above} {below}"
    word, more = last[0][:-1], first[0]
    if more in ("and", "or", "to", "und", "oder", "et", "ou", "y", "en"):
        return f"{above} {below}"
    if "-" in word or "-" in more or not more[0].islower() or f"{word}-{more}".lower() in compounds:
        return above + below
    return above[:-1] + below


def plain_text(text: str) -> str:
    """Raised marks with a blank before them: "10" + "18" is no 1018, "risk" + "7" no word."""
    return _RAISED_MARK.sub(" ", text) if RAISED in text else text
