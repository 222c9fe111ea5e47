"""How well trees agree with what is known of a document: bookmarks, Articles, lists made by hand.

A section counts as found only where its text begins with the heading's words on the heading's page;
a title copied from an outline onto other text does not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from measure import DATA, ROOT

from litesearch.assemble import assemble
from litesearch.chunks import chunk_tree
from litesearch.data import pdf_parse
from litesearch.tree import Tree, build_tree

STRUCTURE = DATA / "structure"
TRUTH = ROOT / "nbs" / "truth"
BOOKMARKED = (
    "debian-policy/policy",
    "developers-reference/developers-reference",
    "r-manuals/R-FAQ",
    "r-manuals/R-data",
    "r-manuals/R-intro",
)
# Articles an act has, counted in its print.
ARTICLES = {
    "dir_1993_13_2022-05-28_eng": 13,
    "dir_1993_83_2019-06-06_eng": 15,
    "dir_1996_9_2019-06-06_eng": 17,
    "reg_2021_241_2024-03-01_eng": 41,
    "reg_2021_523_2024-03-01_eng": 37,
    "reg_2021_694_2023-09-21_eng": 35,
    "reg_2021_695_2024-03-01_eng": 58,
    "dir_2006_112_2022-07-01_eng": 439,
}
PAPER = (
    "1 Introduction", "2 Background", "3 Model Architecture", "3.1 Encoder and Decoder Stacks",
    "3.2 Attention", "3.2.1 Scaled Dot-Product Attention", "3.2.2 Multi-Head Attention",
    "3.2.3 Applications of Attention in our Model", "3.3 Position-wise Feed-Forward Networks",
    "3.4 Embeddings and Softmax", "3.5 Positional Encoding", "4 Why Self-Attention", "5 Training",
    "5.1 Training Data and Batching", "5.2 Hardware and Schedule", "5.3 Optimizer",
    "5.4 Regularization", "6 Results", "6.1 Machine Translation", "6.2 Model Variations",
    "6.3 English Constituency Parsing", "7 Conclusion",
)  # fmt: skip
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_SPELLED = (
    rf"(?:twenty|thirty|forty|fifty)[ -]?(?:{_ONES})|{_ONES}|ten|eleven|twelve|twenty|thirty|forty"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
)
_KEYWORD = re.compile(
    rf"^(?:chapter|appendix|part|section)\s+(?:(?:[0-9]+|[ivxl]+|[a-z]|{_SPELLED})\b[.:]?\s+)?(?=\S)",
    re.I,
)
_NUMBER = re.compile(r"^(?:\d+(?:\.(?:\d+|[A-Z]))*[.:]?|[A-Z](?:\.\d+)+[.:]?|[IVXL]+\.)\s+(?=\S)")
_ARROW = re.compile(r"^#* ?(?:[►▼] ?[A-Z]{1,2}\d* )*")
_LETTER = re.compile(r"^[A-Z][.:]?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Truth:
    """A heading that a document has: its words, its page, how deep it lies."""

    title: str
    page: int
    level: int = 0
    label: str = ""


@dataclass(slots=True)
class Score:
    """What was found of what there is, and what was found that is not there."""

    document: str
    what: str
    expected: int
    returned: int
    right: int
    good: int | None = None  # of what was found, where it is not counted one to one
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def precision(self) -> float:
        good = self.right if self.good is None else self.good
        return good / self.returned if self.returned else float(not self.expected)

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else 1.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def row(self) -> dict[str, Any]:
        """For the printed table."""
        return {
            "document": self.document, "what": self.what, "there": self.expected,
            "found": self.returned, "right": self.right, "precision": self.precision,
            "recall": self.recall, "f1": self.f1, **self.more,
        }  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """For the file: the figures and the first of what is wrong."""
        lists = {
            key: value[:40]
            for key, value in asdict(self).items()
            if key in ("missed", "extra", "left_out") and value
        }
        return self.row() | lists


def letters(text: str) -> str:
    """Letters and digits alone, without case."""
    return re.sub(r"[\W_]+", "", text).casefold()


def keys(title: str) -> list[str]:
    """A heading's letters without its number: "2.1 Read.Table" and "Chapter 2: Read table".

    The A of "A References" may be a number or a word: there are two keys.
    """
    line = " ".join(title.split()).lstrip("#*`|\\ ")
    without = _NUMBER.sub("", _KEYWORD.sub("", line), count=1)
    forms = [line, without, _LETTER.sub("", without)]
    return [key for key in dict.fromkeys(map(letters, forms)) if key] or [letters(line)]


def is_at(tree: Tree, node: Any, title: str) -> bool:
    """Whether a node has this title and its text begins with the title's words."""
    wanted = keys(title)
    if not set(keys(node.title)) & set(wanted[1:] or wanted):
        return False
    opening = keys(tree.text(node)[: 2 * len(title) + 80])
    return any(key.startswith(want) for key in opening for want in wanted)


def depth(tree: Tree, node: Any) -> int:
    """How many sections a node lies in, itself counted."""
    return len(tree.path(node))


def score_headings(
    tree: Tree, truth: Sequence[Truth], document: str, what: str, levels: bool = True
) -> Score:
    """Nodes against headings one to one, in reading order: words, page and depth."""
    free = {node.seq: node for node in tree[1:]}
    pages: dict[int, list[Any]] = {}
    for node in tree[1:]:
        pages.setdefault(node.page_start, []).append(node)
    placed, deep, missed, wrong = 0, 0, [], []
    for wanted in truth:
        near = (node for node in pages.get(wanted.page, ()) if node.seq in free)
        at = next((node for node in near if is_at(tree, node, wanted.title)), None)
        if at is None:
            missed.append(f"p{wanted.page} L{wanted.level} {wanted.title}")
            continue
        del free[at.seq]
        placed += 1
        if depth(tree, at) == wanted.level or not wanted.level:
            deep += 1
        else:
            wrong.append(f"p{wanted.page} {wanted.title}: {depth(tree, at)}, not {wanted.level}")
    extra = [f"p{node.page_start} L{depth(tree, node)} {node.title}" for node in free.values()]
    right = deep if levels else placed
    score = Score(document, what, len(truth), len(tree) - 1, right, None, missed + wrong, extra)
    if levels:
        score.more["f1 without level"] = (
            2 * placed / (len(truth) + len(tree) - 1) if truth or len(tree) > 1 else 1.0
        )
    return score


