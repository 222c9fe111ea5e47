"""Source code of other languages than Python: classes and functions by tree-sitter's grammars.

One package a language: tree-sitter-language-pack from 1.0 on has no grammar inside and downloads
each at run time, which does not work without a network.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..records import Document
from .content import FileContent, FilePath, extra
from .languages import LANGUAGES
from .outline import HASH_COMMENT, SLASH_COMMENT, Span, line_starts, span_headings, with_comments
from .text import read_text

# The grammars' names for what opens a section: "class" may have others within it.
_CLASSES = re.compile(
    r"(?:abstract_)?(?:class|interface|enum|record|struct|trait|union|namespace|module|mod|impl)"
    r"(?:_declaration|_definition|_specifier|_item)?|internal_module|type_alias_declaration"
    r"|annotation_type_declaration|type_declaration|macro_definition"
)
_FUNCTIONS = re.compile(
    r"(?:generator_)?function(?:_declaration|_definition|_item)|(?:singleton_)?method"
    r"|method_(?:declaration|definition)|(?:compact_)?(?:con|de)structor_declaration"
)
_VALUES = ("arrow_function", "function_expression", "function", "generator_function", "class")
_MARKS = re.compile(r"(?:(?:@[\w.]+(?:\([^()]*\))?|\[[^\[\]]*\]|#\[[^\[\]]*\])\s*)+")
_TAIL = re.compile(r"(?:=>|[{=;:\s]|(?<=[\s;)])end(?=\s*$))+$")
# What stands around a definition: its own start is the section's.
_WRAPPERS = ("export_statement", "template_declaration", "decorated_definition")


def read_code(path: FilePath) -> FileContent:
    """A source file: its classes and functions are sections, the text is the source itself.

    A file with syntax errors has those sections that the grammar makes out.
    """
    package, function = LANGUAGES[Path(path).suffix.lower()]
    tree_sitter = extra("tree_sitter", "code", path)
    grammar = extra(f"tree_sitter_{package}", "code", path)
    text = read_text(path)
    data = text.encode("utf-8")
    parser = tree_sitter.Parser(tree_sitter.Language(getattr(grammar, function)()))
    root = parser.parse(data).root_node
    comment = HASH_COMMENT if package in ("ruby", "bash") else SLASH_COMMENT
    spans = _Spans(text, data, comment).below(root)
    language = package.replace("c_sharp", "c#").replace("cpp", "c++")
    document = Document(text, headings=tuple(span_headings(text, spans, len(text), comment)))
    return FileContent("code", document, Path(path).name, {"language": language})


class _Spans:
    """Spans of one source text; the grammar counts bytes, they count characters."""

    def __init__(self, text: str, data: bytes, comment: re.Pattern[str]) -> None:
        self._text = text
        self._data = data
        self._comment = comment
        # Bytes 10xxxxxx go on with a character; the count of the others is the offset.
        begins = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
        self._offsets = np.concatenate([[0], np.cumsum(begins, dtype=np.int64)])
        self._starts = line_starts(text)
        self._line = {start: line for line, start in enumerate(self._starts)}

    def below(self, node: Any) -> list[Span]:
        """The outermost definitions below a node. What is inside of functions is their text."""
        spans: list[Span] = []
        # A stack of our own: an expression of 10,000 terms is a tree of that depth.
        stack = [(child, child) for child in reversed(node.children)]
        while stack:
            at, outer = stack.pop()
            found = self._span(at, outer)
            if found is not None:
                spans.append(found)
                continue
            wraps = at.type in _WRAPPERS
            stack += [(child, outer if wraps else child) for child in reversed(at.children)]
        return spans

    def _span(self, node: Any, outer: Any) -> Span | None:
        if not node.is_named:
            return None
        body = node.child_by_field_name("body")
        is_class = bool(_CLASSES.fullmatch(node.type))
        if is_class and node.type.endswith("_specifier") and body is None:
            return None  # "struct point *p": a use of the name
        if not is_class and not _FUNCTIONS.fullmatch(node.type):
            return self._assigned(node, outer)
        first, last = outer.start_byte, outer.end_byte
        head = self._data[first : body.start_byte if body is not None else last]
        name = self._name(node)
        children = self.below(node) if is_class else []
        return self._made(first, last, head, name, "class" if is_class else "function", children)

    def _assigned(self, node: Any, outer: Any) -> Span | None:
        """`const f = () => {...}`: one name for one function."""
        if node.type not in ("lexical_declaration", "variable_declaration"):
            return None
        made = [child for child in node.named_children if child.type == "variable_declarator"]
        value = made[0].child_by_field_name("value") if len(made) == 1 else None
        if value is None or value.type not in _VALUES:
            return None
        body = value.child_by_field_name("body") or value
        head = self._data[outer.start_byte : body.start_byte]
        children = self.below(value) if value.type == "class" else []
        kind = "class" if value.type == "class" else "function"
        name = self._name(made[0])
        return self._made(outer.start_byte, outer.end_byte, head, name, kind, children)

    def _made(
        self, first: int, last: int, head: bytes, name: str, kind: str, children: list[Span]
    ) -> Span:
        start, end = self._offset(first), self._offset(last)
        line = self._text.rfind("\n", 0, start) + 1
        if not self._text[line:start].strip() and line in self._line:
            start = with_comments(self._text, self._starts, self._line[line], self._comment)
        title = _MARKS.sub("", head.decode("utf-8", "replace").strip(), count=1)
        title = title.split("{")[0] if kind == "class" else title
        return Span(start, end, _TAIL.sub("", title), name, kind, children)

    def _name(self, node: Any) -> str:
        """The name that a definition gives; in C it is inside of its declarators."""
        found = node
        for field in ("name", "declarator", "type"):
            inner = node.child_by_field_name(field)
            if inner is not None:
                found = inner
                break
        else:
            named: Sequence[Any] = node.named_children
            found = next((child for child in named if "spec" in child.type), None)
            return "" if found is None else self._name(found)
        while (inner := found.child_by_field_name("declarator")) is not None:
            found = inner
        return " ".join(self._data[found.start_byte : found.end_byte].decode("utf-8").split())

    def _offset(self, byte: int) -> int:
        return int(self._offsets[byte])
