"""Section keys: every name under which a place of a document can be looked up."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..normalise import words
from ..records import Node
from .grammar import (
    BARE_KINDS,
    POINT_KINDS,
    Reference,
    make_key,
    other_numerals,
    parse_label,
)
from .points import Point, find_points

MOST_OF_A_LIST = 200  # points looked back through for those around one
MAX_TITLE_KEY = 200  # characters; FEATURES' reference code made ids of 1,985
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Place:
    """A key and what it names: a node, or a part of a node's own text."""

    key: str
    node: int
    start: int
    end: int


def title_key(title: str) -> str:
    """A title as it is looked up: its words alone, case, spacing and punctuation forgiven."""
    return " ".join(words(title))[:MAX_TITLE_KEY]


def section_keys(nodes: Sequence[Node], points: Sequence[Sequence[Point]]) -> list[Place]:
    """The keys of all nodes and of the points in their own texts.

    `points` has a list a node. A heading wins over an inline point of the same name.
    """
    places: list[Place] = []
    labels = [parse_label(node.title) if node.parent is not None else None for node in nodes]
    named = {label.key for label in labels if label}
    for node, label in zip(nodes, labels, strict=True):
        if node.parent is None:
            continue
        keys = dict.fromkeys(_names(label) if label else ())
        keys |= dict.fromkeys(filter(None, (title_key(node.title), _untitled(node.title, label))))
        places += [Place(key, node.seq, node.char_start, node.char_end) for key in keys]
        if not label:
            continue
        for point in points[node.seq]:
            inner = Reference(label.kind, label.number, label.points + point.path)
            if inner.key not in named:
                places += [Place(k, node.seq, point.start, point.end) for k in _names(inner)]
    return places


def _names(label: Reference) -> list[str]:
    """ "article 369a(1)" and, where the number has a digit, "369a(1)"."""
    bare = make_key("", label.number, label.points)
    return [label.key, bare] if label.kind and _DIGIT.search(label.number) else [label.key]


def _untitled(title: str, label: Reference | None) -> str:
    """The title's words after its number, as a key; "" where nothing is left."""
    if not label:
        return ""
    after = re.sub(r"^\W+", "", title[_label_length(title) :])
    return title_key(after) if len(after) > 2 else ""


def _label_length(title: str) -> int:
    """How many characters of a title its number takes."""
    low = 0
    for end in [*(found.start() for found in re.finditer(r"[\s:—–-]", title)), len(title)]:
        piece = title[:end].strip().rstrip(".:—–-")
        if not piece:
            continue
        label = parse_label(piece)
        if label and title_key(piece) == title_key(_printed(label, piece)):
            low = end
        elif low:
            break
    return low


def _printed(label: Reference, piece: str) -> str:
    """`piece` cut to the words that its label is made of, to see whether it says more."""
    first = re.match(r"[^\W\d_]+\.?|§+", piece)
    word = first[0] if label.kind and first else ""
    return f"{word} {label.number}" + "".join(f" ({p})" for p in label.points)


def own_texts(nodes: Sequence[Node]) -> list[tuple[int, int]]:
    """(start, end) of each node's own text: up to its first child."""
    ends = [node.char_end for node in nodes]
    for node in reversed(nodes):
        if node.parent is not None:
            ends[node.parent] = min(ends[node.parent], node.char_start)
    return [(node.char_start, end) for node, end in zip(nodes, ends, strict=True)]


def points_of(nodes: Sequence[Node], text: str) -> list[list[Point]]:
    """The points in each node's own text."""
    found = []
    for node, (start, end) in zip(nodes, own_texts(nodes), strict=True):
        line = text.find("\n", start, end) if node.parent is not None else start
        found.append(find_points(text, line, end) if 0 <= line < end else [])
    return found


