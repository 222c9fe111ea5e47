"""Rule books: the published place of every passage against the nodes and points of their text."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from structure import STRUCTURE, Score, letters

from litesearch.terms.points import find_points
from litesearch.tree import Tree, build_tree


def tokens(label: str) -> tuple[str, ...]:
    """The parts of a number: "PART 1.2.(3)(a)" is part, 1, 2, 3, a."""
    return tuple(re.findall(r"[a-z]+|\d+", label.casefold()))


def passages(text: str, rows: Sequence[dict[str, Any]]) -> list[tuple[int, tuple[str, ...]]]:
    """Where the passages with numbered ids begin in `text`, in order; those not found are not.

    Passages whose beginning stands once in the text are the anchors; the others are looked for
    between them.
    """
    index = [i for i, char in enumerate(text) if char.isalnum()]
    squeezed = "".join(text[i].casefold()[:1] for i in index)
    named = [
        (tokens(row["PassageID"]), letters(row["Passage"])[:60])
        for row in rows
        if re.search(r"\d|\)", row["PassageID"])
    ]
    named = [(path, head) for path, head in named if head]
    once = [
        (squeezed.find(head), rank)
        for rank, (_, head) in enumerate(named)
        if len(head) >= 25 and squeezed.count(head) == 1
    ]
    places = {rank: place for place, rank in rising(once)}
    found, at = [], 0
    for rank, (path, head) in enumerate(named):
        if rank not in places:
            limit = next((places[r] for r in range(rank + 1, len(named)) if r in places), None)
            end = len(squeezed) if limit is None else limit
            shapes = (path[-1] + head, path[-1] + head[:16], head if len(head) > 11 else "\n")
            place, shape = next(
                ((p, s) for s in shapes if (p := squeezed.find(s, at, end)) >= 0), (-1, "")
            )
            if place < 0:
                continue
            places[rank] = place + len(path[-1]) * (shape != head)
        at = places[rank] + 1
        found.append((index[places[rank]], path))
    return found


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of (place, rank) whose places rise with the ranks."""
    tails: list[int] = []
    chains: list[list[tuple[int, int]]] = []
    for pair in sorted(pairs, key=lambda pair: pair[1]):
        at = bisect_left(tails, pair[0])
        chain = [*(chains[at - 1] if at else []), pair]
        tails[at : at + 1], chains[at : at + 1] = [pair[0]], [chain]
    return chains[-1] if chains else []


def addresses(tree: Tree) -> list[tuple[int, int, list[tuple[str, ...]]]]:
    """Every node and point: start, where its words begin at the earliest, its possible numbers."""
    found: list[tuple[int, int, list[tuple[str, ...]]]] = []
    chains: dict[int | None, tuple[str, ...]] = {0: ()}
    ends = {node.seq: node.char_end for node in tree}
    for node in reversed(tree[1:]):
        ends[node.parent or 0] = node.char_start
    for node in tree[1:]:
        own, above = tokens(node.label), chains[node.parent]
        whole = own if own[: len(above)] == above else above + own
        chains[node.seq] = whole if own else above
        if own:
            found.append((node.char_start, node.char_start + len(node.label), [own, whole]))
    for node in tree:
        for point in find_points(tree.document.text, node.char_start, ends[node.seq]):
            above = chains[node.seq]
            own = tuple(point.path)
            found.append((point.start, point.start + len(own[-1]), [above + own, own]))
    return sorted(found)


def score_passages(quick: bool = False) -> list[Score]:
    """The rule books: each passage's number begins where a node or a point of ours begins."""
    texts = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (STRUCTURE / "adgm" / "txt").glob("*")
    }
    squeezed = {name: letters(text) for name, text in texts.items()}
    scores = []
    paths = sorted((STRUCTURE / "adgm" / "json").glob("*.json"), key=lambda path: int(path.stem))
    for path in paths[:3] if quick else paths:
        rows = json.loads(path.read_text(encoding="utf-8"))
        heads = [letters(row["Passage"])[:80] for row in rows if len(row["Passage"]) > 120][:60]
        name = max(texts, key=lambda key: sum(head in squeezed[key] for head in heads))
        if sum(head in squeezed[name] for head in heads) < 0.5 * len(heads):
            continue
        scores.append(_passages(path.stem, name, texts[name], rows))
    return scores


def _passages(stem: str, name: str, text: str, rows: Sequence[dict[str, Any]]) -> Score:
    truth = passages(text, rows)
    starts = [place for place, _ in truth]

    def counts(start: int, names: Sequence[tuple[str, ...]]) -> bool:
        """Points inside a passage that the truth does not divide are neither right nor wrong."""
        at = bisect_left(starts, start)
        if at < len(truth) and starts[at] <= start + 30 and truth[at][1][-1] == names[0][-1]:
            return True
        return starts[0] - 50 <= start <= starts[-1] and not _within(names, truth[at - 1][1])

    ours = [
        (start, names)
        for start, _, names in addresses(build_tree(text, kind="text"))
        if counts(start, names)
    ]
    ids = {tokens(row["PassageID"]) for row in rows}
    used: set[int] = set()
    exact, missed = 0, []
    for place, path in truth:
        low = bisect_left(ours, (place - 30, []))
        near = [
            i
            for i in range(low, min(low + 40, len(ours)))
            if ours[i][0] <= place and i not in used and ours[i][1][0][-1] == path[-1]
        ]
        if near:
            used.add(near[-1])
            exact += path in ours[near[-1]][1]
        else:
            missed.append(".".join(path))
    # Ids of headings without a passage of their own, and those not placed, cannot be judged.
    unplaced = ids - {path for _, path in truth}
    extra = [
        names
        for i, (_, names) in enumerate(ours)
        if i not in used and not unplaced.intersection(names)
    ]
    score = Score(f"adgm {stem}", "passage ids", len(truth), len(used) + len(extra), len(used))
    score.missed = missed
    score.extra = [".".join(names[0]) for names in extra]
    score.more |= {"whole path": exact / len(truth) if truth else 1.0, "ids": len(rows)}
    score.left_out = [f"{len(rows) - len(truth)} of {len(rows)} ids not placed in {name}"]
    return score


def _within(names: Sequence[tuple[str, ...]], path: tuple[str, ...]) -> bool:
    return any(len(name) > len(path) and name[: len(path)] == path for name in names)
