"""An independent fusion in plain Python: no SQL, no query builder and no tokenizer of the package.

It knows made-up words only (lower case, letters and digits, left alone by Porter's stemmer), BM25
as FTS5 computes it, exact cosine, weighted RRF, spans and sections.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

K1, B = 1.2, 0.75
RRF_K = 10
WEIGHTS = {"any": 2.0, "all": 3.0, "pairs": 1.0, "phrase": 3.0, "vec": 1.0}
DEPTH = 100


@dataclass(frozen=True)
class Row:
    """A chunk as the oracle sees it."""

    id: int
    doc: int
    node: int
    seq: int
    page: int
    heading: str
    content: str
    vector: np.ndarray | None


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def occurrences(phrase: tuple[str, ...], words: list[str]) -> int:
    n = len(phrase)
    return sum(tuple(words[i : i + n]) == phrase for i in range(len(words) - n + 1))


def bm25(rows: list[Row], phrases: list[tuple[str, ...]]) -> dict[int, float]:
    """Scores (higher is better) of the rows that hold any of the phrases."""
    fields = {row.id: (tokens(row.heading), tokens(row.content)) for row in rows}
    lengths = {i: len(h) + len(c) for i, (h, c) in fields.items()}
    average = sum(lengths.values()) / len(rows)
    scores: dict[int, float] = defaultdict(float)
    for phrase in phrases:
        counts = {i: sum(occurrences(phrase, f) for f in both) for i, both in fields.items()}
        having = sum(n > 0 for n in counts.values())
        idf = math.log((len(rows) - having + 0.5) / (having + 0.5))
        idf = idf if idf > 0 else 1e-6
        for i, n in counts.items():
            if n:
                norm = K1 * (1 - B + B * lengths[i] / average)
                scores[i] += idf * (n * (K1 + 1)) / (n + norm)
    return scores


def ranked(scores: dict[int, float], allowed: set[int]) -> dict[int, int]:
    best = sorted((i for i in scores if i in allowed), key=lambda i: (-scores[i], i))[:DEPTH]
    return {i: rank for rank, i in enumerate(best, 1)}


def legs(
    rows: list[Row], query: str, vector: np.ndarray | None, stop: set[str], no_pairs: set[str],
    allowed: set[int],
) -> dict[str, dict[int, int]]:  # fmt: skip
    """Each leg's ranks by chunk."""
    words = tokens(query)
    distinct = list(dict.fromkeys(words))
    found: dict[str, dict[int, int]] = {}
    if distinct:
        content = [w for w in distinct if w not in stop] or distinct
        pairs = list(dict.fromkeys(itertools.pairwise(words)))
        rarer = [p for p in pairs if not (p[0] in no_pairs and p[1] in no_pairs)] or pairs
        found["any"] = ranked(bm25(rows, [(w,) for w in content]), allowed)
        every = {
            row.id for row in rows
            if set(distinct) <= {*tokens(row.heading), *tokens(row.content)}
        }  # fmt: skip
        found["all"] = ranked(bm25(rows, [(w,) for w in distinct]), allowed & every)
        found["pairs"] = ranked(bm25(rows, rarer), allowed)
        if len(words) > 1:
            found["phrase"] = ranked(bm25(rows, [tuple(words)]), allowed)
    if vector is not None:
        near = {row.id: float(row.vector @ vector) for row in rows if row.vector is not None}
        # Distances are float32 in vec0: equal ones tie there.
        found["vec"] = ranked({i: float(np.float32(s)) for i, s in near.items()}, allowed)
    return {leg: ranks for leg, ranks in found.items() if ranks}


def fuse(found: dict[str, dict[int, int]]) -> dict[int, float]:
    scores: dict[int, float] = defaultdict(float)
    for leg, ranks in found.items():
        for i, rank in ranks.items():
            scores[i] += WEIGHTS[leg] / (RRF_K + rank)
    return {i: round(score, 12) for i, score in scores.items()}


def spans(rows: list[Row], scores: dict[int, float]) -> list[tuple[float, int, int]]:
    """(score, first id, last id) of runs of adjacent chunks of one node, best first."""
    runs: list[list[Row]] = []
    for row in sorted((r for r in rows if r.id in scores), key=lambda r: r.id):
        last = runs[-1][-1] if runs else None
        if last and (last.node, last.seq + 1) == (row.node, row.seq):
            runs[-1].append(row)
        else:
            runs.append([row])
    found = [(max(scores[r.id] for r in run), run[0].id, run[-1].id) for run in runs]
    return sorted(found, key=lambda span: (-span[0], span[1]))


def sections(rows: list[Row], scores: dict[int, float], how: str) -> list[tuple[float, int]]:
    """(score, node) best first."""
    by_node: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if row.id in scores:
            by_node[row.node].append(scores[row.id])
    make = {"max": max, "sum": sum, "mean": lambda v: sum(v) / len(v)}[how]
    found = [(round(make(values), 12), node) for node, values in by_node.items()]
    return sorted(found, key=lambda section: (-section[0], section[1]))