class KeyIndex:
    """Finds the place that a reference means, seen from where it stands."""

    def __init__(
        self,
        nodes: Sequence[Node],
        places: Iterable[Place],
        points: Sequence[Sequence[Point]] = (),
    ) -> None:
        self.nodes = nodes
        self._by_key: defaultdict[str, list[Place]] = defaultdict(list)
        for place in places:
            self._by_key[place.key].append(place)
        self._points = points
        self._labels = [parse_label(n.title) if n.parent is not None else None for n in nodes]
        self._starts = [node.char_start for node in nodes]

    def node_at(self, offset: int) -> int:
        """The seq of the innermost node that holds a character."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def point_at(self, node: int, offset: int) -> tuple[str, ...]:
        """The path of the innermost point of a node that holds a character, () outside of any."""
        points = self._points[node] if self._points else ()
        index = bisect_right(points, offset, key=lambda point: point.start)
        path = points[index - 1].path if index else ()
        # It, or one of those around it, which end later.
        for point in reversed(points[max(0, index - MOST_OF_A_LIST) : index]):
            if point.path == path[: len(point.path)] and offset < point.end:
                return point.path
        return ()

    def absolute(self, reference: Reference, offset: int) -> Reference:
        """A relative reference ("paragraph 1", "point (a)") with the section that it is of."""
        if reference.within:
            return reference
        if reference.kind in POINT_KINDS and (own := self._numbered(reference)):
            return own
        if not reference.is_relative:
            return reference
        points = ((reference.number,) if reference.number else ()) + reference.points
        at: int | None = self.node_at(offset)
        here = self.point_at(at, offset) if at is not None else ()
        while at is not None and self._labels[at] is None:
            at, here = self.nodes[at].parent, ()
        if at is None:
            return reference
        label = self._labels[at]
        assert label is not None
        # A point is one of the nearest list that has it: of this paragraph, else of the section.
        tried = [here[:depth] for depth in range(len(here), -1, -1)]
        if reference.kind in ("paragraph", "subsection"):
            tried = tried[::-1]
        for prefix in tried:
            found = Reference(label.kind, label.number, label.points + prefix + points)
            if found.key in self._by_key:
                return found
        paths = self._points[at] if self._points else ()
        ending = [p.path for p in paths if p.path[-len(points) :] == points]
        if len(ending) == 1:  # "subparagraph (g)" of an annex whose (g) stands under 1
            points = ending[0]
        return Reference(label.kind, label.number, label.points + points)

    def _numbered(self, reference: Reference) -> Reference | None:
        """ "Paragraph 6", "subparagraph 3.3" where the sections themselves are so numbered."""
        bare = Reference("", reference.number, reference.points)
        places = self._by_key.get(bare.key, ()) if reference.number else ()
        plain = any((label := self._labels[p.node]) and not label.kind for p in places)
        return bare if plain else None

    def find(self, reference: Reference, offset: int | None = None) -> tuple[Place | None, bool]:
        """The place of a reference and whether it is all of it, or only the section around it.

        Of several sections of one name the nearest to `offset` in the tree is meant.
        """
        for points in (reference.points[:n] for n in range(len(reference.points), -1, -1)):
            part = Reference(reference.kind, reference.number, points, reference.within)
            found = self._candidates(part)
            if found:
                return self._nearest(found, offset), points == reference.points
        return None, False

    def _candidates(self, reference: Reference) -> list[Place]:
        found: list[Place] = []
        for key in lookup_keys(reference):
            found = [place for place in self._by_key.get(key, ()) if self._bears(place, reference)]
            if found:
                break
        for outer in reference.within:
            around = self._candidates(outer)
            found = [p for p in found if any(a.start <= p.start and p.end <= a.end for a in around)]
        return found

    def _bears(self, place: Place, reference: Reference) -> bool:
        """Whether the place may go by that word: "clause 4.2" is no Article 4.2."""
        label = self._labels[place.node]
        return not reference.kind or label is None or label.kind in ("", reference.kind)

    def _nearest(self, places: Sequence[Place], offset: int | None) -> Place:
        if offset is None or len(places) == 1:
            return places[0]
        above = self._line(self.node_at(offset))

        def shared(place: Place) -> tuple[int, int]:
            return len(above & self._line(place.node)), -abs(place.start - offset)

        return max(places, key=shared)

    def _line(self, node: int) -> set[int]:
        """A node and everything above it."""
        found = {node}
        parent = self.nodes[node].parent
        while parent is not None:
            found.add(parent)
            parent = self.nodes[parent].parent
        return found


def lookup_keys(reference: Reference) -> list[str]:
    """The keys to try for a reference, the literal one first."""
    numbers = [reference.number]
    if other := other_numerals(reference.number) if reference.kind else "":
        numbers.append(other)
    keys = [make_key(reference.kind, number, reference.points) for number in numbers]
    if reference.kind in BARE_KINDS:
        keys += [make_key("", number, reference.points) for number in numbers]
    return keys
