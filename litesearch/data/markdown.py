"""Markdown: the reader for .md files, front matter, and chunks of plain strings."""

from __future__ import annotations

import json
import re
import warnings
from os import PathLike
from typing import Any

from ..errors import InvalidArgument, InvalidType, LitesearchWarning
from .text import read_text

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.S | re.M)
_TITLE = re.compile(r"^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$", re.M)


def chunk_markdown(text: str, size: int = 4096) -> list[str]:
    """Markdown cut at headings, then paragraphs, sentences and words: pieces of up to `size`.

    Joined in order the pieces are the text. For chunks that know their section use `build_tree`
    and `chunk_tree`.
    """
    from ..blocks import split, units

    if not isinstance(text, str):
        raise InvalidType(f"text is {type(text).__name__}, not str; pass the text itself")
    if size < 1:
        raise InvalidArgument(f"size is {size}; it must be at least 1")

    def measure(start: int, end: int) -> int:
        return end - start

    pieces: list[tuple[int, int]] = []
    for unit in units(text, 0, len(text)):
        heading = text.startswith("#", unit.start)
        full = bool(pieces) and unit.end - pieces[-1][0] > size
        # A heading begins a piece once the one before is half full.
        begins = heading and bool(pieces) and pieces[-1][1] - pieces[-1][0] > size // 2
        if pieces and not full and not begins:
            pieces[-1] = (pieces[-1][0], unit.end)
        else:
            pieces.extend(split(text, unit.start, unit.end, size, measure, unit.kind))
    return [text[start:end] for start, end in pieces]


def front_matter(text: str) -> dict[str, Any]:
    """The YAML head of a markdown text as JSON values (dates become text), {} without one.

    A head that is no YAML mapping gives {} and a LitesearchWarning; it stays in the text.
    """
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}
    import yaml

    try:
        values = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date such as 2024-13-45
        warnings.warn(
            f"The front matter is no YAML and was not read ({error}). Mend it, or pass metadata=.",
            LitesearchWarning,
            stacklevel=2,
        )
        return {}
    if not isinstance(values, dict):
        return {}
    clean = json.dumps({str(key): value for key, value in values.items()}, default=str)
    return dict(json.loads(clean))


def read_markdown(path: str | PathLike[str]) -> tuple[str, str, dict[str, Any]]:
    """A markdown file's text (unchanged), its title ("" without one) and its front matter."""
    text = read_text(path)
    metadata = front_matter(text)
    first = _TITLE.search(text)
    title = str(metadata.get("title") or (first[1] if first else ""))
    return text, title, metadata
