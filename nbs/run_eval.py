"""Retrieval quality of litesearch on ../shared/data: one table, and results/eval.json.

run_eval.py [--quick] [--out FILE]. --quick takes small sets and fewer settings, and writes no file
unless told to. Exits 1 where a target is missed, 0 where there is no data.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from fusions import (
    COMMON_RRF,
    EQUAL_RRF,
    LEGS,
    Linear,
    all_anywhere,
    all_pairs,
    only,
    weights,
    with_function_words,
)
from measure import (
    BEIR,
    DATA,
    RESULTS,
    SHARED,
    Collection,
    Options,
    article_cases,
    build_collection,
    build_contracts,
    build_eu,
    collection_row,
    contract_row,
    eu_queries,
    eu_rows,
    read_collection,
    read_contracts,
    read_eu,
    require_data,
    text_cases,
)

from litesearch import Database
from litesearch.evals import Row, bootstrap_difference, evaluate, print_table

SETS = ("eu verbatim", "eu degraded", "article verbatim", "article degraded", *BEIR, "cuad")
SHORT = ("eu-v", "eu-d", "art-v", "art-d", "scifact", "cranf", "cacm", "policy", "cuad")
DEFAULT = "default"
SCORES = ("max", "mean", "sum")

SETTINGS: dict[str, Options] = {
    DEFAULT: {},
    **{f"{leg} alone": only(leg) for leg in LEGS},
    "rrf k=60, any + vec": COMMON_RRF,
    "rrf k=60, five legs": EQUAL_RRF,
    "linear": {"fusion": "linear"},
    "linear, counted pairs": Linear(weights(1, 0.72, 0.27, 0.5, 0.22)),
    "any with function words": with_function_words,
    "pairs of any words": all_pairs,
    "all words anywhere": all_anywhere,
    "keyword mode": {"mode": "keyword"},
    "adaptive": {"adaptive": True},
}
QUICK_SETTINGS = (DEFAULT, "any alone", "vec alone", "rrf k=60, any + vec", "linear")
BUILDS: dict[str, dict[str, Any]] = {
    "chunks of 256": {"chunk_size": 256},
    "chunks of 1024": {"chunk_size": 1024},
    "vectors without headings": {"with_heading": False},
}


@dataclass
class Sets:
    """All sets read, and the indexes of the default build."""

    quick: bool
    eu: dict[str, tuple[str, list[str]]] = field(init=False)
    collections: dict[str, Collection] = field(init=False)

    def __post_init__(self) -> None:
        self.eu = read_eu(self.quick)
        names = ("cranfield", "cacm") if self.quick else BEIR
        self.collections = {name: read_collection(name, 3 if self.quick else 1) for name in names}
        self.contracts, self.clauses = read_contracts(5 if self.quick else 50)

    def build(self, **options: Any) -> dict[str, Database]:
        """{set: index}, built with these options of add_doc."""
        say(f"build {options or DEFAULT}")
        built = {"eu": build_eu(self.eu, **options)}
        for name, collection in self.collections.items():
            built[name] = build_collection(collection, **options)
        built["cuad"] = build_contracts(self.contracts, **options)
        return built

    def scores(self, built: dict[str, Database], options: Options, name: str) -> dict[str, Row]:
        """One setting's row for each set."""
        say(name)
        rows = eu_rows(built["eu"], eu_queries(built["eu"]), options, name)
        for key, collection in self.collections.items():
            rows[key] = collection_row(built[key], collection.topics, options, name)
        rows["cuad"] = contract_row(built["cuad"], self.clauses, options, name)
        return rows


def say(what: str) -> None:
    """Progress, beside the table."""
    print(f"{time.process_time():6.0f} s  {what}", file=sys.stderr, flush=True)


def figure(row: Row) -> float:
    """The one figure of a row in the table: nDCG@10 where documents are judged, else MRR@10."""
    return row.mrr if row.ndcg is None else row.ndcg


def compare(sets: Sets) -> tuple[dict[str, dict[str, Row]], dict[str, Database]]:
    """{setting: {set: row}} for every way to search and every way to build."""
    built = sets.build()
    settings = QUICK_SETTINGS if sets.quick else tuple(SETTINGS)
    found = {name: sets.scores(built, SETTINGS[name], name) for name in settings}
    for name, options in {} if sets.quick else BUILDS.items():
        found[name] = sets.scores(sets.build(**options), {}, name)
    if not sets.quick:
        for db in built.values():
            db.configure(heading=0)
        found["headings unsearched"] = sets.scores(built, {}, "headings unsearched")
        for db in built.values():
            db.configure(heading=1)
    return found, built


def matrix(found: dict[str, dict[str, Row]]) -> list[dict[str, Any]]:
    """A row a setting, a column a set; `mean` weighs sets alike, eu and its articles as one."""
    table = []
    for name, rows in found.items():
        record: dict[str, Any] = {"setting": name}
        for key, short in zip(SETS, SHORT, strict=True):
            if key in rows:
                record[short] = figure(rows[key])
        eu = fmean(record[short] for short in SHORT[:4])
        others = [record[short] for short in SHORT[4:] if short in record]
        record["mean"] = fmean([eu, *others])
        record["against default"] = difference(found[DEFAULT], rows) if name != DEFAULT else ""
        table.append(record)
    return table


