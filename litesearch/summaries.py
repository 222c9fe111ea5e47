"""A section in a sentence: `nodes.summary`, unless a function of the caller's makes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .errors import EncodeError
from .terms.keys import own_texts
from .tree import Tree

SUMMARY_CHARACTERS = 240
_SENTENCE = re.compile(r"(?<=[.!?;:])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])")
_MARKUP = re.compile(r"^[ \t]*(?:[#>|*-]+[ \t]*)+", re.M)
_NUMBER = re.compile(r"^\s*(?:\(?\w{1,3}[.)]\s+)+")
_ARROWS = re.compile(r"[▼►]\s?[A-Z]{1,2}\d*|◄")

SummaryFunction = Callable[[str, str], str]


def summaries(tree: Tree, summary_fn: SummaryFunction | None = None) -> list[str | None]:
    """A summary for each node, None where there is nothing to say.

    `summary_fn(title, text)` is asked for every node with text, children included. Without it the
    summary is extractive: the lead of the section's own text, in whole sentences up to about 240
    characters, the baseline that news summarisers are measured against; for a section that only
    holds others, their titles. Raises EncodeError when the function fails or gives no str.
    """
    if summary_fn is not None:
        return [_asked(tree, seq, summary_fn) for seq in range(len(tree))]
    children: list[list[str]] = [[] for _ in tree]
    for node in tree:
        if node.parent is not None:
            children[node.parent].append(node.title)
    text = tree.document.text
    found: list[str | None] = []
    for node, (start, end) in zip(tree, own_texts(tree), strict=True):
        own = text[start : min(end, start + 4 * SUMMARY_CHARACTERS)]
        if node.parent is not None:
            own = _without_heading(own, node.title)
        found.append(_lead(own) or _titles(children[node.seq]))
    return found


def _asked(tree: Tree, seq: int, summary_fn: SummaryFunction) -> str | None:
    text = tree.text(seq).strip()
    if not text:
        return None
    try:
        made = summary_fn(tree[seq].title, text)
    except Exception as error:  # a caller's function may fail in any way
        raise EncodeError(
            f"summary_fn failed on {tree[seq].title!r} ({type(error).__name__}: {error}). Mend it,"
            " or leave it out; nothing of the document was stored."
        ) from error
    if not isinstance(made, str):
        raise EncodeError(
            f"summary_fn gave {type(made).__name__} for {tree[seq].title!r}, not str. Return the"
            " summary's text."
        )
    if any("\ud800" <= char <= "\udfff" for char in made):
        raise EncodeError(
            f"summary_fn gave a lone surrogate for {tree[seq].title!r}. Return text that is UTF-8."
        )
    return made or None


def _without_heading(own: str, title: str) -> str:
    """The text after the heading, whose title may take two lines ("Article 5", "Scope") or begin a
    line of text ("4.2 Payment. The Buyer ...").
    """
    letters = re.sub(r"\W", "", title).casefold()
    lines = own.split("\n")
    for index, line in enumerate(lines):
        bare = re.sub(r"\W", "", line).casefold()
        if bare and bare in letters:
            continue
        if bare.startswith(letters) and letters:
            return "\n".join([_after(line, len(letters)), *lines[index + 1 :]])
        if bare:
            return "\n".join(lines[index:])
    return ""


def _after(line: str, count: int) -> str:
    """A line without its first `count` letters and digits, and the signs behind them."""
    for at, char in enumerate(line):
        count -= char.isalnum() or char == "_"
        if count == 0:
            return line[at + 1 :].lstrip(" \t.:)—–-*")
    return ""


def _lead(text: str) -> str | None:
    """The first sentences, up to the limit; a first one that is longer is cut at a word."""
    text = _NUMBER.sub("", _MARKUP.sub("", _ARROWS.sub(" ", text)), count=1)
    paragraph = " ".join(text.split())
    if not paragraph:
        return None
    kept = ""
    for sentence in _SENTENCE.split(paragraph):
        if kept and len(kept) + 1 + len(sentence) > SUMMARY_CHARACTERS:
            break
        kept = f"{kept} {sentence}".strip()
    if len(kept) > SUMMARY_CHARACTERS:
        kept = kept[: kept.rfind(" ", 0, SUMMARY_CHARACTERS)].rstrip(" ,;:") + " ..."
    return kept


def _titles(titles: Sequence[str]) -> str | None:
    if not titles:
        return None
    joined = "; ".join(titles)
    return (
        joined if len(joined) <= SUMMARY_CHARACTERS else joined[: SUMMARY_CHARACTERS - 4] + " ..."
    )
