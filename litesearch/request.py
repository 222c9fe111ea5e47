"""A search before it is asked: options checked, words parsed, the query encoded -> `params`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .connection import Connection
from .encoders.base import Encoder, unit_rows
from .errors import EncoderMismatch, InvalidArgument, InvalidType
from .options import checked_options
from .query import Query, parse_query
from .schema import get_meta, meta_key
from .sql import statements
from .sql.stages import MAX_WORDS, TEXT_LEGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN_CHARACTERS = 1_000  # of the query's text in `params`, where the legs say what is asked


@dataclass(frozen=True, slots=True)
class Request:
    """A checked search: the `params` of the views, the words to highlight, notes for the reader."""

    params: dict[str, Any]
    words: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def asks(self) -> bool:
        """Whether any leg has something to look for."""
        legs = (*TEXT_LEGS, "vec", "like", "legs")
        return any(self.params.get(leg) not in (None, "", {}) for leg in legs)


def build_request(
    connection: Connection,
    encoder: Encoder | None,
    q: str,
    emb: Any,
    dtype: Any,
    options: Mapping[str, Any],
    table: str = "store",
) -> Request:
    """Check everything, parse the words, encode the query: what the views of `table` are asked."""
    if not isinstance(q, str):
        raise InvalidType(f"q must be a str, not {type(q).__name__}. Pass the words to search for.")
    params = checked_options(options)
    query = parse_query(q, *stop_words(connection))
    # Each leg is given, if only as "" (nothing to ask): SQL does not parse the words once more.
    params |= {leg: query.expressions.get(leg, "") for leg in TEXT_LEGS if leg not in params}
    params["q"] = q[:SHOWN_CHARACTERS].encode("utf-8", "replace").decode()
    if table != "store":
        params["fusion"] = "rrf"  # document frequencies are kept for the tree alone
    elif "attainable" not in params and _is_linear(connection, params):
        params["attainable"] = attainable_scores(connection, query)
    notes = list(query.notes)
    wanted = params.get("mode", "hybrid") != "keyword" and "vec" not in params
    if wanted and "like" not in params and (emb is not None or query.words):
        vector, note = query_vector(connection, encoder, q, emb, dtype, table)
        if vector is not None:
            params["vec"] = json_vector(vector)
        elif note:
            notes.append(note)
    elif "vec" in params:
        vector, note = vector_for(connection, params.pop("vec"), None, table)
        params |= {"vec": json_vector(vector)} if vector is not None else {}
        notes += [note] if note else []
    return Request(params, query.words, tuple(notes))


def stop_words(connection: Connection) -> tuple[frozenset[str], frozenset[str]]:
    """The file's own function words, and those whose pairs do not count; read once."""
    known: tuple[frozenset[str], frozenset[str]] | None = getattr(connection, "_stop", None)
    if known is None:
        rows = connection.rows("SELECT term, pairs FROM stop")
        known = (
            frozenset(row.term for row in rows),
            frozenset(row.term for row in rows if row.pairs),
        )
        connection._stop = known  # type: ignore[attr-defined]
    return known


def _is_linear(connection: Connection, params: Mapping[str, Any]) -> bool:
    kept = json.loads(get_meta(connection, "fusion") or "{}").get("fusion")
    return bool(params.get("fusion", kept) == "linear")


def attainable_scores(connection: Connection, query: Query) -> dict[str, float]:
    """The most that BM25 could give for the words and for the pairs of a query.

    FTS5's BM25 has k1 = 1.2: a word adds at most 2.2 times its idf. The frequency of a pair is not
    kept; its idf is taken as that of its rarer word, which it is at least.
    """
    sql = statements("read")
    stem = stemmer(connection)
    total = connection.one(sql["count_chunks"])

    @cache
    def idf(word: str) -> float:
        n = connection.one(sql["document_frequency"], (stem(word),)) or 0
        return max(1e-6, math.log((total - n + 0.5) / (n + 0.5)))

    words = sum(idf(word) for word in query.words[:MAX_WORDS])
    pairs = sum(max(idf(a), idf(b)) for a, b in query.pairs)
    return {"any": 2.2 * words or 1.0, "pairs": 2.2 * pairs or 1.0}


