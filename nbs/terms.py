"""Definitions, cross-references and lookup against truth lists and generated names."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import DATA

from litesearch import Database, database
from litesearch.normalise import words
from litesearch.terms.definitions import term_key
from litesearch.terms.grammar import parse_label, parse_reference

TRUTH = Path(__file__).parent / "truth"
LOOKUPS = 500
ORDINARY = {"article": "Art.", "section": "§", "chapter": "Ch.", "annex": "annex"}


def build_documents(quick: bool = False) -> Database:
    """All documents that the truth lists and lookups are about, without vectors.

    `quick`: those that read fast, of which the rows then speak.
    """
    db = database(encoder=None)
    if quick:
        for path in ("policy.md", "sample_legislation.md"):
            db.add_file(DATA / "fixtures" / path, source=path)
        for path in ("dir_1993_13_2022-05-28_eng.pdf", "reg_2021_694_2023-09-21_eng.pdf"):
            db.add_file(DATA / "eu" / path, source=path)
        return db
    for folder, pattern in (
        ("eu", "*.pdf"), ("fixtures", "*"), ("structure/cuad-pdf", "*.pdf"),
        ("structure/debian-policy", "*.pdf"), ("structure/developers-reference", "*.pdf"),
        ("structure/r-manuals", "*.pdf"), ("structure/adgm/txt", "*.txt"),
    ):  # fmt: skip
        db.add_dir(DATA / folder, pattern, progress=False)
    return db


def section_name(label: str) -> str:
    """A section as it is compared: its number, or its title's words."""
    parsed = parse_label(label)
    return parsed.key if parsed else " ".join(words(label))


def same_section(printed: str, path: list[str]) -> bool:
    """Whether a section of a truth list is one of a node and those above it."""
    name = section_name(printed)
    return any(name == section_name(title) or name == " ".join(words(title)) for title in path)


def path_of(db: Database, node_id: int) -> list[str]:
    """Titles from a node upwards."""
    titles: list[str] = []
    at: int | None = node_id
    while at is not None:
        row = db.rows("SELECT title, parent_id FROM nodes WHERE id = ?", (at,))[0]
        titles.append(row.title)
        at = row.parent_id
    return titles


def definition_rows(db: Database) -> list[dict[str, Any]]:
    """Precision and recall of (term, section) for each document with a truth list."""
    truth = json.loads((TRUTH / "definitions.json").read_text(encoding="utf-8"))
    rows, total = [], Counter[str]()
    stored = {doc.source for doc in db.docs()}
    for name, wanted in truth.items():
        if name not in stored:
            continue
        found = db.rows("SELECT * FROM definitions WHERE source = ?", (name,))
        left = [(term_key(f.term), path_of(db, f.node_id)) for f in found]
        missed, optional = [], 0
        for item in wanted:
            at = next(
                (
                    i
                    for i, (key, path) in enumerate(left)
                    if key == term_key(item["term"]) and same_section(item["section"], path)
                ),
                None,
            )
            if at is not None:
                left.pop(at)
                optional += bool(item.get("doubtful"))
            elif not item.get("doubtful"):
                missed.append(item["term"])
        hits = len(found) - len(left)
        certain = sum(not item.get("doubtful") for item in wanted)
        total.update(found=len(found), hits=hits, wanted=certain, right=hits - optional)
        rows.append({
            "document": name, "truth": len(wanted), "found": len(found),
            "precision": ratio(hits, len(found)), "recall": ratio(hits - optional, certain),
            "missed": missed, "false": [key for key, _ in left],
        })  # fmt: skip
    rows.append({
        "document": "all", "truth": total["wanted"], "found": total["found"],
        "precision": ratio(total["hits"], total["found"]),
        "recall": ratio(total["right"], total["wanted"]), "missed": [], "false": [],
    })  # fmt: skip
    return rows


def ratio(part: int, whole: int) -> float:
    """A share, 1.0 of nothing."""
    return round(part / whole, 3) if whole else 1.0


def reference_rows(db: Database) -> list[dict[str, Any]]:
    """The drawn references: found at all, and resolved to the right section."""
    truth = json.loads((TRUTH / "references.json").read_text(encoding="utf-8"))
    counts: Counter[str] = Counter()
    wrong = []
    stored = {doc.source for doc in db.docs()}
    for item in truth:
        if item.get("doubtful") or item["file"] not in stored:
            continue
        targets = item.get("targets") or [item["target_section"]]
        for target in targets:
            outcome = judge(db, item, target)
            counts[outcome] += 1
            if outcome != "right":
                wrong.append({**item, "target_section": target, "outcome": outcome})
    total = sum(counts.values())
    return [{"references": total, **counts, "share": ratio(counts["right"], total), "wrong": wrong}]


