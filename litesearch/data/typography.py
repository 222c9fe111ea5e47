"""What a whole document looks like: its body, the looks of its headings and how deep each lies."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .lines import RAISED, Line

KEYWORD = re.compile(
    r"(?:article|chapter|section|subsection|title|part|annex|schedule|appendix|sec\.|§)\s*"
    r"(?:[0-9]+[a-z]*|[ivxlcdm]+|[a-z])\b[.:]?",
    re.I,
)
# What opens a chapter on a line of its own, above its number or its title.
OPENER = re.compile(r"(?:chapter|appendix|kapitel|chapitre)(?:\s+(?:[0-9]+|[ivxlc]+|[a-z]))?", re.I)
_LEADERS = re.compile(r"(?:\s?\.){4,}")
NUMBER = re.compile(r"\d+(?:\.\d+)*\.?\s+\S")
MARKER = re.compile(r"(?:\([0-9A-Za-z]{1,5}\)|\d{1,3}[.)]|[a-z]\)|[•‣▪●○■–—*·-])\s")
# "3.2.1 Title", "A.2 Title"; up to five parts.
_DEPTH = re.compile(r"((?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3}){0,4})\.?\s+(?=\S*[^\W\d_])")
_NAMED = re.compile(
    r"(title|part|chapter|kapitel|chapitre|section|sec\.|article|§|appendix|annex|schedule)\s*"
    r"(?:\d+(?:\.\d+)*[a-z]?|[IVXLC]+|[A-Z])(?!\w)",
    re.I,
)
# From the outside in; what stands for itself ("Appendix A") is outermost.
_RUNGS = {
    "title": "title", "part": "title", "chapter": "chapter", "kapitel": "chapter",
    "chapitre": "chapter", "section": "section", "sec.": "section", "article": "article",
    "§": "article",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7af]")
_PAGE_NUMBER = re.compile(r"^\d+\b|\b\d+$")
_COMPOUND = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_SPELLED = (
    r"(?:(?:twenty|thirty|forty|fifty)[ -]?)?(?:one|two|three|four|five|six|seven|eight|nine)"
    r"|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty"
)
_LEAD_WORD = re.compile(
    rf"^(?:(?:chapter|appendix)\s+(?:{_SPELLED})\b[.:]?|chapter|section|part|appendix|annex)\s+"
    r"(?=\S)",
    re.I,
)
_LEAD_NUMBER = re.compile(r"^(?:[0-9A-Z]+[.:])*[0-9]*\s+")
COUNT_WORD = re.compile(rf"[0-9]{{1,3}}|[IVXLC]{{1,6}}|[A-Z]|{_SPELLED}", re.I)
# From this many numbered headings on the sampled pages on, numbers are how the document shows
# its structure: what is merely bold is then emphasis.
_ENOUGH = 4

# Size in half points and weight.
Look = tuple[float, bool]


@dataclass(slots=True)
class Style:
    """The measure for headings and for paragraph gaps."""

    body: float = 10.0
    heading_sizes: tuple[float, ...] = ()
    bold_headings: bool = True
    mono_body: bool = False
    leading: float = 1.2
    compounds: set[str] = field(default_factory=set)
    depths: dict[Look, tuple[int, int]] = field(default_factory=dict)  # shallowest, usual
    ladder: dict[str, int] = field(default_factory=dict)
    capital_chapters: bool = False

    @classmethod
    def of(cls, pages: Iterable[Sequence[Sequence[Line]]]) -> Style:
        """Measure a sample of pages."""
        sizes: Counter[float] = Counter()
        bold = mono = total = 0
        pitches: Counter[float] = Counter()
        compounds: set[str] = set()
        numbered: list[tuple[Line, str, bool]] = []
        for flows in pages:
            for flow in flows:
                edges = _edges(flows)
                numbered += [
                    (line, rung, line.y in edges and bool(_PAGE_NUMBER.search(line.text)))
                    for line, rung in _numbered_lines(flow)
                ]
                for line, after in zip(flow, [*flow[1:], None], strict=True):
                    letters = len(line.text)
                    compounds.update(map(str.lower, _COMPOUND.findall(line.text)))
                    sizes[line.size] += letters
                    total += letters
                    bold += letters * line.bold
                    mono += letters * line.mono
                    if after is not None and after.size == line.size and line.y > after.y:
                        pitches[round((line.y - after.y) / line.size, 1)] += 1
        if not total:
            return cls()
        body = sizes.most_common(1)[0][0]
        larger = sorted((size for size in sizes if size > body * 1.08), reverse=True)
        near = {pitch: count for pitch, count in pitches.items() if 0.9 <= pitch <= 3.0}
        style = cls(
            body=body,
            heading_sizes=_merged(larger),
            # A document set in bold has no bold headings; 25 % is far above any mixed one seen.
            bold_headings=bold < 0.25 * total,
            mono_body=mono > 0.4 * total,
            leading=max(near, key=lambda pitch: near[pitch]) if near else 1.2,
            compounds=compounds,
        )
        shown = [
            (line, rung)
            for line, rung, is_frame in numbered
            if style.stands_out(line) and (not is_frame or style.is_large(line))
        ]
        style.ladder = _ladder(line for line, _ in shown)
        style.depths = _depths(
            (line, 0 if rung == "opened" else style.depth(line.text)) for line, rung in shown
        )
        chapters = [line.text for line, rung in shown if rung == "opened"]
        style.capital_chapters = bool(chapters) and all(map(str.isupper, chapters))
        return style

    def is_large(self, line: Line) -> bool:
        return line.size > 1.08 * self.body

    def depth(self, text: str) -> int:
        """How deep a heading lies by its name or number, 0 without one.

        A number's first part counts the chapters, which may lie in titles or parts.
        """
        rung = _rung(text)
        if rung:
            return self.ladder.get(rung, 1)
        depth = number_depth(text)
        return depth + self.ladder.get("chapter", 1) - 1 if depth else 0

    def stands_out(self, line: Line) -> bool:
        """Whether a line is larger than the body, or bold in a document that is not."""
        return self.is_large(line) or (
            line.bold and self.bold_headings and line.size >= 0.95 * self.body
        )


def _merged(sizes: Sequence[float]) -> tuple[float, ...]:
    """Sizes within 3 % of one another are one level."""
    kept: list[float] = []
    for size in sizes:
        if not kept or size < kept[-1] * 0.97:
            kept.append(size)
    return tuple(kept[:5])


def has_leaders(text: str) -> bool:
    return (".." in text or ". ." in text) and bool(_LEADERS.search(text))


def short_leaders(text: str) -> str:
    """A contents entry's dots, as many as a page is wide, as four."""
    return _LEADERS.sub(" ....", text) if has_leaders(text) else text


