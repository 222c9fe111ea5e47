"""Python source: module > class > function by its syntax tree; the text is the source itself."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import LitesearchWarning
from ..records import Document, Heading
from .content import FileContent, FilePath
from .outline import HASH_COMMENT, Span, line_starts, span_headings, with_comments
from .text import decode, read_bytes

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def read_python(path: FilePath) -> FileContent:
    """A Python file: classes, functions and methods are sections, each with its decorators.

    A file with a syntax error is stored without sections, and a LitesearchWarning says so.
    """
    text = _decoded(read_bytes(path), str(path))
    try:
        headings = tuple(python_headings(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        headings = ()
        warnings.warn(
            f"{path} is no Python of this version ({error}); it is stored as one section."
            " Mend the file to have its classes and functions",
            LitesearchWarning,
            stacklevel=2,
        )
    document = Document(text, headings=headings)
    return FileContent("code", document, Path(path).name, {"language": "python"})


def _decoded(data: bytes, name: str) -> str:
    """By the coding line that the file may begin with."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):  # an unknown name, or bytes that are not of it
        return decode(data, name)


def python_headings(text: str) -> Iterator[Heading]:
    """The headings of a module's classes and functions; raises what ast.parse raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of invalid escapes and the like: not ours to mend
        module = ast.parse(text)
    starts = line_starts(text)
    return span_headings(text, _spans(text, starts, module.body), len(text), HASH_COMMENT)


def _spans(text: str, starts: Sequence[int], body: Sequence[ast.stmt]) -> list[Span]:
    spans = []
    for node in _definitions(body):
        first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
        last = node.end_lineno or node.lineno
        end = starts[last] if last < len(starts) else len(text)
        start = with_comments(text, starts, first - 1, HASH_COMMENT)
        # Back on the line's end, where what follows on the next line is looked for.
        end = max(start, end - 1)
        is_class = isinstance(node, ast.ClassDef)
        kind = "class" if is_class else "function"
        children = _spans(text, starts, node.body) if is_class else []
        spans.append(Span(start, end, _title(node), node.name, kind, children))
    return spans


def _definitions(body: Sequence[ast.stmt]) -> Iterator[_Definition]:
    """Those of a body, also under `if` and `try`; functions inside of functions are their text."""
    for node in body:
        if isinstance(node, _Definition):
            yield node
        elif isinstance(node, ast.If | ast.Try | ast.TryStar | ast.With | ast.For | ast.While):
            yield from _definitions(_statements(node))


def _statements(node: ast.stmt) -> list[ast.stmt]:
    blocks = [getattr(node, name, []) for name in ("body", "handlers", "orelse", "finalbody")]
    found: list[ast.stmt] = []
    for item in (item for block in blocks for item in block):
        found += item.body if isinstance(item, ast.ExceptHandler) else [item]
    return found


def _title(node: _Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in [*node.bases, *node.keywords])
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{word} {node.name}({ast.unparse(node.args)})"
