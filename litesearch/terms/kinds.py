"""What a chunk is for: a definition, a requirement, a list of references, or plain content."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from ..records import Chunk, Node
from .extract import Terms

_REQUIREMENT = re.compile(
    r"\b(?:shall|must)\b|\b(?:is|are)\s+(?:required|obliged)\s+to\b|\bmay\s+not\b", re.I
)
_REFERENCES = re.compile(r"\b(?:references|bibliography|works cited|literature)\b", re.I)
# Over half of the text: "See Articles 12, 13(2) and 14." A sentence that cites is still one.
_REFERENCE_SHARE = 0.5


def with_kinds(chunks: Sequence[Chunk], nodes: Sequence[Node], terms: Terms) -> list[Chunk]:
    """The chunks with their kinds: what the cutter knew (header, table, code) stays."""
    starts = [d.start for d in terms.definitions]
    links = [link.mention for link in terms.links]
    link_starts = [mention.start for mention in links]
    found: list[Chunk] = []
    for chunk in chunks:
        kind = chunk.kind
        if kind == "content":
            low = bisect_left(link_starts, chunk.char_start)
            high = bisect_left(link_starts, chunk.char_end)
            cited = sum(mention.end - mention.start for mention in links[low:high])
            if _defines(chunk, starts, terms):
                kind = "definition"
            elif _cites(chunk, nodes[chunk.node], cited):
                kind = "reference"
            elif _REQUIREMENT.search(_body(chunk)):
                kind = "requirement"
        found.append(chunk if kind == chunk.kind else replace(chunk, kind=kind))
    return found


def _defines(chunk: Chunk, starts: Sequence[int], terms: Terms) -> bool:
    """Whether a definition begins in the chunk, or fills more than half of it."""
    index = bisect_left(starts, chunk.char_start)
    if index < len(starts) and starts[index] < chunk.char_end:
        return True
    if not index:
        return False
    before = terms.definitions[index - 1]
    return 2 * (min(before.end, chunk.char_end) - chunk.char_start) > len(chunk.content.rstrip())


def _cites(chunk: Chunk, node: Node, cited: int) -> bool:
    if node.parent is not None and _REFERENCES.search(node.title) and len(node.title) < 40:
        return True
    return cited > _REFERENCE_SHARE * len("".join(_body(chunk).split()))


def _body(chunk: Chunk) -> str:
    """A chunk's text without the heading that it may begin with."""
    return re.sub(r"\A\s*#{1,6}[^\n]*\n", "", chunk.content)
