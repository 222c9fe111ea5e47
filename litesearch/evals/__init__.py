"""Measure a search: ranked results against what is known to be right.

>>> from litesearch.evals import Case, evaluate, text_hit
>>> pages = ["The rate for books is 5 %.", "The rate for maps is 0 %."]
>>> case = Case("books", lambda page: text_hit("The rate for books is 5 %", page))
>>> evaluate(lambda query: pages, [case], k=10, name="in order").mrr
1.0
"""

from .cases import Case, Row, Topic, evaluate, evaluate_topics, topics_of
from .metrics import (
    Interval,
    bootstrap_difference,
    distinct,
    ndcg,
    recall,
    reciprocal_rank,
    success,
)
from .sets import Qrels, load_beir, read_jsonl
from .tables import format_table, print_table
from .text import text_hit

__all__ = [
    "Case",
    "Interval",
    "Qrels",
    "Row",
    "Topic",
    "bootstrap_difference",
    "distinct",
    "evaluate",
    "evaluate_topics",
    "format_table",
    "load_beir",
    "ndcg",
    "print_table",
    "read_jsonl",
    "recall",
    "reciprocal_rank",
    "success",
    "text_hit",
    "topics_of",
]
