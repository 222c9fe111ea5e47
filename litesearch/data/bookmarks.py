"""A PDF's bookmarks, and where on their pages their titles stand."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .lines import Line
from .typography import COUNT_WORD, OPENER, Look, Style, look_of, plain_key, title_key

# Under 5 an outline names the document's parts at best, not its sections.
_FEWEST = 5
_BARE_NUMBER = re.compile(r"(?:\d{1,3}|[A-Z]|[IVXLC]+)(?:\.\d{1,3})*\.?")
_LONGEST = 4  # lines of a heading
# A shorter title stands in too many lines that are not its own.
_LONG_ENOUGH = 8


# The forms of a title's letters, without its number and with it ("ASN.1 syntax"), and its level.
Title = tuple[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Place:
    """A heading on a page: the flow and its lines start:end, and how deep it lies."""

    flow: int
    start: int
    end: int
    level: int


@dataclass(slots=True)
class Outline:
    """Bookmarks by page (from 0), and those that the page before them did not have.

    `deepest`: the deepest level; `numbered`: levels are those of the headings' numbers, so that
    numbered headings deeper than the bookmarks have a level as well. `chapter_looks`: how headings
    of the first level look; TeX makes no bookmarks of those without a number ("References").
    """

    titles: dict[int, list[Title]] = field(default_factory=dict)
    carried: list[Title] = field(default_factory=list)
    chapter_looks: frozenset[Look] = frozenset()
    deepest: int = 0
    numbered: bool = False

    @classmethod
    def of(cls, items: Sequence[dict[str, Any]]) -> Outline:
        """From pdf-oxide's outline; empty where it is too small to be the structure."""
        found = cls()
        count = 0
        for item, level in _walk(items, 1):
            page, keys = item.get("page"), _keys(str(item.get("title") or ""))
            if page is not None and keys[0]:
                found.titles.setdefault(page, []).append((keys, level))
                found.deepest = max(found.deepest, level)
                count += 1
        return found if count >= _FEWEST else cls()

    def checked(
        self, pages: Iterable[tuple[int, Sequence[Sequence[Line]]]], style: Style
    ) -> Outline:
        """Empty where under 30 % of the sampled pages' bookmarks stand on their pages."""
        there = asked = 0
        agreeing: list[bool] = []
        looks: defaultdict[Look, list[int]] = defaultdict(list)
        for page, flows in pages:
            titles = self.titles.get(page)
            if titles:
                places, _ = match_titles(flows, titles, style)
                asked += len(titles)
                there += len(places)
                for place in places:
                    line = flows[place.flow][place.start]
                    depth = style.depth(line.text)
                    agreeing += [depth == place.level] if depth else []
                    looks[look_of(line)].append(place.level)
        self.numbered = len(agreeing) >= _FEWEST and sum(agreeing) >= 0.9 * len(agreeing)
        self.chapter_looks = frozenset(
            look for look, levels in looks.items() if len(levels) > 2 and set(levels) == {1}
        )
        return self if there >= 0.3 * asked else Outline()

    def places(self, flows: Sequence[Sequence[Line]], page: int, style: Style) -> list[Place]:
        """The page's headings. A bookmark may point to the foot of the page before its heading."""
        titles = self.titles.get(page, ())
        found, missed = match_titles(flows, titles, style)
        if self.carried and page:
            taken = {(p.flow, index) for p in found for index in range(p.start, p.end)}
            late, _ = match_titles(flows, self.carried, style, large=True)
            found += [place for place in late if (place.flow, place.start) not in taken]
        self.carried = missed
        return sorted(found, key=lambda place: (place.flow, place.start))


def _walk(items: Sequence[dict[str, Any]], level: int) -> Iterator[tuple[dict[str, Any], int]]:
    for item in items:
        yield item, level
        yield from _walk(item.get("children") or (), level + 1)


def match_titles(
    flows: Sequence[Sequence[Line]],
    titles: Sequence[Title],
    style: Style,
    large: bool = False,
) -> tuple[list[Place], list[Title]]:
    """Where titles stand, and those that stand nowhere.

    Exactly, over up to four lines; else within a line of a heading's look, longest title first.
    `large`: only what looks like a heading.
    """
    if not titles:
        return [], []
    firsts = [[_keys(line.text) for line in flow] for flow in flows]
    found: list[Place] = []
    taken: set[tuple[int, int]] = set()
    missed: list[Title] = []

    def take(place: Place) -> None:
        found.append(place)
        taken.update((place.flow, index) for index in range(place.start, place.end))

    def rank(place: Place) -> tuple[float, int]:
        """The larger type; of the same place the fewer lines, without the page's number above."""
        return flows[place.flow][place.end - 1].size, place.start - place.end

    for keys, level in titles:
        fits = [
            Place(number, start, end, level)
            for number, flow in enumerate(flows)
            for start, end in _runs(flow, firsts[number], keys)
            if not any((number, index) in taken for index in range(start, end))
        ]
        shown = [p for p in fits if style.stands_out(flows[p.flow][p.end - 1])]
        if shown or (fits and not large):
            take(max(shown or fits, key=rank))
        else:
            missed.append((keys, level))
    left: list[Title] = []
    for keys, level in sorted(missed, key=lambda title: -len(title[0][0])):
        within = _containing(flows, keys[0], taken, style) if not large else None
        if within:
            take(Place(within[0], within[1], within[1] + 1, level))
        else:
            left.append((keys, level))
    return found, left


def _keys(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((title_key(text), plain_key(text))))


def _runs(
    flow: Sequence[Line], firsts: Sequence[tuple[str, ...]], keys: tuple[str, ...]
) -> Iterator[tuple[int, int]]:
    """Lines start:end that say one of `keys` and nothing else."""
    for start, first in enumerate(firsts):
        # A number may stand on a line of its own.
        forms = ("",) if _BARE_NUMBER.fullmatch(flow[start].text) else first
        for have, key in itertools.product(forms, keys):
            if (have or forms == ("",)) and key.startswith(have):
                end = _run_end(flow, start + 1, have, key)
                if end:
                    yield start, end
                    break


def _run_end(flow: Sequence[Line], end: int, have: str, key: str) -> int:
    """Where the lines from `end` on complete `key`, of which `have` is there; 0: nowhere."""
    last = min(len(flow), end - 1 + _LONGEST)
    while have != key and end < last:
        have += plain_key(flow[end].text)
        end += 1
        if not key.startswith(have):
            return 0
    return end if have == key else 0


def _containing(
    flows: Sequence[Sequence[Line]], key: str, taken: set[tuple[int, int]], style: Style
) -> tuple[int, int] | None:
    """The line of a heading's look that holds a long title among other words."""
    if len(key) >= _LONG_ENOUGH:
        for number, flow in enumerate(flows):
            for index, line in enumerate(flow):
                if (number, index) not in taken and style.stands_out(line):
                    words = plain_key(line.text)
                    if len(words) <= 3 * len(key) and key in words:
                        return number, index
    return None


def with_opener(flow: Sequence[Line], start: int) -> int:
    """Where a chapter's heading begins: "CHAPTER" and "ONE" stand on lines above its title."""
    if start and OPENER.fullmatch(flow[start - 1].text):
        return start - 1
    if start > 1 and COUNT_WORD.fullmatch(flow[start - 1].text):
        return start - 2 if OPENER.fullmatch(flow[start - 2].text) else start
    return start
