"""The example documents answer their questions with the right sections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from litesearch import Database, database

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
QUESTIONS = [
    json.loads(line)
    for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(scope="module")
def db() -> Iterator[Database]:
    """All four documents."""
    with database() as made:
        summary = made.add_dir(EXAMPLES, pattern="*", progress=False)
        assert (len(summary.stored), summary.failed, summary.notes) == (4, {}, {})
        yield made


def rank_of(db: Database, question: dict[str, str]) -> int:
    """The rank of the right section among ten, 0 where it is not there."""
    wanted = question["section"].lower()
    for section in db.sections(question["question"], limit=10):
        right = section.source == question["source"]
        if right and any(title.lower().startswith(wanted) for title in section.path):
            return int(section.rank)
    return 0


def test_right_sections(db: Database) -> None:
    """18 / 21 / 24 of 30 when written; the others share no word with their section."""
    ranks = [rank_of(db, question) for question in QUESTIONS]
    assert len(ranks) == 30
    assert sum(rank == 1 for rank in ranks) >= 17
    assert sum(0 < rank <= 3 for rank in ranks) >= 20
    assert sum(rank > 0 for rank in ranks) >= 23


def test_trees(db: Database) -> None:
    for name in ("harbour_regulation.pdf", "market_regulation_plain.pdf"):
        entries = db.toc(name)
        articles = [entry.label for entry in entries if entry.kind == "article"]
        assert len(articles) == len(set(articles)) == (74 if "harbour" in name else 30)
        assert entries[-1].page_end <= db.docs()[entries[0].doc_id - 1].pages
    manual = [entry.title for entry in db.toc("sounding_rig_manual.md")]
    assert "4.2 Running times" in manual


def test_the_contents_pages_are_no_sections(db: Database) -> None:
    first = next(e for e in db.toc("harbour_regulation.pdf") if e.label == "Article 1")
    assert first.page_start > 3
