"""The settings that the evaluation compares, as options of a search."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from typing import Any

from litesearch import Database
from litesearch.query import parse_query

LEGS = ("any", "all", "pairs", "phrase", "vec")
BM25_MOST = 2.2  # k1 + 1 of FTS5's BM25: the most that a word's idf is multiplied by
_PHRASE = re.compile(r'"[^"]*"(?: \*)?')


def weights(*values: float) -> dict[str, float]:
    """Weights in the order of LEGS; those not given are 0."""
    return {leg: float(value) for leg, value in itertools.zip_longest(LEGS, values, fillvalue=0)}


def only(leg: str) -> dict[str, Any]:
    """One leg alone."""
    return {"w": {other: float(other == leg) for other in LEGS}}


def rrf(*values: float, k: int = 10) -> dict[str, Any]:
    """Reciprocal rank fusion with these weights, in the order of LEGS."""
    return {"fusion": "rrf", "rrf_k": k, "w": weights(*values)}


# As everybody does it: one keyword leg, one vector leg, equal weights and k = 60.
COMMON_RRF = rrf(1, 0, 0, 0, 1, k=60)
EQUAL_RRF = rrf(1, 1, 1, 1, 1, k=60)


def with_function_words(_db: Database, query: str) -> dict[str, Any]:
    """The any-word leg asks for function words too."""
    return {"any": parse_query(query).expressions.get("any", "")}


def all_pairs(_db: Database, query: str) -> dict[str, Any]:
    """The pairs leg asks for pairs of the commonest words too."""
    return {"pairs": parse_query(query).expressions.get("pairs", "")}


def rarer_pairs(db: Database, query: str) -> dict[str, Any]:
    """The pairs leg leaves out each pair of two function words, however few others there are."""
    functions = {row.term for row in db.rows("SELECT term FROM stop")}
    return {"pairs": parse_query(query, functions, functions).expressions.get("pairs", "")}


def all_anywhere(db: Database, query: str) -> dict[str, Any]:
    """The all-words leg over headings and text together: a heading may supply a missing word."""
    words = db.params(query, mode="keyword", fusion="rrf").get("all", "")
    return {"all": words.removeprefix("content : (").removesuffix(")")} if words else {}


class Linear:
    """The linear fusion: each leg's BM25 divided by the most that the query could score there.

    FTS5's BM25 adds, for each word or phrase, its idf times at most k1 + 1. Divided by that sum a
    score means the same in every query. A leg not named in `divided` counts as a flag: found or
    not. The package takes a pair's idf from its rarer word; this counts the passages with the pair.
    """

    def __init__(
        self,
        w: Mapping[str, float],
        divided: tuple[str, ...] = ("any", "pairs"),
        function_words: bool = False,
    ) -> None:
        self.w = dict(w)
        self.divided = divided
        self.function_words = function_words

    def __call__(self, db: Database, query: str) -> dict[str, Any]:
        asked = db.params(query, mode="keyword", fusion="rrf")
        expressions = {leg: str(asked[leg]) for leg in LEGS if leg in asked}
        if self.function_words:
            expressions |= with_function_words(db, query)
        most = {leg: attainable(db, expressions.get(leg, "")) for leg in self.divided}
        return {
            "fusion": "linear",
            "w": self.w,
            "any": expressions.get("any", ""),
            "attainable": {leg: score for leg, score in most.items() if score > 0},
        }


def attainable(db: Database, expression: str) -> float:
    """The most that BM25 could give for an expression of quoted phrases."""
    return BM25_MOST * sum(idf(db, phrase) for phrase in _PHRASE.findall(expression))


def idf(db: Database, phrase: str) -> float:
    """A phrase's inverse document frequency as FTS5 computes it, floor and all; kept by file."""
    known: dict[str, float] = db.__dict__.setdefault("_idf", {})
    if phrase not in known:
        count = db.one("SELECT count(*) FROM store")
        found = db.one("SELECT count(*) FROM fts WHERE fts MATCH ?", (phrase,))
        known[phrase] = max(1e-6, math.log((count - found + 0.5) / (found + 0.5)))
    return known[phrase]
