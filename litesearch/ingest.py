"""The front doors for documents: pages, files and folders -> the store.

Everything slow (parsing, cutting, encoding) is done before the write transaction begins.
"""

from __future__ import annotations

import itertools
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, field
from hashlib import blake2b
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .assemble import PageInput, as_pages, assemble
from .chunks import chunk_tree
from .connection import Connection
from .data import read_file
from .encoders.base import Encoder
from .encoders.stamp import encode
from .errors import EncoderMismatch, InvalidArgument, InvalidType, NotFound
from .normalise import fold
from .profiles import PROFILES, Choice, Profile, choose_profile
from .records import Chunk, Document, Node
from .schema import Stamp, check_stamp, get_meta
from .sql import statements
from .store import Prepared, check_size, write_document
from .summaries import SummaryFunction, summaries
from .terms import extract_terms
from .terms.kinds import with_kinds
from .tree import Tree, build_tree

if TYPE_CHECKING:
    from .encoders.base import Rows

MOST_HEADING = 2_000  # characters of the headings above a chunk that are indexed with it
STRATEGIES = ("structure", "token")


@dataclass(frozen=True, slots=True)
class Options:
    """How a document is cut and encoded; part of its hash, so that a change takes effect.

    `chunk_size` and `overlap` count characters; `max_chunk_tokens` sets the limit in the
    encoder's tokens instead (`overlap` then stays in characters). `strategy` "token" ignores
    structure. `profile` says what opens a section (see `build_tree`). `with_heading` puts the
    headings above a chunk before its text for the encoder. `remove_furniture` takes running heads,
    feet and page numbers out of extracted pages.
    """

    chunk_size: int = 512
    overlap: int = 0
    max_chunk_tokens: int | None = None
    strategy: str = "structure"
    with_heading: bool = True
    profile: str | Profile = "auto"
    remove_furniture: bool = True

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise InvalidArgument(
                f"strategy is {self.strategy!r}; it must be one of {', '.join(STRATEGIES)}."
            )
        choose_profile(self.profile, "")  # raises on a name that there is not
        for name in ("chunk_size", "overlap", "max_chunk_tokens"):
            value = getattr(self, name)
            if value is None and name == "max_chunk_tokens":
                continue
            if not isinstance(value, int) or isinstance(value, bool):
                raise InvalidType(f"{name} must be an int, not {type(value).__name__}.")
            low, high = (0, self.chunk_size - 1) if name == "overlap" else (1, 1 << 31)
            if not low <= value <= high:
                raise InvalidArgument(f"{name} is {value}; it must be from {low} to {high:,}.")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document comes from, and what is known of it beside its pages."""

    source: str | None = None
    title: str | None = None
    kind: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    mtime: float | None = None
    size: int | None = None


EmbeddingFunction = Callable[..., Any]


class Added(tuple[int, bool]):
    """A document's id, and False where the same one was there already.

    `notes` says what its reader left out of the text.
    """

    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, added: tuple[int, bool], notes: Sequence[str]) -> Added:
        made = cls(added)
        made.notes = tuple(notes)
        return made


def add_pages(
    connection: Connection,
    encoder: Encoder | None,
    pages: PageInput,
    source: Source,
    options: Options,
    emb_fn: EmbeddingFunction | None = None,
    summary_fn: SummaryFunction | None = None,
) -> tuple[int, bool]:
    """Store a document. -> (its id, False where the same document was there already)."""
    checked = _checked(source)
    kind = checked.kind or ("markdown" if isinstance(pages, str) else "pdf")
    document = assemble(pages, kind, options.remove_furniture)
    if document is pages:
        as_pages(document.text)  # made by a reader or the caller: checked as strings are
    _check_page_numbers(document.page_numbers)
    name = "emb_fn" if emb_fn else encoder.name if encoder else None
    name = f"{name} {_function_name(summary_fn)}" if summary_fn else name
    content_hash = _hash(document, kind, options, name)
    if checked.source is not None:
        known = connection.rows(statements("read")["doc_by_source"], (checked.source,))
        if known and known[0].content_hash == content_hash:
            _update_doc(connection, known[0], checked)
            return known[0].id, False
    tree = _tree(document, checked.title, kind, options)
    prepared = prepare(
        connection, encoder, tree, checked, kind, options, emb_fn, summary_fn, content_hash
    )
    return write_document(connection, prepared), True


def _function_name(function: Callable[..., Any]) -> str:
    """What tells one function from another: its name and its code."""
    code = getattr(function, "__code__", None)
    body = repr((code.co_code, code.co_consts)) if code else ""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{name} {blake2b(body.encode(), digest_size=8).hexdigest()}"


def _check_page_numbers(numbers: Sequence[int]) -> None:
    """Raise unless the numbers rise: a section's first page is not after its last."""
    for before, number in itertools.pairwise([numbers[0], *numbers]):
        if before > number or abs(number) >= 1 << 31:
            raise InvalidArgument(
                f"Page {number} is out of order, or of no possible number. Give (number, text)"
                " pairs in the order of their numbers."
            )


def _tree(document: Document, title: str | None, kind: str, options: Options) -> Tree:
    if options.strategy == "structure":
        return build_tree(document, title=title, kind=kind, profile=options.profile)
    first, last = document.page_numbers[0], document.page_numbers[-1]
    root = Node(0, None, 0, title or "", "", "root", first, last, 0, len(document.text))
    choice = Choice(PROFILES["none"], 'strategy="token" looks for no sections')
    return Tree([root], document, "token", {}, choice)


