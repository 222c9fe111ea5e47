"""The options of a search, checked: what may stand in `params`, and in which range."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .errors import InvalidArgument, InvalidType
from .sql.stages import DEEP, TEXT_LEGS

MAX_LIMIT = 1_000
MODES = ("hybrid", "keyword", "semantic")
SCORES = ("max", "mean", "sum")
FUSIONS = ("rrf", "linear")
# The closed table of what `params` may hold; SQL ignores other keys, Python refuses them.
PARAMS = frozenset(
    "q vec like limit offset depth rrf_k w fusion attainable mode docs source kind node pages meta"
    " legs any all pairs phrase spans per score".split()
)


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


_RANGES = {"offset": (0, 1_000_000), "depth": (1, DEEP), "rrf_k": (1, 1000), "per": (1, 100)}
_CHOICES = {"mode": MODES, "score": SCORES, "fusion": FUSIONS}


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The params that the caller gave, as JSON takes them; None means not given.

    Raises InvalidArgument and InvalidType, naming the option and what it may be.
    """
    params = {key: value for key, value in options.items() if value is not None}
    unknown = sorted(set(params) - PARAMS)
    if unknown:
        raise InvalidArgument(
            f"There is no search option {unknown[0]!r}. There are {', '.join(sorted(PARAMS))}."
        )
    params["limit"] = check_number("limit", params.get("limit", 10), 1, MAX_LIMIT)
    for name, (low, high) in _RANGES.items():
        if name in params:
            params[name] = check_number(name, params[name], low, high)
    for name, choices in _CHOICES.items():
        if name in params:
            check_choice(name, params[name], choices)
    for name in ("w", "attainable"):
        if name in params:
            params[name] = check_weights(name, params[name])
    for name, check in _CHECKS.items():
        if name in params:
            params[name] = check(name, params[name])
    return params


def check_weights(name: str, weights: Any) -> dict[str, float]:
    """`weights` as {leg: float}. Raises unless all are finite numbers of 0 or more."""
    if not isinstance(weights, Mapping):
        raise InvalidType(f"{name} must be a dict of leg: number, not {type(weights).__name__}.")
    for leg, weight in weights.items():
        number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not number or not math.isfinite(weight) or weight < 0:
            raise InvalidArgument(
                f"{name}[{leg!r}] is {weight!r}; it must be a number of 0 or more."
            )
    return {str(leg): float(weight) for leg, weight in weights.items()}


def _spans(_name: str, value: Any) -> int:
    return check_number("spans", int(value) if isinstance(value, bool) else value, 0, 1)


def _id(name: str, value: Any) -> int:
    return check_number(name, value, -(1 << 63), (1 << 63) - 1)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidType(f"{name} must be str, not {type(value).__name__}.")
    # SQLite would cut the text at a NUL, and match more than was asked for: no name holds U+FFFD.
    value = value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    # As sources are stored: one spelling of a name.
    return unicodedata.normalize("NFC", value) if name == "source" else value


def _meta(_name: str, value: Any) -> Any:
    if not isinstance(value, dict):
        raise InvalidType(f"meta must be dict, not {type(value).__name__}.")
    try:
        # NaN is no JSON; as null it would match every document.
        return json.loads(json.dumps(value, allow_nan=False, default=_numpy))
    except (TypeError, ValueError) as error:
        raise InvalidType(
            f"meta cannot be written as JSON ({error}). Use strings and finite numbers."
        ) from error


def _numpy(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _page_range(_name: str, pages: Any) -> list[int]:
    if isinstance(pages, int | np.integer) and not isinstance(pages, bool):
        return [int(pages), int(pages)]
    ints = isinstance(pages, list | tuple) and all(isinstance(p, int | np.integer) for p in pages)
    if not ints or len(pages) != 2:
        raise InvalidType(f"pages must be a page number or (first, last), not {pages!r}.")
    return [int(page) for page in pages]


def _outside_legs(_name: str, legs: Any) -> dict[str, list[int]]:
    try:
        found = {str(leg): [int(i) for i in dict.fromkeys(ids)] for leg, ids in legs.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidType(f"legs must be {{name: [chunk id, ...]}} ({error}).") from error
    ours = [leg for leg in found if leg in (*TEXT_LEGS, "vec")]
    if ours:
        raise InvalidArgument(f"legs: {ours[0]!r} is a leg of our own. Choose another name.")
    return found


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "spans": _spans,
    "node": _id,
    "like": _id,
    "source": _text,
    "kind": _text,
    "meta": _meta,
    "pages": _page_range,
    "legs": _outside_legs,
} | dict.fromkeys(TEXT_LEGS, _text)
