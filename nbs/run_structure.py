"""Structure on ../shared/data against what is known of each document: results/structure.json.

run_structure.py [--quick] [--out FILE]. --quick takes the small documents and writes no file unless
told to. Exits 1 where a target is missed, 0 where there is no data.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import structure as known
import structure_rulebooks as rulebooks
import structure_truth as truth
import structure_twins as twins
from measure import DATA, RESULTS, require_data
from structure import Score

from litesearch.evals import print_table

QUICK_BOOKS = ("r-manuals/R-FAQ", "r-manuals/R-data")
QUICK_ACTS = tuple(name for name in known.ARTICLES if name.startswith(("dir_199", "reg_2021_694")))


def words_kept(quick: bool) -> list[Score]:
    """Every PDF of the data, or one of each kind."""
    paths = [
        *sorted((known.STRUCTURE).glob("*/*.pdf")),
        *sorted((DATA / "eu").glob("*.pdf")),
        *sorted((DATA / "fixtures").glob("*.pdf")),
    ]
    names = {"c012.pdf", "R-FAQ.pdf", "attention_is_all_you_need.pdf"}
    return [known.score_words(path, path.stem) for path in paths if not quick or path.name in names]


def sections(quick: bool) -> dict[str, Callable[[], list[Score]]]:
    """What is measured, by the name of its table."""
    return {
        "Bookmarks": lambda: known.score_bookmarks(QUICK_BOOKS if quick else known.BOOKMARKED),
        "Articles": lambda: [
            *known.score_articles(QUICK_ACTS if quick else known.ARTICLES),
            known.score_paper(),
        ],
        "Lists made by hand": lambda: truth.score_lists(quick),
        "Reference parsers": lambda: twins.score_twins(quick),
        "Contracts against their text twins": lambda: twins.score_clauses(quick),
        "Rule books": lambda: rulebooks.score_passages(quick),
        "Words kept": lambda: words_kept(quick),
    }


def targets(found: dict[str, list[Score]]) -> list[dict[str, Any]]:
    """The bounds that the project set itself, met or not; a group counts by its worst document."""

    def worst(group: str, what: str = "", figure: str = "f1") -> float | None:
        rows = [
            row for row in found.get(group, ()) if row.what == (what or row.what) and row.expected
        ]
        return min((getattr(row, figure) for row in rows), default=None)

    def mean(group: str) -> float | None:
        rows = [row.f1 for row in found.get(group, ()) if row.expected >= 10]
        return fmean(rows) if rows else None

    bare = max((row.more.get("bare nodes", 0.0) for row in found["Articles"]), default=0.0)
    asked = [
        ("headings with bookmarks, F1", 0.95, worst("Bookmarks", "bookmarks")),
        ("headings, bookmarks withheld, F1", 0.85, worst("Bookmarks", "bookmarks withheld")),
        ("Articles, recall", 0.99, worst("Articles", "articles", "recall")),
        ("Articles, precision", 0.99, worst("Articles", "articles", "precision")),
        ("nodes with text or children", 0.99, 1 - bare),
        ("sections of the paper, F1", 1.0, worst("Articles", "sections")),
        ("clauses against the twins, mean F1", 0.85, mean("Contracts against their text twins")),
        ("passage ids, mean F1", 0.85, mean("Rule books")),
        ("the bill by hand, F1", 0.85, worst("Lists made by hand", "headings")),
        ("the bill's (a)(1) by hand, F1", 0.85, worst("Lists made by hand", "subdivisions")),
        ("contract pages by hand, F1", 0.85, worst("Lists made by hand", "all contract pages")),
        ("the paper by hand, F1", 0.95, worst("Lists made by hand", "paper by hand")),
        (
            "the paper, bookmarks withheld, F1",
            0.85,
            worst("Lists made by hand", "paper, bookmarks withheld"),
        ),
        ("rst, html, markdown as others read them, F1", 1.0, worst("Reference parsers")),
        ("words kept", 1.0, worst("Words kept", figure="recall")),
    ]
    return [
        {"target": what, "at least": bound, "measured": got, "": "pass" if got >= bound else "FAIL"}
        for what, bound, got in asked
        if got is not None
    ]


def main() -> int:
    """Measure, print, write; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    require_data()
    found: dict[str, list[Score]] = {}
    for name, work in sections(given.quick).items():
        found[name] = work()
        print(f"{time.process_time():6.0f} s  {name}", file=sys.stderr, flush=True)
        if found[name]:
            print_table([score.row() for score in found[name]], f"\n{name}")
    met = targets(found)
    print_table(met, "\nTargets")
    out = given.out or (None if given.quick else RESULTS / "structure.json")
    if out:
        rows = {name: [score.as_dict() for score in scores] for name, scores in found.items()}
        record = {"targets": met, **rows}
        out.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(record, indent=1, ensure_ascii=False, default=str)
        out.write_text(json.dumps(_rounded(json.loads(text)), indent=1, ensure_ascii=False) + "\n")
    return int(any(row[""] == "FAIL" for row in met))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
