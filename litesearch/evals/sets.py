"""Collections of documents with judged queries, in the BEIR layout."""

from __future__ import annotations

import json
import re
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument, NotFound

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
