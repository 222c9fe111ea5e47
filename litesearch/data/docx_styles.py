"""What a Word document's styles and lists say: outline levels and automatic numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = ("0", "false", "off")
_HEADING_NAME = re.compile(r"heading ([1-9])", re.I)
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def value(element: Any, *path: str) -> str | None:
    """The w:val of the element at `path` below, None without one; "" stands for an empty one."""
    for name in path:
        element = None if element is None else element.find(W + name)
    return None if element is None else str(element.get(f"{W}val", ""))


def integer(text: str | None, default: int) -> int:
    """The number that an attribute holds, `default` for none and for what is none."""
    try:
        return default if text is None else int(text)
    except ValueError:
        return default


class Styles:
    """What a paragraph's style says: outline level, list, name; from its parents where silent."""

    def __init__(self, root: Any) -> None:
        styles = () if root is None else root.iterfind(f"{W}style")
        self._styles = {style.get(f"{W}styleId"): style for style in styles}
        self.default = next(
            (
                key
                for key, style in self._styles.items()
                if style.get(f"{W}default") not in (None, *_OFF)
                and style.get(f"{W}type") == "paragraph"
            ),
            "",
        )

    def chain(self, style_id: str) -> Iterator[tuple[str, Any]]:
        """The style and those that it is based on."""
        seen: set[str] = set()
        while style_id in self._styles and style_id not in seen:
            seen.add(style_id)
            yield style_id, self._styles[style_id]
            style_id = value(self._styles[style_id], "basedOn") or ""

    def name(self, style_id: str) -> str:
        """Built-in styles have their English name in a file of any language."""
        style = self._styles.get(style_id)
        return "" if style is None else (value(style, "name") or "").lower()

    def outline(self, style_id: str) -> int | None:
        """The heading level from 1, None for a style of body text."""
        for key, style in self.chain(style_id):
            found = value(style, "pPr", "outlineLvl")
            if found is not None:
                level = integer(found, 9)
                return level + 1 if level < 9 else None
            named = _HEADING_NAME.fullmatch(self.name(key))
            if named:
                return int(named[1])
        return None

    def number(self, style_id: str) -> tuple[str, int | None, str] | None:
        """List, level and the style that names them."""
        level: int | None = None
        for key, style in self.chain(style_id):
            found = value(style, "pPr", "numPr", "ilvl")
            level = integer(found, 0) if level is None and found is not None else level
            number = value(style, "pPr", "numPr", "numId")
            if number is not None:
                return number, level, key
        return None

    def list_styles(self) -> dict[str, str]:
        """Styles of lists -> their list."""
        found = {key: value(s, "pPr", "numPr", "numId") for key, s in self._styles.items()}
        return {key: number for key, number in found.items() if number is not None}


@dataclass(slots=True)
class _Level:
    """A level of a list: how it counts and what it prints ("%1.%2")."""

    start: int
    form: str
    text: str
    legal: bool
    restart: int | None
    style: str | None

    @classmethod
    def of(cls, element: Any) -> _Level:
        restart = value(element, "lvlRestart")
        return cls(
            integer(value(element, "start"), 0),
            value(element, "numFmt") or "decimal",
            value(element, "lvlText") or "",
            value(element, "isLgl") not in (None, *_OFF),
            None if restart is None else integer(restart, 0),
            value(element, "pStyle"),
        )


class Numbers:
    """Counts the numbered paragraphs of one document, in its order."""

    def __init__(self, numbering: Any, style_numbers: dict[str, str]) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._abstract: dict[str, str] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        if numbering is None:
            return
        links: dict[str, str] = {}
        for element in numbering.iterfind(f"{W}abstractNum"):
            key = element.get(f"{W}abstractNumId")
            self._levels[key] = _levels(element)
            if link := value(element, "numStyleLink"):
                links[key] = link
        for element in numbering.iterfind(f"{W}num"):
            self._add_num(element)
        for key, style in links.items():
            target = self._abstract.get(style_numbers.get(style, ""))
            self._levels[key] = self._levels.get(target or "", {})

    def _add_num(self, element: Any) -> None:
        key, abstract = element.get(f"{W}numId"), value(element, "abstractNumId") or ""
        own: dict[int, _Level] = {}
        for override in element.iterfind(f"{W}lvlOverride"):
            level = integer(override.get(f"{W}ilvl"), 0)
            start = value(override, "startOverride")
            if start is not None:
                self._starts[key, level] = integer(start, 1)
            own.update(_levels(override))
        if own:
            # A list with levels of its own counts with the one that it was made from no longer.
            changed = f"{abstract}/{key}"
            self._levels[changed] = {**self._levels.get(abstract, {}), **own}
            abstract = changed
        self._abstract[key] = abstract

    def level_of_style(self, number: str, style: str) -> int:
        """The level that a list keeps for paragraphs of this style, 0 where it names none."""
        levels = self._levels.get(self._abstract.get(number, ""), {})
        return next((level for level, made in levels.items() if made.style == style), 0)

    def next(self, number: str, level: int) -> str:
        """The number of the next paragraph of this list: "2.1", "(a)", "-" for a bullet, ""."""
        key = self._abstract.get(number, "")
        levels = self._levels.get(key, {})
        if level not in levels:
            return ""
        made, counts = levels[level], self._counts[key]
        start = self._starts.pop((number, level), None)
        if start is not None:
            counts[level] = start
        else:
            counts[level] = counts[level] + 1 if level in counts else made.start
        for deeper in [other for other in counts if other > level]:
            restart = levels[deeper].restart if deeper in levels else None
            # None: after any level above. 0: never. n: after level n and those above it.
            if restart is None or level < restart:
                del counts[deeper]
        if made.form == "bullet":
            return "-"
        return _PLACE.sub(lambda found: self._part(levels, counts, made, found), made.text).strip()

    @staticmethod
    def _part(
        levels: dict[int, _Level], counts: dict[int, int], made: _Level, found: re.Match[str]
    ) -> str:
        at = int(found[1]) - 1
        if at not in levels:
            return ""
        form = "decimal" if made.legal else levels[at].form
        return _printed(counts.get(at, levels[at].start), form)


def _levels(element: Any) -> dict[int, _Level]:
    return {
        integer(level.get(f"{W}ilvl"), 0): _Level.of(level) for level in element.iterfind(f"{W}lvl")
    }


def _printed(count: int, form: str) -> str:
    """A count as its list writes it; forms that we do not know are written as decimals."""
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{count:02}"
    if form in ("lowerLetter", "upperLetter") and count > 0:
        # After z comes aa, then bb.
        text = chr(97 + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return text if form[0] == "l" else text.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        text = ""
        for size, letters in _ROMAN:
            text += letters * (count // size)
            count %= size
        return text if form[0] == "l" else text.upper()
    if form == "ordinal":
        tail = {1: "st", 2: "nd", 3: "rd"}.get(count % 10 * (count // 10 % 10 != 1), "th")
        return f"{count}{tail}"
    return str(count)
