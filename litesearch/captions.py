"""Unnumbered headings between numbered clauses: "Place of Business", "RECITALS"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from .numbering import Mark

MOST_CHARACTERS = 100
# A caption stands over a paragraph; lines of a title page stand over one another.
LEAST_BELOW = 60
_TAIL = (".", ";", ",", ":")
# Of signature blocks: "By: ____", "Its: General Partner", below the names of the parties.
_SIGNED = re.compile(r"\s*(?:(?:By|Its|Name|Title|Date|Dated|Attn|Address)\s*:|/s/|_{3,})")


def with_captions(text: str, marks: Sequence[Mark], starts: Sequence[int]) -> list[Mark]:
    """The marks with the lines at `starts` among them that read as headings and have text below."""
    opened = [mark.start for mark in marks]
    clauses = set(opened)
    found: list[Mark] = []
    for start in starts:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        before = marks[i - 1] if (i := bisect_right(opened, start + 1)) else None
        if before is not None and start < before.end:
            continue
        words = text[start:end].strip("# \t")
        if _reads_as_caption(words) and _has_text_below(text, end, clauses):
            found.append(Mark(start, end, "caption", "", (), words))
    return sorted([*marks, *found], key=lambda mark: mark.start)


def _reads_as_caption(words: str) -> bool:
    bare = words.rstrip(":")
    letters = sum(char.isalpha() for char in bare)
    plain = not bare.endswith(_TAIL) and ":" not in bare and not _SIGNED.match(bare)
    return plain and letters >= 3 and len(bare) <= MOST_CHARACTERS


def _has_text_below(text: str, end: int, opened: set[int]) -> bool:
    at = end
    while at < len(text) and text[at].isspace():
        at += 1
    if _SIGNED.match(text, at):
        return False
    stop = text.find("\n", at)
    return at in opened or (stop if stop >= 0 else len(text)) - at >= LEAST_BELOW


def captions_are_outer(marks: Sequence[Mark]) -> int:
    """1 where captions group the clauses, whose numbers run on below them; else 0: beside them."""
    following = [
        after.kind == "numbered" and "." not in after.label
        for mark, after in pairwise(marks)
        if mark.kind == "caption"
    ]
    return int(len(following) >= 3 and sum(following) >= 0.5 * len(following))
