"""Trees against the lists in nbs/truth, which people wrote from the rendered pages.

A heading is found where a node begins with its words on its page; a subdivision ("(a)") where a
node or one of the points inside a node does. What the lists call doubtful is neither asked for nor
held against us.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from measure import DATA
from structure import STRUCTURE, TRUTH, Score, depth, letters

from litesearch.data import pdf_parse
from litesearch.terms.points import find_points
from litesearch.tree import Tree, build_tree

BILL = DATA / "fixtures" / "HR8847_CNIMDT_AIGCE_STD_Act.pdf"
Start = tuple[int, str, Any]  # page, the letters that the text there begins with, node


def score_lists(quick: bool = False) -> list[Score]:
    """The lists that are there."""
    scores: list[Score] = []
    if (TRUTH / "hr8847_headings.json").is_file() and not quick:
        scores += _bill(_read("hr8847_headings.json"))
    if (TRUTH / "contracts_headings.json").is_file():
        scores += _contracts(_read("contracts_headings.json"), quick)
    if (TRUTH / "attention.json").is_file():
        scores += _paper(_read("attention.json"))
    return scores


def _read(name: str) -> Any:
    return json.loads((TRUTH / name).read_text(encoding="utf-8"))


def node_starts(tree: Tree) -> list[Start]:
    """Where nodes begin, in reading order."""
    return [(node.page_start, letters(tree.text(node)[:400]), node) for node in tree[1:]]


def point_starts(tree: Tree) -> list[Start]:
    """Where the points inside the nodes begin."""
    text, document = tree.document.text, tree.document
    ends = {node.seq: node.char_end for node in tree}
    for node in reversed(tree[1:]):
        ends[node.parent or 0] = node.char_start
    return [
        (document.page_at(point.start), letters(text[point.start : point.start + 400]), None)
        for node in tree
        for point in find_points(text, node.char_start, ends[node.seq])
    ]


def _is_same(words: str, start: Start, page: int) -> bool:
    """A label that was cut off from its title by a line may stand before it on either side."""
    return start[0] == page and start[1].startswith(letters(words)[:40])


def _bill(truth: dict[str, Any]) -> list[Score]:
    tree = build_tree(pdf_parse(BILL))
    rows = [row | {"title": f"{row['label']} {row['title']}"} for row in truth["headings"]]
    headings = _headings(tree, rows, "HR8847", "headings")
    listed = [row for row in truth["subdivisions"] if not row.get("doubtful")]
    found = _points_found(listed, [*node_starts(tree), *point_starts(tree)])
    points = Score("HR8847", "subdivisions", len(listed), len(found), len(found))
    points.missed = [" ".join(row["path"]) for row in listed if row not in found]
    return [headings, points]


def _headings(tree: Tree, rows: Sequence[dict[str, Any]], document: str, what: str) -> Score:
    """Headings with their level; clauses ("(a)") that are nodes are neither right nor wrong."""
    free = {start[2].seq: start for start in node_starts(tree)}
    missed, placed, right, asked = [], 0, 0, 0
    for row in rows:
        words = letters(row["title"])
        at = next((s for s in free.values() if _begins(s, words, row["page"])), None)
        if at is not None:
            del free[at[2].seq]
        if row.get("doubtful"):
            continue
        asked += 1
        if at is None:
            missed.append(f"p{row['page']} L{row['level']} {row['title']}")
            continue
        placed += 1
        right += depth(tree, at[2]) == row["level"]
        if depth(tree, at[2]) != row["level"]:
            missed.append(f"{row['title']}: L{depth(tree, at[2])}, not {row['level']}")
    extra = [node.title for _, _, node in free.values() if not node.label.startswith("(")]
    score = Score(document, what, asked, placed + len(extra), right)
    score.missed, score.extra = missed, extra
    score.more["f1 without level"] = 2 * placed / (placed + len(extra) + asked)
    return score


def _begins(start: Start, words: str, page: int) -> bool:
    return start[0] == page and bool(words) and start[1].startswith(words[:60])


def _points_found(rows: Sequence[dict[str, Any]], starts: Iterable[Start]) -> list[dict[str, Any]]:
    have = list(starts)
    return [row for row in rows if any(_is_same(row["first_words"], s, row["page"]) for s in have)]


def _contracts(rows: Sequence[dict[str, Any]], quick: bool) -> list[Score]:
    """The drawn pages of each contract."""
    scores = []
    for pdf in sorted({row["pdf"] for row in rows})[: 4 if quick else None]:
        tree = build_tree(pdf_parse(STRUCTURE / "cuad-pdf" / pdf))
        mine = [row for row in rows if row["pdf"] == pdf]
        pages = {row["page"] for row in mine}
        listed = [row for row in mine if "first_words" in row]
        asked = [row for row in listed if not row.get("doubtful")]
        starts = [start for start in node_starts(tree) if start[0] in pages]
        inside = [start for start in point_starts(tree) if start[0] in pages]
        found = _points_found([row for row in asked if _is_point(row)], [*starts, *inside])
        found += _points_found([row for row in asked if not _is_point(row)], starts)
        counted = [
            start
            for start in starts
            if not any(_is_same(r["first_words"], start, r["page"]) for r in listed)
        ]
        score = Score(pdf[:-4], "contract pages", len(asked), len(found) + len(counted), len(found))
        score.missed = [f"p{r['page']} {r['first_words']}" for r in asked if r not in found]
        score.extra = [f"p{start[0]} {start[2].title[:80]}" for start in counted]
        score.more["pages"] = len(pages)
        scores.append(score)
    total = Score("all contracts", "all contract pages", 0, 0, 0)
    for score in scores:
        total.expected += score.expected
        total.returned += score.returned
        total.right += score.right
    return [*scores, total]


def _is_point(row: dict[str, Any]) -> bool:
    return bool(re.fullmatch(r"\(?[A-Za-z0-9]{1,5}[.)]+", row["label"])) and "path" in row


def _paper(rows: Sequence[dict[str, Any]]) -> list[Score]:
    rows = [row | {"title": f"{row['number']} {row['title']}"} for row in rows]
    path = DATA / "eu" / "attention_is_all_you_need.pdf"
    return [
        _headings(build_tree(pdf_parse(path, outline=outline)), rows, "attention", what)
        for what, outline in (("paper by hand", True), ("paper, bookmarks withheld", False))
    ]
