"""`database()`: the one object that people use.

>>> from litesearch import database
>>> db = database()
>>> _ = db.add_doc("# Rates\\n\\nThe rate for books is 5 %.", title="VAT guide")
>>> db.doc_search("rate for books")[0].heading
'Rates'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import outline
from .documents import Documents
from .encoders.base import Encoder, get_encoder
from .errors import EncoderMismatch, InvalidArgument
from .flat import FlatStore, TableReaders, create_store, store_columns
from .formats import prepare
from .hits import Record, Results
from .outline import Toc
from .request import Request, build_request
from .schema import get_meta
from .search import search, table_search
from .settings import configure, status

if TYPE_CHECKING:
    from .lookup import CrossReference, Definition, Lookup

TREE_COLUMNS = ("id", "content", "doc_id", "node_id", "page", "page_end", "heading")


class Database(Documents):
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

    def read(self, node: int | str, doc: int | str | None = None) -> str:
        """The whole text of a section, children included: by its id, or by its name as in lookup.

        Raises NotFound where no section or several have the name; it lists them.
        """
        if isinstance(node, str):
            from .lookup import node_named

            node = node_named(self, node, doc)
        return outline.read_node(self, node)

    def explain_tree(self, doc: int | str) -> Record:
        """How a document's sections were found: mode, profile, why, levels, sections by kind and
        what was removed from its pages.
        """
        return outline.explain_tree(self, doc)

    def lookup(self, ref: str, doc: int | str | None = None) -> Lookup:
        """The section of a name: "Article 369a(1)", "§ 12", "Chapter 2 of Title I", or a title.

        Each place has the section's node_id and the exact characters of the point asked for. Where
        several sections have the name, all are listed and a note says so; where none has, the
        nearest, with `exact` False. `doc` is an id, source or title.
        """
        from . import lookup

        return lookup.lookup(self, ref, doc)

    def define(self, term: str, doc: int | str | None = None) -> list[Definition]:
        """The definitions of a term, side by side where several documents have one; [] for none.

        Case and plural are forgiven.
        """
        from . import lookup

        return lookup.define(self, term, doc)

    def references(self, node_id: int) -> list[CrossReference]:
        """The cross-references in a section, children included, and where each leads."""
        from . import lookup

        return lookup.references(self, node_id)

    def referenced_by(self, node_id: int) -> list[CrossReference]:
        """The cross-references that lead to a section or into it, from every document."""
        from . import lookup

        return lookup.referenced_by(self, node_id)

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
