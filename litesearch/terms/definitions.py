"""Defined terms: '"X" means', "‘X’ shall mean", "X: ..." inside a section of definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
    r"(?:(?:shall|will) (?:mean\b|have the (?:same )?meanings?|be defined as|refer to|include\b)"
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
_ALSO = re.compile(_QUOTED)
_HEADING = re.compile(
    r"\b(?:definitions?|glossary|defined terms|key terms|terminology|interpretation|"
    r"terms and definitions|begriffsbestimmungen|définitions|definiciones)\b",
    re.I,
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
_EXCEPTION = re.compile(
    spaced(
        r"\b(?:(?:does|do|shall|will) not (?:include|apply|mean|refer)|excluding|excludes?"
        r"|but not(?! limited)|except(?: (?:that|for))?|other than)\b"
    ),
    re.I,
)
_TAIL = re.compile(r"(?:\s|[▼►]\s?[A-Z]+\d*|◄)+\Z")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined term: where its definition stands, whole; `exception` where its limits begin."""

    term: str
    node: int
    start: int
    end: int
    exception: int | None = None


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
    defining = _defining(nodes, text)
    for node, (start, end) in zip(nodes, own_texts(nodes), strict=True):
        borders = [(point.start, point.end) for point in points[node.seq]]
        marks = list(_quoted_terms(text, start, end, defining[node.seq]))
        if defining[node.seq]:
            taken = {at for at, _, _ in marks}
            below = _below_heading(text, node, start, end)
            marks += [m for m in _line_terms(text, below, end) if not _near(m[0], taken)]
            marks.sort()
        for index, (at, after, terms) in enumerate(marks):
            # A term inside the line is a part of this definition ('"control" means ...').
            later = (line_start(text, m[0]) for m in marks[index + 1 :])
            following = next((line for line in later if line > at), end)
            stop = _stop(text, at, after, end, following, borders, defining[node.seq])
            limits = _EXCEPTION.search(text, after, stop)
            exception = limits.start() if limits else None
            begin = _sentence_start(text, at, start)
            found += [Definition(term, node.seq, begin, stop, exception) for term in terms]
    return found


def _defining(nodes: Sequence[Node], text: str) -> list[bool]:
    """Which nodes are sections of definitions: by their own heading or one above."""
    defining: list[bool] = []
    for node in nodes:
        above = node.parent is not None and node.parent > 0 and defining[node.parent]
        own = node.parent is not None and is_definitions_title(node.title)
        intro = text[node.char_start : node.char_start + 400]
        announced = node.parent is not None and "following definitions" in intro
        defining.append(above or own or announced)
    return defining


def _quoted_terms(
    text: str, start: int, end: int, defining: bool
) -> list[tuple[int, int, list[str]]]:
    marks = []
    for found in QUOTED_TERM.finditer(text, start, end):
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
        marks.append((found.start(), found.end(), [term for term in clean if term]))
    return marks


def _line_terms(text: str, start: int, end: int) -> list[tuple[int, int, list[str]]]:
    marks = []
    for found in _LINE_TERM.finditer(text, start, end):
        term = (found["b"] or found["plain"]).strip(" \"“”‘’'*_")
        if found["b"] is not None and not (found["sign"] or found["verb"] or found["colon"]):
            continue
        if not term or len(term.split()) > 8 or text.startswith("|", found.start()):
            continue
        marks.append((found.start(), found.end(), [" ".join(term.split())]))
    return marks


def _below_heading(text: str, node: Node, start: int, end: int) -> int:
    """Where a section's text begins: its title is no term."""
    if node.parent is None:
        return start
    line = text.find("\n", start + len(node.title), end)
    return line if line >= 0 else end


def _near(at: int, taken: set[int]) -> bool:
    return any(abs(at - other) < 12 for other in taken)


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
    own = [stop for begin, stop in borders if line - 1 <= begin <= at and stop > after]
    limit = min([following, end, *own[-1:]])
    if own:
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
    """Where the line of a character begins."""
    return text.rfind("\n", 0, at) + 1
