"""`database()`: the one object that people use.

>>> from litesearch import database
>>> db = database()
>>> _ = db.add_doc("# Rates\\n\\nThe rate for books is 5 %.", title="VAT guide")
>>> db.doc_search("rate for books")[0].heading
'Rates'
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import outline
from .assemble import PageInput
from .connection import Connection
from .encoders.base import Encoder, get_encoder
from .errors import EncoderMismatch, InvalidArgument, LitesearchWarning
from .flat import FlatStore, TableReaders, create_store, store_columns
from .folders import Summary, add_files, files_in
from .hits import Results
from .ingest import Options, Source, add_pages, add_path
from .outline import Toc
from .request import Request, build_request
from .schema import get_meta, prepare
from .search import search, table_search
from .settings import configure, status
from .sql import statements
from .store import forget_document

TREE_COLUMNS = ("id", "content", "doc_id", "node_id", "page", "page_end", "heading")


class Database(Connection):
    """A litesearch file. Make one with `database(path)`; use it as a context manager."""

    def __init__(
        self,
        path: str | PathLike[str] = ":memory:",
        encoder: str | Encoder | None = "static",
        readonly: bool = False,
        trace: Callable[[str], object] | None = None,
    ) -> None:
        chosen = get_encoder(encoder)
        super().__init__(path, readonly, trace)
        try:
            prepare(self)
            self._check_encoder(chosen)
        except BaseException:
            self.close()
            raise
        self.encoder = chosen
        self.t = TableReaders(self)

    def _check_encoder(self, encoder: Encoder | None) -> None:
        name = get_meta(self, "encoder")
        if encoder is None or name is None or name.startswith("callable:") or name == encoder.name:
            return
        raise EncoderMismatch(
            f"{self.path} holds vectors of {name}, not of {encoder.name}. Open it with that"
            " encoder, or with encoder=None for keyword search."
        )

    # documents

    def add_doc(
        self,
        pages: PageInput,
        title: str | None = None,
        source: str | None = None,
        kind: str | None = None,
        metadata: dict[str, Any] | None = None,
        emb_fn: Callable[..., Any] | None = None,
        **options: Any,
    ) -> int:
        """Store a document -> its id. Whole, or not at all.

        `pages` is a str, a list or iterator of str, or of (number, str) pairs; strings are numbered
        from 1. `kind` is "markdown" for one str and "pdf" for several pages unless given ("text",
        "html"). A document of the same `source` is replaced; unchanged, it is left alone. Without a
        source each call adds a document. `emb_fn(list of str)` -> one row a text takes the place of
        the file's encoder. Options: chunk_size=512 and overlap=0 in characters,
        max_chunk_tokens=None in the encoder's tokens, strategy="structure" or "token",
        with_heading=True (headings in the embedded text).

        Raises EmptyDocument, EncodeError and other DocumentErrors, InvalidType, EncoderMismatch.
        """
        where = Source(source, title, kind, {} if metadata is None else metadata)
        return add_pages(self, self.encoder, pages, where, _options(options), emb_fn)[0]

    def add_file(
        self,
        path: str | PathLike[str],
        title: str | None = None,
        source: str | None = None,
        metadata: dict[str, Any] | None = None,
        emb_fn: Callable[..., Any] | None = None,
        **options: Any,
    ) -> int:
        """Read a file by its suffix and store it as add_doc does; `source` is its path by default.

        Pages without text are named in a LitesearchWarning. Raises NotFound, ParseError (encrypted,
        broken, of no known suffix), EmptyDocument.
        """
        where = Source(source, title, None, {} if metadata is None else metadata)
        doc_id = add_path(self, self.encoder, path, where, _options(options), emb_fn)[0]
        if note := self._note(doc_id):
            warnings.warn(f"{fspath(path)}: {note}", LitesearchWarning, stacklevel=2)
        return doc_id

    def add_dir(
        self,
        folder: str | PathLike[str],
        pattern: str = "**/*",
        progress: bool = True,
        emb_fn: Callable[..., Any] | None = None,
        **options: Any,
    ) -> Summary:
        """Add every file of a folder that a reader is registered for; sources are relative to it.

        A file that fails is named in the summary with the reason, and the others go on. Raises
        NotFound where there is no such folder or no document in it.
        """
        root = Path(folder)
        paths = files_in(root, pattern)
        if not paths:
            raise InvalidArgument(
                f"{fspath(folder)} holds no file of a known kind. Check the folder and the pattern."
            )
        return self._add_files(paths, root, progress, emb_fn, options)

    def add_files(
        self,
        paths: Iterable[str | PathLike[str]],
        progress: bool = True,
        emb_fn: Callable[..., Any] | None = None,
        **options: Any,
    ) -> Summary:
        """Add several files as add_dir does; each one's source is its path as given."""
        return self._add_files([Path(path) for path in paths], None, progress, emb_fn, options)

    def _add_files(
        self,
        paths: Sequence[Path],
        root: Path | None,
        progress: bool,
        emb_fn: Callable[..., Any] | None,
        options: dict[str, Any],
    ) -> Summary:
        from tqdm import tqdm

        chosen = _options(options)

        def add(path: Path) -> tuple[int, bool]:
            where = Source(path.relative_to(root).as_posix() if root else str(path))
            return add_path(self, self.encoder, path, where, chosen, emb_fn)

        return add_files(tqdm(paths, unit="file", disable=not progress), add, self._note)

    def _note(self, doc_id: int) -> str:
        blank = json.loads(self.one("SELECT blank_pages FROM docs WHERE id = ?", (doc_id,)) or "[]")
        if not blank:
            return ""
        numbers = ", ".join(map(str, blank[:20])) + (", ..." if len(blank) > 20 else "")
        return f"no text on page {numbers}: if scanned, run OCR (ocrmypdf) and add it again"

    def delete_doc(self, doc: int | str) -> None:
        """Remove a document, by id, source or title, from every table and index."""
        forget_document(self, outline.find_doc(self, doc))

    def docs(self) -> list[Any]:
        """All documents: id, source, title, kind, pages, blank_pages, meta, chunks and dates."""
        rows = self.rows(statements("read")["docs"])
        for row in rows:
            row["meta"] = json.loads(row.meta)
            row["blank_pages"] = json.loads(row.blank_pages)
        return rows

    # search

    def params(self, q: str, emb: Any = None, dtype: Any = None, **options: Any) -> dict[str, Any]:
        """The `params` of the views for a query: json.dumps(them) asks any SQLite the same."""
        return self._request(q, emb, dtype, options).params

    def doc_search(
        self, q: str, emb: Any = None, limit: int = 10, dtype: Any = None, **options: Any
    ) -> Results:
        """The passages for a query, best first: a list of Hit.

        `emb` is the query's vector (an array, or bytes of `dtype`) where the file's encoder should
        not make it. Options: offset=0, spans=True (adjacent chunks of a section are one passage),
        mode="hybrid"|"keyword"|"semantic", docs=[id or source], source="*.pdf" (a glob), kind, node
        (its subtree), pages=(first, last), meta={key: value}, w={leg: weight}, rrf_k, fusion,
        depth, like=chunk id, legs={name: [chunk ids]}, adaptive=False.

        `adaptive=True` weights words against vectors by the query's shape. Off by default: in the
        evaluation that introduced it, it never fired on prose.
        """
        return self._search("doc_search", q, emb, limit, dtype, options)

    def sections(
        self,
        q: str,
        emb: Any = None,
        limit: int = 5,
        per: int = 3,
        score: str = "max",
        dtype: Any = None,
        **options: Any,
    ) -> Results:
        """The same search rolled up to whole sections, best first: a list of Section.

        `per` is how many snippets a section shows; `score` how its hits make its score: "max" (a
        section is as good as its best passage), "mean" or "sum" (favours long ones).
        """
        options = {"per": per, "score": score, **options}
        return self._search("sections", q, emb, limit, dtype, options)

    def _search(
        self, view: str, q: str, emb: Any, limit: int, dtype: Any, options: dict[str, Any]
    ) -> Results:
        with self._lock:
            request = self._request(q, emb, dtype, {**options, "limit": limit})
            return search(self, view, request)

    def _request(self, q: str, emb: Any, dtype: Any, options: Mapping[str, Any]) -> Request:
        options = dict(options)
        if options.pop("adaptive", False):
            options["w"] = {**_adaptive_weights(q), **(options.get("w") or {})} or None
        if options.get("docs") is not None:
            options["docs"] = self._doc_ids(options["docs"])
        return build_request(self, self.encoder, q, emb, dtype, options)

    def _doc_ids(self, docs: Any) -> list[int]:
        several = docs if isinstance(docs, Iterable) and not isinstance(docs, str) else [docs]
        return [outline.find_doc(self, doc) for doc in several]

    def toc(self, doc: int | str) -> Toc:
        """A document's sections in reading order; printed, an indented tree."""
        return outline.toc(self, doc)

    def read(self, node_id: int) -> str:
        """The whole text of a section, children included."""
        return outline.read_node(self, node_id)

    def text(self, doc: int | str) -> str:
        """A document's text, which char_start and char_end of nodes and hits count in."""
        return outline.text_of(self, doc)

    # flat stores

    def get_tree(self, name: str = "store") -> Database:
        """The file's one tree, which is this object. Idempotent; `name` is "store"."""
        if name != "store":
            raise InvalidArgument(
                f"The file's tree is named 'store', not {name!r}. get_store makes flat tables;"
                " collections are metadata to filter by."
            )
        return self

    def get_store(
        self, name: str, hash: bool = True, ann: bool = True, **columns: type
    ) -> FlatStore:
        """A flat searchable table with typed columns, made on first use.

        hash=True: a row is its text's hash, the same text is there once. ann=True: with vectors.
        """
        return create_store(self, self.encoder, name, hash, ann, columns)

    def search(
        self,
        q: str,
        emb: Any = None,
        columns: Sequence[str] | None = None,
        limit: int = 10,
        table_name: str = "store",
        dtype: Any = None,
        **options: Any,
    ) -> Results:
        """Rows of a flat store (or chunks of the tree) for a query, best first.

        Each row has the columns asked for, and rank, score and legs.
        """
        options = {**options, "limit": limit}
        if table_name == "store":
            request = self._request(q, emb, dtype, options)
            return table_search(self, "store", columns or TREE_COLUMNS, request)
        store = FlatStore(self, self.encoder, table_name)
        request = build_request(self, self.encoder, q, emb, dtype, options, table_name)
        return table_search(self, table_name, store_columns(store, columns), request)

    # the file

    def configure(
        self,
        w: Mapping[str, float] | None = None,
        rrf_k: int | None = None,
        fusion: str | None = None,
        heading: float | None = None,
    ) -> dict[str, Any]:
        """Change the ranking that the file itself holds, for every reader of it -> all settings.

        `w` {leg: weight}, 0 turns a leg off; `rrf_k` 1-1,000; `fusion` "rrf" or "linear"; `heading`
        the weight of a word in the headings against one in the text.
        """
        return configure(self, w, rrf_k, fusion, heading)

    def status(self) -> Any:
        """Counts of what the file holds, its encoder and its size in bytes."""
        return status(self)


