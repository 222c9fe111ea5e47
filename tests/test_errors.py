"""What errors say: each names the fault and ends with the cure. A snapshot of the texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from litesearch import Database, LitesearchError, database

CLOSED = database(encoder=None)
CLOSED.close()


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A file in the current folder, so that messages name it as `a.db`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.db").write_text("This is a text and not a database. " * 40)
    (tmp_path / "empty").mkdir()
    other = sqlite3.connect("other.db")
    other.execute("CREATE TABLE x(y)")
    other.close()
    made = database("a.db")
    made.add_doc("# A\n\nsome words", title="Same", source="a.md")
    made.add_doc("# A\n\nother words", title="Same", source="b.md")
    return made


def newer(db: Database) -> None:
    db.sql.execute("PRAGMA user_version=99")
    database("a.db")


def read_only(db: Database) -> None:
    with database("a.db", readonly=True) as reader:
        reader.add_doc("text")


OTHER = "Use that encoder, or make a new file and add everything to it again."
CASES: list[tuple[Callable[[Database], Any], str]] = [
    (lambda db: CLOSED.docs(),
     "DatabaseError: :memory: is closed. Open it again with database(':memory:')"),
    (lambda db: database("none.db", readonly=True),
     "NotFound: none.db: no such file. Check the path, or open it for writing."),
    (lambda db: database("text.db"),
     "NotALitesearchFile: text.db is no SQLite database. Choose another path, or remove the file."),
    (lambda db: database("other.db"),
     "NotALitesearchFile: other.db is an SQLite database of another program. Choose another path."),
    (newer,
     "NewerFormat: a.db has format 99; this version of litesearch reads up to 2. Upgrade it:"
     " pip install --upgrade litesearch-db."),
    (read_only,
     "ReadOnly: a.db is open for reading only. Open a writable copy of the file with"
     " readonly=False."),
    (lambda db: database("a\0b"),
     "InvalidArgument: path 'a\\x00b' holds a NUL character. Remove it."),
    (lambda db: database(5),  # type: ignore[arg-type]
     "InvalidType: path must be a str or a Path, not int."),
    (lambda db: database(encoder="nope"),
     "InvalidArgument: There is no encoder named 'nope'. Use 'static', None for keyword search"
     " only, or an object with name, dims, encode_documents and encode_queries."),
    (lambda db: db.add_doc("more", emb_fn=lambda texts: np.ones((len(texts), 3))),
     "EncoderMismatch: a.db holds vectors of static:wordllama-l2-supercat-256 (256 dimensions), not"
     f" of callable:3 (3 dimensions). {OTHER} Keyword search works all the same."),
    (lambda db: db.doc_search("words", [1.0] * 3),
     "EncoderMismatch: The query's vector has 3 dimensions; this file's vectors have 256"
     " (static:wordllama-l2-supercat-256). Encode the query with that encoder."),
    (lambda db: db.add_doc("more", emb_fn=lambda texts: 1 / 0),
     "EncodeError: emb_fn raised ZeroDivisionError: division by zero. Nothing of the document was"
     " stored."),
    (lambda db: db.add_doc("more", emb_fn=lambda texts: np.ones((5, 3))),
     "EncodeError: The encoder returned shape (5, 3) for 1 texts. Return one row per text, shape"
     " (1, dims)."),
    (lambda db: db.add_doc("more", emb_fn=lambda texts: np.ones((len(texts), 9000))),
     "EncodeError: The encoder returned vectors of 9000 dimensions; vec0 takes at most 8,192. Use a"
     " smaller encoder, or the first dimensions of this one."),
    (lambda db: db.add_doc("more", nonsense=1),
     "InvalidArgument: There is no option 'nonsense'. The options are chunk_size, overlap,"
     " max_chunk_tokens, strategy, with_heading, profile, remove_furniture."),
    (lambda db: db.add_doc("more", chunk_size=0),
     "InvalidArgument: chunk_size is 0; it must be from 1 to 2,147,483,648."),
    (lambda db: db.add_doc([(3, "three"), (1, "one")]),
     "InvalidArgument: Page 1 is out of order, or of no possible number. Give (number, text) pairs"
     " in the order of their numbers."),
    (lambda db: db.add_file("none.pdf"), "NotFound: none.pdf: no such file. Check the path."),
    (lambda db: db.add_dir("none"), "NotFound: none: no such folder. Check the path."),
    (lambda db: db.add_dir("empty"),
     "InvalidArgument: empty holds no file of a known kind. Check the folder and the pattern."),
    (lambda db: db.toc("none"),
     "NotFound: There is no document 'none'. docs() lists those that there are."),
    (lambda db: db.toc("Same"),
     "NotFound: 2 documents have the title 'Same' (ids 1, 2). Give the id."),
    (lambda db: db.read(7),
     "NotFound: There is no section 7. toc(doc) lists those of a document."),
    (lambda db: db.doc_search(5),  # type: ignore[arg-type]
     "InvalidType: q must be a str, not int. Pass the words to search for."),
    (lambda db: db.doc_search("words", limit=5000),
     "InvalidArgument: limit is 5000; it must be from 1 to 1,000."),
    (lambda db: db.doc_search("words", mode="exact"),
     "InvalidArgument: mode is 'exact'; it must be one of hybrid, keyword, semantic."),
    (lambda db: db.get_tree("other"),
     "InvalidArgument: The file's tree is named 'store', not 'other'. get_store makes flat tables;"
     " collections are metadata to filter by."),
    (lambda db: db.search("words", table_name="none"),
     "NotFound: There is no store 'none'. get_store('none') makes one."),
    (lambda db: db.get_store("flat").sync([{"content": " "}]),
     "InvalidArgument: Row 0 has no text in 'content'. Give each row a non-empty str."),
    (lambda db: db.get_store("docs"), "InvalidArgument: 'docs' is taken. Choose another name."),
    (lambda db: db.t.none(), "NotFound: There is no table or view 'none' in a.db."),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), CASES, ids=[text[:40] for _, text in CASES])
def test_error_texts(db: Database, call: Callable[[Database], Any], text: str) -> None:
    with db, pytest.raises(LitesearchError) as caught:
        call(db)
    assert f"{type(caught.value).__name__}: {caught.value}" == text


def test_the_callers_own_error_is_chained() -> None:
    with database() as db, pytest.raises(LitesearchError) as caught:
        db.add_doc("more", emb_fn=lambda texts: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
