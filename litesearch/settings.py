"""What a file says of itself and how it ranks: settings kept in the file, and its status."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .connection import Connection
from .hits import Record
from .options import FUSIONS, check_choice, check_number, check_weights
from .schema import get_meta, set_meta
from .sql import statements


def configure(
    connection: Connection,
    w: Mapping[str, float] | None,
    rrf_k: int | None,
    fusion: str | None,
    heading: float | None,
) -> dict[str, Any]:
    """Change the ranking that the file holds. Weights are those of the fusion then in force."""
    settings = json.loads(get_meta(connection, "fusion") or "{}")
    if fusion is not None:
        settings["fusion"] = check_choice("fusion", fusion, FUSIONS)
    if w is not None:
        settings["linear" if settings["fusion"] == "linear" else "w"] |= check_weights("w", w)
    if rrf_k is not None:
        settings["rrf_k"] = check_number("rrf_k", rrf_k, 1, 1000)
    if heading is not None:
        settings |= check_weights("heading", {"heading": heading})
    if any(given is not None for given in (w, rrf_k, fusion, heading)):
        with connection.transaction():
            set_meta(connection, "fusion", json.dumps(settings))
    return dict(settings)


def status(connection: Connection) -> Record:
    """Counts of what the file holds, its encoder and its size in bytes."""
    read = statements("read")
    found = Record(connection.rows(read["status"])[0])
    found["vectors"] = (
        connection.one(read["count_vectors"]) if get_meta(connection, "vec") is not None else 0
    )
    found["encoder"] = get_meta(connection, "encoder")
    found["bytes"] = connection.one("PRAGMA page_count") * connection.one("PRAGMA page_size")
    return found
