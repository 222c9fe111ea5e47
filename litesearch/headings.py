"""Where a document's headings stand: by markdown marks, or by their words and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from .captions import captions_are_outer, with_captions
from .clauses import clause_depth, clause_marks, numbered_marks
from .modes import RUNGS, ladder
from .numbering import Mark, increasing, keyword_marks
from .profiles import Profile
from .records import Heading

_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+([^\n]*?))?(?:[ \t]+#+)?[ \t]*$", re.M)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*$", re.M)
_ARROWS = re.compile(r"[►▼]\s?[A-Z]{1,2}\d*\s*|\s*◄")
_FOOTNOTE_MARK = re.compile(
    r"(?:(?:(?<=[\w.)])|\s+)[*†‡∗§]+|\s\(\s?\d{1,3}\s?\)|\s?[¹²³⁴⁵⁶⁷⁸⁹⁰]+)$"
)
_EMPHASIS = re.compile(r"(\*\*|__|`|\*)(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_LABEL = re.compile(
    r"(?i:(?:article|section|chapter|part|title|annex|appendix|schedule|sec\.|§)\s*)"
    r"(?:\d[\w.]*|[IVXLCDM]+[a-z]?|[A-Z])\b|\d+(?:\.\d+)*(?=\.?\s)|[A-Z](?:\.\d+)+(?=\.?\s)"
)
_LIST_LINE = re.compile(r"(?:\(\w{1,5}\)|\d{1,3}[.)]|[•‣▪●○■–—*|-])(?:\s|$)|```|~~~")
_SENTENCE_TAIL = (".", ";", ":", ",")
_NEXT_LINE = re.compile(r"\s*(?:▼\s?[A-Z]{1,2}\d*\s+)?")
_CONTENTS = re.compile(r"^[ \t]*(?:#+[ \t]+)?(?:TABLE OF )?CONTENTS?[ \t]*$", re.M | re.I)


def clean_title(text: str, source: bool = False) -> str:
    """A heading's words without markup and, unless they are of a `source` that says what is what,
    without footnote marks and amendment arrows: "Cases (21)" stays as its author wrote it.
    """
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text))
    if source:
        return " ".join(text.split())
    text = " ".join(_ARROWS.sub(" ", text).split())
    return _FOOTNOTE_MARK.sub("", text).strip()


def title_label(title: str) -> str:
    """The number that a title begins with, as printed; "" without one."""
    found = _LABEL.match(title)
    return found[0].rstrip(".") if found else ""


def markdown_headings(text: str, source: bool) -> list[Heading]:
    """Headings by their marks. `source`: real markdown, read as CommonMark says."""
    marks = _commonmark(text) if source else _hash_lines(text)
    headings = []
    for start, end, level, words in marks:
        title = clean_title(words, source)
        named = [] if source else keyword_marks(title)
        kind = named[0].kind if named else "heading"
        headings.append(Heading(start, end, level, title, title_label(title), kind))
    return headings if source else _without_entries(headings)


def _without_entries(headings: list[Heading]) -> list[Heading]:
    """Without the entries of a contents page: after its heading, those that come again later."""
    names = [re.sub(r"[\W_]+|[\d\s.]+$", "", heading.title).casefold() for heading in headings]
    start = next(
        (i for i, name in enumerate(names) if name in ("contents", "tableofcontents")), None
    )
    if start is None:
        return headings
    last = {name: index for index, name in enumerate(names)}
    dropped: set[int] = set()
    missed = 0
    for index in range(start + 1, len(headings)):
        again = last[names[index]] > index
        missed = 0 if again else missed + 1
        if missed > 2:
            break
        if again:
            dropped.add(index)
    return [heading for index, heading in enumerate(headings) if index not in dropped]


def _hash_lines(text: str) -> Iterator[tuple[int, int, int, str]]:
    inside = _fenced(text)
    for found in _ATX.finditer(text):
        if found[2] and not any(low <= found.start() < high for low, high in inside):
            yield found.start(), found.end(), len(found[1]), found[2]


def _fenced(text: str) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    opened: tuple[str, int] | None = None
    for found in _FENCE.finditer(text):
        if opened is None:
            opened = found[1], found.start()
        elif found[1].startswith(opened[0]):
            ranges.append((opened[1], found.end()))
            opened = None
    return ranges


def _commonmark(text: str) -> Iterator[tuple[int, int, int, str]]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    offsets = [0]
    offsets += [found.end() for found in re.finditer(r"\r\n|\n|\r", text)]
    offsets.append(len(text))
    tokens = parser.parse(_without_front_matter(text))
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, last = token.map
            start, end = offsets[first], offsets[min(last, len(offsets) - 1)]
            start += len(text[start:end]) - len(text[start:end].lstrip("\ufeff").lstrip())
            yield start, end, int(token.tag[1]), inline.content


def _without_front_matter(text: str) -> str:
    """The same number of lines, those of YAML front matter blank."""
    found = re.match(
        r"\ufeff?---[ \t]*\r?\n(.*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", text, re.S
    )
    if not found:
        return text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text
    return re.sub(r"[^\r\n]", " ", found[0]) + text[found.end() :]


def chapter_headings(
    text: str, profile: Profile, marked: Sequence[tuple[int, int]] = ()
) -> tuple[list[Heading], dict[str, int]]:
    """Headings by their words and numbers, and the level of each kind.

    `marked`: lines that look like headings, which among clauses are captions.
    """
    marks = _in_sequence(_outside_contents(text, keyword_marks(text)))
    levels = ladder([mark.kind for mark in marks], profile.ladder)
    marks = [mark for mark in marks if mark.kind in levels]
    articles = sum(mark.kind == "article" for mark in marks)
    if profile.numbered == "clauses":
        marks = clause_marks(text, marks)
        marks = with_captions(text, marks, [start for start, _ in marked])
    elif profile.numbered == "titles" and articles < 3:
        marks = numbered_marks(text, marks)
    headings = []
    starts = [*(mark.start for mark in marks), len(text)][1:]
    cover = _is_cover(text, marks)
    for mark, following, level in zip(marks, starts, _levels(marks, levels, cover), strict=True):
        end, words = mark.end, mark.rest
        printed = text[mark.start : mark.end].lstrip("# \t")
        if mark.kind == "caption":
            printed = words
        elif mark.kind == "numbered":
            printed = printed.strip("*") if words else mark.label
        elif not clean_title(words):
            end, words = _subtitle(text, mark, following)
            printed = f"{mark.label} {words}"
        headings.append(
            Heading(mark.start, end, level, clean_title(printed), mark.label, mark.kind)
        )
    return headings, levels


def _is_cover(text: str, marks: Sequence[Mark]) -> bool:
    """Whether the first mark is the label of the whole document: "Exhibit 10.1" of a filing."""
    return len(marks) > 1 and marks[0].kind == "annex" and not text[: marks[0].start].strip()


def _levels(marks: Sequence[Mark], levels: dict[str, int], cover: bool) -> list[int]:
    """Each mark's level; a cover's holds nothing, being as deep as what follows it."""
    base = max(levels.values(), default=0)
    captions = captions_are_outer(marks)
    found: list[int] = []
    in_annex = False
    for index, mark in enumerate(marks):
        if mark.kind == "caption":
            level = base + 1
        elif mark.kind == "numbered":
            level = base + captions + clause_depth(mark.label)
        else:
            level = levels[mark.kind]
            if mark.kind in ("annex", "title"):
                in_annex = mark.kind == "annex"
            elif mark.kind == "part" and in_annex:
                level += 1
        if cover and index == 0:
            in_annex = False
        found.append(level)
    if cover:
        found[0] = max(found[0], min(found[1], base + 1))
    return found


def _in_sequence(marks: Sequence[Mark]) -> list[Mark]:
    """Articles in the order of their numbers; the others as they are.

    Inside an annex only a count of its own, from 1, is one; the rest there are references.
    """
    scopes: list[list[Mark]] = [[]]
    for mark in marks:
        if mark.kind == "annex":
            scopes.append([])
        elif mark.kind == "article":
            scopes[-1].append(mark)
    kept: set[Mark] = set()
    for index, scope in enumerate(scopes):
        found = increasing(scope)
        if index == 0 or (len(found) > 1 and found[0].number[:1] == (1,)):
            kept.update(found)
    return [mark for mark in marks if mark.kind != "article" or mark in kept]


def _outside_contents(text: str, marks: list[Mark]) -> list[Mark]:
    """Without the entries of a printed table of contents.

    They have no text below them. The first heading with text ends them, with the headings right
    above that contain it ("TITLE I", "CHAPTER 1", then "Article 1" and its text).
    """
    kept = marks
    # A few lists (of contents, of tables) at most; a file of such lines took 7 s without the limit.
    for found in islice(_CONTENTS.finditer(text), 5):
        after = [mark for mark in kept if mark.start >= found.end()]
        ends = [mark.start for mark in after[1:]] + [len(text)]
        full = next((i for i, mark in enumerate(after) if _has_text(text[mark.end : ends[i]])), -1)
        while full > 0 and RUNGS[after[full - 1].kind] < RUNGS[after[full].kind]:
            full -= 1
        if full > 1:
            dropped = set(after[:full])
            kept = [mark for mark in kept if mark not in dropped]
    return kept


def _has_text(between: str) -> bool:
    """Whether there is a sentence among these lines, outside of tables."""
    return any(
        len(line) > 400 or (len(line) >= 50 and line.rstrip().endswith(_SENTENCE_TAIL))
        for line in between.split("\n")
        if not line.startswith("|")
    )


def _subtitle(text: str, mark: Mark, following: int) -> tuple[int, str]:
    """The line after a bare label, where it reads as the label's title."""
    found = _NEXT_LINE.match(text, mark.end, following)
    at = found.end() if found else mark.end
    if at >= following:
        return mark.end, ""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    line = text[at:end].strip()
    limit = 200 if mark.kind == "article" else 300
    if len(line) > limit or _LIST_LINE.match(line) or line.endswith(_SENTENCE_TAIL):
        return mark.end, ""
    if mark.kind == "article" and not (line[0].isupper() or line[0] in "‘“'\"►"):
        return mark.end, ""
    return end, line
