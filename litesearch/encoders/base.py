"""The encoder protocol, and what every set of vectors passes through before it is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ..errors import EncodeError, InvalidArgument, InvalidType

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

# Three texts whose vectors tell encoders apart: prose, a number with a mark, another script.
PROBES = ("The supplier shall deliver the goods within 30 days.", "§ 4.2 (b)", "données et 数据")

MAX_DIMS = 8192  # of a vec0 column


@runtime_checkable
class Encoder(Protocol):
    """What turns texts into vectors. Rows are float32 of length 1; a row of zeros means that the
    encoder knows nothing of the text, and is not stored."""

    name: str
    dims: int

    def encode_documents(self, texts: Sequence[str]) -> Rows:
        """One row a text, shape (len(texts), dims)."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Rows:
        """One row a query, shape (len(texts), dims)."""
        ...


def unit_rows(rows: Rows) -> Rows:
    """Each row divided by its length; rows of zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def as_rows(values: Any, count: int, dims: int | None) -> Rows:
    """What an encoder or `emb_fn` returned, as checked float32 unit rows of shape (count, dims).

    float16 and float64 are cast. Raises EncodeError on a wrong count or size and on NaN.
    """
    try:
        with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, see below
            rows = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EncodeError(
            f"The encoder returned no matrix of numbers ({error}). Return one row per text."
        ) from error
    if rows.ndim != 2 or rows.shape[0] != count:
        raise EncodeError(
            f"The encoder returned shape {rows.shape} for {count} texts. Return one row per text,"
            f" shape ({count}, dims)."
        )
    if rows.shape[1] == 0 or (dims is not None and rows.shape[1] != dims):
        raise EncodeError(
            f"The encoder returned vectors of {rows.shape[1]} dimensions; this file's have"
            f" {dims or 'at least 1'}. Use the encoder that the file was made with, or a new file."
        )
    if rows.shape[1] > MAX_DIMS:
        raise EncodeError(
            f"The encoder returned vectors of {rows.shape[1]} dimensions; vec0 takes at most"
            f" {MAX_DIMS:,}. Use a smaller encoder, or the first dimensions of this one."
        )
    if not np.isfinite(rows).all():
        raise EncodeError(
            "The encoder returned NaN or infinite values. Return finite numbers, or a row of"
            " zeros for a text that has no vector."
        )
    return unit_rows(rows)


def encode_with(
    function: Callable[..., Any], texts: Sequence[str], dims: int | None, name: str = "emb_fn"
) -> Rows:
    """Rows of a caller's `function(list of texts)`, checked. What it raises becomes EncodeError."""
    try:
        values = function(list(texts))
    except Exception as error:  # the caller's code may raise anything; it is named and chained
        raise EncodeError(
            f"{name} raised {type(error).__name__}: {error}. Nothing of the document was stored."
        ) from error
    return as_rows(values, len(texts), dims)


def get_encoder(encoder: str | Encoder | None) -> Encoder | None:
    """An encoder by name ("static"), an Encoder as it is, or None for keyword search only."""
    if encoder is None:
        return None
    if isinstance(encoder, str):
        if encoder == "static":
            from .static import StaticEncoder

            return StaticEncoder()
        raise InvalidArgument(
            f"There is no encoder named {encoder!r}. Use 'static', None for keyword search only,"
            " or an object with name, dims, encode_documents and encode_queries."
        )
    if isinstance(encoder, Encoder):
        return encoder
    raise InvalidType(
        f"encoder must be a name, None or an Encoder, not {type(encoder).__name__}. An object"
        " needs name, dims, encode_documents(texts) and encode_queries(texts)."
    )
