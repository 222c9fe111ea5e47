"""What the evaluation, the benchmark and the notebook share: the sets, and how each is asked."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litesearch import Database, database
from litesearch.data import read_file
from litesearch.evals import (
    Case,
    Row,
    Topic,
    evaluate,
    evaluate_topics,
    load_beir,
    read_jsonl,
    text_hit,
    topics_of,
)

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
RESULTS = ROOT / "nbs" / "results"
SMALL_PDFS = ("attention", "dir_1993", "dir_1996", "reg_2021_694")  # the quick form's: 66 pages
BEIR = ("scifact", "cranfield", "cacm", "policyqa-dev")
CANDIDATES = 60  # chunks a query, for about 10 documents: one document has several
# What a search is asked with: options of doc_search, or a function of the file and the query.
Options = Mapping[str, Any] | Callable[[Database, str], Mapping[str, Any]]


def require_data() -> None:
    """Leave, with success, where the data is not there: it is no part of the project."""
    if not (DATA / "eu").is_dir():
        print("The data (../shared/data beside the project) is not here: nothing is measured.")
        sys.exit(0)


def options_for(options: Options, db: Database, query: str) -> dict[str, Any]:
    """A setting's options for one query."""
    return dict(options(db, query) if callable(options) else options)


# EU legislation: sentences to be found again


# Five of the 175 labels of queries.json name the Article before the sentence's own place (where
# the PDF's text layer was cut): the line "Article N" or "ANNEX N" next above the sentence, in the
# text that pdf-oxide's extract_text gives, is another. All others agree with it, or were cut so
# that the sentence cannot be found.
MENDED = {
    ("dir_2006_112_2022-07-01_eng.pdf", "Article 377", 150): "Article 378",
    ("reg_2021_241_2024-03-01_eng.pdf", "Article 36", 38): "ANNEX I",
    ("reg_2021_694_2023-09-21_eng.pdf", "Article 34", 25): "ANNEX I",
    ("reg_2021_695_2024-03-01_eng.pdf", "Article 55", 50): "Article 56",
    ("reg_2021_695_2024-03-01_eng.pdf", "Article 58", 52): "ANNEX I",
}


@dataclass(frozen=True, slots=True)
class Known:
    """A sentence of an Article, as printed and without its rarest words.

    `printed`: the document's text has it as it stands, so that only strict hits count.
    """

    verbatim: str
    degraded: str
    pdf: str
    article: str
    page: int
    printed: bool = True

    def mended(self) -> Known:
        """With the Article or Annex that the sentence stands in."""
        return replace(self, article=MENDED.get((self.pdf, self.article, self.page), self.article))


def eu_files(quick: bool = False) -> list[Path]:
    """The PDFs: 9 with 501 pages, or 4 small ones."""
    found = sorted((DATA / "eu").glob("*.pdf"))
    return [path for path in found if not quick or path.name.startswith(SMALL_PDFS)]


def read_eu(quick: bool = False) -> dict[str, tuple[str, list[str]]]:
    """{file name: (title, pages)}: read once for all the ways of cutting them."""
    contents = {path.name: read_file(path) for path in eu_files(quick)}
    return {name: (content.title, list(content.pages)) for name, content in contents.items()}


def build_eu(
    documents: Mapping[str, tuple[str, list[str]]], encoder: Any = "static", **options: Any
) -> Database:
    """An index in memory, as add_dir makes it; `options` are those of add_doc."""
    db = database(encoder=encoder)
    for name, (title, pages) in documents.items():
        db.add_doc(pages, title=title or None, source=name, kind="pdf", **options)
    return db


def eu_queries(db: Database) -> list[Known]:
    """The known items of the documents that the index has."""
    texts = {doc.source: _folded(db.text(doc.id)) for doc in db.docs()}
    rows = json.loads((DATA / "eu" / "queries.json").read_text(encoding="utf-8"))
    return [
        Known(**row, printed=_folded(row["verbatim"]) in texts[row["pdf"]])
        for row in rows
        if row["pdf"] in texts
    ]


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def text_cases(known: Iterable[Known], form: str, strict: bool = False) -> list[Case]:
    """Right is a passage that holds the sentence. `form` is "verbatim" or "degraded"."""
    return [
        Case(
            getattr(item, form),
            lambda hit, item=item: text_hit(item.verbatim, hit.content, strict or item.printed),
        )
        for item in known
    ]


def article_cases(known: Iterable[Known], form: str, mended: bool = True) -> list[Case]:
    """Right is a section of the right act that is the right Article or lies in it."""
    right = [item.mended() if mended else item for item in known]
    return [
        Case(getattr(item, form), lambda hit, item=item: in_article(hit, item)) for item in right
    ]