def judge(db: Database, item: dict[str, Any], target: str) -> str:
    """ "right", "not found", or what is wrong with one drawn reference."""
    found = db.rows(
        "SELECT r.*, t.title AS to_title FROM refs r LEFT JOIN nodes t ON t.id = r.to_node"
        " WHERE r.source = ? AND abs(r.page - ?) <= 1",
        (item["file"], item.get("page") or 1),
    )
    inside = [f for f in found if same_section(item["within"], path_of(db, f.node_id))]
    named = [f for f in inside if is_named(f, item, target)]
    if not named:
        return "not found"
    if not item["internal"]:
        return "right" if any(f.act for f in named) else "taken for its own"
    if not item.get("exists", True):
        return "right" if any(f.to_node is None for f in named) else "resolved to another"
    if any(f.to_node and is_target(f.to_title, target) for f in named):
        return "right"
    return "unresolved" if all(f.to_node is None for f in named) else "resolved to another"


def is_target(title: str, target: str) -> bool:
    """Whether a section is the one of a truth list: the same number, and no other word for it."""
    wanted, got = parse_reference(target), parse_label(title)
    if wanted is None or got is None:
        return section_name(title) == section_name(target)
    return wanted.number == got.number and (not got.kind or got.kind == wanted.kind)


def is_named(found: Any, item: dict[str, Any], target: str) -> bool:
    """Whether a reference in the file is the drawn one."""
    printed = "".join(words(found.raw))
    drawn = "".join(words(item["raw"]))
    full = parse_reference(target)
    same = full is not None and found.key.split("(")[0] in (full.key, full.key.split("(")[0])
    return printed == drawn or same


def lookup_cases(db: Database, count: int = LOOKUPS) -> Iterator[tuple[str, str, int]]:
    """(form, what is typed, the right node) for sections drawn by seed, in five written forms."""
    nodes = db.rows(
        "SELECT n.id, n.doc_id, n.parent_id, n.title, n.label, p.title AS around FROM nodes n"
        " JOIN nodes p ON p.id = n.parent_id WHERE n.label <> '' ORDER BY n.id"
    )
    names = Counter((node.doc_id, section_name(node.title)) for node in nodes)
    titles = Counter((node.doc_id, " ".join(words(node.title))) for node in nodes)
    drawn = random.Random(2026)
    single = [
        n for n in nodes if names[n.doc_id, section_name(n.title)] == 1 and parse_label(n.title)
    ]
    for index, node in enumerate(drawn.sample(single, min(count, len(single)))):
        label = parse_label(node.title)
        assert label is not None
        form = ("printed", "abbreviated", "lower case", "of", "title")[index % 5]
        typed = node.label
        if form == "abbreviated":
            typed = f"{ORDINARY.get(label.kind, label.kind.title())} {label.number}".strip()
            typed += "".join(f" ({point})" for point in label.points)
        elif form == "lower case":
            typed = node.label.lower().rstrip(".")
        elif form == "of" and parse_label(node.around):
            typed = f"{node.label.rstrip('.')} of {parse_label(node.around).key}"
        elif form == "title" and titles[node.doc_id, " ".join(words(node.title))] == 1:
            typed = "  ".join(node.title.upper().split())
        yield form, typed, node.id


def lookup_rows(db: Database) -> list[dict[str, Any]]:
    """The share of generated names whose node comes first, by form."""
    right, asked = Counter[str](), Counter[str]()
    wrong = []
    for form, typed, node in lookup_cases(db):
        found = db.lookup(typed, node >> 20)
        good = bool(found) and found[0].node_id == node
        asked[form] += 1
        right[form] += good
        if not good:
            wrong.append((typed, [place.title for place in found][:2], node))
    rows = [
        {"form": form, "names": asked[form], "first": ratio(right[form], asked[form])}
        for form in asked
    ]
    total = sum(asked.values())
    rows.append({"form": "all", "names": total, "first": ratio(sum(right.values()), total)})
    rows[-1]["list"] = wrong[:40]
    return rows
