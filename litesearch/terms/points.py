"""Paragraphs and points inside a section: "1.", "(a)", "(i)", told apart by their sequence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..numbering import roman

# At the start of a line, or after what announces an item inside a paragraph.
_MARK = re.compile(
    r"(?:^[ \t]*(?:[►▼][ \t]?[A-Z]{1,2}\d*[ \t]*)?(?:[-*][ \t]+)?"
    r"|(?P<before>[:;,.—–-])[ \t]*(?:(?:and|or)[ \t]+)?(?<=[\s—–-]))"
    r"(?P<open>\(?)(?P<id>\d{1,3}[a-z]{0,2}|[a-z]{1,5}|[A-Z]{1,5})(?P<close>[.)])"
    r"(?=[\s(‘“\"'►]|[A-Z]|$)",
    re.M,
)
_AGAIN = re.compile(
    r"[ \t]?(?P<open>\()(?P<id>\d{1,3}[a-z]{0,2}|[a-z]{1,5}|[A-Z]{1,5})(?P<close>\))"
)
_OPENERS = ":—–-"
_ARROW = "►"


@dataclass(slots=True)
class Point:
    """An enumerated item: `path` from the section down, as ("1", "a", "i"), and its characters."""

    path: tuple[str, ...]
    start: int
    end: int
    inline: bool = False


@dataclass(slots=True)
class _Level:
    style: str
    kind: str  # digit, lower, roman, upper, ROMAN
    last: str
    point: Point
    place: int  # of its first point in the list
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    style: str
    id: str
    before: str  # the sign before it inside a line, "" at a line's start


def find_points(text: str, start: int, end: int) -> list[Point]:
    """The points of text[start:end] in reading order; each ends where what follows it begins."""
    marks = _marks(text, start, end)
    points: list[Point] = []
    stack: list[_Level] = []
    for index, mark in enumerate(marks):
        following = marks[index + 1] if index + 1 < len(marks) else None
        place = _place(stack, mark, following)
        if place is None:
            continue
        depth, kind = place
        _close(stack, points, depth + 1, mark.start)
        above = stack[depth - 1].point.path if depth else ()
        point = Point((*above, mark.id.casefold()), mark.start, end, bool(mark.before))
        if depth < len(stack):
            level = stack[depth]
            level.point.end = mark.start
            level.last, level.point, level.count = mark.id, point, level.count + 1
        else:
            stack.append(_Level(mark.style, kind, mark.id, point, len(points)))
        points.append(point)
    _close(stack, points, 0, end)
    return points


def _close(stack: list[_Level], points: list[Point], depth: int, at: int) -> None:
    """End the levels from `depth` on; a list of one item inside a sentence is none."""
    while len(stack) > depth:
        level = stack.pop()
        level.point.end = at
        if level.count == 1 and level.point.inline:
            del points[level.place :]  # with what was opened below it


def _marks(text: str, start: int, end: int) -> list[_Mark]:
    found: list[_Mark] = []
    for match in _MARK.finditer(text, start, end):
        before = match["before"] or ""
        if before and not match["open"]:
            continue  # "see 2. Above": inside a line only "(a)" counts
        at = match.start("open")
        while match and _kinds(match["id"]):
            found.append(_Mark(at, match["open"] + match["close"], match["id"], before))
            again = _AGAIN.match(text, match.end(), end)
            if again is None:
                break
            match, at, before = again, again.start("open"), ""
    return found


def _kinds(name: str) -> list[str]:
    """What an item's sign can be."""
    if name[0].isdigit():
        return ["digit"]
    if name[0].isupper():
        kinds = ["upper"] if len(name) == 1 or (len(name) == 2 and name[0] == name[1]) else []
        return kinds + (["ROMAN"] if roman(name) else [])
    kinds = ["lower"] if len(name) <= 2 else []
    return kinds + (["roman"] if roman(name.upper()) else [])


_FIRST = {"digit": ("1",), "lower": ("a",), "roman": ("i",), "upper": ("A",), "ROMAN": ("I",)}


def _place(stack: list[_Level], mark: _Mark, following: _Mark | None) -> tuple[int, str] | None:
    """(depth, kind) of a mark: the next of an open list, or the first of a new one."""
    kinds = _kinds(mark.id)
    opens = next((kind for kind in kinds[::-1] if mark.id in _FIRST[kind]), None)
    if opens and mark.before and mark.before not in _OPENERS:
        opens = None
    near: tuple[int, str] | None = None
    for depth in range(len(stack) - 1, -1, -1):
        level = stack[depth]
        if level.style != mark.style or level.kind not in kinds:
            continue
        step = _step(level.kind, level.last, mark.id)
        if step == 1:
            # "(i)" after "(h)" is the ninth letter, unless "(ii)" comes next.
            if opens and opens != level.kind and following and following.id.casefold() == "ii":
                break
            return depth, level.kind
        if 1 < step <= 4 and near is None and not mark.before:
            near = depth, level.kind  # items between them were deleted
    if opens:
        # The same list once more, in another paragraph; no list is nested in one of its own kind.
        same = (
            d for d, level in enumerate(stack) if (level.style, level.kind) == (mark.style, opens)
        )
        return next(same, len(stack)), opens
    return near


def _step(kind: str, last: str, name: str) -> int:
    """How far `name` follows `last`: 1 for the next or an inserted one, 0 or less for neither."""
    if kind in ("roman", "ROMAN"):
        return roman(name.upper()) - roman(last.upper())
    if kind == "digit":
        return _inserted(_split(last), _split(name))
    one, two = last.casefold(), name.casefold()
    if len(two) == 2 and two[0] == two[1] and one == "z":
        return 1
    return _inserted((ord(one[0]), one[1:]), (ord(two[0]), two[1:]))


def _inserted(last: tuple[int, str], name: tuple[int, str]) -> int:
    """1, 1a, 1b, 2: a letter more is the next one as well."""
    if name[0] == last[0]:
        return 1 if name[1] > last[1] else 0
    return name[0] - last[0]


def _split(number: str) -> tuple[int, str]:
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits), number[len(digits) :]