def in_article(hit: Any, item: Known) -> bool:
    """Whether a result stands in the Article that the sentence was taken from."""
    begins = re.compile(re.escape(item.article) + r"(?!\w)")
    return hit.source == item.pdf and any(begins.match(title) for title in hit.path)


def eu_rows(db: Database, known: list[Known], options: Options, name: str) -> dict[str, Row]:
    """One setting's scores: passages by their text, sections by their Article."""

    def passages(query: str) -> Iterable[Any]:
        return db.doc_search(query, limit=10, **options_for(options, db, query))

    def sections(query: str) -> Iterable[Any]:
        return db.sections(query, limit=10, **options_for(options, db, query))

    rows = {}
    for form in ("verbatim", "degraded"):
        rows[f"eu {form}"] = evaluate(passages, text_cases(known, form), 10, name)
        rows[f"article {form}"] = evaluate(sections, article_cases(known, form), 10, name)
    return rows


# Collections with judged documents


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents in the BEIR layout and their judged queries."""

    name: str
    documents: Mapping[str, Mapping[str, Any]]
    topics: list[Topic]


def read_collection(name: str, step: int = 1) -> Collection:
    """A collection of data/beir, with every `step`th query."""
    corpus, queries, qrels = load_beir(DATA / "beir" / name)
    # Two of Cranfield's documents are empty: there is nothing to store.
    kept = {key: row for key, row in corpus.items() if (row["title"] + row["text"]).strip()}
    return Collection(name, kept, topics_of(queries, qrels)[::step])


def build_collection(collection: Collection, encoder: Any = "static", **options: Any) -> Database:
    """An index in memory: each document as markdown under its title."""
    db = database(encoder=encoder)
    for key, row in collection.documents.items():
        text = f"# {row['title']}\n\n{row['text']}" if row["title"] else row["text"]
        db.add_doc(text, source=key, kind="markdown", **options)
    return db


def collection_row(db: Database, topics: Iterable[Topic], options: Options, name: str) -> Row:
    """nDCG@10 and the rest; a document counts by its best chunk."""
    sources = {doc.id: doc.source for doc in db.docs()}

    def search(query: str) -> Iterable[str]:
        hits = db.search(
            query,
            columns=["doc_id"],
            limit=CANDIDATES,
            table_name="store",
            **options_for(options, db, query),
        )
        return [sources[hit.doc_id] for hit in hits]

    return evaluate_topics(search, topics, 10, name)


# Contracts: which passage answers, within one contract


@dataclass(frozen=True, slots=True)
class Clause:
    """A question on one contract, and the characters of its text that answer it."""

    question: str
    doc: str
    spans: tuple[tuple[int, int], ...]


def read_contracts(count: int = 50) -> tuple[dict[str, str], list[Clause]]:
    """The texts of the contracts, and the questions on them."""
    folder = DATA / "beir" / "cuad"
    paths = sorted((folder / "contracts").glob("*.txt"))[:count]
    texts = {path.stem: path.read_bytes().decode("utf-8") for path in paths}
    asked = {row["_id"]: row["metadata"] for row in read_jsonl(folder / "queries.jsonl")}
    clauses = []
    for row in read_jsonl(folder / "spans.jsonl"):
        if row["doc"] in texts:
            about = asked[row["query"]]
            spans = tuple((low, high) for low, high in row["spans"])
            clauses.append(Clause(f"{about['category']}. {about['question']}", row["doc"], spans))
    return texts, clauses


def build_contracts(texts: Mapping[str, str], encoder: Any = "static", **options: Any) -> Database:
    """An index in memory of whole contracts as plain text."""
    db = database(encoder=encoder)
    for name, text in texts.items():
        db.add_doc(text, source=name, kind="text", **options)
    return db


def contract_row(db: Database, clauses: Iterable[Clause], options: Options, name: str) -> Row:
    """Scores of finding the clause within its contract, by the characters of the hit."""
    asked = list(clauses)
    waiting = iter(asked)

    def search(query: str) -> Iterable[Any]:
        doc = next(waiting).doc  # evaluate() asks the cases in their order
        return db.doc_search(query, docs=[doc], **options_for(options, db, query))

    cases = [
        Case(clause.question, lambda hit, clause=clause: overlaps(hit, clause)) for clause in asked
    ]
    return evaluate(search, cases, 10, name)


def overlaps(hit: Any, clause: Clause) -> bool:
    """Whether the hit and a gold span share at least half of the shorter of the two."""
    return any(
        2 * (min(hit.char_end, high) - max(hit.char_start, low))
        >= min(hit.char_end - hit.char_start, high - low)
        for low, high in clause.spans
    )
