"""A search before it is asked: options checked, words parsed, the query encoded -> `params`."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .connection import Connection
from .encoders.base import Encoder, unit_rows
from .errors import EncoderMismatch, InvalidArgument, InvalidType
from .query import MAX_WORDS, Query, parse_query
from .schema import get_meta, meta_key
from .sql import statements
from .sql.stages import DEEP, TEXT_LEGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_LIMIT = 1_000
SHOWN_CHARACTERS = 1_000  # of the query's text in `params`, where the legs say what is asked
MODES = ("hybrid", "keyword", "semantic")
SCORES = ("max", "mean", "sum")
FUSIONS = ("rrf", "linear")
# The closed table of what `params` may hold; SQL ignores other keys, Python refuses them.
PARAMS = frozenset(
    "q vec like limit offset depth rrf_k w fusion attainable mode docs source kind node pages meta"
    " legs any all pairs phrase spans per score".split()
)


@dataclass(frozen=True, slots=True)
class Request:
    """A checked search: the `params` of the views, the words to highlight, notes for the reader."""

    params: dict[str, Any]
    words: tuple[str, ...]
    notes: tuple[str, ...]
    wants_vector: bool


def check_number(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int of low..high, else InvalidType or InvalidArgument naming the range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidType(f"{name} must be an int from {low} to {high:,}, not {value!r}.")
    if not low <= value <= high:
        raise InvalidArgument(f"{name} is {value}; it must be from {low} to {high:,}.")
    return int(value)


def check_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """`value` if it is one of `choices`, else InvalidArgument naming them."""
    if value not in choices:
        raise InvalidArgument(f"{name} is {value!r}; it must be one of {', '.join(choices)}.")
    return str(value)


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
    params = _checked(options)
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
    wants_vector = wanted or "vec" in params
    return Request(params, query.words, tuple(notes), wants_vector)


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The params that the caller gave, checked; None means not given."""
    params = {key: value for key, value in options.items() if value is not None}
    unknown = sorted(set(params) - PARAMS)
    if unknown:
        raise InvalidArgument(
            f"There is no search option {unknown[0]!r}. There are {', '.join(sorted(PARAMS))}."
        )
    params["limit"] = check_number("limit", params.get("limit", 10), 1, MAX_LIMIT)
    ranges = {
        "offset": (0, 1_000_000),
        "depth": (1, DEEP),
        "rrf_k": (1, 1000),
        "per": (1, 100),
        "spans": (0, 1),
    }
    for name, (low, high) in ranges.items():
        if name in params:
            value = params[name]
            value = int(value) if isinstance(value, bool) and name == "spans" else value
            params[name] = check_number(name, value, low, high)
    for name, choices in (("mode", MODES), ("score", SCORES), ("fusion", FUSIONS)):
        if name in params:
            check_choice(name, params[name], choices)
    for name in ("w", "attainable"):
        check_weights(name, params.get(name, {}))
    for name, kind in _TYPES.items():
        if name in params and (
            not isinstance(params[name], kind) or isinstance(params[name], bool)
        ):
            raise InvalidType(f"{name} must be {kind.__name__}, not {type(params[name]).__name__}.")
    if "source" in params:  # as it is stored: one spelling of a name
        params["source"] = unicodedata.normalize("NFC", params["source"])
    if "pages" in params:
        params["pages"] = _page_range(params["pages"])
    if "legs" in params:
        params["legs"] = _outside_legs(params["legs"])
    return params


_TYPES = {"node": int, "like": int, "source": str, "kind": str, "meta": dict} | dict.fromkeys(
    TEXT_LEGS, str
)


def _page_range(pages: Any) -> list[int]:
    if isinstance(pages, int) and not isinstance(pages, bool):
        return [pages, pages]
    ints = isinstance(pages, list | tuple) and all(isinstance(p, int) for p in pages)
    if not ints or len(pages) != 2:
        raise InvalidType(f"pages must be a page number or (first, last), not {pages!r}.")
    return list(pages)


def _outside_legs(legs: Any) -> dict[str, list[int]]:
    try:
        return {str(name): [int(i) for i in ids] for name, ids in legs.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidType(f"legs must be {{name: [chunk id, ...]}} ({error}).") from error


def check_weights(name: str, weights: Any) -> None:
    """Raise unless `weights` maps legs to finite numbers of 0 or more."""
    if not isinstance(weights, Mapping):
        raise InvalidType(f"{name} must be a dict of leg: number, not {type(weights).__name__}.")
    for leg, weight in weights.items():
        number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not number or not math.isfinite(weight) or weight < 0:
            raise InvalidArgument(
                f"{name}[{leg!r}] is {weight!r}; it must be a number of 0 or more."
            )


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
    name = get_meta(connection, meta_key("encoder", table))
    if name is None:
        return None, ""  # there are no vectors: there is no such leg
    dims = int(get_meta(connection, meta_key("dims", table)) or 0)
    if emb is not None:
        return given_vector(emb, dtype, dims, name)
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
    vector, note = given_vector(rows[0], None, dims, name)
    if vector is None and note:
        note = "keyword search only: the encoder knows none of the query's words"
    return vector, note


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
        kind = np.dtype(dtype if dtype is not None else guess.get(len(raw), np.float32))
        if len(raw) % kind.itemsize:
            raise EncoderMismatch(
                f"The query's vector has {len(raw)} bytes, no multiple of {kind.itemsize}"
                f" ({kind}); this file's vectors have {dims} dimensions ({name})."
            )
        vector = np.frombuffer(raw, dtype=kind).astype(np.float32)
    else:
        try:
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

        @cache
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
