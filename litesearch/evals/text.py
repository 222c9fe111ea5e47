"""Known items: is the sentence in this text?"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HYPHEN = re.compile(r"(?<=\w)[\u00ad\u2010\u2011-]\s*(?=\w)")
_WORD = re.compile(r"[^\W_]+")
_MARGIN_MARK = re.compile(r"[a-z]\d{1,3}")  # M1: a mark of the page's margin, not of the sentence


def text_hit(sentence: str, text: str, strict: bool = False) -> bool:
    """Whether `text` holds `sentence`: what a known-item search asks of a result.

    Strict: as printed, but for case and white space. Lenient: all the sentence's words (letters
    and digits; hyphens ignored, also at line ends) stand there in their order, and the text may
    have a few more words between them, 4 and one for each ten of the sentence's, never more than
    half as many. Sentences cut from a PDF's text layer miss pieces of lines that the page has.

    Of 175 sentences of legislation against 3,181 passages, lenient finds the 5 that strict misses,
    and one passage too many: the same provision in another act, with four words more. So where
    the collection has a sentence as printed, ask strictly.
    """
    if _folded(sentence) in _folded(text):
        return True
    if strict:
        return False
    wanted, words = _words(sentence), _words(text)
    if len(wanted) > 1 and _MARGIN_MARK.fullmatch(wanted[0]):
        wanted = wanted[1:]
    if not wanted:
        return False
    spare = min(4 + len(wanted) // 10, len(wanted) // 2)
    starts = [at for at, word in enumerate(words) if word == wanted[0]]
    return any(_stands(wanted, words, start, spare) for start in starts)


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _words(text: str) -> list[str]:
    return _WORD.findall(_HYPHEN.sub("", text.lower()))


def _stands(wanted: Sequence[str], words: Sequence[str], start: int, spare: int) -> bool:
    """Whether `wanted` is found in order from words[start] on, with at most `spare` others inside.

    From a fixed start, taking each word where it first comes ends as early as can be.
    """
    at, end = start, min(len(words), start + len(wanted) + spare)
    for word in wanted:
        while at < end and words[at] != word:
            at += 1
        if at == end:
            return False
        at += 1
    return True
