"""Numbered lines that open sections: "2 Delivery", "3.2.1 Attention", "4.2 The Buyer shall pay"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .numbering import Mark, number_key, roman

# A number at the start of a line, with what may hang on it: "2.4.4", "5.A", "1.1.(2)", "3(a)".
_CLAUSE = re.compile(
    r"^[ \t]*(?:#+[ \t]+)?(?:\*\*)?"
    r"(?P<word>(?:Section|SECTION|Clause|CLAUSE|Sec\.|§|Part|PART|Rule|RULE)[ \t]*)?"
    r"(?P<number>(?P<roman>[IVXL]{1,7}(?=\.[ \t]))"
    r"|(?:[A-Z]{3}\d{1,2}|[A-Z]?\d{1,3}[A-Z]?)(?:\.(?:[A-Z]?\d{1,3}[A-Z]?|[A-Z])(?!\w))*(?!\w)"
    r"|[A-Z](?:\.\d{1,3})+)"
    r"(?P<hanging>(?:\.?\(\w{1,5}\)|\.[A-Z][a-z]+\b(?:\.\d{1,2}\b)?|\.[a-z]{1,4}(?=\.?\s))*)"
    r"(?P<dot>[.:)]?)(?:\*\*)?(?:[ \t]+(?P<rest>\S[^\n]*)|[ \t\r]*)$",
    re.M,
)
_PART = re.compile(r"([A-Z]*?)(\d*)([A-Z]?)")
_SENTENCE_TAIL = (".", ";", ":", ",")
_LEADERS = re.compile(r"\.{3,}\s*\w*$")
# "Expenses. Each party", "GOVERNING LAW: This", "Term and Termination.—The"
_RUN_IN = re.compile(r"(?P<title>[^.:—]{2,100}?)(?:[.:](?=\s|—|$)|\s?—)")
_TERM = re.compile(r"[“\"‘][^“”\"‘’\n]{1,80}[”\"’](?= (?:shall )?(?:means?|has|have)\b)")
_GLOSSED = re.compile(r"(?:means?|has the (?:same )?meaning)\b", re.I)
_SMALL = frozenset(
    "a an and as at by for from in into no nor not of on or per the to upon with without vs via"
    " und der die das de la le et y e".split()
)
ROMAN = "roman"
LEAST_PARAGRAPHS = 5
MOST_MISSED = 3  # numbers that a deleted or unread clause leaves out


def titled_marks(text: str, tops: Sequence[int]) -> Iterator[Mark]:
    """Numbered headings whose words read as a title, in the order of their numbers.

    `tops`: where headings by words stand; numbers may begin anew after each.
    """
    path: list[float] = []
    dotted: str | None = None
    last = -1
    for found in _CLAUSE.finditer(text):
        words = (found["rest"] or "").strip()
        other = found["word"] or found["hanging"] or found["roman"] or found["dot"] == ")"
        if other or not words:
            continue
        if not words[0].isalpha() or words[0].islower() or len(words) > 119:
            continue
        if words.endswith(_SENTENCE_TAIL) or _LEADERS.search(words):
            continue
        number = _parts(found)
        if any(last < top <= found.start() for top in tops):
            path = []
        depth = len(number)
        follows = depth <= len(path) and number == [*path[: depth - 1], path[depth - 1] + 1]
        begins = number[-1] == 1 and (number[:-1] == path or not path)
        if not (follows or begins):
            continue
        if depth == 1:
            # "1." after "1 Payment" is a step of it; capitals say that it is a heading as well.
            style = "" if words.isupper() else found["dot"] or "bare"
            if style and dotted is not None and style != dotted:
                continue
            dotted = style
        path, last = number, found.start()
        yield _mark(found)


@dataclass(frozen=True, slots=True)
class _Line:
    """A numbered line that may open a clause. `scope` counts the headings by words before it."""

    found: re.Match[str]
    scope: int
    number: tuple[float, ...]
    hanging: bool
    weight: float


def numbered_marks(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """The marks with the numbered headings, and where a document numbers its paragraphs ("5.1.2 The
    pump stops ..."), with those too.
    """
    clauses = clause_marks(text, marks, outer_titled=True)
    paragraphs = sum(m.kind == "numbered" and "." in m.label and not m.rest for m in clauses)
    if paragraphs >= LEAST_PARAGRAPHS:
        return clauses
    titled = titled_marks(text, [mark.start for mark in marks])
    return sorted([*marks, *titled], key=lambda mark: mark.start)


def clause_marks(text: str, marks: Sequence[Mark], outer_titled: bool = False) -> list[Mark]:
    """The marks with every numbered clause among them, by the sequence of the numbers.

    `outer_titled`: "1.", "2." are clauses only with a title, being steps of lists as often.
    The heaviest run of lines whose numbers increase is taken, anew after each heading by words:
    steps of a list inside a clause, years and quantities break the order and fall out.
    """
    kept = [mark for mark in marks if mark.kind != "section" and not _is_clause(mark)]
    kept.sort(key=lambda mark: mark.start)
    found = [line for line in _lines(text, kept) if not outer_titled or _is_inner_or_titled(line)]
    lines = _supported(_heaviest(found), kept)
    kept += [_mark(line.found) for line in lines]
    starts = {mark.start for mark in kept}
    kept += [mark for mark in marks if mark.kind == "section" and mark.start not in starts]
    return sorted(kept, key=lambda mark: mark.start)


def _is_inner_or_titled(line: _Line) -> bool:
    words = (line.found["rest"] or "").strip()
    return len(line.number) > 1 or (clause_title(words) == words and words[:1].isupper())


def _is_clause(mark: Mark) -> bool:
    """ "Part 1.2" and "Rule 3.1" are numbered clauses; "Exhibit 10.1" is an annex."""
    return mark.kind != "annex" and "." in mark.label.rstrip(".")


def _lines(text: str, tops: Sequence[Mark]) -> list[_Line]:
    starts = [mark.start for mark in tops]
    style = _outer_style(text)
    lines = []
    for found in _CLAUSE.finditer(text):
        number = _parts(found)
        if not _opens(found, len(number)) or (found["roman"] and style != ROMAN):
            continue
        hanging = bool(found["hanging"])
        weight = 1.0 + 0.3 * bool(clause_title((found["rest"] or "").strip()))
        if len(number) == 1 and not hanging and not found["word"]:
            weight += 0.5 * (_style(found) == style) - 0.3
        scope = bisect_right(starts, found.start())
        lines.append(_Line(found, scope, tuple(number), hanging, weight))
    return lines


def _heaviest(lines: Sequence[_Line]) -> list[_Line]:
    """The run of the greatest weight whose numbers increase; "1.1.(2)" may follow "1.1.(1)".

    A Fenwick tree over the numbers' ranks keeps the best run that ends below each.
    """
    order = {key: i for i, key in enumerate(sorted({(n.scope, n.number) for n in lines}), 1)}
    tree: list[tuple[float, int]] = [(0.0, -1)] * (len(order) + 1)
    before: list[int] = []
    best = (0.0, -1)
    for index, line in enumerate(lines):
        rank = order[line.scope, line.number]
        at = rank if line.hanging else rank - 1
        longest = (0.0, -1)
        while at > 0:
            longest = max(longest, tree[at])
            at -= at & -at
        before.append(longest[1])
        reached = (longest[0] + line.weight, index)
        best = max(best, reached)
        while rank < len(tree):
            tree[rank] = max(tree[rank], reached)
            rank += rank & -rank
    chosen: list[_Line] = []
    index = best[1]
    while index >= 0:
        chosen.append(lines[index])
        index = before[index]
    return chosen[::-1]


def _supported(lines: Sequence[_Line], tops: Sequence[Mark]) -> list[_Line]:
    """Those that follow from the number before them, or from which the one after follows."""
    kept: list[_Line] = []
    outer = 0.0
    path: tuple[float, ...] = ()
    scope = -1
    for index, line in enumerate(lines):
        if line.scope != scope:
            outer = max(outer, path[0] if path else 0)
            path, scope = _enclosing(tops, line.scope), line.scope
        follows = _follows(path, outer, line.number) or (line.hanging and line.number == path)
        if not follows and index + 1 < len(lines):
            after = lines[index + 1]
            follows = after.scope == scope and (
                _follows(line.number, 0, after.number)
                or (after.hanging and after.number == line.number)
            )
        if follows:
            kept.append(line)
            path = line.number
    return kept


def _enclosing(tops: Sequence[Mark], scope: int) -> tuple[float, ...]:
    """The number that a heading by words gives to what is below it: 3 for "ARTICLE III"."""
    mark = tops[scope - 1] if scope else None
    if mark is None or mark.kind == "annex" or not mark.number:
        return ()
    value = mark.number[0]
    return (value,) if isinstance(value, int) and value else ()


def _follows(path: Sequence[float], outer: float, number: Sequence[float]) -> bool:
    depth = len(number)
    if depth == 1 and number[0] in (1, outer + 1) and len(path) <= 1:
        return True
    if not path:
        return set(number) == {1}
    if depth <= len(path):
        step = number[-1] - path[depth - 1]
        return tuple(number[:-1]) == tuple(path[: depth - 1]) and 0 < step <= MOST_MISSED
    # "3.2.1" right under "3": 3.2 stood in a line that was not read.
    below = number[len(path) :]
    return tuple(number[: len(path)]) == tuple(path) and all(1 <= n <= 2 for n in below)


def _outer_style(text: str) -> str:
    """What follows the outermost numbers, "." or ")" or nothing: that of the longest count."""
    reached: Counter[str] = Counter()
    for line in _CLAUSE.finditer(text):
        if line["word"] or line["hanging"] or "." in line["number"] or not line["rest"]:
            continue
        style = _style(line)
        reached[style] += _parts(line)[0] == reached[style] + 1
    return max((".", "", ")", ":", ROMAN), key=lambda style: reached[style])


def _style(line: re.Match[str]) -> str:
    return ROMAN if line["roman"] else str(line["dot"])


def _opens(line: re.Match[str], depth: int) -> bool:
    """Whether a numbered line can open a clause; "3 shall make" is a page number in a sentence."""
    words = (line["rest"] or "").strip()
    if depth == 1 and re.match(r"[A-Z]\d", line["number"]):
        return False  # "A4 paper"
    if _GLOSSED.match(words):
        return False  # "2P\tMeans the sum of ...": a term
    if not words:
        return depth > 1
    first = words[0]
    if _LEADERS.search(words) or not any(char.isalpha() for char in words):
        return False
    if first.islower() and not (depth > 2 or (depth > 1 and line["dot"]) or line["hanging"]):
        return False
    if depth == 1 and not line["dot"] and not line["word"]:
        return "\t" in line[0] or (first.isupper() and not words.endswith(_SENTENCE_TAIL))
    return first.isalnum() or first in "\"“‘'([$*"


def _parts(found: re.Match[str]) -> list[float]:
    """ "3.2" -> [3, 2]; "05" as 5; a letter as its place; "6A" as 6.01, between 6 and 7."""
    if found["roman"]:
        return [roman(found["roman"])]
    parts = found["number"].split(".")
    return [_part(part, index == 0) for index, part in enumerate(parts)]


def _part(part: str, first: bool) -> float:
    """One part of a number. A lettered first one ("A4.1", "APP1.2") counts for itself."""
    prefix, digits, letter = _PART.fullmatch(part).groups()  # type: ignore[union-attr]
    if not digits:
        return ord(part[0]) - 64
    apart = 1_000 * (ord(prefix[0]) - 64) * len(prefix) if prefix and first else 0
    return apart + int(digits) + (ord(letter) - 64) / 100 if letter else apart + int(digits)


def _mark(found: re.Match[str]) -> Mark:
    words = (found["rest"] or "").strip()
    word = " ".join((found["word"] or "").split())
    number = found["number"] + found["hanging"]
    title = clause_title(words, found.string[found.end() : found.end() + 2])
    if title == words:
        end = found.end()
    else:
        end = found.start("rest") + len(title) if title else found.start("dot")
    start = found.start("word") if word else found.start("number")
    key = number_key(found["number"])
    return Mark(start, end, "numbered", f"{word} {number}".strip(), key, title)


def clause_depth(label: str) -> int:
    """How deep a clause lies by its label: "3" 1, "3.2" 2, "3.2.(a)" 3, "2.1.Guidance.1" 4."""
    number = label.rpartition(" ")[2]
    return len(re.findall(r"\d+[A-Z]?|\(\w+\)|\b[A-Z]+\b|(?<=\.)[A-Z]?[a-z]+\b", number))


def clause_title(words: str, after: str = "") -> str:
    """The title of a clause: the whole line where it reads as one, its run-in title, or "".

    `after`: what follows the line; a small letter there means that a sentence was wrapped.
    """
    bare = words.strip("*_ ")
    run_in, term = _RUN_IN.match(bare), _TERM.match(bare)
    if term:
        return term[0]
    if run_in and run_in.end() < len(bare) and _is_title(run_in["title"]):
        return run_in["title"].strip()
    if len(bare) <= 119 and not bare.endswith(_SENTENCE_TAIL):
        return "" if after[1:2].islower() else words
    return run_in["title"].strip() if run_in and _is_title(run_in["title"]) else ""


def _is_title(words: str) -> bool:
    """Title Case or capitals: at most a quarter of its longer words begin with a small letter."""
    parts = re.findall(r"[^\W\d_][\w’'-]*", words)
    telling = [part for part in parts if part.casefold() not in _SMALL]
    small = sum(part[0].islower() for part in telling)
    return bool(telling) and len(parts) <= 14 and small <= 0.25 * len(telling)
