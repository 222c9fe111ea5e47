"""The public names, what an import costs, and that each error says its cure."""

from __future__ import annotations

import json
import subprocess
import sys

import litesearch
from litesearch import database, errors

HEAVY = ("pdf_oxide", "model2vec", "tokenizers", "bs4", "markdown_it", "sklearn", "torch", "click")


def test_public_names() -> None:
    assert litesearch.__all__ == sorted(litesearch.__all__)
    for name in litesearch.__all__:
        assert getattr(litesearch, name) is not None
    assert {"database", "Database", "Hit", "Section", "Results", "Summary"} <= {*litesearch.__all__}


def test_every_error_is_in_the_tree_and_exported() -> None:
    drawn = errors.__doc__ or ""
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.LitesearchError):
            assert name in drawn
            assert name in litesearch.__all__


def test_an_import_loads_nothing_heavy() -> None:
    code = "import sys, json, litesearch; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert loaded & set(HEAVY) == set()
    assert done.stderr == ""


def test_the_names_of_the_founding_documents() -> None:
    from litesearch.data import chunk_markdown, pdf_parse
    from litesearch.tree import build_tree, detect_mode, struct_levels

    assert all(map(callable, (chunk_markdown, pdf_parse, build_tree, detect_mode, struct_levels)))
    with database() as db:
        assert db.get_tree("store") is db.get_tree("store")
        for name in ("add_doc", "add_file", "add_dir", "doc_search", "sections", "toc", "read",
                     "search", "get_store", "delete_doc", "docs", "text", "params"):  # fmt: skip
            assert callable(getattr(db, name))
        db.add_doc("words", source="a")
        rows = db.t.store(select="rowid as rowid, content, node_id, page")
        assert list(rows[0]) == ["rowid", "content", "node_id", "page"]
        assert {"id", "title", "parent_id", "level"} <= set(db.t.nodes()[0])


def test_hits_print_as_one_line() -> None:
    with database() as db:
        db.add_doc("# Title\n\nwords ✓ here", title="Doc")
        hit = db.doc_search("words")[0]
        assert str(hit) == f"1. {hit.score:.3f} Title (p. 1, Doc): Title words ✓ here"
        assert repr(hit) == f"<Hit {hit}>"
        assert str(db.doc_search("words")) == str(hit)