def query_vector(
    connection: Connection, encoder: Encoder | None, q: str, emb: Any, dtype: Any, table: str
) -> tuple[NDArray[np.float32] | None, str]:
    """The query's unit vector, or None and a note that says why there is none."""
    if emb is not None:
        return vector_for(connection, emb, dtype, table)
    name = get_meta(connection, meta_key("encoder", table))
    if name is None:
        return None, ""  # there are no vectors: there is no such leg
    if encoder is None or name.startswith("callable:"):
        return None, (
            f"keyword search only: the file's vectors come from {name}; pass the query's vector"
            if name.startswith("callable:")
            else f"keyword search only: the file was opened without its encoder {name}"
        )
    if encoder.name != name:
        raise EncoderMismatch(
            f"{connection.path} holds vectors of {name}, not of {encoder.name}. Open it with that"
            " encoder, or with encoder=None for keyword search."
        )
    rows = encoder.encode_queries([q.encode("utf-8", "replace").decode()])
    if len(rows) == 0:
        return None, "keyword search only: the encoder gave no vector for the query"
    vector, note = vector_for(connection, rows[0], None, table)
    if vector is None and note:
        note = "keyword search only: the encoder knows none of the query's words"
    return vector, note


def vector_for(
    connection: Connection, emb: Any, dtype: Any, table: str
) -> tuple[NDArray[np.float32] | None, str]:
    """A caller's vector for the vectors of a table, as given_vector checks it."""
    name = get_meta(connection, meta_key("encoder", table))
    if name is None:
        return None, ""
    return given_vector(emb, dtype, int(get_meta(connection, meta_key("dims", table)) or 0), name)


def given_vector(
    emb: Any, dtype: Any, dims: int, name: str
) -> tuple[NDArray[np.float32] | None, str]:
    """A caller's vector (an array, a list, or bytes of `dtype`) as a float32 unit row.

    Bytes without a dtype are taken as the float size that gives the file's number of dimensions.
    Raises EncoderMismatch naming both sizes on another number.
    """
    if isinstance(emb, bytes | bytearray | memoryview):
        raw = bytes(emb)
        if not raw:
            return None, "keyword search only: the query's vector is empty"
        guess = {dims * 2: np.float16, dims * 4: np.float32, dims * 8: np.float64}
        try:
            kind = np.dtype(dtype if dtype is not None else guess.get(len(raw), np.float32))
        except TypeError as error:
            raise InvalidType(
                f"dtype: {error}. Use np.float16, np.float32 or np.float64."
            ) from error
        if len(raw) % kind.itemsize:
            raise EncoderMismatch(
                f"The query's vector has {len(raw)} bytes, no multiple of {kind.itemsize}"
                f" ({kind}); this file's vectors have {dims} dimensions ({name})."
            )
        with np.errstate(over="ignore"):
            vector = np.frombuffer(raw, dtype=kind).astype(np.float32)
    else:
        try:
            with np.errstate(over="ignore"):  # infinite values are refused below
                vector = np.asarray(emb, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise InvalidType(f"The query's vector is no list of numbers: {error}.") from error
        if vector.ndim == 0:
            raise InvalidType(f"emb must be a vector, not {emb!r}. Pass limit= by name.")
        vector = vector.ravel()
    if vector.size == 0:
        return None, "keyword search only: the query's vector is empty"
    if vector.size != dims:
        raise EncoderMismatch(
            f"The query's vector has {vector.size} dimensions; this file's vectors have {dims}"
            f" ({name}). Encode the query with that encoder."
        )
    if not np.isfinite(vector).all():
        raise InvalidArgument("The query's vector holds NaN or infinite values.")
    if not vector.any():
        return None, "keyword search only: the query's vector is all zeros"
    return unit_rows(vector[None])[0], ""


def json_vector(vector: NDArray[np.float32]) -> list[float]:
    """A vector as vec0 reads it from JSON, to 8 decimals: more than float32 holds of a unit row."""
    return [float(value) for value in np.round(vector.astype(np.float64), 8)]


def stemmer(connection: Connection) -> Callable[[str], str]:
    """The index's tokenizer for one word: its stem."""
    known: Callable[[str], str] | None = getattr(connection, "_stemmer", None)
    if known is None:
        tokenizer = connection.sql.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])

        @lru_cache(maxsize=65_536)  # of the texts' words too, for snippets
        def stem(word: str) -> str:
            text = word.encode("utf-8", "replace")
            tokens: Any = tokenizer(text, _query_reason(), None, include_offsets=False)
            return str(tokens[0][0]) if tokens else ""

        known = stem
        connection._stemmer = known  # type: ignore[attr-defined]
    return known


def _query_reason() -> int:
    import apsw

    return int(apsw.FTS5_TOKENIZE_QUERY)
