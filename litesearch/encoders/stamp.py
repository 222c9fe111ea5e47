"""Texts -> rows and the stamp of where they come from, whoever the encoder is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..schema import Stamp
from .base import PROBES, Encoder, encode_with

if TYPE_CHECKING:
    from .base import Rows

ENCODE_BATCH = 256  # texts a call: keeps the token arrays of a large document out of memory


def encode(
    encoder: Encoder | None, emb_fn: Callable[..., Any] | None, texts: Sequence[str]
) -> tuple[Rows, Stamp] | None:
    """Rows for `texts` by `emb_fn`, else by the encoder, and their stamp; None without either.

    `emb_fn` is called once with all the texts, an encoder in batches.
    """
    if emb_fn is not None:
        rows = encode_with(emb_fn, texts, None)
        dims = rows.shape[1]
        return rows, Stamp(f"callable:{dims}", dims, encode_with(emb_fn, PROBES, dims))
    if encoder is None:
        return None
    function, dims, name = encoder.encode_documents, encoder.dims, f"The encoder {encoder.name}"
    batches = [
        encode_with(function, part, dims, name)
        for part in (texts[i : i + ENCODE_BATCH] for i in range(0, len(texts), ENCODE_BATCH))
    ]
    probes = encode_with(function, PROBES, dims, name)
    return np.concatenate(batches), Stamp(encoder.name, dims, probes)
