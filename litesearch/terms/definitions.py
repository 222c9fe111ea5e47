"""Defined terms: '"X" means', "‘X’ shall mean", "X: ..." inside a section of definitions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..normalise import words
from ..records import Node
from .grammar import spaced
from .keys import own_texts
from .points import Point

# Opening and closing quotes that go together; a straight one closes itself.
_QUOTED = (
    r"(?:“(?P<a>[^“”\n]{1,120})”|‘(?P<b>(?:[^‘’\n]|(?<=\w)’(?=\w)){1,120})’|\"(?P<c>[^\"\n]{1,120})\""
    r"|«\s?(?P<d>[^«»\n]{1,120}?)\s?»|„(?P<e>[^„“”\n]{1,120})[“”]|''(?P<f>[^'\n]{1,120})''"
    r"|(?<!\w)'(?P<g>(?:[^'\n]|(?<=\w)'(?=\w)){1,120})'(?!\w))"
)
_MEANS = spaced(
    r"(?:(?:shall|will), [^.;:\n]{1,100}, mean\b"
    r"|(?:shall|will) (?:mean\b|have the (?:same )?meanings?|be defined as|refer to|include\b)"
    r"|means?\b(?! of\b)|(?:has|have) the (?:same )?meanings?|(?:is|are) defined (?:as|in|by)"
    r"|refers? to|includes?\b(?! but)|signif(?:y|ies)\b|denotes?\b)"
)
_JOIN = r"\s*(?:,|/|, or|\bor\b|\band\b|\(or)\s*(?:the[ \t\n]+terms?[ \t\n]+)?"
# What may stand between the term and its verb: "(also called the Plan)", "when used in this Act,".
_ASIDE = spaced(r"(?: ?\([^()\n]{1,120}\))?(?:,? (?:when|as|for|in|with) [^.;:\n]{1,100},)?,?")
_ANOTHER = re.sub(r"[?]P<[a-g]>", "?:", _QUOTED)
QUOTED_TERM = re.compile(
    rf"{_QUOTED}(?P<more>(?:{_JOIN}{_ANOTHER})*){_ASIDE}\s*(?:,\s*)?(?P<verb>{_MEANS})"
)
# The other way round: "shall be regarded as ‘X’", and short names: (the ‘Facility’), ("Agreement").
_NAMED = re.compile(
    spaced(
        r"(?:(?:shall be|is|are|shall) (?:regarded|treated|considered|deemed|known|referred to"
        r"|called|become)(?: to be| as)? (?:the |an? )?"
        r"|\((?:[a-z]+,? ){0,5}(?:[Tt]he |an? )?)"
    )
    + rf"{_QUOTED}(?P<closed>\))?"
)
_SENTENCE = re.compile(r"(?<=[.;:])\s+(?=[\"“‘(\[]?[A-Z])")
_SHORT_FORM = re.compile(r"^(?P<long>.{3,}?)\s*\((?P<short>[A-Z][A-Za-z0-9&/-]{1,11})\)$")
_ALSO = re.compile(_QUOTED)
_HEADING = re.compile(
    r"\b(?:definitions?|glossary|defined terms|key terms|terminology|interpretation|"
    r"terms and definitions|begriffsbestimmungen|définitions|definiciones)\b",
    re.I,
)
_ANNOUNCED = re.compile(
    r"following (?:definitions|(?:words|terms)(?: and (?:expressions|phrases))?"
    r" (?:shall )?(?:have|mean|bear|are defined))"
)
# Only inside a section of definitions: "Term: text", "Term - text", "**Term**: text".
_LINE_TERM = re.compile(
    r"^[ \t]*(?:[-*•]|\d{1,3}(?:\.\d{1,3})*[.)]?|\(\w{1,4}\))?[ \t]*"
    r"(?:(?P<bold>\*\*|__)(?P<b>[^*_\n]{2,80}?):?(?P=bold)(?P<colon>:)?"
    r"|(?P<plain>[A-Z][^\n:.;,|“”‘’\"]{1,60}?))"
    r"(?:[ \t]*(?P<sign>:|[—–]|[ \t]-)[ \t]+|[ \t]+(?P<verb>(?:shall[ \t]+)?means?\b(?![ \t]+of\b)"
    r"|(?:shall[ \t]+have|has)[ \t]+the[ \t]+meaning|refers[ \t]+to))(?=[^\n])",
    re.M,
)
# A table's row, or a line of two columns parted by a tab.
_ROW_TERM = re.compile(
    r"^(?:\|[ \t]*(?P<term>[^|\n]{2,80}?)[ \t]*\|[ \t]*|(?P<tabbed>[A-Z“\"‘][^\t\n]{1,80}?)[ ]*\t+)"
    r"(?P<verb>(?:(?:[Ss]hall[ \t]+)?[Mm]eans?\b|(?:[Ss]hall[ \t]+have|[Hh]as)[ \t]+the[ \t]+"
    r"(?:same[ \t]+)?meaning)?)(?=[^\n])",
    re.M,
)
_CODE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?(?:^\1|\Z)|`[^`\n]+`", re.M | re.S)
_EXCEPTION = re.compile(
    spaced(
        r"\b(?:(?:does|do|shall|will) not (?:include|apply|mean|refer)|excluding|excludes?"
        r"|but not(?! limited)|except(?: (?:that|for))?|other than)\b"
    ),
    re.I,
)
_CALL = re.compile(r"\w[(\[=]$|[=<>][ ]?$")
_TAIL = re.compile(r"(?:\s|[▼►]\s?[A-Z]+\d*|◄)+\Z")
# A blank line, or a line's end that is a sentence's: some texts have a paragraph a line.
_EXCLUSION = re.compile(
    r"\s*\(\w{1,4}\)\s*(?:(?:EXCLUSIONS?|EXCEPTIONS?|LIMITATION)\b|[^.\n]{0,60}?\bterms?\b[^.\n]{0,60}?"
    r"\b(?:does|do|shall)\s+not\s+include)",
)
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n|(?<=[.;:])[ \t\r]*\n(?=[ \t]*\S)")


MOST_CHARACTERS = 20_000  # of a definition; the longest of the dev documents has 2,600


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term: where its definition stands, whole; `exception` where its limits begin."""

    term: str
    node: int
    start: int
    end: int
    exception: int | None = None