def difference(default: dict[str, Row], rows: dict[str, Row]) -> str:
    """The sets on which a setting is better or worse than the default, beyond chance."""
    signs = []
    for key, short in zip(SETS, SHORT, strict=True):
        if key in rows:
            interval = bootstrap_difference(rows[key].values, default[key].values, samples=2000)
            if interval.clear:
                signs.append(("+" if interval.mean > 0 else "-") + short)
    return " ".join(signs)


def details(db: Database) -> list[dict[str, Any]]:
    """data/eu in full: strict and lenient hits, spans, sections by score, as labelled or mended."""
    known = eu_queries(db)
    table: list[dict[str, Any]] = []

    def add(name: str, form: str, cases: Any, search: Callable[[str], Any]) -> None:
        sizes: list[int] = []

        def sized(query: str) -> Any:
            hits = search(query)
            sizes.extend(len(hit.get("content") or hit.text) for hit in hits)
            return hits

        row = evaluate(sized, cases, 10, name).as_dict()
        head = {"system": row.pop("name"), "queries": form}
        table.append(head | row | {"chars": round(fmean(sizes))})

    for form in ("verbatim", "degraded"):
        lenient, strict = text_cases(known, form), text_cases(known, form, strict=True)
        add("passages", form, lenient, lambda q: db.doc_search(q))
        add("passages, strict hits", form, strict, lambda q: db.doc_search(q))
        add("passages, spans off", form, lenient, lambda q: db.doc_search(q, spans=False))
        for score in SCORES:
            right = article_cases(known, form)
            add(
                f"sections by {score}",
                form,
                right,
                lambda q, s=score: db.sections(q, score=s, limit=10),
            )
        published = article_cases(known, form, mended=False)
        add("sections by max, labels as given", form, published, lambda q: db.sections(q, limit=10))
    return table


def seed_notebook(quick: bool) -> dict[str, Any]:
    """Run the founding notebook's script; its figures, and whether it held its own bounds."""
    script = SHARED / "tools" / "seed_notebook.py"
    if not script.is_file():
        return {"ran": False, "ok": True, "output": "not here"}
    command = [sys.executable, str(script), str(DATA / "eu"), *([] if quick else ["--all"])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    last = re.search(r"tree verbatim ([.\d]+).*degraded ([.\d]+)", lines[-1] if lines else "")
    figures = map(float, last.groups()) if last else ()
    found = dict(zip(("verbatim", "degraded"), figures, strict=False))
    return {"ran": True, "ok": done.returncode == 0, **found, "output": "\n".join(lines)}


def targets(detail: list[dict[str, Any]], seed: dict[str, Any]) -> list[dict[str, Any]]:
    """The bounds that the project set itself, met or not.

    With the labels as given nothing can pass .971 + a little: five of 175 are wrong (measure.py).
    """
    mrr = {(row["system"], row["queries"]): row["mrr"] for row in detail}
    asked = [
        ("right Article, verbatim, MRR", 0.98, mrr["sections by max", "verbatim"]),
        ("right Article, degraded, MRR", 0.70, mrr["sections by max", "degraded"]),
        ("founding notebook, tree verbatim, MRR", 0.97, seed.get("verbatim")),
        ("founding notebook, tree degraded, MRR", 0.60, seed.get("degraded")),
    ]
    rows = [
        {"target": what, "at least": bound, "measured": got, "": "pass" if got >= bound else "FAIL"}
        for what, bound, got in asked
        if got is not None
    ]
    for row, form in zip(rows[:2], ("verbatim", "degraded"), strict=True):
        row["with the 5 wrong labels"] = mrr["sections by max, labels as given", form]
    return rows


def main() -> int:
    """Measure, print, write; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    require_data()
    sets = Sets(given.quick)
    found, built = compare(sets)
    table, detail = matrix(found), details(built["eu"])
    say("the founding notebook's script")
    seed = seed_notebook(given.quick)
    met = targets(detail, seed)
    print_table(table, "MRR@10 on eu (passages, Articles) and cuad, nDCG@10 on the others")
    print_table(detail, "\ndata/eu, one default configuration")
    print("\nThe founding notebook's script:\n" + seed["output"])
    print_table(met, "\nTargets")
    out = given.out or (None if given.quick else RESULTS / "eval.json")
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            {"set": key} | row.as_dict() for rows in found.values() for key, row in rows.items()
        ]
        record = {"table": table, "eu": detail, "targets": met, "seed": seed, "rows": rows}
        out.write_text(json.dumps(_rounded(record), indent=1) + "\n", encoding="utf-8")
    return int(not seed["ok"] or any(row[""] == "FAIL" for row in met))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
