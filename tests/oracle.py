"""An independent fusion in plain Python: no SQL, no query builder and no tokenizer of the package.

It knows made-up words only (lower case, letters and digits, left alone by Porter's stemmer), BM25
as FTS5 computes it, exact cosine, weighted RRF and absolute scores, spans and sections.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Row:
    """A chunk as the oracle sees it."""

    id: int
    doc: int
    node: int
    seq: int
    page: int
    page_end: int
    heading: str
    content: str
    vector: np.ndarray | None


@dataclass(frozen=True)
class Ranking:
    """How to rank: what `meta` holds under 'fusion', and what a request may change."""

    linear: bool = False
    rrf_k: int = 10
    w: dict[str, float] = field(
        default_factory=lambda: {"any": 2.0, "all": 3.0, "pairs": 1.0, "phrase": 3.0, "vec": 1.0}
    )
    heading: float = 1.0
    depth: int = 100
    share: float = 1.0  # of what a leg could attain, taken as the whole of it


@dataclass(frozen=True)
class Leg:
    """A leg's best rows: {id: rank}, {id: score}, and the most that a row could score."""

    ranks: dict[int, int]
    scores: dict[int, float]
    attainable: float | None = None


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def occurrences(phrase: tuple[str, ...], words: list[str]) -> int:
    n = len(phrase)
    return sum(tuple(words[i : i + n]) == phrase for i in range(len(words) - n + 1))


def idf(rows: list[Row], phrase: tuple[str, ...], only_text: bool = False) -> float:
    having = sum(
        any(
            occurrences(phrase, tokens(text))
            for text in ([row.content] if only_text else [row.heading, row.content])
        )
        for row in rows
    )
    value = math.log((len(rows) - having + 0.5) / (having + 0.5))
    return value if value > 0 else 1e-6


def bm25(
    rows: list[Row], phrases: list[tuple[str, ...]], heading: float, only_text: bool = False
) -> dict[int, float]:
    """Scores (higher is better) of the rows that hold any of the phrases, in FTS5's own order of
    operations: equal scores must be equal to the last bit."""
    fields = {row.id: (tokens(row.heading), tokens(row.content)) for row in rows}
    lengths = {i: len(h) + len(c) for i, (h, c) in fields.items()}
    average = sum(lengths.values()) / len(rows)
    scores: dict[int, float] = defaultdict(float)
    for phrase in phrases:
        weight = idf(rows, phrase, only_text)
        for i, (above, text) in fields.items():
            above = [] if only_text else above
            in_heading, in_text = occurrences(phrase, above), occurrences(phrase, text)
            if in_heading or in_text:
                n = in_heading * heading + in_text
                scores[i] += weight * (
                    (n * (K1 + 1.0)) / (n + K1 * (1 - B + B * lengths[i] / average)) if n else 0.0
                )
    return scores


def ranked(scores: dict[int, float], allowed: set[int], depth: int) -> Leg:
    best = sorted((i for i in scores if i in allowed), key=lambda i: (-scores[i], i))[:depth]
    return Leg({i: rank for rank, i in enumerate(best, 1)}, {i: scores[i] for i in best})


def legs(
    rows: list[Row], query: str, vector: np.ndarray | None, stop: set[str], no_pairs: set[str],
    allowed: set[int], how: Ranking,
) -> dict[str, Leg]:  # fmt: skip
    """What each leg finds; legs of weight 0 do not run."""
    words = tokens(query)
    distinct = list(dict.fromkeys(words))
    found: dict[str, Leg] = {}

    def leg(
        name: str, phrases: list[tuple[str, ...]], within: set[int], most: float | None
    ) -> None:
        scores = bm25(rows, phrases, how.heading, only_text=name == "all")
        best = ranked(scores, within, how.depth)
        found[name] = Leg(best.ranks, best.scores, most)

    if distinct:
        content = [w for w in distinct if w not in stop] or distinct
        pairs = list(dict.fromkeys(itertools.pairwise(words)))
        rarer = [p for p in pairs if not (p[0] in no_pairs and p[1] in no_pairs)] or pairs
        every = {
            row.id for row in rows
            if set(distinct) <= set(tokens(row.content))
        }  # fmt: skip
        singles = [(w,) for w in content]
        leg("any", singles, allowed, how.share * attainable(rows, singles))
        leg("all", [(w,) for w in distinct], allowed & every, None)
        leg("pairs", rarer, allowed, how.share * attainable(rows, rarer))
        if len(words) > 1:
            leg("phrase", [tuple(words)], allowed, None)
    if vector is not None:
        near = {row.id: float(row.vector @ vector) for row in rows if row.vector is not None}
        # Distances are float32 in vec0: equal ones tie there.
        best = ranked({i: float(np.float32(s)) for i, s in near.items()}, allowed, how.depth)
        found["vec"] = Leg(best.ranks, best.scores, 1.0)
    return {name: leg for name, leg in found.items() if leg.ranks and how.w.get(name, 1.0) > 0}


def attainable(rows: list[Row], phrases: list[tuple[str, ...]]) -> float:
    """The most that BM25 could give: 2.2 times the idf of each word; of a pair's rarer word."""
    return 2.2 * sum(max(idf(rows, (word,)) for word in phrase) for phrase in phrases) or 1.0


def fuse(found: dict[str, Leg], how: Ranking) -> dict[int, float]:
    scores: dict[int, float] = defaultdict(float)
    for name, leg in found.items():
        weight = how.w.get(name, 1.0)
        for i, rank in leg.ranks.items():
            share = 1.0
            if how.linear and leg.attainable is not None:
                share = max(0.0, min(1.0, leg.scores[i] / leg.attainable))
            scores[i] += weight * share if how.linear else weight / (how.rrf_k + rank)
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
