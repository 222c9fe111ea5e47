"""Measure a search: ranked results against what is known to be right.

>>> from litesearch.evals import Case, evaluate, text_hit
>>> pages = ["The rate for books is 5 %.", "The rate for maps is 0 %."]
>>> case = Case("books", lambda page: text_hit("The rate for books is 5 %", page))
>>> evaluate(lambda query: pages, [case], k=10, name="in order").mrr
1.0
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from statistics import fmean
from typing import Any

from .errors import InvalidArgument, NotFound

Qrels = dict[str, dict[str, int]]


def read_jsonl(path: str | PathLike[str]) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line. Raises InvalidArgument naming a broken line."""
    name = fspath(path)
    if not Path(name).is_file():
        raise NotFound(f"{name}: no such file. Check the path.")
    found = []
    with open(name, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except ValueError as error:
                raise InvalidArgument(f"{name}:{number}: {error}. Mend the line.") from None
            if not isinstance(record, dict):
                raise InvalidArgument(f"{name}:{number}: no JSON object. Mend the line.")
            found.append(record)
    return found


def load_beir(
    folder: str | PathLike[str], split: str = "test"
) -> tuple[dict[str, dict[str, Any]], dict[str, str], Qrels]:
    """A collection in the BEIR layout: corpus.jsonl, queries.jsonl, qrels.tsv or qrels/<split>.tsv.

    -> ({document: {title, text, metadata}}, {query: text}, {query: {document: grade}}). Only
    queries with a judgment of 1 or more are kept.
    """
    root = Path(folder)
    if not root.is_dir():
        raise NotFound(f"{fspath(folder)}: no such folder. Check the path.")
    corpus = {
        str(row["_id"]): {"title": "", "text": "", "metadata": {}} | row
        for row in read_jsonl(root / "corpus.jsonl")
    }
    single = root / "qrels.tsv"
    qrels = _read_qrels(single if single.is_file() else root / "qrels" / f"{split}.tsv")
    queries = {
        str(row["_id"]): str(row["text"])
        for row in read_jsonl(root / "queries.jsonl")
        if str(row["_id"]) in qrels
    }
    return corpus, queries, {query: qrels[query] for query in queries}


def _read_qrels(path: Path) -> Qrels:
    if not path.is_file():
        raise NotFound(f"{path}: no such file. A collection has qrels.tsv or qrels/<split>.tsv.")
    qrels: Qrels = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split("\t")
        graded = len(fields) == 3 and re.fullmatch(r"-?\d+", fields[2].strip())
        if number == 1 and len(fields) == 3 and not graded:
            continue  # the header
        if not graded:
            raise InvalidArgument(
                f"{path}:{number}: {line!r}. Each line has query, document and a whole number,"
                " with tabs between them."
            )
        query, document, grade = fields
        if int(grade) > 0:
            qrels.setdefault(query, {})[document] = int(grade)
    return qrels


# metrics of one query: ranked ids against {id: grade}


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


def ndcg(ranked: Iterable[Any], relevant: Mapping[str, float], k: int = 10) -> float:
    """Normalised discounted cumulative gain, with the grade as the gain (trec_eval's ndcg_cut)."""
    ids = distinct(ranked)
    places = _positions(ids, relevant, k)
    gained = sum(relevant[ids[place - 1]] / math.log2(place + 1) for place in places)
    best = sorted((grade for grade in relevant.values() if grade > 0), reverse=True)[:k]
    ideal = sum(grade / math.log2(place + 1) for place, grade in enumerate(best, 1))
    return gained / ideal if ideal else 0.0


# known items: is the sentence in this text?

_HYPHEN = re.compile(r"(?<=\w)[\u00ad\u2010\u2011-]\s*(?=\w)")
_WORD = re.compile(r"[^\W_]+")
_MARGIN_MARK = re.compile(r"[a-z]\d{1,3}")  # M1: a mark of the page's margin, not of the sentence


def text_hit(sentence: str, text: str, strict: bool = False) -> bool:
    """Whether `text` holds `sentence`: what a known-item search asks of a result.

    Strict: as printed, but for case and white space. Lenient: all the sentence's words (letters
    and digits; hyphens ignored, also at line ends) stand there in their order, and the text may
    have a few more words between them, 4 and one for each ten of the sentence's, never more than
    half as many. Sentences cut from a PDF's text layer miss pieces of lines that the page has.

    Of 175 sentences of legislation against 3,181 passages, lenient finds the 5 that strict misses,
    and one passage too many: the same provision in another act, with four words more. So where
    the collection has a sentence as printed, ask strictly.
    """
    if _folded(sentence) in _folded(text):
        return True
    if strict:
        return False
    wanted, words = _words(sentence), _words(text)
    if len(wanted) > 1 and _MARGIN_MARK.fullmatch(wanted[0]):
        wanted = wanted[1:]
    if not wanted:
        return False
    spare = min(4 + len(wanted) // 10, len(wanted) // 2)
    starts = [at for at, word in enumerate(words) if word == wanted[0]]
    return any(_stands(wanted, words, start, spare) for start in starts)


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _words(text: str) -> list[str]:
    return _WORD.findall(_HYPHEN.sub("", text.lower()))


def _stands(wanted: Sequence[str], words: Sequence[str], start: int, spare: int) -> bool:
    """Whether `wanted` is found in order from words[start] on, with at most `spare` others inside.

    From a fixed start, taking each word where it first comes ends as early as can be.
    """
    at, end = start, min(len(words), start + len(wanted) + spare)
    for word in wanted:
        while at < end and words[at] != word:
            at += 1
        if at == end:
            return False
        at += 1
    return True


# evaluations


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
    """`first` - `second`, query by query, and its interval by the paired percentile bootstrap."""
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


def format_table(rows: Iterable[Row | Mapping[str, Any]], title: str = "") -> str:
    """Rows as aligned text; numbers with three decimals, columns in the order they first come."""
    records = [row.as_dict() if isinstance(row, Row) else dict(row) for row in rows]
    columns = list(dict.fromkeys(column for record in records for column in record))
    cells = [[_cell(record.get(column)) for column in columns] for record in records]
    widths = [max(len(row[i]) for row in [columns, *cells]) for i in range(len(columns))]
    text = [any(isinstance(record.get(c), str) for record in records) for c in columns]
    lines = [title] if title else []
    for row in [columns, *cells]:
        aligned = [
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, text, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def print_table(rows: Iterable[Row | Mapping[str, Any]], title: str = "") -> None:
    """Print format_table's text."""
    print(format_table(rows, title), flush=True)
