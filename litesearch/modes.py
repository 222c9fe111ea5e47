"""How a document shows its structure: by heading marks with depth, or by numbered headings."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from .numbering import LADDER, keyword_marks
from .records import Document, Page

_HASH_LINE = re.compile(r"^\ufeff? {0,3}(#{1,6})[ \t]+\S", re.M)
_UNDERLINE = re.compile(r"^ {0,3}[^\s|#>][^\n]*\n {0,3}(=+|-+)[ \t\r]*$", re.M)
_BLOCK = re.compile(r"\n[ \t]*\n")
# From 12 heading marks on a document that uses them well has more than one depth.
_MANY = 12


def detect_mode(pages: str | Document | Sequence[Page] | Iterable[object]) -> str:
    """ "markdown" where the heading marks carry depth, else "chapter".

    PDF extracts often mark nearly every paragraph with the same "# "; there the words and numbers
    of the headings ("CHAPTER II", "Article 5", "3.2") are the structure.
    """
    single, texts = _texts(pages)
    depths: Counter[int] = Counter()
    blocks = 0
    for text in texts:
        found = _HASH_LINE.findall(text)
        depths.update(map(len, found))
        if single:
            depths.update(1 if line[0] == "=" else 2 for line in _UNDERLINE.findall(text))
        blocks += len(_BLOCK.findall(text)) + 1
    count = sum(depths.values())
    if not count:
        return "chapter"
    if count < _MANY:
        return "markdown" if single or not _mostly_plain(texts, 0) else "chapter"
    if max(depths.values()) >= (1 if single else 0.95) * count and count > 0.5 * blocks * single:
        return "chapter"
    if single:
        return "markdown"
    return "chapter" if _mostly_plain(texts, count) else "markdown"


def _mostly_plain(texts: Sequence[str], hashed: int) -> bool:
    """Whether more headings go by words and numbers alone than are marked.

    Each name counts once: "Chapter 3" as a running head stands on every page.
    """
    marked: set[object] = set()
    plain: set[object] = set()
    for text in texts:
        for mark in keyword_marks(text):
            line = text.rfind("\n", 0, mark.start) + 1
            (marked if text.startswith("#", line) else plain).add((mark.kind, mark.number))
    return len(plain - marked) >= 5 and len(plain - marked) > len(marked) + hashed // 4


def _texts(pages: object) -> tuple[bool, list[str]]:
    if isinstance(pages, str):
        return True, [pages]
    if isinstance(pages, Document):
        return len(pages.page_numbers) == 1, [pages.text]
    texts = []
    for page in pages:  # type: ignore[attr-defined]
        if isinstance(page, Page):
            texts.append(page.text)
        else:
            texts.append(page[1] if isinstance(page, tuple) else page)
    return False, [text for text in texts if isinstance(text, str)]


RUNGS = {kind: rung for rung, kinds in enumerate(LADDER) for kind in kinds}


def ladder(kinds: Sequence[str], rungs: Sequence[tuple[str, ...]] = LADDER) -> dict[str, int]:
    """The levels of the kinds that occur, given in reading order.

    Kinds of one rung share a level; a kind on none has no level. European acts put articles into
    sections, American contracts sections into articles: where more articles are followed by a
    section than sections by an article, the article is the outer one.
    """
    present = set(kinds)
    order = list(rungs)
    pairs = Counter(itertools.pairwise(kinds))
    inside = pairs["article", "section"] > pairs["section", "article"] - pairs["section", "section"]
    if inside and ("article",) in order and ("section",) in order:
        order.remove(("article",))
        order.insert(order.index(("section",)), ("article",))
    for outer, inner in (("title", "part"), ("part", "title")):
        # The Treaties put titles into parts, the US Code of Federal Regulations parts into titles.
        if pairs[outer, inner] > pairs[inner, outer]:
            order = _below(order, outer, inner)
    levels: dict[str, int] = {}
    level = 0
    for rung in order:
        if present.intersection(rung):
            level += 1
            levels.update((kind, level) for kind in rung if kind in present)
    return levels


def _below(order: Sequence[tuple[str, ...]], outer: str, inner: str) -> list[tuple[str, ...]]:
    """The rungs with `inner` on one of its own, right below that of `outer`."""
    found: list[tuple[str, ...]] = []
    for rung in order:
        if outer in rung and inner in rung:
            found += [tuple(kind for kind in rung if kind != inner), (inner,)]
        else:
            found.append(rung)
    return found
