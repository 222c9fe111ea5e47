"""Cross-references in running text: "Articles 5 to 7", "point (a) of Article 3(1)", "§ 4"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from .acts import UNKNOWN, act_at, act_behind
from .grammar import (
    KIND_OF,
    NUMBER,
    PLURALS,
    POINT_KINDS,
    POINTS,
    Reference,
    nest,
    read_points,
    spaced,
)

# Words of which only the capital form names a section: "title 5", "part 2 of the work" do not.
_CAPITALS = frozenset(("title", "part", "rule", "division", "exhibit", "attachment"))
_WORD = (
    r"Articles?|Arts?\.|ARTICLES?|Artikel|Sections?|Secs?\.|SECTIONS?|SEC\.|Chapters?|CHAPTERS?"
    r"|Sub[Tt]itles?|Titles?|TITLES?|Parts?|Divisions?|Annex(?:es)?|ANNEX(?:ES)?|Appendi(?:x|ces)"
    r"|Schedules?|Exhibits?|Attachments?|Rules?|Clauses?|Paragraphs?|Sub-?[Pp]aragraphs?"
    r"|Sub-?[Ss]ections?|Points?|articles?|sections?|chapters?|clauses?|annex(?:es)?|schedules?"
    r"|appendi(?:x|ces)|sub-?clauses?|sub-?paragraphs?|sub-?sections?|paragraphs?|points?"
)
_ITEM = rf"(?:(?:{NUMBER}){POINTS}*|{POINTS}+)"
_AND = spaced(r"(?:(?: |,|, )(?:and/or|and|or|to) | ?[–—] ?|-(?=\d)|, )")
_RANGE = re.compile(r"\bto\b|[–—-]")
MOST_OF_A_RANGE = 100
REFERENCE = re.compile(
    rf"(?<![\w§])(?P<word>{_WORD}|§§?)[ \u00a0]*(?:\r?\n)?[ \u00a0]*"
    rf"(?P<items>{_ITEM}(?:{_AND}{_ITEM})*)"
)
_ONE = re.compile(rf"(?P<and>{_AND})?(?P<item>(?P<number>{NUMBER})?(?P<points>{POINTS}*))")
_COMMA = re.compile(spaced(", "))
# Of what is no place of its own: "of Annex to", "of the first subparagraph of".
_LONE = re.compile(
    spaced(
        r"(?:Annex(?:es)?\b(?! [IVXA-Z\d])"
        r"|(?:first|second|third|fourth|fifth|last) (?:sub-?paragraph|paragraph|sentence|indent)s?)"
    )
)
# "MKT Rule 4.3.1": a book's short name before the word.
_BOOK = re.compile(r"\b(?P<book>[A-Z]{2,6})[ \u00a0]$")
_NO_BOOK = frozenset(
    "THE AND OR OF IN TO SEC ARTICLE SECTION PART THIS ANY EACH SUCH BY FOR".split()
)
_OF = re.compile(spaced(r",? (?:of|in|under|to) (?:the )?"))
# After the second number of "Article 226 or 226b": no noun, which would be counted by it.
_ENDS = re.compile(spaced(r" ?(?:[.,;:)]|$| (?:of|or|and|to|in|shall|is|are|may|appl(?:y|ies))\b)"))
# "Article 5, second subparagraph, of", "Article 5(1), first sentence": said beside the number.
_ASIDE = re.compile(
    spaced(
        r",? (?:first|second|third|fourth|fifth|last)(?: and \w+)?"
        r" (?:subparagraph|paragraph|sentence|indent)s?"
    )
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference as it stands in a text. `act` "" is this document; else another act's key.

    `between`: a number inside of a range that is not printed itself.
    """

    start: int
    end: int
    raw: str
    reference: Reference
    act: str = ""
    between: bool = False


def find_references(text: str, start: int = 0, end: int | None = None) -> list[Mention]:
    """Every cross-reference in text[start:end], in order; a list or range has one a member."""
    end = len(text) if end is None else end
    mentions: list[Mention] = []
    last_act = ""
    at = start
    while found := REFERENCE.search(text, at, end):
        at = found.end()
        heads = list(_members(found))
        if not heads:
            at = found.end("word")
            continue
        chain, points, at, act = _qualified(text, at, end, last_act)
        last_act = act if act not in ("", UNKNOWN) else last_act
        act = act or _book(text, found.start())
        for (first, last, reference, between), more in product(heads, points or [()]):
            part = replace(reference, points=reference.points + more)
            whole = nest([part, *chain])
            where = found.start() if first == found.start("items") else first
            mentions.append(Mention(where, last, text[where:last], whole, act, between))
    return mentions


