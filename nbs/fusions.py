"""The settings that the evaluation compares, as options of a search."""

from __future__ import annotations

import itertools
import math
from typing import Any

from litesearch import Database
from litesearch.normalise import is_single, words
from litesearch.query import parse_query
from litesearch.search import stemmer, stop_words

LEGS = ("any", "all", "pairs", "phrase", "vec")
BM25_MOST = 2.2  # k1 + 1: what a word's idf is multiplied by when it fills a passage


def only(leg: str) -> dict[str, Any]:
    """One leg alone."""
    return {"w": {other: float(other == leg) for other in LEGS}}


def weights(*values: float) -> dict[str, float]:
    """Weights in the order of LEGS; those not given are 0."""
    return {leg: float(value) for leg, value in itertools.zip_longest(LEGS, values, fillvalue=0)}


# As everybody does it: one keyword leg, one vector leg, equal weights and k = 60.
COMMON_RRF = {"fusion": "rrf", "rrf_k": 60, "w": weights(1, 0, 0, 0, 1)}
EQUAL_RRF = {"fusion": "rrf", "rrf_k": 60, "w": weights(1, 1, 1, 1, 1)}


def with_function_words(_db: Database, query: str) -> dict[str, Any]:
    """The any-word leg asks for function words too."""
    return {"any": parse_query(query).expressions.get("any", "")}


def all_pairs(_db: Database, query: str) -> dict[str, Any]:
    """The pairs leg asks for pairs of the commonest words too."""
    return {"pairs": parse_query(query).expressions.get("pairs", "")}


def rarer_pairs(db: Database, query: str) -> dict[str, Any]:
    """The pairs leg asks only for pairs with a word that is no function word."""
    functions, _ = stop_words(db)
    return {"pairs": parse_query(query, no_pairs=functions).expressions.get("pairs", "")}


class Attainable:
    """The most that each leg could score for a query, from the index's document frequencies.

    FTS5's BM25 adds, for each word or phrase, its idf times at most k1 + 1. The linear fusion
    divides by this, so that a score means the same in every query. Legs that are left out count as
    flags: found or not.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._count = int(db.one("SELECT count(*) FROM store"))
        self._found: dict[str, float] = {}

    def _idf(self, phrase: str) -> float:
        """As FTS5 computes it, floor and all."""
        if phrase not in self._found:
            found = self._db.one("SELECT count(*) FROM fts WHERE fts MATCH ?", (phrase,))
            idf = math.log((self._count - found + 0.5) / (found + 0.5))
            self._found[phrase] = idf if idf > 0 else 1e-6
        return self._found[phrase]

    def __call__(self, query: str, legs: tuple[str, ...] = ("any", "pairs")) -> dict[str, float]:
        """{leg: attainable score} for those of `legs` that the query has."""
        asked = parse_query(query, *stop_words(self._db)).expressions
        parts = {
            "any": asked.get("any", "").split(" OR "),
            "all": [f'"{word}"' + " *" * is_single(word) for word in dict.fromkeys(words(query))],
            "pairs": asked.get("pairs", "").split(" OR "),
            "phrase": [asked.get("phrase", "")],
        }
        sums = {leg: sum(self._idf(part) for part in parts[leg] if part) for leg in legs}
        return {leg: BM25_MOST * total for leg, total in sums.items() if total > 0}


def linear(
    db: Database,
    query: str,
    w: dict[str, float] | None = None,
    legs: tuple[str, ...] = ("any", "pairs"),
) -> dict[str, Any]:
    """The linear fusion of scores that mean the same in every query."""
    known = getattr(db, "_attainable", None)
    if known is None:
        known = db._attainable = Attainable(db)
    chosen = w or weights(1, 0.72, 0.27, 0, 0.22)
    return {"fusion": "linear", "attainable": known(query, legs), "w": chosen}


def stems(db: Database, query: str) -> list[str]:
    """The query's words as the index has them."""
    stem = stemmer(db)
    return [stem(word) for word in words(query)]
