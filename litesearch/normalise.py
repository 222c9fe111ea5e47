"""One normalisation for what is indexed and what is asked.

FTS5's unicode61 folds case and accents, but it makes one token of a run of Chinese, Japanese or
Korean, splits words at soft hyphens, and folds neither ligatures, full-width forms nor letters
that do not decompose. `fold` does that before the tokenizer sees the text.
"""

from __future__ import annotations

import re
import unicodedata

# Kana, Han with extension A and the compatibility block, hangul: as in the views (sql/stages.py).
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{CJK}]+")
# Letters with a stroke or of two kinds have no decomposition; these are what people type instead.
_LETTERS = {
    "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ŧ": "t",
    "Ŧ": "T", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i",
    "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th",
}  # fmt: skip
_IGNORED = "\u00ad\u200b\u200c\u200d\u2060\ufeff"  # soft hyphen, zero-width blanks and joiners


class _Folding(dict[int, str]):
    """A translation table that works out each character once, on first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in _IGNORED:
            folded = ""
        elif char in _LETTERS:
            folded = _LETTERS[char]
        elif unicodedata.category(char)[0] in "LN":
            folded = unicodedata.normalize("NFKC", char)
        else:
            folded = char  # punctuation only separates words: no need to store it twice
        self[code] = folded
        return folded


_FOLDING = _Folding()


def _bigrams(run: re.Match[str]) -> str:
    """Overlapping bigrams and the last character, so that any part of the run is a phrase."""
    text = run[0]
    return " " + " ".join(text[i : i + 2] for i in range(len(text))) + " "


def fold_letters(text: str) -> str:
    """`text` with compatibility forms, ligatures and letters like ø as plain letters."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).translate(_FOLDING)


def fold(text: str) -> str:
    """`text` as the keyword index sees it: folded letters, and CJK runs as bigrams."""
    if text.isascii():
        return text
    return _CJK_RUN.sub(_bigrams, fold_letters(text))


def words(text: str) -> list[str]:
    """The words of a query, folded and lower case, in order. CJK runs become bigrams.

    A word is what unicode61 takes as a token: letters, numbers and private-use characters, with
    the combining marks that follow them. A single CJK character stays alone; see `is_single`.
    """
    folded = fold_letters(text).lower()
    if folded.isascii():
        return _ASCII_WORD.findall(folded)
    found: list[str] = []
    for run in _tokens(folded):
        for piece in _PIECES.findall(run):
            if _CJK_RUN.fullmatch(piece) and len(piece) > 1:
                found += [piece[i : i + 2] for i in range(len(piece) - 1)]
            else:
                found.append(piece)
    return found


_ASCII_WORD = re.compile(r"[a-z0-9]+")
_PIECES = re.compile(f"[{CJK}]+|[^{CJK}]+")


def _tokens(text: str) -> list[str]:
    kept = []
    inside = False
    for char in text:
        category = unicodedata.category(char)
        inside = category[0] in "LN" or category == "Co" or (inside and category[0] == "M")
        kept.append(char if inside else " ")
    return "".join(kept).split()


def is_single(word: str) -> bool:
    """True for one lone CJK character, which is asked for as a prefix of the bigrams."""
    return len(word) == 1 and _CJK_RUN.fullmatch(word) is not None