_Member = tuple[int, int, Reference, bool]


def _members(found: re.Match[str]) -> Iterator[_Member]:
    """(start, end, reference, whether only implied) of each number after one word."""
    word = found["word"]
    kind = KIND_OF.get(word.casefold(), "")
    if not kind or (kind in _CAPITALS and word[0].islower()):
        return
    plural = word.casefold() in PLURALS
    text, at, last = found.string, found.start("items"), None
    while at < found.end("items"):
        item = _ONE.match(text, at, found.end("items"))
        if item is None or item.end() == at:
            return
        number, points = (item["number"] or "").casefold().rstrip("."), read_points(item["points"])
        start = item.start("item")
        if last is not None and not number:
            # "Article 5(1)(a) and (b)": the last point in place of the one before.
            keep = last.points[: len(last.points) - len(points)] if last.number else ()
            reference = Reference(kind, last.number, keep + points)
        elif last is not None and not plural and not _ENDS.match(text, item.end()):
            return  # "Article 5 and 3 others"
        elif number and not number[0].isdigit() and not _is_lettered(kind, item["number"], found):
            return
        else:
            reference = Reference(kind, number, points)
            if last is not None and _RANGE.search(item["and"] or ""):
                yield from _between(last, reference, start, item.end())
        yield start, item.end(), reference, False
        at, last = item.end(), reference


def _between(first: Reference, last: Reference, start: int, end: int) -> Iterator[_Member]:
    """What lies inside of "Articles 5 to 9"; of long or lettered ranges only the ends are known."""
    if first.number.isdigit() and last.number.isdigit() and not (first.points or last.points):
        inside = range(int(first.number) + 1, int(last.number))
        if len(inside) <= MOST_OF_A_RANGE:
            for number in inside:
                yield start, end, Reference(last.kind, str(number)), True


def _is_lettered(kind: str, number: str, found: re.Match[str]) -> bool:
    """Whether letters are a number: "Annex A", "Part II"; not "Section I have", "point A"."""
    if kind in POINT_KINDS:
        return False
    return len(number) > 1 or found.string[found.end() : found.end() + 2] != " h"


def _qualified(
    text: str, at: int, end: int, last_act: str
) -> tuple[list[Reference], list[tuple[str, ...]], int, str]:
    """What follows a reference: the sections it is of, points, where that ends, and the act."""
    chain: list[Reference] = []
    points: list[tuple[str, ...]] = []
    while True:
        after, more = _asides(text, at, end)
        points = points if chain else more or points
        of = _OF.match(text, after, end)
        if of is None:
            act = act_behind(text, after, end, last_act)
            return chain, points, *(act or (after if more else at, ""))
        here = of.end()
        outer = REFERENCE.match(text, here, end)
        members = list(_members(outer)) if outer else []
        if members:
            chain.append(members[0][2])
            at = members[-1][1]  # "points (a) of Articles 5 and 6": the first is taken
            continue
        if found := act_at(text, here, end, last_act):
            return chain, points, *found
        lone = _LONE.match(text, here, end)
        if lone is None:
            return chain, points, at, ""
        at = lone.end()


def _asides(text: str, at: int, end: int) -> tuple[int, list[tuple[str, ...]]]:
    """Past what is said beside a number: ", second subparagraph", ", Part A", ", points (a), (b)".

    -> where that ends, and the points it adds, one for each place that is meant.
    """
    points: list[tuple[str, ...]] = []
    while True:
        if ordinal := _ASIDE.match(text, at, end):
            at = ordinal.end()
            continue
        comma = _COMMA.match(text, at, end)
        inner = REFERENCE.match(text, comma.end(), end) if comma else None
        members = list(_members(inner)) if inner else []
        if not members or not _is_inner(members[0][2]):
            return at, points
        own = [((m.number,) if m.number else ()) + m.points for _, _, m, _ in members]
        if members[0][2].kind in POINT_KINDS:
            points = [before + more for before in points or [()] for more in own]
        at = members[-1][1]


def _book(text: str, at: int) -> str:
    found = _BOOK.search(text, max(0, at - 8), at)
    return found["book"].casefold() if found and found["book"] not in _NO_BOOK else ""


def _is_inner(reference: Reference) -> bool:
    return reference.kind in POINT_KINDS or reference.kind == "part"
