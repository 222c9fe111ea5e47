"""The default encoder: a static table of token vectors from inside an installed package.

The weights are those of WordLlama (l2_supercat, 256 dimensions), read as files from the package
`wordllama`; its own loader is not used, since it asks a model hub. The mean of the token vectors
is taken by model2vec's StaticModel. Nothing is ever fetched.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MissingExtra
from .base import unit_rows

if TYPE_CHECKING:
    from .base import Rows

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


@cache
def _model() -> Any:
    """The table and its tokenizer, once a process: 16 MB as float16."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(
            "The default encoder reads its weights from the package wordllama, which is not"
            " installed. Install it: pip install wordllama; or open with encoder=None."
        )
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = Path(next(iter(spec.submodule_search_locations)))
    config = json.loads((folder / _TOKENIZER).read_text(encoding="utf-8"))
    config["post_processor"] = None  # no special tokens: each would add its vector to every mean
    config["padding"] = config["truncation"] = None
    table = next(iter(load_file(folder / _WEIGHTS).values())).astype(np.float32)
    tokenizer = Tokenizer.from_str(json.dumps(config))
    return StaticModel(vectors=table, tokenizer=tokenizer, config={"normalize": False})


class StaticEncoder:
    """Static token vectors, 256 dimensions, no limit on a text's length."""

    name = "static:wordllama-l2-supercat-256"
    dims = 256

    def encode_documents(self, texts: Sequence[str]) -> Rows:
        """Unit rows, shape (len(texts), 256); zeros for a text without known tokens."""
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        rows = _model().encode(
            list(texts), max_length=None, use_multiprocessing=False, show_progress_bar=False
        )
        return unit_rows(np.asarray(rows, dtype=np.float32))

    def encode_queries(self, texts: Sequence[str]) -> Rows:
        """The same as encode_documents: a static table knows no difference."""
        return self.encode_documents(texts)

    def count_tokens(self, text: str) -> int:
        """How many tokens the table's tokenizer makes of `text`."""
        return len(_model().tokenizer.encode(text, add_special_tokens=False).ids)