def prepare(
    connection: Connection,
    encoder: Encoder | None,
    tree: Tree,
    source: Source,
    kind: str,
    options: Options,
    emb_fn: EmbeddingFunction | None,
    summary_fn: SummaryFunction | None,
    content_hash: str,
) -> Prepared:
    """Cut and encode a document: everything slow, before any lock is taken."""
    chunks = chunk_tree(tree, options.chunk_size, options.overlap, **_token_limit(encoder, options))
    check_size(len(chunks), len(tree))
    terms = extract_terms(tree, tree.document.text)
    title = source.title or _first_title(tree) or _stem(source.source)
    paths = [" > ".join(tree.path(seq))[:MOST_HEADING] for seq in range(len(tree))]
    texts = [_embedding_text(chunk, paths[chunk.node], options) for chunk in chunks]
    vectors, stamp = _encode(connection, encoder, emb_fn, texts)
    headings = [fold(f"{title} > {path}" if path else title) for path in paths]
    folded = [fold(chunk.content) for chunk in chunks]
    return Prepared(
        source=source.source,
        title=title,
        kind=kind,
        metadata=source.metadata,
        content_hash=content_hash,
        tree=tree,
        chunks=with_kinds(chunks, tree, terms),
        headings=[headings[chunk.node] for chunk in chunks],
        folded=[f if f != c.content else None for f, c in zip(folded, chunks, strict=True)],
        terms=terms,
        summaries=summaries(tree, summary_fn),
        vectors=vectors,
        stamp=stamp,
        mtime=source.mtime,
        size=source.size,
    )


def _token_limit(encoder: Encoder | None, options: Options) -> dict[str, Any]:
    if options.max_chunk_tokens is None:
        return {}
    count = getattr(encoder, "count_tokens", None)
    if count is None:
        raise InvalidArgument(
            "max_chunk_tokens needs an encoder that counts tokens (count_tokens(text)). Open the"
            " file with encoder='static', or set chunk_size in characters."
        )
    return {"max_tokens": options.max_chunk_tokens, "count_tokens": count}


def _embedding_text(chunk: Chunk, path: str, options: Options) -> str:
    parts = [path] if options.with_heading and path else []
    if chunk.header:
        parts.append(chunk.header)
    return "\n".join([*parts, chunk.content.strip()])


def _encode(
    connection: Connection,
    encoder: Encoder | None,
    emb_fn: EmbeddingFunction | None,
    texts: Sequence[str],
) -> tuple[Rows | None, Stamp | None]:
    encoded = encode(encoder, emb_fn, texts)
    if encoded is not None:
        check_stamp(connection, encoded[1])
        return encoded
    if get_meta(connection, "encoder") is not None:
        raise EncoderMismatch(
            f"{connection.path} holds vectors of {get_meta(connection, 'encoder')}, and this"
            " document would have none. Open the file with that encoder, or pass emb_fn."
        )
    return None, None


def _hash(document: Document, kind: str, options: Options, encoder: str | None) -> str:
    shape = json.dumps([kind, asdict(options), encoder, list(document.page_starts)])
    if document.headings is not None:
        shape += json.dumps([astuple(heading) for heading in document.headings])
    return blake2b(f"{shape}\0{document.text}".encode(), digest_size=16).hexdigest()


def _first_title(tree: Tree) -> str:
    top = [node for node in tree if node.parent == 0]
    return top[0].title if len(top) == 1 and tree.mode != "chapter" else ""


def _stem(source: str | None) -> str:
    return Path(source).stem if source else ""


def _checked(source: Source) -> Source:
    for name in ("source", "title", "kind"):
        value = getattr(source, name)
        if value is not None and not isinstance(value, str):
            raise InvalidType(f"{name} must be a str or None, not {type(value).__name__}.")
        if value is not None and ("\0" in value or any("\ud800" <= c <= "\udfff" for c in value)):
            raise InvalidArgument(f"{name} {value!r} holds a NUL or a lone surrogate. Remove it.")
    if not isinstance(source.metadata, dict):
        raise InvalidType(f"metadata must be a dict, not {type(source.metadata).__name__}.")
    try:
        json.dumps(source.metadata, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise InvalidType(
            f"metadata cannot be written as JSON ({error}). Use strings, numbers, lists, dicts."
        ) from error
    return Source(
        # One spelling of a path: file systems give composed and decomposed forms of one name.
        None if source.source is None else unicodedata.normalize("NFC", source.source),
        source.title,
        source.kind,
        source.metadata,
        source.mtime,
        source.size,
    )


def _update_doc(connection: Connection, known: Any, source: Source) -> None:
    """The same text under the same source: only what stands beside the text may have changed."""
    title = source.title or known.title
    meta = json.dumps(source.metadata, ensure_ascii=False)
    if (known.title, known.meta, known.mtime, known.size) != (
        title, meta, source.mtime, source.size,
    ):  # fmt: skip
        values = {"title": title, "meta": meta, "mtime": source.mtime, "size": source.size}
        with connection.transaction():
            connection.write(statements("write")["update_doc"], {"id": known.id, **values})


def add_path(
    connection: Connection,
    encoder: Encoder | None,
    path: str | PathLike[str],
    source: Source,
    options: Options,
    emb_fn: EmbeddingFunction | None = None,
    summary_fn: SummaryFunction | None = None,
) -> Added:
    """Read one file and store it, as add_pages does."""
    name = fspath(path)
    file = Path(name)
    if not file.is_file():
        raise NotFound(f"{name}: no such file. Check the path.")
    stat = file.stat()
    content = read_file(file)
    merged = Source(
        source.source or name,
        source.title or content.title or None,
        source.kind or content.kind,
        {**content.metadata, **source.metadata},
        stat.st_mtime,
        stat.st_size,
    )
    added = add_pages(connection, encoder, content.pages, merged, options, emb_fn, summary_fn)
    return Added.of(added, content.notes)
