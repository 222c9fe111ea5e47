"""What searches return: dicts that answer to attributes, and lists that say how they came about."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from fastcore.basics import AttrDict


def printable(text: str) -> str:
    """`text` with "?" for what standard output cannot show: print() of a hit must not raise."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if text.isascii() or encoding.lower() in ("utf-8", "utf8"):
        return text
    return text.encode(encoding, "replace").decode(encoding)


class Record(AttrDict):
    """A dict whose keys are also attributes, printed as one readable line."""

    def _line(self) -> str:
        """The record as one line."""
        return ", ".join(f"{key}: {value}" for key, value in self.items())

    def __str__(self) -> str:
        return printable(self._line())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Hit(Record):
    """One result of doc_search: a passage, and where it stands.

    rank, score, content, snippet, heading ("A > B"), path (["A", "B"]), node_id, page, page_end,
    doc_id, title and source of the document, char_start and char_end in its text, first_id and
    last_id of its chunks, chunks (how many hits it joins), legs ({leg: rank in that leg}).
    """

    def _line(self) -> str:
        """`1. 0.545 Heading (p. 3, Document): snippet`"""
        where = self.heading or self.title
        return (
            f"{self.rank}. {self.score:.3f} {where} (p. {self.page}, {self.title}): {self.snippet}"
        )


class Section(Record):
    """One result of sections: a whole section.

    rank, score, node_id, section (its heading), title (of the document), heading, path, page,
    page_end, text (the subtree, cut at 12,000 characters: then `truncated` is true and read()
    has all of it), snippets (the texts of its best chunks, best first), snippet, chunks, legs.
    """

    def _line(self) -> str:
        """`1. 0.545 Heading (p. 3, Document): snippet`"""
        where = self.heading or self.title
        return (
            f"{self.rank}. {self.score:.3f} {where} (p. {self.page}, {self.title}): {self.snippet}"
        )


class Results(list[Any]):
    """A list of hits. `legs` are the legs that answered, `notes` what a reader should know:
    a leg that could not run, a query that was cut, a limit that was reached."""

    def __init__(
        self, hits: Iterable[Any] = (), legs: Sequence[str] = (), notes: Sequence[str] = ()
    ) -> None:
        super().__init__(hits)
        self.legs = tuple(legs)
        self.notes = tuple(notes)

    def __str__(self) -> str:
        return "\n".join([*map(str, self), *(f"note: {note}" for note in self.notes)])
