"""How people name a place in a document: "Article 369a(1)", "§ 203(a)(1)", "Chapter 2 of Title I".

One canonical key for each: the kind's word, the number, the points, in lower case:
"article 369a(1)", "section 203(a)(1)". A bare number ("1.2.3", "369a(1)") has no word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..normalise import fold_letters
from ..numbering import roman

# The canonical word of each spelling, plural and abbreviation.
_SPELLINGS = {
    "article": "article articles art art. arts arts. artikel artículo artigo articolo",
    "section": "section sections sec sec. secs. sect. s s. ss. § §§ abschnitt sección",
    "clause": "clause clauses cl cl. klausel",
    "rule": "rule rules",
    "chapter": "chapter chapters ch. chap. kapitel chapitre capítulo",
    "subchapter": "subchapter subchapters",
    "title": "title titles titel titre título",
    "subtitle": "subtitle subtitles",
    "part": "part parts teil partie parte",
    "division": "division divisions",
    "annex": "annex annexes annexe annexes anhang anexo",
    "appendix": "appendix appendices",
    "schedule": "schedule schedules sch sch.",
    "exhibit": "exhibit exhibits",
    "attachment": "attachment attachments",
    "paragraph": "paragraph paragraphs para para. paras paras. ¶ absatz abs abs.",
    "subsection": "subsection subsections sub-section sub-sections",
    "subparagraph": "subparagraph subparagraphs subpara sub-paragraph sub-paragraphs subclause"
    " sub-clause",
    "point": "point points item items letter lit lit. buchst.",
}
KIND_OF = {word: kind for kind, words in _SPELLINGS.items() for word in words.split()}
PLURALS = frozenset(
    word
    for word in KIND_OF
    if word.endswith(("s", "ices", "s.")) and word not in ("s", "s.", "ss.", "abs", "abs.")
) | {"§§", "ss."}
POINT_KINDS = frozenset(("paragraph", "subparagraph", "point"))
# Kinds that stand for one another where the printed number has no word: "clause 4.2" is "4.2".
BARE_KINDS = frozenset(
    ("section", "clause", "paragraph", "subparagraph", "article", "rule", "chapter", "part")
)

WORDS = "|".join(sorted((re.escape(word) for word in KIND_OF), key=len, reverse=True))
NUMBER = (
    r"\d+(?:\.(?:\d+|[A-Z](?!\w)))*(?:-?[a-z]{1,3})?(?!\w)"
    r"|[A-Z](?:\.(?:\d+|[A-Z](?!\w)))+(?!\w)"  # before the roman ones: "C.1" is no 100
    r"|[IVXLCDM]+[a-z]{0,2}(?!\w)|[A-Z](?!\w)"
)
POINTS = r"(?:[ \u00a0]?\([ ]?\w{1,6}[ ]?\))"
_UNIT = re.compile(
    rf"(?P<word>{WORDS})[\s\u00a0]*(?P<number>{NUMBER})?(?P<points>{POINTS}*)",
    re.I,
)
_BARE = re.compile(rf"(?P<number>{NUMBER})\.?(?P<points>{POINTS}*)", re.I)
MOST_TYPED = 200  # characters of a name that is looked up
# "first subparagraph of", ", second sentence", "17.1 a)", "Articles 9 to 13": read by their number.
_TYPED_ASIDE = re.compile(
    r"(?:^|,?\s*)(?:first|second|third|fourth|fifth|last)\s+(?:sub-?paragraph|paragraph|sentence|"
    r"indent)s?(?:\s+of\b(?:\s+the\b)?)?|(?<=\d)\s*(?:\bto\b|\band\b|\bor\b|–|-(?=\d)).*$",
    re.I,
)
_ALONE = re.compile(rf"(?P<number>)(?P<points>{POINTS}+)")
_POINT = re.compile(r"\(\s*(\w+)\s*\)")
_BETWEEN = re.compile(
    r"\s*(?:(?P<of>\bof\b(?:\s+the)?\b|\bin\b(?:\s+the)?\b)|[,>/›»:]|\s)\s*", re.I
)


def spaced(pattern: str) -> str:
    """A pattern in which each blank stands for what is between two words of a paragraph."""
    return pattern.replace(" ", r"(?:(?:[ \t\u00a0]+(?:\r?\n)?|\r?\n)[ \t\u00a0]*)")


@dataclass(frozen=True, slots=True)
class Reference:
    """A place as it is named. `kind` "" is a bare number; `within` names what it lies in."""

    kind: str
    number: str
    points: tuple[str, ...] = ()
    within: tuple[Reference, ...] = ()

    @property
    def is_relative(self) -> bool:
        """Whether it says a place of the section at hand: "paragraph 1", "subsection (b)"."""
        point = self.kind in POINT_KINDS and "." not in self.number
        return point or (self.kind != "" and not self.number)

    @property
    def key(self) -> str:
        """The canonical key: "article 369a(1)"."""
        return make_key(self.kind, self.number, self.points)


def make_key(kind: str, number: str, points: tuple[str, ...] = ()) -> str:
    """ "article", "369a", ("1",) -> "article 369a(1)"."""
    name = f"{kind} {number}".strip().rstrip(".")
    return (name + "".join(f"({point})" for point in points)).casefold()


def read_points(text: str) -> tuple[str, ...]:
    """ "(1) (a)" -> ("1", "a")."""
    return tuple(point.casefold() for point in _POINT.findall(text))


def other_numerals(number: str) -> str:
    """Arabic for a roman number and roman for an arabic one; "" where there is none."""
    if number.isdigit() and 0 < int(number) < 200:
        return _as_roman(int(number)).casefold()
    value = roman(number.upper()) if number else 0
    return str(value) if value and _as_roman(value) == number.upper() else ""


def _as_roman(value: int) -> str:
    text = ""
    for step, sign in (
        (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"),
        (1, "I"),
    ):  # fmt: skip
        text += sign * (value // step)
        value %= step
    return text


_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen twenty".split(),
        1,
    )
}
_SPELLED_NUMBER = re.compile(
    rf"^(?P<word>chapter|part|book|section|title|article)\s+(?P<number>{'|'.join(_SPELLED)})\b",
    re.I,
)


def _spelled_out(text: str) -> str:
    """ "CHAPTER FIVE" as "CHAPTER 5"."""
    return _SPELLED_NUMBER.sub(lambda m: f"{m['word']} {_SPELLED[m['number'].lower()]}", text)


def parse_label(title: str) -> Reference | None:
    """What a heading calls itself: "Article 12a - Scope" -> article 12a; None without a number."""
    title = _spelled_out(title.strip())
    found = _UNIT.match(title)
    if found and found["number"] and KIND_OF[found["word"].casefold()] not in POINT_KINDS:
        return _unit(found)
    if found and found["word"].isupper() and KIND_OF[found["word"].casefold()] == "annex":
        return Reference("annex", "")
    found = _BARE.match(title)
    if found and (found["number"][0].isdigit() or "." in found["number"]):
        after = title[found.end() :]
        if re.match(r"\.?[A-Z][a-z]", after) and title[found.end() - 1] != " ":
            return None  # "2.4.Guidance" is not 2.4
        if not after or after[0].isspace() or after[0] in ":—–-.)":
            return Reference("", found["number"].casefold(), read_points(found["points"]))
    return None


def parse_reference(text: str) -> Reference | None:
    """A place as a person types it, or None where the text names none by number.

    "Chapter 2 of Title I", "Title I, Chapter 2" and "Title I > Chapter 2" are one; so are
    "point (a) of Article 3(1)", "Article 3, paragraph 1, point (a)" and "art. 3 (1) (a)".
    """
    text = " ".join(fold_letters(text)[:MOST_TYPED].split()).strip(" .,;:")
    text = _spelled_out(_TYPED_ASIDE.sub("", text).strip(" ,"))
    units: list[Reference] = []
    at, of_before = 0, False
    while at < len(text):
        found = _UNIT.match(text, at)
        if found and not (found["number"] or found["points"]):
            found = None
        unit = found or _BARE.match(text, at) or _ALONE.match(text, at)
        if unit is None:
            return None
        inner_first = of_before or not units
        parsed = _unit(unit) if found else _bare(unit)
        units.insert(len(units) if inner_first else 0, parsed)
        at = unit.end()
        gap = _BETWEEN.match(text, at)
        if at < len(text) and gap is None:
            return None
        if gap:
            of_before, at = bool(gap["of"]), gap.end()
    return nest(units) if units else None


def nest(units: list[Reference]) -> Reference:
    """Units from the inside out as one reference: points join the section that they are of."""
    points: tuple[str, ...] = ()
    while len(units) > 1 and units[0].is_relative:
        inner, *units = units
        points = _own_points(inner) + points
    first = units[0]
    return replace(first, points=first.points + points, within=tuple(units[1:]))


def _own_points(unit: Reference) -> tuple[str, ...]:
    return ((unit.number,) if unit.number else ()) + unit.points


def _unit(found: re.Match[str]) -> Reference:
    return Reference(
        KIND_OF[found["word"].casefold()],
        (found["number"] or "").casefold().rstrip("."),
        read_points(found["points"]),
    )


def _bare(found: re.Match[str]) -> Reference:
    return Reference(
        "" if found["number"] else "point", found["number"].casefold(), read_points(found["points"])
    )