def look_of(line: Line) -> Look:
    return round(2 * line.size) / 2, line.bold


def number_depth(text: str) -> int:
    """How deep a heading lies by its number alone: "3.2.1 Title" is 3; 0 without one."""
    found = _DEPTH.match(text)
    if not found:
        return 0
    parts = found[1].split(".")
    return len(parts) - (len(parts) > 1 and parts[-1] == "0")


def _rung(text: str) -> str:
    """What a heading calls itself: "title", "chapter", "section", "article", "annex" or ""."""
    found = _NAMED.match(text)
    return _RUNGS.get(found[1].casefold(), "annex") if found else ""


def _ladder(lines: Iterable[Line]) -> dict[str, int]:
    """The level of each kind of named heading that a document has.

    Of sections and articles the rarer contain the others: acts and contracts differ in that.
    """
    seen = Counter(rung for line in lines if (rung := _rung(line.text)))
    order = ["title", "chapter", "section", "article"]
    if seen["article"] < seen["section"]:
        order[2:] = ["article", "section"]
    present = [rung for rung in order if seen[rung] > 1]
    return {"annex": 1} | {rung: level for level, rung in enumerate(present, 1)}


def _edges(flows: Sequence[Sequence[Line]]) -> tuple[float, float]:
    """Where a page's first and last line stand."""
    ys = [line.y for lines in flows for line in lines]
    return max(ys), min(ys)


