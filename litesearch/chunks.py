"""Tree -> chunks: pieces of one node's own text with exact offsets.

Without overlap the chunks' ranges partition the document's text: joined in order they are it.
"""

from __future__ import annotations

from collections.abc import Callable

from .blocks import Measure, Unit, split, units
from .errors import InvalidArgument
from .headings import clean_title
from .records import Chunk, Node
from .tree import Tree


def chunk_tree(
    tree: Tree,
    size: int = 512,
    overlap: int = 0,
    *,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> list[Chunk]:
    """Cut each node's own text into chunks of at most `size` characters.

    Cuts fall between paragraphs, else sentences, else words; tables are cut between rows, fenced
    code only where it exceeds the limit alone. With `max_tokens` and `count_tokens` the limit is
    in tokens instead. With `overlap` a chunk begins up to that many characters before the end of
    the one before, at a word, within its node; the overlap counts towards the limit.
    """
    limit, measure = _limit(tree.document.text, size, overlap, max_tokens, count_tokens)
    text, page_at = tree.document.text, tree.document.page_at
    chunks: list[Chunk] = []
    for node, (start, end) in zip(tree, _own_ranges(tree), strict=True):
        if start >= end:
            continue
        for unit in _node_units(text, node, start, end, limit, overlap, measure):
            low = unit.start if chunks else 0
            if overlap and chunks and unit.kind == "content":
                low = _reach_back(text, low, max(start, low - overlap))
            content = text[low : unit.end]
            last = max(unit.start, low + len(content.rstrip()) - 1)
            chunks.append(
                Chunk(
                    len(chunks),
                    node.seq,
                    page_at(low),
                    page_at(last),
                    low,
                    unit.end,
                    content,
                    unit.kind,
                    unit.header,
                )
            )
    return chunks


def _limit(
    text: str,
    size: int,
    overlap: int,
    max_tokens: int | None,
    count_tokens: Callable[[str], int] | None,
) -> tuple[int, Measure]:
    if (max_tokens is None) != (count_tokens is None):
        raise InvalidArgument("max_tokens and count_tokens go together; pass both or neither")
    if max_tokens is not None and count_tokens is not None:
        if max_tokens < 1:
            raise InvalidArgument(f"max_tokens is {max_tokens}; it must be at least 1")
        count = count_tokens
        return max_tokens, lambda start, end: count(text[start:end])
    if size < 1:
        raise InvalidArgument(f"size is {size}; it must be at least 1")
    if not 0 <= overlap < size:
        raise InvalidArgument(f"overlap is {overlap}; it must be from 0 to size - 1 ({size - 1})")
    return size, lambda start, end: end - start


def _own_ranges(tree: Tree) -> list[tuple[int, int]]:
    """Each node's own text: from its start to the next node's (reading order: a child or later).

    White space before the document's first heading goes to the first node that has text.
    """
    text = tree.document.text
    starts = [node.char_start for node in tree]
    ends = [*starts[1:], len(text)]
    ranges = list(zip(starts, ends, strict=True))
    first = len(text) - len(text.lstrip())
    ranges[0] = (min(first, ends[0]), ends[0])
    return ranges


def _node_units(
    text: str, node: Node, start: int, end: int, limit: int, overlap: int, measure: Measure
) -> list[Unit]:
    if measure(start, end) <= limit:
        return [Unit(start, end, _whole_kind(text, node, start, end))]
    return _pack(text, units(text, start, end), max(1, limit - overlap), measure)


def _whole_kind(text: str, node: Node, start: int, end: int) -> str:
    # 60: marks, link targets and underlines that the title leaves out.
    if node.parent is not None and end - start <= len(node.title) + 60:
        printed = (clean_title(text[start:end], source) for source in (True, False))
        if _letters(node.title) in map(_letters, printed):
            return "header"
    begin = text[start : start + 3]
    if begin.startswith("|"):
        return "table"
    if begin in ("```", "~~~"):
        found = units(text, start, end)
        return "code" if len(found) == 1 else "content"
    return "content"


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _pack(text: str, found: list[Unit], limit: int, measure: Measure) -> list[Unit]:
    """Units put together into chunks, small ones joined, large ones split."""
    packed: list[Unit] = []
    for unit in found:
        last = packed[-1] if packed else None
        if last is not None and measure(last.start, unit.end) <= limit and _may_join(last, unit):
            last.end = unit.end
            continue
        cost = measure(unit.start, unit.end)
        fill = measure(last.start, last.end) if last is not None else limit
        if last is not None and last.kind == unit.kind == "content" and fill < limit // 2:
            # A short paragraph or a heading: the next one is cut so that it stays with it.
            joined = split(text, last.start, unit.end, limit, measure)
            packed[-1:] = [Unit(low, high) for low, high in joined]
        elif cost <= limit:
            packed.append(Unit(unit.start, unit.end, unit.kind, unit.header))
        else:
            packed.extend(
                Unit(low, high, unit.kind, unit.header)
                for low, high in split(text, unit.start, unit.end, limit, measure, unit.kind)
            )
    return _balanced(text, packed, limit, measure)


def _may_join(last: Unit, unit: Unit) -> bool:
    """Code and tables follow their introduction; text after a table's continuation starts anew."""
    if last.kind == unit.kind:
        return True
    return last.kind == "content"


def _balanced(text: str, packed: list[Unit], limit: int, measure: Measure) -> list[Unit]:
    """No scrap at the end: a last chunk under a quarter of the limit shares with the one before."""
    if len(packed) < 2:
        return packed
    before, last = packed[-2:]
    same = before.kind == last.kind == "content"
    if not same or measure(last.start, last.end) * 4 >= limit:
        return packed
    halves = split(text, before.start, last.end, limit, measure)
    packed[-2:] = [Unit(low, high) for low, high in halves]
    return packed


def _reach_back(text: str, start: int, earliest: int) -> int:
    """The first word that begins at or after `earliest`, or `start` where there is none."""
    at = earliest
    if at > 0 and not text[at - 1].isspace():
        while at < start and not text[at].isspace():
            at += 1
    while at < start and text[at].isspace():
        at += 1
    return at
