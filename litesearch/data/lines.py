"""From a page's spans to its lines in reading order: baselines, blanks, cells, columns."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

# A gap of this many font sizes parts two cells of a table row. Justified text stretches its blanks
# to about 1 em; the narrowest table gaps of the consolidated EU acts are 1.7 em.
CELL_GAP = 1.6
# Before a raised mark (a footnote's number, an exponent); a code point that no text may hold.
RAISED = "\ufdd0"
_BLANKS = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u3000]+")
# TeX's names for its bold and typewriter faces, which pdf-oxide does not know.
_BOLD = re.compile(r"bold|black|heavy|demi|CMBX|CMB\d|CMSSBX|bx\d|[a-z0-9]xb$|MinionPro-Sb", re.I)
_MONO = re.compile(r"mono(?!type)|courier|typewriter|consol|CM(?:SL|IT|V)?TT|[a-z\d]tt\d*$", re.I)
_TRAILING_NUMBER = re.compile(r"(?<=\S) {4,}(\d{1,4})$")
_DROPPED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")


@dataclass(slots=True)
class Cell:
    """A run of text without a wide gap in it."""

    x0: float
    x1: float
    text: str


@dataclass(slots=True)
class Line:
    """One line of a column: where it stands, how it looks, what it says."""

    y: float
    size: float
    bold: bool
    mono: bool
    cells: list[Cell] = field(default_factory=list)

    @property
    def x0(self) -> float:
        return self.cells[0].x0

    @property
    def x1(self) -> float:
        return self.cells[-1].x1

    @property
    def text(self) -> str:
        if len(self.cells) == 1:
            return self.cells[0].text
        return " ".join([cell.text for cell in self.cells])


@dataclass(slots=True)
class _Piece:
    """A span, with the fields that layout needs read out of the extension object once."""

    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    mono: bool
    text: str
    order: int = 0


def _close_spaced(row: list[_Piece], chars: Callable[[], list[Any]]) -> None:
    """Make a letterspaced row one piece of words: the wider gaps part them, which spans lost."""
    tokens = [token for piece in row for token in piece.text.split()]
    if len(tokens) < 5 or sum(len(token) == 1 for token in tokens) < 0.8 * len(tokens):
        return
    first = min(row, key=lambda piece: piece.x0)
    x0, x1 = first.x0, max(piece.x1 for piece in row)
    letters = sorted(
        (
            (c.bbox[0], c.bbox[0] + c.bbox[2], c.char)
            for c in chars()
            if abs(c.bbox[1] - first.y) < 1 and x0 - 1 <= c.bbox[0] < x1 and not c.char.isspace()
        ),
        key=lambda letter: letter[0],
    )
    gaps = [two[0] - one[1] for one, two in itertools.pairwise(letters)]
    if "".join(tokens) != "".join(letter[2] for letter in letters):
        return
    usual = sorted(gaps)[len(gaps) // 2]
    words = letters[0][2]
    for gap, letter in zip(gaps, letters[1:], strict=True):
        words += (" " if gap > 1.8 * usual else "") + letter[2]
    row[:] = [replace(first, x1=x1, text=words)]


@cache
def _face(font: str) -> tuple[bool, bool]:
    """Whether a font's name says that it is bold, and that its letters are of one width."""
    name = font.partition("+")[2] or font
    return bool(_BOLD.search(name)), bool(_MONO.search(name))


def _pieces(spans: Iterable[Any]) -> tuple[list[_Piece], list[str]]:
    """The spans with text, and apart from them the texts that run up or down the page."""
    pieces: list[_Piece] = []
    turned: list[str] = []
    for span in spans:
        text = _DROPPED.sub("", span.text)
        if text and not text.isspace():
            x, y, width, height = span.bbox
            size = span.font_size or height
            if height > 3 * size and height > 2 * width:
                turned.append(text.strip())
                continue
            bold, mono = _face(span.font_name)
            bold, mono = bold or span.is_bold, mono or span.is_monospace
            pieces.append(_Piece(x, x + width, y, size, bold, mono, text, span.sequence))
    # The order in which the file draws them: a table cell's lines are drawn one after another, so
    # two pieces side by side that are not neighbours in it stand in two cells.
    for rank, piece in enumerate(sorted(pieces, key=lambda piece: piece.order)):
        piece.order = rank
    return pieces, turned