def _options(options: dict[str, Any]) -> Options:
    unknown = [name for name in options if name not in Options.__dataclass_fields__]
    if unknown:
        names = ", ".join(Options.__dataclass_fields__)
        raise InvalidArgument(f"There is no option {unknown[0]!r}. The options are {names}.")
    return Options(**options)


def _adaptive_weights(q: str) -> dict[str, float]:
    """Words against vectors by the shape of the query: identifiers are words, questions are not."""
    words = q.split()
    if words and sum(any(c.isdigit() for c in w) for w in words) * 2 >= len(words):
        return {"vec": 0.25}
    return {"vec": 2.0} if q.rstrip().endswith("?") else {}


def database(
    path: str | PathLike[str] = ":memory:",
    encoder: str | Encoder | None = "static",
    readonly: bool = False,
    trace: Callable[[str], object] | None = None,
) -> Database:
    """Open a litesearch file, made on first use; without a path, one in memory.

    `encoder` is "static" (the default: a table of vectors inside an installed package), None
    (keyword search only) or an Encoder. `readonly` opens without any write; a file or folder that
    cannot be written opens that way by itself. `trace` is called with each SQL statement.

    Raises NotALitesearchFile, NewerFormat, EncoderMismatch, NotFound (readonly and no such file).
    """
    return Database(path, encoder, readonly, trace)