def _numbered_lines(flow: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """The lines that may be numbered headings, with what they call themselves.

    That is "" for plain numbers and "opened" for a chapter's title, below "CHAPTER" and "ONE".
    """
    index = 0
    while index < len(flow):
        line = flow[index]
        if OPENER.fullmatch(line.text):
            title = index + 1
            if title < len(flow) - 1 and COUNT_WORD.fullmatch(flow[title].text):
                title += 1
            if title < len(flow):
                yield flow[title], "opened"
            index = title
        elif len(line.text) <= 120:
            rung = _rung(line.text)
            if (rung or number_depth(line.text)) and not has_leaders(line.text):
                yield line, rung
        index += 1


def _depths(lines: Iterable[tuple[Line, int]]) -> dict[Look, tuple[int, int]]:
    """The depth of each look by the numbers seen in it; {} where there are too few.

    A smaller look is never shallower than a larger one: numbers that say so ("1. Free
    Redistribution" in small bold type, below "2.1" in a large one) are a list's.
    """
    seen: defaultdict[Look, Counter[int]] = defaultdict(Counter)
    for line, depth in lines:
        seen[look_of(line)][depth] += 1
    found: dict[Look, tuple[int, int]] = {}
    floor, count = 1, 0
    for look in sorted(seen, key=lambda look: (-look[0], not look[1])):
        counts: Counter[int] = Counter()
        for depth, number in seen[look].items():
            counts[max(depth, 1)] += number
        deep = Counter({depth: n for depth, n in counts.items() if depth >= floor})
        total = deep.total()
        if not total or (total == 1 and counts.total() > 1):
            continue
        usual = max(deep, key=lambda depth: (deep[depth], -depth))
        common = min(depth for depth in deep if deep[depth] >= 0.15 * total)
        floor = 1 if seen[look][0] and floor == 1 else common
        found[look] = floor, usual
        count += total
    return found if count >= _ENOUGH else {}


def heading_level(text: str, first: Line, style: Style) -> int:
    """1-6 for what reads and looks like a heading, 0 for a paragraph."""
    if len(text) > 200 or has_leaders(text) or not _has_words(text):
        return 0
    if MARKER.match(text) and not NUMBER.match(text):
        return 0
    if style.depths:
        return min(_numbered_level(text, first, style), 6)
    for rank, size in enumerate(style.heading_sizes):
        if first.size >= size * 0.97:
            return rank + 1
    if style.stands_out(first) and reads_as_title(text):
        return min(len(style.heading_sizes) + 1, 6)
    return 0


def _has_words(text: str) -> bool:
    """Not only single letters, as an index has them above its entries."""
    return bool(_WORD.search(text)) or (number_depth(text) > 0 and text[-1].isalpha())


def reads_as_title(text: str) -> bool:
    return not text.endswith((",", ";", ":")) and len(text) <= 120


def _numbered_level(text: str, first: Line, style: Style) -> int:
    """A heading's level where the document numbers its headings."""
    look, depth = look_of(first), style.depth(text)
    known = style.depths.get(look)
    if not style.is_large(first):
        # Bold type of the body's size is emphasis, unless its number says what it is.
        return depth if known and depth >= known[0] and reads_as_title(text) else 0
    if known is not None:
        low, usual = known
        if style.capital_chapters and not depth:
            return low if text.isupper() else usual
        return depth if depth >= low else usual if not depth else low
    if depth:
        return depth
    if all(bold and size > look[0] for size, bold in style.depths) and not first.bold:
        return 0  # larger than the body, as a function's signature, but no heading's type
    above = [usual for other, (_, usual) in style.depths.items() if other[0] > look[0]]
    return max(above) + 1 if above else max(1, min(low for low, _ in style.depths.values()) - 1)


def title_key(text: str) -> str:
    """A heading without its number, punctuation and case: bookmarks are matched by it."""
    bare = _LEAD_NUMBER.sub("", _LEAD_WORD.sub("", text), count=1)
    return re.sub(r"[\W_]+", "", bare or text).casefold()


def plain_key(text: str) -> str:
    """A text's letters and digits, without case."""
    return re.sub(rf"[\W_{RAISED}]+", "", text).casefold()
