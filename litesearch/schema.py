"""What a file says of itself: its settings, its views, and the stamp of its vectors.

`meta` holds the encoder's name, the number of dimensions, and the vectors of three probe texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .connection import Connection
from .errors import EncoderMismatch
from .sql import quote_identifier
from .sql.compose import tree_views

if TYPE_CHECKING:
    from .encoders.base import Rows

# Weighted RRF with a small k: equal weights and k = 60 over two legs, as everybody does it, has a
# mean of .492 on six dev sets, these .615 (with all = 1: .587; nbs/evaluation.ipynb).
FUSION = {
    "fusion": "rrf",
    "rrf_k": 10,
    "w": {"any": 2.0, "all": 3.0, "pairs": 1.0, "phrase": 3.0, "vec": 1.0},
    "linear": {"any": 1.0, "all": 0.72, "pairs": 0.27, "phrase": 0.5, "vec": 0.15},
    "heading": 1.0,
    "context": 1.0,
}


def create_views(connection: Connection) -> None:
    """The six search views anew; those with vectors read the table that `meta` names."""
    for name in ("hits", "doc_search", "sections"):
        for suffix in ("", "_text"):
            connection.write(f"DROP VIEW IF EXISTS {name}{suffix}")
    for view in tree_views(get_meta(connection, "vec")):
        connection.write(view)


def get_meta(connection: Connection, key: str) -> str | None:
    """A value of `meta`, or None."""
    value: str | None = connection.one("SELECT value FROM meta WHERE key = ?", (key,))
    return value


def set_meta(connection: Connection, key: str, value: str | int | bytes) -> None:
    """Set a value of `meta`; inside a transaction."""
    connection.write(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where vectors come from: the encoder's name, its dimensions, the probe texts' vectors."""

    name: str
    dims: int
    fingerprint: Rows


def meta_key(key: str, table: str) -> str:
    """The key in `meta` of something that each searchable table has for itself."""
    return key if table == "store" else f"{key}:{table}"


def check_stamp(connection: Connection, stamp: Stamp, table: str = "store") -> None:
    """Raise EncoderMismatch unless the table's vectors are of this encoder, or there are none."""
    name = get_meta(connection, meta_key("encoder", table))
    if name is None:
        return
    dims = int(get_meta(connection, meta_key("dims", table)) or 0)
    what = connection.path if table == "store" else f"The store {table!r}"
    cure = "Use that encoder, or make a new file and add everything to it again."
    if (name, dims) != (stamp.name, stamp.dims):
        raise EncoderMismatch(
            f"{what} holds vectors of {name} ({dims} dimensions), not of {stamp.name}"
            f" ({stamp.dims} dimensions). {cure} Keyword search works all the same."
        )
    import numpy as np

    kept = np.frombuffer(
        connection.one("SELECT value FROM meta WHERE key = ?", (meta_key("fingerprint", table),)),
        dtype="<f4",
    )
    # 1e-3: float16 encoders reproduce their rows to about 5e-4.
    if not np.allclose(kept, np.asarray(stamp.fingerprint).ravel(), atol=1e-3):
        raise EncoderMismatch(
            f"{what} holds vectors of another {name}: its vectors for three probe texts differ."
            f" {cure}"
        )


def create_vectors(connection: Connection, stamp: Stamp, table: str = "store") -> str:
    """The vector table, of the size of the first vectors written, and its stamp -> its name.

    A vec0 table's size is fixed and its renaming breaks it, hence a table a generation. Its
    space is taken in pieces of chunk_size vectors: 256 scan as fast as the default 1,024, and make
    the file of a small document 0.3 MB instead of 1.3.
    """
    name = "vec" if table == "store" else f"{table}_vec"
    connection.write(
        f"CREATE VIRTUAL TABLE {quote_identifier(name)} USING vec0(id INTEGER PRIMARY KEY,"
        f" embedding float[{stamp.dims:d}] distance_metric=cosine, doc_id integer, chunk_size=256)"
    )
    set_meta(connection, meta_key("vec", table), name)
    set_meta(connection, meta_key("encoder", table), stamp.name)
    set_meta(connection, meta_key("dims", table), stamp.dims)
    set_meta(connection, meta_key("fingerprint", table), stamp.fingerprint.tobytes())
    return name
