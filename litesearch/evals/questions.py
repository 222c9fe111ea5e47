"""Questions and what answers them: a source, a section of it, words that stand there."""

from __future__ import annotations

import csv
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument, InvalidType, NotFound
from ..records import Node
from ..terms import Reference, parse_reference, section_keys
from ..terms.grammar import parse_label
from ..terms.keys import lookup_keys, title_key
from .sets import read_jsonl
from .text import text_hit

COLUMNS = ("query", "source", "section", "text", "grade")
ALIASES = {"question": "query", "answer": "text"}


@dataclass(frozen=True, slots=True)
class Expected:
    """One right answer of a query. A result is right when every part that is given matches.

    `source` is the document's source, the end of its path ("guide.md" of "docs/guide.md") or a
    glob ("*.pdf"); with `exact`, the source and nothing else. `section` is a title in the result's
    path, case, spacing, punctuation and number forgiven; a label ("Article 5", "§ 12", "Chapter 2
    of Title I") that such a title begins with; or a heading as results print it ("Leave > Annual
    leave"). What lies in the section counts; of "Article 5(1)" the Article counts, since a path
    names no points. `text` are words that the result holds, as `text_hit` reads them. `grade` is
    the gain in nDCG, above 0.

    Raises InvalidArgument where there is no query or nothing is expected, InvalidType for a part
    that is no str.
    """

    query: str
    source: str | None = None
    section: str | None = None
    text: str | None = None
    grade: float = 1
    exact: bool = False

    def __post_init__(self) -> None:
        for name in ("query", "source", "section", "text"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise InvalidType(f"{name} must be a str, not {value!r}. Write it as text.")
        if not (self.query or "").strip():
            raise InvalidArgument("There is no query. Give each question its text in `query`.")
        if not any((part or "").strip() for part in (self.source, self.section, self.text)):
            raise InvalidArgument(
                f"Nothing is expected of {self.query!r}. Give a source, a section or a text."
            )
        if self.section and not title_key(self.section):
            raise InvalidArgument(
                f"section {self.section!r} has no letter or digit. Give a title or its number."
            )
        number = isinstance(self.grade, int | float) and not isinstance(self.grade, bool)
        if not number or not math.isfinite(self.grade) or self.grade <= 0:
            raise InvalidArgument(f"grade is {self.grade!r}; it must be a number above 0, as 1.")

    @property
    def document_only(self) -> bool:
        """Whether a document is the answer, wherever in it the result stands."""
        return not (self.section or self.text)


@dataclass(frozen=True, slots=True)
class Question:
    """A query with all its right answers, in the order they were given."""

    query: str
    answers: tuple[Expected, ...]

    @property
    def by_document(self) -> bool:
        """Whether every answer is a whole document: then documents are ranked, not results."""
        return all(answer.document_only for answer in self.answers)


def load_questions(
    questions: str | PathLike[str] | Iterable[Any],
) -> list[Question]:
    """Questions from a file or a list, those of one query joined in the order they first come.

    A file is .jsonl (an object a line), .json (a list of objects) or .csv (a header line) with the
    columns query, source, section, text and grade; only `query` and one of the three that say what
    is right are needed, `question` and `answer` are read as `query` and `text`, and other columns
    are left aside. A list has such dicts, tuples in that order, Expected, or Question, which stays
    as it is.

    Raises NotFound (no such file), InvalidArgument or InvalidType naming the row.
    """
    if isinstance(questions, str | PathLike):
        rows = _read_rows(fspath(questions))
    elif isinstance(questions, Mapping) or not isinstance(questions, Iterable):
        raise InvalidType(
            f"questions must be a path or a list, not {type(questions).__name__}. Give a list of"
            " dicts with query and source, section or text."
        )
    else:
        rows = [(f"question {number}", row) for number, row in enumerate(questions, 1)]
    grouped: dict[Any, list[Expected]] = {}
    for place, row in rows:
        if isinstance(row, Question):
            # Under a key of its own: two judged queries of one text stay two.
            grouped[len(grouped)] = list(row.answers)
            continue
        answer = _expected(place, row)
        grouped.setdefault(answer.query, []).append(answer)
    if not grouped:
        raise InvalidArgument(
            "There are no questions. Give at least one, with its query and what is right for it."
        )
    return [
        Question(answers[0].query, tuple(dict.fromkeys(answers))) for answers in grouped.values()
    ]


def _expected(place: str, row: Any) -> Expected:
    if isinstance(row, Expected):
        return row
    if isinstance(row, Mapping):
        named = {ALIASES.get(str(key), str(key)): value for key, value in row.items()}
        columns = ", ".join(map(str, row))
    elif isinstance(row, Sequence) and not isinstance(row, str | bytes):
        if len(row) > len(COLUMNS):
            raise InvalidArgument(
                f"{place}: {len(row)} values. A tuple has {', '.join(COLUMNS)}, in this order."
            )
        named = dict(zip(COLUMNS, row, strict=False))
        columns = ", ".join(named)
    else:
        raise InvalidType(
            f"{place}: must be a dict, a tuple or an Expected, not {type(row).__name__}. Give"
            ' {"query": ..., "source": ...}.'
        )
    values = {key: _value(key, named.get(key)) for key in COLUMNS}
    values["grade"] = 1 if values["grade"] is None else values["grade"]
    try:
        return Expected(**{**values, "query": values["query"] or ""})
    except (InvalidArgument, InvalidType) as error:
        there = f" The columns are: {columns}." if "expected" in str(error) else ""
        raise type(error)(f"{place}: {error}{there}") from None


def _value(column: str, value: Any) -> Any:
    """A cell: "" is not given, a section's number may be a number, grades may be text."""
    if isinstance(value, str):
        value = value.strip() or None
        if column == "grade" and value is not None:
            try:
                return float(value)
            except ValueError:
                return value
    elif column in ("source", "section") and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


def _read_rows(name: str) -> list[tuple[str, Any]]:
    """(place, row) of each row of a file; the place is what an error names."""
    path = Path(name)
    if path.is_dir():
        raise InvalidArgument(
            f"{name} is a folder. Give a .jsonl, .json or .csv file; build_beir(folder) reads"
            " a collection in the BEIR layout."
        )
    if not path.is_file():
        raise NotFound(f"{name}: no such file. Check the path.")
    kind = path.suffix.lower()
    if kind == ".jsonl":
        return [(f"{name}: question {n}", row) for n, row in enumerate(read_jsonl(name), 1)]
    if kind not in (".json", ".csv"):
        raise InvalidArgument(f"{name}: not a .jsonl, .json or .csv file. Save it as one.")
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = json.loads(text) if kind == ".json" else _read_csv(text)
    except (ValueError, csv.Error) as error:
        raise InvalidArgument(f"{name}: {error}. Mend the file; it is read as UTF-8.") from None
    if not isinstance(rows, list):
        raise InvalidArgument(f"{name}: no list. Write a list of objects, each with its query.")
    return [(f"{name}: question {number}", row) for number, row in enumerate(rows, 1)]


def _read_csv(text: str) -> list[dict[str, Any]]:
    rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
    for number, row in enumerate(rows, 1):
        if None in row:
            raise ValueError(f"row {number} has more cells than the header (quote commas)")
    return rows


# does a result match?


def source_matches(expected: Expected, source: str) -> bool:
    """Whether a result's source is the expected one, ends with its path, or fits its glob."""
    wanted, found = _path(expected.source or ""), _path(source)
    if found == wanted or expected.exact:
        return found == wanted
    if any(mark in wanted for mark in "*?["):
        return fnmatchcase(found, wanted) or fnmatchcase(found, f"*/{wanted}")
    return found.endswith(f"/{wanted}")


@lru_cache(maxsize=4096)
def _path(source: str) -> str:
    return unicodedata.normalize("NFC", source).replace("\\", "/")


def section_matches(section: str, path: Sequence[str]) -> bool:
    """Whether a section of that title or label is in a path of titles, outermost first."""
    if " > " in section:
        titles = iter(path)
        return all(any(_is_named(t, part) for t in titles) for part in section.split(" > "))
    reference = _reference(section)
    if reference is None or not reference.within:
        return any(_is_named(title, section) for title in path)
    return any(title_key(title) == title_key(section) for title in path) or all(
        any(_is_labelled(title, part) for title in path) for part in _parts(reference)
    )


def _parts(reference: Reference) -> list[Reference]:
    """A reference and all that it lies in."""
    return [reference, *(part for outer in reference.within for part in _parts(outer))]


def _is_named(title: str, section: str) -> bool:
    if title_key(title) == title_key(section):
        return True
    reference = _reference(section)
    if reference is None:
        return title_key(section) in _names(title)
    return _is_labelled(title, reference)


def _is_labelled(title: str, reference: Reference) -> bool:
    label = _label(title)
    if label is None or (reference.kind and label.kind not in ("", reference.kind)):
        return False
    points = reference.points[: len(label.points)]
    section = Reference(reference.kind, reference.number, points)
    return any(key in _names(title) for key in lookup_keys(section))


@lru_cache(maxsize=4096)
def _reference(section: str) -> Reference | None:
    return parse_reference(section)


@lru_cache(maxsize=65_536)
def _label(title: str) -> Reference | None:
    return parse_label(title)


@lru_cache(maxsize=65_536)
def _names(title: str) -> frozenset[str]:
    """The keys under which a file's lookup has a section of that title."""
    root = Node(0, None, 0, "", "", "", 1, 1, 0, 0)
    places = section_keys([root, Node(1, 0, 1, title, "", "", 1, 1, 0, 0)], [[], []])
    return frozenset(place.key for place in places)


def text_matches(expected: Expected, text: str) -> bool:
    """Whether a result's text holds the expected words; see text_hit."""
    return text_hit(expected.text or "", text)