class _Mark(NamedTuple):
    """Where a definition says its term: the term's start, the verb's end, the terms."""

    at: int
    after: int
    terms: list[str]
    short: bool = False  # a name in brackets, which counts only the first time


def term_key(term: str) -> str:
    """A term as it is looked up: its words without a leading article."""
    found = words(term)
    return " ".join(found[1:] if len(found) > 1 and found[0] in ("the", "a", "an") else found)


def is_definitions_title(title: str) -> bool:
    """Whether a heading announces definitions. Whole words: "Search Terms" does not."""
    return _HEADING.search(title) is not None


def find_definitions(
    nodes: Sequence[Node], text: str, points: Sequence[Sequence[Point]]
) -> list[Definition]:
    """The defined terms of a document, in order."""
    found: list[Definition] = []
    seen: set[str] = set()
    defining = _defining(nodes, text)
    for node, (start, end) in zip(nodes, own_texts(nodes), strict=True):
        borders = [(point.start, point.end) for point in points[node.seq]]
        marks = _quoted_terms(text, start, end, defining[node.seq])
        marks += _named_terms(text, start, end)
        if defining[node.seq]:
            taken = sorted(mark.at for mark in marks)
            below = _below_heading(text, node, start, end)
            marks += [m for m in _line_terms(text, below, end) if not _near(m.at, taken)]
        marks.sort()
        for index, (at, after, terms, short) in enumerate(marks):
            following = _following(text, marks, index, end)
            stop = _stop(text, at, after, end, following, borders, defining[node.seq])
            limits = _EXCEPTION.search(text, after, stop)
            exception = limits.start() if limits else None
            begin = _sentence_start(text, at, start)
            new = [t for t in terms if not (short and term_key(t) in seen)]
            seen.update(map(term_key, new))
            found += [Definition(term, node.seq, begin, stop, exception) for term in new]
    return found


