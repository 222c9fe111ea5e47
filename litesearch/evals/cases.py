"""Scores of a function that searches: cases with a test of each result, topics with judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from ..errors import InvalidArgument
from .metrics import distinct, ndcg, recall, reciprocal_rank, success
from .sets import Qrels


@dataclass(frozen=True, slots=True)
class Case:
    """A query, and a test of one result: whether it is what the query looks for."""

    query: str
    relevant: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Topic:
    """A query with judged documents: {id: grade}."""

    query: str
    relevant: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """What one search scored. `values` has one value a query, in the cases' order, to compare
    two searches by: the reciprocal rank of each case, or the nDCG@k of each topic."""

    name: str
    n: int
    r1: float
    r5: float
    r10: float
    mrr: float
    ndcg: float | None = None
    recall: float | None = None
    values: tuple[float, ...] = field(default=(), repr=False)

    def as_dict(self) -> dict[str, Any]:
        """The figures by name, without the values and without those that were not measured."""
        names = ("name", "n", "r1", "r5", "r10", "mrr", "ndcg", "recall")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def evaluate(
    search: Callable[[str], Iterable[Any]], cases: Iterable[Case], k: int = 10, name: str = ""
) -> Row:
    """Ask every case, look at the first k results, and score where the first right one stands.

    r1, r5, r10 are the shares of cases with a right result that high; mrr is the mean of 1 / rank.
    """
    ranks = [_first_rank(search(case.query), case.relevant, k) for case in cases]
    if not ranks:
        raise InvalidArgument("There are no cases. Give at least one.")
    values = tuple(1 / rank if rank else 0.0 for rank in ranks)
    r1, r5, r10 = (fmean(0 < rank <= depth for rank in ranks) for depth in (1, 5, 10))
    return Row(name, len(ranks), r1, r5, r10, fmean(values), values=values)


def _first_rank(results: Iterable[Any], relevant: Callable[[Any], bool], k: int) -> int:
    """The rank of the first right result among the first k, or 0."""
    for rank, result in enumerate(results, 1):
        if rank > k:
            return 0
        if relevant(result):
            return rank
    return 0


def topics_of(queries: Mapping[str, str], qrels: Qrels) -> list[Topic]:
    """The queries of a collection with their judgments, in the collection's order."""
    return [Topic(text, qrels[query]) for query, text in queries.items()]


def evaluate_topics(
    search: Callable[[str], Iterable[Any]], topics: Iterable[Topic], k: int = 10, name: str = ""
) -> Row:
    """Score ranked document ids (repeated ones count at their first place) against judgments.

    ndcg is cut at k, recall at all that the search returned; mrr and r1, r5, r10 look at the first
    10.
    """
    found = [(distinct(search(topic.query)), topic.relevant) for topic in topics]
    if not found:
        raise InvalidArgument("There are no topics. Give at least one.")
    values = tuple(ndcg(ids, relevant, k) for ids, relevant in found)
    r1, r5, r10 = (fmean(success(ids, rel, depth) for ids, rel in found) for depth in (1, 5, 10))
    mrr = fmean(reciprocal_rank(ids, relevant) for ids, relevant in found)
    held = fmean(recall(ids, relevant, max(1, len(ids))) for ids, relevant in found)
    return Row(name, len(found), r1, r5, r10, mrr, fmean(values), held, values)
