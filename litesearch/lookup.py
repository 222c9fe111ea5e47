"""Asking for structure by name: sections, definitions, cross-references. No vectors needed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .connection import Connection
from .errors import DatabaseError, InvalidType, NotFound
from .hits import Record, printable
from .outline import find_doc
from .request import stemmer
from .sql import statements
from .terms import Reference, find_references, parse_reference
from .terms.acts import act_names, act_span
from .terms.definitions import term_key
from .terms.grammar import BARE_KINDS, make_key
from .terms.keys import lookup_keys, title_key

MOST_CANDIDATES = 10
SHOWN_CHARACTERS = 2_000
# The printed number alone, in this order, where "5" may be an article and a chapter.
_PREFERRED = ("", "article", "section", "clause", "rule", "paragraph", "chapter", "part", "title")


class FoundSection(Record):
    """A place that a lookup gives: node_id, title, path, source, page, char_start, char_end.

    char_start and char_end are those of the point that was asked for ("Article 5(1)(a)"), `text`
    is what stands there (up to 2,000 characters; `read(node_id)` has all of a section). `exact` is
    False for a candidate that only comes near.
    """

    def _line(self) -> str:
        """`Article 5 - Scope (p. 3, act.pdf): The beginning of its text`"""
        text = " ".join(self.text.split())
        shown = text if len(text) <= 160 else text[:157] + "..."
        near = "" if self.exact else "~ "
        return (
            f"{near}{' > '.join(self.path) or self.title} (p. {self.page}, {self.source}): {shown}"
        )


class Definition(Record):
    """A definition: term, content (whole), exception (its limits, "" without), where it stands.

    `documents` says how many documents define the term: over 1 they may not agree.
    """

    def _line(self) -> str:
        """`taxable person (p. 12, act.pdf, Article 9): ‘Taxable person’ shall mean ...`"""
        return (
            f"{self.term} (p. {self.page}, {self.source}, {self.section}): "
            f"{' '.join(self.content.split())}"
        )


class CrossReference(Record):
    """A reference: raw (as printed), key (in full), the section it stands in, and where it leads.

    `to_node`, `to_section` and `to_doc` are None where it leads nowhere in the file; `status` says
    why: "resolved", "section only" (its point is not there), "other document", "no such section",
    "not in the file" (another act).
    """

    def _line(self) -> str:
        """`Article 12 (p. 3): paragraph 1 -> Article 12(1) [resolved]`"""
        to = f"{self.to_section} ({self.key})" if self.to_node else f"{self.key} {self.act}".strip()
        return f"{self.section} (p. {self.page}): {self.raw} -> {to} [{self.status}]"


class Lookup(list[Any]):
    """What a lookup found, best first. `exact` is true when the first is the one asked for and
    no other is; `notes` say what is not as asked: several places, none, a point that is not there.
    """

    def __init__(self, places: Iterable[Any] = (), notes: Sequence[str] = ()) -> None:
        super().__init__(places)
        self.notes = tuple(notes)

    @property
    def exact(self) -> bool:
        """Whether there is one place of that name."""
        return sum(bool(place.exact) for place in self) == 1

    def __str__(self) -> str:
        return "\n".join([*map(str, self), *(printable(f"note: {note}") for note in self.notes)])


def _check(connection: Connection) -> None:
    if connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'keys'") is None:
        raise DatabaseError(
            f"{connection.path} has an older format, without keys and definitions. Open it once for"
            " writing: it is brought up to date."
        )


def lookup(connection: Connection, ref: str, doc: int | str | None = None) -> Lookup:
    """The sections that `ref` names, or the nearest."""
    if not isinstance(ref, str):
        raise InvalidType(f"ref must be a str, not {type(ref).__name__}. Pass a section's name.")
    _check(connection)
    doc_id = None if doc is None else find_doc(connection, doc)
    ref, doc_id = _without_act(connection, ref, doc_id)
    reference = parse_reference(ref) or _first_reference(ref)
    notes: list[str] = []
    named = _places(connection, [title_key(ref)], doc_id)
    partly = reference is not None and parse_reference(ref) is None
    found = _by_reference(connection, reference, doc_id) if reference and not partly else []
    if not found:
        found = named or _places(connection, act_names(ref), doc_id)
    exact = bool(found)
    if not found and partly and reference:
        found = _by_reference(connection, reference, doc_id)
        notes += [f"of {ref.strip()!r} only {reference.key!r} was read"] if found else []
    if not found and reference and reference.points:
        found, exact = _shorter(connection, reference, doc_id), False
        if found:
            notes.append(f"{found[0].title} is there, {ref.strip()} is not marked in it")
    if not found:
        found = _nearest(connection, ref, reference, doc_id)
        notes.append(
            f"no section is called {ref.strip()!r}" + ("; these come nearest" if found else "")
        )
    if exact and len(found) > 1:
        notes.append(
            f"{len(found)} sections are called {ref.strip()!r}: name the document, or a part"
            " around it"
        )
    places = [_section(connection, row, exact) for row in found[:MOST_CANDIDATES]]
    if len(found) > MOST_CANDIDATES:
        notes.append(f"the first {MOST_CANDIDATES} of {len(found)} are listed")
    return Lookup(places, notes)


def _without_act(connection: Connection, ref: str, doc_id: int | None) -> tuple[str, int | None]:
    """ "Article 9(1) of Directive 2006/112/EC" -> the article, in that document if it is there."""
    span = act_span(ref)
    if span is None or not (rest := (ref[: span[0]] + ref[span[1] :]).strip(" ,")):
        return ref, doc_id
    rest = re.sub(r"\s*\b(?:of|to|in)(?:\s+the)?$", "", rest)
    acts = _places(connection, act_names(ref), doc_id)
    return (rest, acts[0].doc_id) if acts else (ref, doc_id)


def _first_reference(ref: str) -> Reference | None:
    """The first numbered place in a longer text: "PRU Rule 3.12.4", "Article 9 VAT directive"."""
    mentions = find_references(ref[:200])
    if mentions:
        return mentions[0].reference
    number = re.search(r"(?<![\w.])\d+(?:\.\d+)+(?:\(\w{1,4}\))*", ref[:200])
    return parse_reference(number[0]) if number else None


def _by_reference(connection: Connection, reference: Reference, doc_id: int | None) -> list[Any]:
    for key in lookup_keys(reference):
        found = [row for row in _places(connection, [key], doc_id) if _bears(row, reference)]
        for outer in reference.within:
            around = _by_reference(connection, outer, doc_id)
            found = [row for row in found if any(_inside(row, other) for other in around)]
        if found:
            return sorted(found, key=lambda row: _preference(row, reference))
    return []


def _bears(row: Any, reference: Reference) -> bool:
    """Whether the place may go by that word: "clause 4.2" is no Article 4.2."""
    kind = _kind(row)
    return not reference.kind or kind in ("", reference.kind)


def _kind(row: Any) -> str:
    label = parse_reference(row.label) if row.label else None
    return label.kind if label else ""


def _preference(row: Any, reference: Reference) -> int:
    kind = _kind(row)
    if reference.kind or kind not in _PREFERRED:
        return 0 if reference.kind else len(_PREFERRED)
    return _PREFERRED.index(kind)


def _inside(row: Any, outer: Any) -> bool:
    same = row.doc_id == outer.doc_id
    return bool(same and outer.char_start <= row.char_start and row.char_end <= outer.char_end)


def _places(connection: Connection, keys: Iterable[str], doc_id: int | None) -> list[Any]:
    found: dict[tuple[int, int], Any] = {}
    for key in filter(None, keys):
        for row in connection.rows(statements("read")["places"], (key, doc_id)):
            found.setdefault((row.node_id, row.char_start), row)
    return list(found.values())


def _shorter(connection: Connection, reference: Reference, doc_id: int | None) -> list[Any]:
    """The section around a point that is not marked."""
    for count in range(len(reference.points) - 1, -1, -1):
        part = Reference(
            reference.kind, reference.number, reference.points[:count], reference.within
        )
        if found := _by_reference(connection, part, doc_id):
            return found
    return []


def _nearest(
    connection: Connection, ref: str, reference: Reference | None, doc_id: int | None
) -> list[Any]:
    """Sections of the nearest numbers, or of the likeliest titles."""
    rows: list[Any] = []
    if reference and reference.number:
        rows = _near_numbers(connection, reference, doc_id)
    words = title_key(ref).split()
    if not rows and words:
        match = "heading : (" + " OR ".join(f'"{word}"*' for word in words[:12]) + ")"
        titled = connection.rows(statements("read")["titled"], (match, doc_id))
        wanted = " ".join(words)
        ranked = sorted(
            titled,
            key=lambda row: difflib.SequenceMatcher(None, wanted, title_key(row.title)).ratio(),
            reverse=True,
        )
        rows = [row.node_id for row in ranked[:MOST_CANDIDATES]]
    sql = statements("read")["node_place"]
    return [row for node in rows for row in connection.rows(sql, (node,))]


def _near_numbers(connection: Connection, reference: Reference, doc_id: int | None) -> list[int]:
    """The nodes whose number is nearest by count ("Article 441" of 439), then by spelling."""
    digits = re.match(r"\d+", reference.number)
    kinds = [reference.kind, *(("",) if reference.kind in BARE_KINDS else ())]
    found: dict[int, tuple[float, str]] = {}
    for kind in kinds:
        start = make_key(kind, "")
        start = f"{start} " if start else digits[0][0] if digits else reference.number[0]
        for row in connection.rows(statements("read")["near_keys"], (start, doc_id)):
            number = row.key[len(make_key(kind, "")) :].strip()
            if "(" in number or " " in number:
                continue
            value = re.match(r"\d+", number)
            apart = abs(int(value[0][:18]) - int(digits[0][:18])) if value and digits else 1e9
            unlike = 1 - difflib.SequenceMatcher(None, number, reference.number).ratio()
            found.setdefault(row.node_id, (apart + unlike, number))
    return sorted(found, key=lambda node: found[node])[:5]


def _section(connection: Connection, row: Any, exact: bool) -> FoundSection:
    end = min(row.char_end, row.char_start + SHOWN_CHARACTERS)
    path = [r.title for r in connection.rows(statements("read")["path"], (row.node_id,))]
    return FoundSection(
        node_id=row.node_id, title=row.title, label=row.label, path=path, doc_id=row.doc_id,
        source=row.source, doc_title=row.doc_title, page=row.page, char_start=row.char_start,
        char_end=row.char_end, whole=bool(row.whole), exact=exact,
        text=_text(connection, row.doc_id, row.char_start, end),
    )  # fmt: skip


def _text(connection: Connection, doc_id: int, start: int, end: int) -> str:
    """The characters of a document from `start` to `end`."""
    rows: list[Any] = connection.rows(statements("read")["text_range"], (doc_id, start, end))
    parts, at = [], start
    for row in rows:
        low, high = max(at, row.char_start), min(end, row.char_end)
        if low < high:
            parts.append(row.content[low - row.char_start : high - row.char_start])
            at = high
    return "".join(parts).strip()


def node_named(connection: Connection, ref: str, doc: int | str | None) -> int:
    """The id of the one section that `ref` names. Raises NotFound with the nearest or all."""
    found = lookup(connection, ref, doc)
    if found.exact:
        return int(found[0].node_id)
    if not found:
        raise NotFound(f"There is no section {ref!r}. toc(doc) lists those of a document.")
    listed = "; ".join(f"{place.title!r} ({place.source}, {place.node_id})" for place in found[:5])
    raise NotFound(f"There is not one section {ref!r}: {found.notes[0]}. There are {listed}.")


def define(connection: Connection, term: str, doc: int | str | None = None) -> list[Definition]:
    """The definitions of a term, one after another where several documents have one."""
    if not isinstance(term, str):
        raise InvalidType(f"term must be a str, not {type(term).__name__}. Pass the term's words.")
    _check(connection)
    doc_id = None if doc is None else find_doc(connection, doc)
    stem = stemmer(connection)
    wanted = _stems(term_key(term), stem)
    rows: list[Any] = []
    for key in dict.fromkeys(
        r.key for r in connection.rows(statements("read")["terms"], (doc_id,))
    ):
        if wanted and _stems(key, stem) == wanted:
            rows += connection.rows(statements("read")["define"], (key, doc_id))
    rows.sort(key=lambda row: row.id)
    found: dict[int, Any] = {row.id: row for row in rows}
    return [_definition(row) for row in found.values()]


def _stems(key: str, stem: Callable[[str], str]) -> list[str]:
    """The stems of a term's words; the "s" of "Affiliate(s)" is none."""
    return [stem(word) for word in key.removesuffix(" s").split()]


def _definition(row: Any) -> Definition:
    start = row.pop("exception_start")
    row["exception"] = "" if start is None else row.content[start - row.char_start :]
    return Definition(row)


def references(connection: Connection, node_id: int) -> list[CrossReference]:
    """The references in a section's text, children included."""
    return _references(connection, "references", node_id)


def referenced_by(connection: Connection, node_id: int) -> list[CrossReference]:
    """The references that lead to a section or into it, from all documents."""
    return _references(connection, "referenced_by", node_id)


def _references(connection: Connection, statement: str, node_id: int) -> list[CrossReference]:
    if isinstance(node_id, bool) or not isinstance(node_id, int | np.integer):
        raise InvalidType(f"node_id must be an int, not {type(node_id).__name__}.")
    _check(connection)
    number = int(node_id)
    there = 0 < number < 1 << 63
    if not there or connection.one("SELECT 1 FROM nodes WHERE id = ?", (number,)) is None:
        raise NotFound(f"There is no section {node_id}. toc(doc) lists those of a document.")
    return [
        CrossReference(row) for row in connection.rows(statements("read")[statement], (number,))
    ]
