"""The SQL of litesearch: statements by name, views composed from fragments."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


def quote_identifier(name: str) -> str:
    """`name` as an SQL identifier, safe whatever it holds. Raises ValueError on a NUL or none."""
    if not name or "\0" in name:
        raise ValueError(f"{name!r} cannot be the name of a table or column")
    return '"' + name.replace('"', '""') + '"'


@cache
def script(name: str) -> str:
    """The text of the file litesearch/sql/<name>.sql."""
    return files(__package__).joinpath(f"{name}.sql").read_text(encoding="utf-8")


@cache
def statements(name: str) -> dict[str, str]:
    """The statements of litesearch/sql/<name>.sql by the names in its `-- name:` lines."""
    parts = _NAME.split(script(name))
    return {key: text.strip() for key, text in zip(parts[1::2], parts[2::2], strict=True)}
