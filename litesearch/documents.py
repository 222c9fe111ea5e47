"""Documents in and out of a file: add_doc, add_file, add_dir, delete_doc, docs."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import outline
from .connection import Connection
from .encoders.base import Encoder
from .errors import InvalidArgument, LitesearchWarning
from .folders import Summary, add_files, files_in
from .sql import statements
from .store import forget_document

if TYPE_CHECKING:
    from .assemble import PageInput
    from .ingest import Options

# The reading half is imported where a document is added: who only searches does not wait for it
# (0.1 of 0.3 s).


class Documents(Connection):
    """A connection that documents can be added to; `Database` asks them."""

    encoder: Encoder | None

    def add_doc(
        self,
        pages: PageInput,
        title: str | None = None,
        source: str | None = None,
        kind: str | None = None,
        metadata: dict[str, Any] | None = None,
        emb_fn: Callable[..., Any] | None = None,
        summary_fn: Callable[[str, str], str] | None = None,
        **options: Any,
    ) -> int:
        """Store a document -> its id. Whole, or not at all.

        `pages` is a str, a list or iterator of str, or of (number, str) pairs; strings are numbered
        from 1. `kind` is "markdown" for one str and "pdf" for several pages unless given ("text",
        "html"). A document of the same `source` is replaced; unchanged, it is left alone. Without a
        source each call adds a document. `emb_fn(list of str)` -> one row a text takes the place of
        the file's encoder; `summary_fn(title, text)` makes the sections' summaries, which else are
        the beginning of their text. Options: chunk_size=512 and overlap=0 in characters,
        max_chunk_tokens=None in the encoder's tokens, strategy="structure" or "token",
        profile="auto" (what opens a section; see `build_tree`), with_heading=True (headings in the
        embedded text), remove_furniture=True (running heads and page numbers of extracted pages;
        explain_tree counts what went).

        Raises EmptyDocument, EncodeError and other DocumentErrors, InvalidType, EncoderMismatch.
        """
        from .ingest import Source, add_pages

        where = Source(source, title, kind, {} if metadata is None else metadata)
        return add_pages(self, self.encoder, pages, where, _options(options), emb_fn, summary_fn)[0]

    def add_file(
        self,
        path: str | PathLike[str],
        title: str | None = None,
        source: str | None = None,
        metadata: dict[str, Any] | None = None,
        emb_fn: Callable[..., Any] | None = None,
        summary_fn: Callable[[str, str], str] | None = None,
        **options: Any,
    ) -> int:
        """Read a file by its suffix and store it as add_doc does; `source` is its path by default.

        Pages without text are named in a LitesearchWarning. Raises NotFound, ParseError (encrypted,
        broken, of no known suffix), EmptyDocument.
        """
        from .ingest import Source, add_path

        where = Source(source, title, None, {} if metadata is None else metadata)
        doc_id = add_path(self, self.encoder, path, where, _options(options), emb_fn, summary_fn)[0]
        if note := self._note(doc_id):
            warnings.warn(f"{fspath(path)}: {note}", LitesearchWarning, stacklevel=2)
        return doc_id

    def add_dir(
        self,
        folder: str | PathLike[str],
        pattern: str = "**/*",
        progress: bool = True,
        emb_fn: Callable[..., Any] | None = None,
        summary_fn: Callable[[str, str], str] | None = None,
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
        return self._add_files(paths, root, progress, emb_fn, summary_fn, options)

    def add_files(
        self,
        paths: Iterable[str | PathLike[str]],
        progress: bool = True,
        emb_fn: Callable[..., Any] | None = None,
        summary_fn: Callable[[str, str], str] | None = None,
        **options: Any,
    ) -> Summary:
        """Add several files as add_dir does; each one's source is its path as given."""
        return self._add_files(
            [Path(path) for path in paths], None, progress, emb_fn, summary_fn, options
        )

    def _add_files(
        self,
        paths: Sequence[Path],
        root: Path | None,
        progress: bool,
        emb_fn: Callable[..., Any] | None,
        summary_fn: Callable[[str, str], str] | None,
        options: dict[str, Any],
    ) -> Summary:
        from tqdm import tqdm

        from .ingest import Source, add_path

        chosen = _options(options)

        def add(path: Path) -> tuple[int, bool]:
            where = Source(path.relative_to(root).as_posix() if root else str(path))
            return add_path(self, self.encoder, path, where, chosen, emb_fn, summary_fn)

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


def _options(options: dict[str, Any]) -> Options:
    from .ingest import Options

    unknown = [name for name in options if name not in Options.__dataclass_fields__]
    if unknown:
        names = ", ".join(Options.__dataclass_fields__)
        raise InvalidArgument(f"There is no option {unknown[0]!r}. The options are {names}.")
    return Options(**options)
