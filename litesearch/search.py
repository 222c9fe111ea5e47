"""Ask the views: read the rows for a request, make hits of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .connection import Connection
from .errors import InvalidArgument
from .hits import Hit, Record, Results, Section
from .request import Request, stemmer
from .schema import get_meta
from .snippets import Highlighter
from .sql import quote_identifier, statements
from .sql.stages import DEEP, SHALLOW, TEXT_LEGS


def read_view(connection: Connection, view: str, params: Mapping[str, Any]) -> list[Any]:
    """The rows of a view for `params`. Errors of a caller's own expressions become ours."""
    import apsw

    try:
        return connection.rows(statements("read")[view], (json.dumps(params),))
    except apsw.SQLError as error:
        raise _not_run(error, params) from error


def _not_run(error: Exception, params: Mapping[str, Any]) -> InvalidArgument:
    given = ", ".join(f"{leg}={params[leg]!r}" for leg in TEXT_LEGS if params.get(leg))
    return InvalidArgument(
        f"The search could not be run ({error}); it was {given[:400]}. Mend the FTS5 expression in"
        " it, or leave it out."
    )


def search(connection: Connection, view: str, request: Request) -> Results:
    """Rows of `view` ("doc_search" or "sections"), deeper until `limit` results are found.

    The legs give 100 candidates each at first; where these make fewer results than asked for, up
    to 4,096. What is found deeper is put below what was found before: the first results do not
    depend on `limit`.
    """
    if not request.asks:
        return Results(notes=request.notes)
    params = dict(request.params)
    has_vectors = get_meta(connection, "vec") is not None
    name = view if has_vectors else f"{view}_text"
    start, count = params.get("offset", 0), params["limit"]
    found = read_view(connection, name, params | {"offset": 0, "limit": start + count})
    if "depth" not in params and len(found) < start + count:
        found = _with_deeper(connection, name, params, found)
    kind = Section if view == "sections" else Hit
    light = Highlighter(request.words, stemmer(connection))
    hits = [
        _record(kind, row, rank, light)
        for rank, row in enumerate(found[start : start + count], start + 1)
    ]
    legs = _legs_run(connection, request, has_vectors)
    return Results(hits, legs, request.notes)


def _with_deeper(
    connection: Connection, view: str, params: Mapping[str, Any], first: list[Any]
) -> list[Any]:
    """`first`, and below it what the legs find down to rank 4,096, if any leg was cut at 100.

    Deeper passages come as single chunks: merged, they would touch passages that are there.
    """
    everything = dict(params) | {"offset": 0, "limit": 1_000_000}
    hits = "hits_text" if view.endswith("_text") else "hits"
    if not _cut_short(read_view(connection, hits, everything)):
        return first
    deeper = read_view(connection, view, everything | {"depth": DEEP, "spans": 0})
    if view.startswith("sections"):
        seen = {row.node_id for row in first}
        return _below(first, [row for row in deeper if row.node_id not in seen])
    seen = {i for row in first for i in range(row.first_id, row.last_id + 1)}
    return _below(first, [row for row in deeper if row.first_id not in seen])


def _cut_short(hits: list[Any]) -> bool:
    """Whether a leg gave all the candidates it may: else there is nothing deeper."""
    ranks = (json.loads(row.legs).values() for row in hits)
    return max((rank for leg in ranks for rank in leg), default=0) >= SHALLOW


def _below(first: list[Any], rest: list[Any]) -> list[Any]:
    """`rest` under `first`, with scores that never rise down the list."""
    floor = first[-1].score if first else math.inf
    for row in rest:
        floor = row["score"] = min(floor, row.score)
    return first + rest


def _record(kind: type[Hit] | type[Section], row: Any, rank: int, light: Highlighter) -> Any:
    row.pop("params")
    record = kind(row)
    record["rank"] = rank
    record["path"] = json.loads(row.path)
    record["legs"] = json.loads(row.legs)
    record["heading"] = row.heading or ""
    if kind is Section:
        record["snippets"] = json.loads(row.snippets)
        record["truncated"] = bool(row.truncated)
        record["snippet"] = light.snippet(record["snippets"][0]) if record["snippets"] else ""
    else:
        record["snippet"] = light.snippet(row.content)
    return record


def _legs_run(connection: Connection, request: Request, has_vectors: bool) -> list[str]:
    settings = json.loads(get_meta(connection, "fusion") or "{}")
    weights = settings.get("linear" if "attainable" in request.params else "w", {})
    weights |= request.params.get("w", {})
    mode = request.params.get("mode", "hybrid")
    legs = [
        leg
        for leg in TEXT_LEGS
        if mode != "semantic" and weights.get(leg, 0) > 0 and request.params.get(leg)
    ]
    vector = "vec" in request.params or "like" in request.params
    if has_vectors and vector and mode != "keyword" and weights.get("vec", 0) > 0:
        legs.append("vec")
    return legs + list(request.params.get("legs", {}))


def table_search(
    connection: Connection, table: str, columns: Sequence[str], request: Request
) -> Results:
    """The rows of `table` that its hits view finds, with rank, score and legs."""
    view = "hits" if table == "store" else f"{table}_hits"
    if table == "store" and get_meta(connection, "vec") is None:
        view = "hits_text"
    if not request.asks:
        return Results(notes=request.notes)
    params = dict(request.params)
    start, count = params.get("offset", 0), params["limit"]
    found = _table_rows(
        connection, view, table, columns, params | {"offset": 0, "limit": 1_000_000}
    )
    if "depth" not in params and len(found) < start + count and _cut_short(found):
        wider = params | {"offset": 0, "limit": 1_000_000, "depth": DEEP}
        deeper = _table_rows(connection, view, table, columns, wider)
        seen = {row.hit for row in found}
        found = _below(found, [row for row in deeper if row.hit not in seen])
    records = []
    for rank, row in enumerate(found[start : start + count], start + 1):
        del row["hit"]
        records.append(Record(row | {"rank": rank, "legs": json.loads(row.legs)}))
    return Results(records, notes=request.notes)


def _table_rows(
    connection: Connection, view: str, table: str, columns: Sequence[str], params: dict[str, Any]
) -> list[Any]:
    import apsw

    chosen = ", ".join(f"t.{quote_identifier(column)}" for column in columns)
    statement = (
        f"SELECT h.rank, h.score, h.legs, h.id AS hit, {chosen} FROM {quote_identifier(view)} h"
        f" CROSS JOIN {quote_identifier(table)} t ON t.id = h.id WHERE h.params = ?"
    )
    try:
        return connection.rows(statement, (json.dumps(params),))
    except apsw.SQLError as error:
        raise _not_run(error, params) from error