def _following(text: str, marks: Sequence[_Mark], index: int, end: int) -> int:
    """Where the next definition begins. Those in the same paragraph are parts of this one, but of
    a paragraph of over 2,000 characters, which is a text without line breaks.
    """
    at = marks[index].at
    stop = text.find("\n", at, min(end, at + 2_000))
    if stop < 0 and end - at > 2_000:
        return marks[index + 1].at if index + 1 < len(marks) else end
    later = bisect_right(marks, (stop if stop >= 0 else end,), lo=index)
    return line_start(text, marks[later].at) if later < len(marks) else end


def _defining(nodes: Sequence[Node], text: str) -> list[bool]:
    """Which nodes are sections of definitions: by their own heading or one above."""
    defining: list[bool] = []
    for node in nodes:
        above = node.parent is not None and node.parent > 0 and defining[node.parent]
        own = node.parent is not None and is_definitions_title(node.title)
        intro = text[node.char_start : node.char_start + 400]
        announced = node.parent is not None and _ANNOUNCED.search(intro) is not None
        defining.append(above or own or announced)
    return defining


def _quoted_terms(text: str, start: int, end: int, defining: bool) -> list[_Mark]:
    marks = []
    code = _code_spans(text, start, end)
    for found in QUOTED_TERM.finditer(text, start, end):
        if not defining and _is_quotation(text, found, code):
            continue
        verb = " ".join(found["verb"].split())
        # "‘dispatch’ includes", "‘x’ refers to": a definition where definitions are expected.
        if not defining and verb in (
            "includes",
            "include",
            "refers to",
            "refer to",
            "is defined in",
        ):
            continue
        terms = [next(filter(None, found.group(*"abcdefg")))]
        terms += [next(filter(None, more.groups())) for more in _ALSO.finditer(found["more"])]
        clean = [" ".join(term.strip(" ,.;").split()) for term in terms]
        marks.append(_Mark(found.start(), found.end(), [term for term in clean if term]))
    return marks


def _code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Fenced and inline code, where quotes are strings."""
    if text.find("`", start, end) < 0 and text.find("~~~", start, end) < 0:
        return []
    return [found.span() for found in _CODE.finditer(text, start, end)]


def _is_quotation(text: str, found: re.Match[str], code: Sequence[tuple[int, int]]) -> bool:
    """Whether the quotes are those of code (`demo("image")`) or of a question (does "fw" mean)."""
    before = text[max(0, found.start() - 8) : found.start()]
    index = bisect_right(code, (found.start(), len(text)))
    inside = index > 0 and found.start() < code[index - 1][1]
    return inside or bool(_CALL.search(before)) or before.endswith((" does ", " do ", " did "))


def _named_terms(text: str, start: int, end: int) -> list[_Mark]:
    """Terms that stand after what they mean; the sentence is the definition."""
    marks = []
    code = _code_spans(text, start, end)
    for found in _NAMED.finditer(text, start, end):
        call = found.start() > 0 and text[found.start() - 1].isalnum()
        if found[0][0] == "(" and (not found["closed"] or call):
            continue
        if _is_quotation(text, found, code):
            continue
        term = next(filter(None, found.group(*"abcdefg"))).strip(" ,.;")
        line = max(line_start(text, found.start()), start)
        for border in _SENTENCE.finditer(text, line, found.start()):
            line = border.end()
        if term and len(term) <= 80:
            marks.append(_Mark(line, found.end(), [" ".join(term.split())], found[0][0] == "("))
    return marks


def _line_terms(text: str, start: int, end: int) -> list[_Mark]:
    marks = []
    for found in _ROW_TERM.finditer(text, start, end):
        term = (found["term"] or found["tabbed"]).strip(' "“”‘’*_')
        if term and (found["verb"] or found["tabbed"]):
            marks.append(_Mark(found.start(), found.end(), [term]))
    rows = sorted(mark.at for mark in marks)
    for found in _LINE_TERM.finditer(text, start, end):
        term = (found["b"] or found["plain"]).strip(" \"“”‘’'*_")
        if found["b"] is not None and not (found["sign"] or found["verb"] or found["colon"]):
            continue
        if not term or len(term.split()) > 8 or text.startswith("|", found.start()):
            continue
        if "\t" in term or _near(found.start(), rows):
            continue
        short = _SHORT_FORM.match(term)
        terms = [short["long"], short["short"]] if short else [term]
        marks.append(_Mark(found.start(), found.end(), [" ".join(one.split()) for one in terms]))
    return marks


def _below_heading(text: str, node: Node, start: int, end: int) -> int:
    """Where a section's text begins: its title is no term."""
    if node.parent is None:
        return start
    line = text.find("\n", start + len(node.title), end)
    return line if line >= 0 else end