# Bookmarks


@cache
def raw_pages(path: Path) -> tuple[str, ...]:
    """Each page's text as pdf-oxide reads it, without our layout."""
    from pdf_oxide import PdfDocument

    pdf = PdfDocument(str(path))
    return tuple(pdf.extract_text(page) for page in range(pdf.page_count()))


@cache
def raw_words(path: Path) -> tuple[str, ...]:
    """The words of a PDF's spans, before anything is done with them."""
    from pdf_oxide import PdfDocument

    pdf = PdfDocument(str(path))
    spans = (span for page in range(pdf.page_count()) for span in pdf.extract_spans(page))
    words = (letters(word) for span in spans for word in span.text.split())
    return tuple(word for word in words if word)


def bookmarks(name: str) -> tuple[list[Truth], list[str]]:
    """The bookmarks of structure/<name>.pdf, and those whose words their page does not have."""
    pages = [letters(page) for page in raw_pages(STRUCTURE / f"{name}.pdf")]
    for line in (STRUCTURE / "outlines.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["pdf"] == f"{name}.pdf":
            found = [Truth(o["title"], o["page"], o["level"]) for o in row["outline"]]
            absent = [t for t in found if not _stands(t.title, pages[t.page - 1])]
            kept = [t for t in found if t not in absent]
            return kept, [f"p{t.page} {t.title}" for t in absent]
    return [], []


def score_bookmarks(names: Iterable[str] = BOOKMARKED) -> list[Score]:
    """Each PDF with its bookmarks and with them withheld."""
    scores = []
    for name in names:
        truth, absent = bookmarks(name)
        for what, outline in (("bookmarks", True), ("bookmarks withheld", False)):
            tree = build_tree(pdf_parse(STRUCTURE / f"{name}.pdf", outline=outline))
            scores.append(score_headings(tree, truth, name, what))
            scores[-1].left_out = absent
    return scores


def _stands(title: str, page: str) -> bool:
    """Whether a page has all words of a title; a hyphen may part one of them."""
    missing = [word for word in map(letters, title.split()) if word not in page]
    return len(missing) <= (len(title.split()) > 4)


# Acts and the paper


@cache
def eu_tree(name: str) -> Tree:
    """The tree of one of data/eu's PDFs."""
    return build_tree(pdf_parse(DATA / "eu" / f"{name}.pdf"))


def score_articles(names: Iterable[str] = ARTICLES) -> list[Score]:
    """Article nodes of the acts, and how many nodes have neither text nor children."""
    scores = []
    for name in names:
        tree = eu_tree(name)
        found = [node for node in tree if node.kind == "article"]
        stands = {
            node.label
            for node in found
            if _ARROW.sub("", " ".join(tree.text(node)[:60].split())).startswith(node.label)
        }
        wanted = stands
        if name.startswith("dir_2006"):
            wanted = set(json.loads((DATA / "eu" / "dir_2006_112_articles.json").read_text()))
        right = min(len(wanted & stands), ARTICLES[name])
        score = Score(name, "articles", ARTICLES[name], len(found), right)
        score.missed = sorted(wanted - stands)
        score.extra = [node.label for node in found if node.label not in wanted & stands]
        score.more["bare nodes"] = len(bare_nodes(tree)) / len(tree)
        scores.append(score)
    return scores


def bare_nodes(tree: Tree) -> list[str]:
    """Nodes with nothing below their heading."""
    parents = {node.parent for node in tree}
    return [
        node.title
        for node in tree
        if node.seq not in parents and len(tree.text(node).split()) <= len(node.title.split())
    ]


def score_paper() -> Score:
    """The numbered sections of the Attention paper, with their titles and depth."""
    tree = eu_tree("attention_is_all_you_need")
    found = {
        f"{depth(tree, node)} {' '.join(node.title.split())}" for node in tree[1:] if node.label
    }
    wanted = {f"{title.split()[0].count('.') + 1} {title}" for title in PAPER}
    right = wanted & found
    return Score(
        "attention", "sections", len(wanted), len(found), len(right), None,
        sorted(wanted - right), sorted(found - right),
    )  # fmt: skip


# Nothing is lost


def score_words(path: Path, document: str) -> Score:
    """The words of the raw pages against the stored chunks, with running heads and feet kept.

    What their removal takes away is counted beside it.
    """
    pages = pdf_parse(path)
    whole = build_tree(assemble(pages, "pdf", remove_furniture=False))
    kept = letters("".join(chunk.content for chunk in chunk_tree(whole)))
    raw = raw_words(path)
    lost = [word for word in raw if word not in kept]
    score = Score(document, "words kept", len(raw), len(raw), len(raw) - len(lost))
    score.missed = sorted(set(lost))
    cleaned = assemble(pages, "pdf")
    before, after = len(letters(whole.document.text)), len(letters(cleaned.text))
    written = Counter(letters("".join(pages)))
    score.more |= {
        "furniture lines": sum(cleaned.removed.values()),
        "its letters": (before - after) / max(before, 1),
        "letters lost in layout": (Counter("".join(raw)) - written).total(),
        "unstored": before - len(kept),
    }
    return score
