"""reStructuredText: the text is the source itself, its sections by their title lines.

The rules are those of docutils, which is not needed to read a file: on the 51 files of the Debian
policy, the developer's reference and the Python tutorial both give the same titles and levels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ..headings import title_label
from ..records import Document, Heading
from .content import FileContent, FilePath
from .text import read_text

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_EXPLICIT = re.compile(r"(?:\.\.|__)(?:[ \t]|$)")
_FIELD = re.compile(r":(?![: ])(?:[^:\\]|\\.|:(?!(?:[ ]|$)))*:(?:[ \t]+|$)")
_TABLE = re.compile(r"=+(?: +=+)+|\+-[-+]+-\+")
_ITEM = re.compile(r"[-*+•‣⁃|](?:[ \t]+|$)")
_NUMBERED_ITEM = re.compile(r"\(?(?:\d+|[A-Za-z]|[ivxlcdmIVXLCDM]+|#)[.)](?:[ \t]+|$)")
_ROLE = re.compile(r":[\w.:+-]+:`((?:[^`\\]|\\.)+)`|`((?:[^`\\]|\\.)+)`(?:__?|:[\w.:+-]+:)?")
_TARGET = re.compile(r"(.+?)\s*<[^<>]+>", re.S)
_MARKS = re.compile(r"(?<![\w*])(\*\*|\*|\|)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def read_rst(path: FilePath) -> FileContent:
    """An .rst file. Directives, roles and comments stay in the text as they are written."""
    text = read_text(path)
    headings = tuple(rst_headings(text))
    top = [heading for heading in headings if heading.level == 1]
    return FileContent(
        "rst", Document(text, headings=headings), top[0].title if len(top) == 1 else ""
    )


def rst_headings(text: str) -> Iterator[Heading]:
    """Section titles in the order of the text; a level is a style of line, in order of first use.

    A style that comes where docutils calls the level inconsistent counts as one level deeper.
    """
    styles: list[str] = []
    for start, end, style, words in _titles(text):
        if style not in styles:
            styles.append(style)
        title = title_words(words)
        level = styles.index(style) + 1
        yield Heading(start, end, level, title, title_label(title), "heading")


def title_words(text: str) -> str:
    """A title without its markup: :ref:`The rules <rules>` is "The rules"."""
    parts = []
    for index, part in enumerate(re.split(r"(``.+?``)", text)):
        if index % 2:
            parts.append(part[2:-2])
        else:
            part = _ROLE.sub(_role, part)
            parts.append(re.sub(r"\\(?:\s|(.))", r"\1", _MARKS.sub(r"\2", part)))
    return " ".join("".join(parts).split())


def _role(found: re.Match[str]) -> str:
    words = found[1] or found[2]
    target = _TARGET.fullmatch(words)
    if target:
        return target[1]
    # Sphinx: "!" says no link, "~" the last part of the name only.
    return words.rpartition(".")[2] if found[1] and words[0] == "~" else words.lstrip("!")


def _titles(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, style and words of each title."""
    lines = [(found.start(), found[0].rstrip()) for found in _LINE.finditer(text) if found[0]]
    lines += [(len(text), ""), (len(text), "")]
    index = 0
    while index < len(lines) - 2:
        (start, first), (_, second), (end, third) = lines[index], lines[index + 1], lines[index + 2]
        if not first or first[0].isspace():
            index += 1
        elif _is_rule(first):
            under = _is_rule(third) and third[0] == first[0] and not _is_rule(second)
            if under and second and _fits(second.strip(), first) and len(first) == len(third):
                yield start, end + len(third), first[0] * 2, second.strip()
                index += 3
            else:
                index = _past_rule(lines, index, second)
        elif _is_rule(second) and _fits(first, second) and not _opens_other(first, second):
            yield start, lines[index + 1][0] + len(second), second[0], first
            index += 2
        else:
            index = _past_block(lines, index)


def _is_rule(line: str) -> bool:
    return bool(_RULE.fullmatch(line))


def _fits(title: str, rule: str) -> bool:
    """A shorter line is a title's from 4 characters on."""
    return len(rule) >= 4 or _width(title) <= len(rule)


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(bool(unicodedata.combining(char)) for char in text)


def _past_rule(lines: list[tuple[int, str]], index: int, second: str) -> int:
    """The line after a rule that is no title's; what docutils calls malformed is passed over."""
    if len(lines[index][1]) < 4:
        return _past_block(lines, index)
    return index + (3 if second and not _is_rule(second) else 2 if second else 1)


def _opens_other(line: str, following: str) -> bool:
    """Whether docutils takes the line for a list item, field, table or explicit markup first.

    "1. Scope" is an item only before a blank or indented line or another item.
    """
    if any(form.match(line) for form in (_EXPLICIT, _ITEM, _FIELD)) or _TABLE.fullmatch(line):
        return True
    goes_on = not following or following[0].isspace() or _NUMBERED_ITEM.match(following)
    return bool(goes_on and _NUMBERED_ITEM.match(line))


def _past_block(lines: list[tuple[int, str]], index: int) -> int:
    """The line after a paragraph or an element with its indented body."""
    first, second = lines[index][1], lines[index + 1][1]
    if _TABLE.fullmatch(first):
        for end in range(index + 1, len(lines) - 1):
            if _TABLE.fullmatch(lines[end][1]) and not lines[end + 1][1]:
                return end + 1
    # A paragraph goes on to a blank line; these end with the first line that is not indented.
    explicit = _opens_other(first, second) or second[:1].isspace()
    index += 1
    while index < len(lines) - 2:
        line = lines[index][1]
        if not line or (explicit and not line[0].isspace()):
            break
        index += 1
    return index
