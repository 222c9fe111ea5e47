"""Snippets: the part of a text where the query's words stand closest together.

Worked out from the stored text, not by FTS5's snippet(), which sees the folded one. A word
matches as the index matches it: by the stem of its folded form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from .normalise import CJK, fold_letters

SNIPPET_CHARACTERS = 240
_WORD = re.compile(rf"[{CJK}]|[^\W_]+")
_HEADING_MARK = re.compile(r"^#{1,6} +", re.MULTILINE)
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f]")

Stemmer = Callable[[str], str]


class Highlighter:
    """Finds a query's words in texts. `stem` is the index's tokenizer for one word."""

    def __init__(self, words: Iterable[str], stem: Stemmer) -> None:
        self._stem = stem
        self._stems = {stem(word) for word in words}
        self._cjk = {char for word in words for char in word if re.match(f"[{CJK}]", char)}
        # Only words that begin as a stem does are looked at; all 1,300 of a query's passages took
        # as long as the search. Porter changes nothing of a word but its end and the letter before.
        begins = sorted({re.escape(stem[: max(2, len(stem) - 1)]) for stem in self._stems if stem})
        some = rf"\b(?:{'|'.join(begins)})[^\W_]*" if begins else r"(?!)"
        self._ascii = re.compile(some, re.IGNORECASE | re.ASCII)
        self._known: dict[str, bool] = {}

    def matches(self, text: str) -> list[tuple[int, int]]:
        """The (start, end) of each word of the query in `text`."""
        if not self._stems:
            return []
        pattern = _WORD if _FOREIGN_LETTER.search(text) else self._ascii
        return [m.span() for m in pattern.finditer(text) if self._is_match(m[0])]

    def _is_match(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = word in self._cjk or self._stem(fold_letters(word).lower()) in self._stems
            self._known[word] = known
        return known

    def snippet(self, text: str, size: int = SNIPPET_CHARACTERS) -> str:
        """At most about `size` characters round the densest matches, on one line.

        "..." marks what was cut; the marks of markdown headings are left out. Without a match, the
        beginning of the text.
        """
        text = _HEADING_MARK.sub("", text)
        if len(text) <= size:
            return " ".join(text.split())
        start = self._densest(text, size)
        return _window(text, start, size)

    def _densest(self, text: str, size: int) -> int:
        """Where to begin: the window with the most different matched words, centred on them."""
        spans = self.matches(text)
        if not spans:
            return 0
        inside: Counter[str] = Counter()
        best, first, last, low = (0, 0), spans[0], spans[0], 0
        for high, (start, end) in enumerate(spans):
            inside[text[start:end].lower()] += 1
            while end - spans[low][0] > size and low < high:
                gone = text[slice(*spans[low])].lower()
                inside[gone] -= 1
                if not inside[gone]:
                    del inside[gone]
                low += 1
            score = (len(inside), high - low)
            if score > best:
                best, first, last = score, spans[low], spans[high]
        centre = (first[0] + last[1]) // 2
        return max(0, min(centre - size // 2, len(text) - size))


def _window(text: str, start: int, size: int) -> str:
    end = min(len(text), start + size)
    if start > 0:  # to the beginning of a word, not more than 20 characters on
        blank = re.compile(r"\s").search(text, start - 1, start + 20)
        start = blank.end() if blank else start
    if end < len(text):
        cut = max(text.rfind(" ", end - 20, end), text.rfind("\n", end - 20, end))
        end = cut if cut > start else end
    piece = " ".join(text[start:end].split())
    return ("..." if start > 0 else "") + piece + ("..." if end < len(text) else "")