def _baselines(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Pieces that stand on one baseline, top first. Raised and lowered marks join their line."""
    pieces.sort(key=lambda piece: (-piece.y, piece.x0))
    rows: list[list[_Piece]] = []
    base = size = 0.0
    for piece in pieces:
        # 0.45 em: superscripts rise 0.33-0.4 em, and no line pitch is under 0.9 em.
        if rows and abs(base - piece.y) <= 0.45 * max(size, piece.size):
            rows[-1].append(piece)
            if piece.size > size:
                base, size = piece.y, piece.size
        else:
            rows.append([piece])
            base, size = piece.y, piece.size
    return rows


def _line(row: list[_Piece]) -> Line:
    row.sort(key=lambda piece: piece.x0)
    weight: Counter[tuple[float, bool, bool]] = Counter()
    cells: list[Cell] = []
    order = -1
    base = max(row, key=lambda piece: piece.size)
    for piece in row:
        letters = len(piece.text.strip())
        weight[(round(piece.size, 1), piece.bold, piece.mono)] += letters
        text = piece.text
        if cells and piece.size < 0.85 * base.size and _is_mark(cells[-1].text, piece, base):
            text = RAISED + text
        if cells:
            last = cells[-1]
            gap = piece.x0 - last.x1
            limit = CELL_GAP if piece.order == order + 1 else 0.5
            order = piece.order
            if gap <= limit * piece.size:
                if gap > 0.12 * piece.size and not last.text.endswith(" "):
                    last.text += " "
                last.text += text
                last.x1 = max(last.x1, piece.x1)
                continue
        order = piece.order
        cells.append(Cell(piece.x0, piece.x1, text))
    _split_last(cells)
    for cell in cells:
        cell.text = _BLANKS.sub(" ", cell.text).strip()
    total = sum(weight.values())
    size = max(weight, key=weight.__getitem__)[0]
    # Names in typewriter letters within a bold heading ("5.1 Using dpkg") are seldom bold as well.
    strong = sum(count for key, count in weight.items() if key[1])
    plain = sum(count for key, count in weight.items() if not key[1] and not key[2])
    bold = strong > 0 and (strong >= 0.9 * total or (row[0].bold and plain <= 0.1 * total))
    mono = sum(count for key, count in weight.items() if key[2]) >= 0.9 * total
    return Line(base.y, size, bold, mono, cells)


def _split_last(cells: list[Cell]) -> None:
    """In typewriter type a contents entry's page number is parted by blanks within one span."""
    last = cells[-1]
    if last.text[-1:].isdigit() and (found := _TRAILING_NUMBER.search(last.text)):
        at = last.x1 - (last.x1 - last.x0) * (len(last.text) - found.start(1)) / len(last.text)
        cells.append(Cell(at, last.x1, found[1]))
        last.text, last.x1 = last.text[: found.start()], at


def _is_mark(before: str, piece: _Piece, base: _Piece) -> bool:
    """An exponent or a footnote's mark, by its place or, where the file hides that, its digits.

    "10" + "18" and "risk" + "7" are; the 2 of "CO2" is not.
    """
    if piece.y > base.y + 0.1 * base.size:
        return True
    return piece.text.strip().isdigit() and bool(re.search(r"\d$|[^\W\d_]{3}[.,;:]?$", before))


def _gutter(rows: Sequence[list[_Piece]]) -> tuple[float, float] | None:
    """The white strip between two columns of running text, or None.

    A table has such a strip too. Running text fills its column: at least 60 % of the lines on
    both sides reach 75 % of the width, which no table of the sample acts does.
    """
    if len(rows) < 4:
        return None
    left = min(piece.x0 for row in rows for piece in row)
    right = max(piece.x1 for row in rows for piece in row)
    middle, reach = (left + right) / 2, (right - left) * 0.15
    gaps: Counter[int] = Counter()
    for row in rows:
        ordered = sorted(row, key=lambda piece: piece.x0)
        for one, two in itertools.pairwise(ordered):
            if two.x0 - one.x1 > one.size:
                for position in range(int(one.x1) + 1, int(two.x0)):
                    if abs(position - middle) < reach:
                        gaps[position] += 1
    if not gaps:
        return None
    best, count = gaps.most_common(1)[0]
    if count < max(4, 0.3 * len(rows)):
        return None
    strip = [position for position, seen in gaps.items() if seen >= 0.9 * count]
    low, high = float(min(strip)), float(max(strip))
    for side in (-1, 1):
        widths = []
        for row in rows:
            half = [p for p in row if (p.x1 <= best if side < 0 else p.x0 >= best)]
            if half and not any(p.x0 < best < p.x1 for p in row):
                widths.append(max(p.x1 for p in half) - min(p.x0 for p in half))
        if len(widths) < 4:
            return None
        full = sorted(widths)[int(len(widths) * 0.9)]
        if sum(width >= 0.75 * full for width in widths) < 0.6 * len(widths) or full < 60:
            return None
    return low, high


def page_lines(
    spans: Iterable[Any], chars: Callable[[], list[Any]] | None = None
) -> list[list[Line]]:
    """The page's text flows, each a list of lines from top to bottom, in reading order.

    `chars` gives the page's single characters; it is called only for letterspaced words.
    """
    pieces, turned = _pieces(spans)
    rows = _baselines(pieces)
    if chars is not None:
        for row in rows:
            if len(row[0].text) < 3 or row[0].text[1] == " ":
                _close_spaced(row, chars)
    aside = [[Line(0.0, 1.0, False, False, [Cell(0.0, 1.0, text)])] for text in turned]
    gutter = _gutter(rows)
    if gutter is None:
        return [[_line(row) for row in rows], *aside] if rows else aside
    return _two_columns(rows, gutter) + aside


def _two_columns(rows: Sequence[list[_Piece]], gutter: tuple[float, float]) -> list[list[Line]]:
    """Left column, then right; a line over both ends the columns above it."""
    low, high = gutter
    flows: list[list[Line]] = []
    whole: list[Line] = []
    sides: tuple[list[Line], list[Line]] = ([], [])

    def flush() -> None:
        flows.extend(flow for flow in (whole[:], sides[0][:], sides[1][:]) if flow)
        for flow in (whole, *sides):
            flow.clear()

    for row in rows:
        if any(piece.x0 < low and piece.x1 > high for piece in row):
            if sides[0] or sides[1]:
                flush()
            whole.append(_line(row))
            continue
        for side, flow in enumerate(sides):
            half = [piece for piece in row if (piece.x0 >= low) == bool(side)]
            if half:
                flow.append(_line(half))
    flush()
    return flows