def _near(at: int, taken: Sequence[int]) -> bool:
    """Whether a term that was found already begins within a dozen characters."""
    index = bisect_left(taken, at - 11)
    return index < len(taken) and taken[index] < at + 12


def _sentence_start(text: str, at: int, start: int) -> int:
    """Back to the start of the line, where only a number and a few words stand before the term."""
    line = text.rfind("\n", start, at) + 1
    line = max(line, start)
    return line if at - line <= 80 else at


def _stop(
    text: str,
    at: int,
    after: int,
    end: int,
    following: int,
    borders: Sequence[tuple[int, int]],
    defining: bool,
) -> int:
    """Where a definition ends: with its point, before the next term, or with its paragraph.

    A paragraph that ends with a colon or a semicolon goes on with its list.
    """
    line = line_start(text, at)
    last = bisect_right(borders, (at, end))
    first = bisect_left(borders, (line - 1, 0))
    own = [stop for _, stop in borders[first:last] if stop > after]
    limit = min([following, end, after + MOST_CHARACTERS, *own[-1:]])
    if own and own[-1] < end:
        exclusion = _EXCLUSION.match(text, limit, end)
        if exclusion:  # "(B) EXCLUSION.—The term does not include ..." of the point after
            limit = next((stop for begin, stop in borders if begin >= limit), limit)
        return _trimmed(text, limit) if limit > after else after
    stop = after
    while stop < limit:
        gap = _PARAGRAPH.search(text, stop, limit)
        if gap is None:
            stop = limit
            break
        before, rest = text[stop : gap.start()].rstrip(), text[gap.end() : gap.end() + 120]
        stop = gap.end()
        listed = re.match(r"[ \t]*(?:[-*•]|\(\w{1,5}\)|\w{1,3}[.)])[ \t]", rest)
        goes_on = (not before or before.endswith((":", "—", "–"))) or (
            listed and before.endswith((";", ",", "and", "or"))
        )
        if not (goes_on or (listed and defining) or _EXCEPTION.search(rest[:100])):
            stop = gap.start()
            break
    return _trimmed(text, stop)


def _trimmed(text: str, stop: int) -> int:
    """Without the white space and the amendment marks at the end."""
    kept = text[max(0, stop - 200) : stop]
    return stop - len(kept) + len(_TAIL.sub("", kept))


def line_start(text: str, at: int) -> int:
    """Where the line of a character begins; of a line of over 5,000 characters, so far back."""
    low = max(0, at - 5_000)
    return max(low, text.rfind("\n", low, at) + 1)
