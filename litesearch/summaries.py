"""A section in a sentence: `nodes.summary`, unless a function of the caller's makes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .errors import EncodeError
from .terms.keys import own_texts
from .tree import Tree

SUMMARY_CHARACTERS = 240
_SENTENCE = re.compile(r"(?<=[.!?;:])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])")
_MARKUP = re.compile(r"^\s*(?:[#>|*-]+\s*|\(?\w{1,3}[.)]\s+)+", re.M)

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
    return made or None


def _without_heading(own: str, title: str) -> str:
    """The text below the heading, whose title may take two lines ("Article 5", "Scope")."""
    lines = own.split("\n")
    letters = re.sub(r"\W", "", title).casefold()
    for index, line in enumerate(lines):
        bare = re.sub(r"\W", "", line).casefold()
        if bare and not (bare in letters or letters in bare):
            return "\n".join(lines[index:])
    return ""


def _lead(text: str) -> str | None:
    """The first sentences, up to the limit; a first one that is longer is cut at a word."""
    paragraph = " ".join(_MARKUP.sub("", text).split())
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
