"""Metrics of one query, and intervals of their means."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidArgument


def distinct(ids: Iterable[Any]) -> list[str]:
    """Ids as str, each at its first place: a document counts by its best passage."""
    return list(dict.fromkeys(map(str, ids)))


def _positions(ranked: Iterable[Any], relevant: Collection[str], k: int) -> list[int]:
    """The places, from 1, of relevant ids among the first k distinct ones."""
    if k < 1:
        raise InvalidArgument(f"k is {k}; it must be at least 1.")
    return [place for place, found in enumerate(distinct(ranked)[:k], 1) if found in relevant]


def reciprocal_rank(ranked: Iterable[Any], relevant: Collection[str], k: int = 10) -> float:
    """1 / the place of the first relevant id, 0 where the first k have none."""
    places = _positions(ranked, relevant, k)
    return 1 / places[0] if places else 0.0


def recall(ranked: Iterable[Any], relevant: Collection[str], k: int = 100) -> float:
    """The share of the relevant ids that the first k hold; 0 where nothing is relevant."""
    return len(_positions(ranked, relevant, k)) / len(relevant) if relevant else 0.0


def success(ranked: Iterable[Any], relevant: Collection[str], k: int = 10) -> float:
    """1 where one of the first k is relevant, else 0."""
    return float(bool(_positions(ranked, relevant, k)))


def dcg(gains: Iterable[float]) -> float:
    """Discounted cumulative gain: each gain, from rank 1 on, over log2(1 + its rank).

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques (2002), with the
    discount that trec_eval takes.
    """
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def normalised_dcg(gains: Iterable[float], grades: Iterable[float], k: int = 10) -> float:
    """The first k gains' DCG over that of the best order of all `grades`: 0 to 1.

    It stays at 1 where one result holds several answers at once, which no order of single ones
    could do. 0 where no grade is above 0.
    """
    best = sorted((grade for grade in grades if grade > 0), reverse=True)[:k]
    ideal = dcg(best)
    return min(1.0, dcg(list(gains)[:k]) / ideal) if ideal else 0.0


def ndcg(ranked: Iterable[Any], relevant: Mapping[str, float], k: int = 10) -> float:
    """Normalised discounted cumulative gain, with the grade as the gain (trec_eval's ndcg_cut).

    Judgments below 0 give no gain. See `dcg` for the method.
    """
    if k < 1:
        raise InvalidArgument(f"k is {k}; it must be at least 1.")
    gains = [relevant.get(found, 0) for found in distinct(ranked)[:k]]
    return normalised_dcg(gains, relevant.values(), k)


# intervals


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and the interval that holds it at `level` of the resamples."""

    mean: float
    low: float
    high: float
    level: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


def bootstrap_difference(
    first: Sequence[float],
    second: Sequence[float],
    samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """`first` - `second`, query by query, and its interval by the paired percentile bootstrap.

    Queries are drawn with replacement `samples` times, each with its values of both, and the
    interval holds the middle `level` of the means. The bootstrap is Efron's (1979); Sakai,
    Evaluating evaluation metrics based on the bootstrap (2006), is on its use for paired searches.
    The same `seed` gives the same interval.

    Raises InvalidArgument where the values are not as many, or `level` is not between 0 and 1.
    """
    import numpy as np

    if len(first) != len(second) or not first:
        raise InvalidArgument(
            f"There are {len(first)} and {len(second)} values. Give one a query, for the same"
            " queries in the same order."
        )
    if not 0 < level < 1:
        raise InvalidArgument(f"level is {level}; it must be between 0 and 1, as 0.95.")
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    random = np.random.default_rng(seed)
    # Drawn in blocks: 10,000 resamples of 10,000 queries at once would be 800 MB of indexes.
    block = max(1, 2_000_000 // len(differences))
    means: list[float] = []
    while len(means) < samples:
        count = min(block, samples - len(means))
        picked = random.integers(0, len(differences), (count, len(differences)))
        means.extend(differences[picked].mean(axis=1).tolist())
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(differences.mean()), float(low), float(high), level)
