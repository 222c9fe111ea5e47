"""What a heading's words and numbers say: its kind, its label, its place in a sequence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

# Words that begin a heading, by kind. Upper, title and lower case forms are tried by the pattern.
KINDS = {
    "title": ("title", "titre", "titel", "título"),
    "part": ("part", "partie", "teil", "parte"),
    "annex": (
        "annex",
        "annexe",
        "anhang",
        "anexo",
        "appendix",
        "schedule",
        "exhibit",
        "attachment",
    ),
    "subtitle": ("subtitle",),
    "chapter": ("chapter", "chapitre", "kapitel", "capítulo"),
    "subchapter": ("subchapter",),
    "section": ("section", "abschnitt", "sección", "sec."),
    "subsection": ("subsection", "unterabschnitt"),
    "article": ("article", "artikel", "artículo", "artigo", "articolo", "rule", "§"),
}
# From the outside in; kinds of one tuple share a level.
LADDER = (
    ("title", "part", "annex"),
    ("subtitle",),
    ("chapter",),
    ("subchapter",),
    ("section",),
    ("subsection",),
    ("article",),
)
_KIND_OF = {word: kind for kind, words in KINDS.items() for word in words}
_WORDS = "|".join(sorted((re.escape(word) for word in _KIND_OF), key=len, reverse=True))
_NUMBER = (
    r"\d+(?:\.\d+)*(?:-?[a-z]{1,3})?(?![\w(])|[IVXLCDM]+[a-z]{0,2}(?!\w)"
    r"|[A-Z](?:\.\d+)*(?!\w)"
)

MOST_DIGITS = 18  # of a number that is read; Python refuses to read 4,301
# One pass over the text: every line that begins with a heading word and a number.
KEYWORD_LINE = re.compile(
    rf"^[ \t]*(?:#+[ \t]+)?(?:►[ \t]?[A-Z]+\d*[ \t]*)?(?P<word>(?i:{_WORDS}))(?:[ \t]|(?<=§))[ \t]*"
    rf"(?P<number>{_NUMBER})(?P<rest>[^\n]*)$"
    r"|^[ \t]*(?:►[ \t]?[A-Z]+\d*[ \t]*)?(?P<lone>ANNEX|APPENDIX|SCHEDULE)(?:[ \t]*◄)?[ \t]*$",
    re.M,
)
_SEPARATOR = re.compile(r"[ \t]*(?:[.:—–-]|►[A-Z]+\d*)?[ \t]*")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_LEADER_END = re.compile(r"\.{3,}\s*\w{0,5}$")


@dataclass(frozen=True, slots=True)
class Mark:
    """A line that may be a heading: where it is, what it calls itself, its own title's words."""

    start: int
    end: int
    kind: str
    label: str
    number: tuple[int | str, ...]
    rest: str


def roman(text: str) -> int:
    """The value of a roman numeral, 0 when it is none."""
    value = 0
    for one, two in zip(text, [*text[1:], ""], strict=True):
        if one not in _ROMAN:
            return 0
        value += -_ROMAN[one] if two and _ROMAN.get(two, 0) > _ROMAN[one] else _ROMAN[one]
    return value


def number_key(number: str) -> tuple[int | str, ...]:
    """A number as a tuple that sorts as the numbers are counted: 14 < 14a < 15; 3.2 < 3.10.

    Letters after z count on: 369z < 369za.
    """
    key: list[int | str] = []
    for part in re.findall(r"\d+|[A-Za-z]+", number):
        if part.isdigit():
            key += [int(part[:MOST_DIGITS]), ""]
        elif key and part.islower():
            key[-1] = part
        else:
            upper = part.rstrip("abcdefghijklmnopqrstuvwxyz")
            key += [roman(upper) or ord(upper[0]) - 64, part[len(upper) :]]
    return tuple(key)


def keyword_marks(text: str) -> list[Mark]:
    """Every line of `text` that reads as "Article 5", "CHAPTER II - Title", "§ 7 Fees"."""
    marks = []
    for found in KEYWORD_LINE.finditer(text):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if found["lone"]:
            marks.append(Mark(start, found.end(), "annex", found["lone"], (0,), ""))
            continue
        rest = found["rest"]
        title = rest[_SEPARATOR.match(rest).end() :].rstrip()  # type: ignore[union-attr]
        if not _reads_as_heading(found["word"], rest, title):
            continue
        label = text[found.start("word") : found.end("number")]
        if rest.startswith("."):
            label += "." if found["word"].casefold() == "sec." else ""
        marks.append(
            Mark(
                start,
                found.end(),
                _KIND_OF[found["word"].casefold()],
                " ".join(label.split()),
                number_key(found["number"]),
                title,
            )
        )
    return marks


def _reads_as_heading(word: str, rest: str, title: str) -> bool:
    """A heading goes on with its title or not at all; a sentence goes on with a sentence."""
    if word[0].islower():
        return False
    if not any(char.isalnum() for char in title):
        return True  # Bare, or with a footnote's mark or an amendment's arrow.
    if rest[0] not in " \t.:—–-►" or len(title) > 200 or _LEADER_END.search(title):
        return False
    first = title[0]
    if not (first.isupper() or first.isdigit() or first in "\"'“‘([►"):
        return rest.lstrip()[:1] in ("—", "–", "-")
    if first in "([" or first.isdigit():
        return title.isupper()
    # "Article 5 The provider shall ... ." is a sentence; "SEC. 2. SHORT TITLE." is not.
    return not (title.endswith((".", ";", ",", ":")) and not title.isupper() and len(title) > 60)


def increasing(marks: Sequence[Mark]) -> list[Mark]:
    """The longest run of marks whose numbers increase; of two equal ones the later.

    References that stand alone on a line ("Article 360" in a table) break the order and fall out.
    """
    tails: list[tuple[int | str, ...]] = []
    ends: list[int] = []
    before: list[int] = []
    for index, mark in enumerate(marks):
        key = mark.number
        place = bisect_left(tails, key)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(key)
            ends.append(index)
        else:
            tails[place], ends[place] = key, index
    chosen: list[Mark] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chosen.append(marks[index])
        index = before[index]
    return chosen[::-1]
