"""Snippets: the part of a text where the query's words stand closest together.

Worked out from the stored text, not by FTS5's snippet(), which sees the folded one. A word
matches as the index matches it: by the stem of its folded form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate

from .normalise import CJK, fold_letters

SNIPPET_CHARACTERS = 240
_WORD = re.compile(rf"([{CJK}]|[^\W_]+)")
_ASCII_WORD = re.compile(r"([a-z0-9]+)")
_HEADING_MARK = re.compile(r"^#{1,6} +", re.MULTILINE)

Stemmer = Callable[[str], str]


class Highlighter:
    """Finds a query's words in texts. `stem` is the index's tokenizer for one word."""

    def __init__(self, words: Iterable[str], stem: Stemmer) -> None:
        self._stem = stem
        self._stems = {stem(word) for word in words}
        # Porter changes nothing of a word but its end and the letter before.
        self._begins = tuple(stem[: max(1, len(stem) - 1)] for stem in self._stems if stem)
        self._cjk = {char for word in words for char in word if re.match(f"[{CJK}]", char)}

    def matches(self, text: str) -> list[tuple[int, int]]:
        """The (start, end) of each word of the query in `text`."""
        # split() leaves words at odd places and what is between them at even ones; a match object
        # for each of the 1,300 words of ten passages took a millisecond.
        ascii_only = text.isascii()
        parts = _ASCII_WORD.split(text.lower()) if ascii_only else _WORD.split(text)
        found = set(parts[1::2])
        if ascii_only:
            wanted = {
                w for w in found if w.startswith(self._begins) and self._stem(w) in self._stems
            }
        else:
            wanted = {word for word in found if self._is_match(word)}
        if not wanted:
            return []
        ends = list(accumulate(map(len, parts)))
        return [(ends[i - 1], ends[i]) for i in range(1, len(parts), 2) if parts[i] in wanted]

    def _is_match(self, word: str) -> bool:
        folded = fold_letters(word).lower()
        return self._stem(folded) in self._stems or word in self._cjk

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
        words = [text[start:end].lower() for start, end in spans]
        inside: Counter[str] = Counter()
        best, first, last, low = (0, 0), spans[0], spans[0], 0
        for high, (_, end) in enumerate(spans):
            inside[words[high]] += 1
            while end - spans[low][0] > size and low < high:
                inside[words[low]] -= 1
                if not inside[words[low]]:
                    del inside[words[low]]
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
