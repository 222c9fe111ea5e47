"""The command line: litesearch add, search, sections, toc, read, status, demo.

Exit codes: 0 done (also: nothing found), 1 an error, said in one line, 2 a wrong command line,
3 done in part (`add`: some files failed, each is named).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from . import __version__, database
from .db import Database
from .errors import LitesearchError, NotFound
from .folders import Summary
from .hits import Results
from .lookup import node_named

DB = click.option(
    "--db", "path", default="library.db", show_default=True, metavar="FILE", help="The database."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _one_line_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except (LitesearchError, OSError) as error:
            raise click.ClickException(" ".join(str(error).split())) from error

    return run


def _open(path: str) -> Database:
    if not path.startswith("file:") and not Path(path).is_file():
        raise NotFound(f"{path}: no such database. Make one: litesearch add FOLDER --db {path}")
    return database(path, readonly=True)


def _dump(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _show(results: Results, as_json: bool, query: str) -> None:
    if as_json:
        _dump({"query": query, "legs": results.legs, "notes": results.notes, "results": results})
        return
    if not results:
        click.echo(f"Nothing found for: {query}")
    for hit in results:
        where = hit.heading or hit.title
        last = f"-{hit.page_end}" if hit.page_end != hit.page else ""
        click.echo(f"{hit.rank}. {where}")
        click.echo(f"   {hit.source}, p. {hit.page}{last}, node {hit.node_id}, {hit.score:.3f}")
        click.echo(f"   {hit.snippet}\n")
    for note in results.notes:
        click.echo(f"note: {note}", err=True)


@click.group()
@click.version_option(__version__, prog_name="litesearch")
def main() -> None:
    """A document search engine in one SQLite file."""
    for stream in (sys.stdout, sys.stderr):  # a console of another code page must not end a listing
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@DB
@JSON
@click.option("--chunk-size", default=512, show_default=True, help="Characters a chunk.")
@click.option("--keyword-only", is_flag=True, help="Store no vectors.")
@_one_line_errors
def add(
    paths: Sequence[str], path: str, as_json: bool, chunk_size: int, keyword_only: bool
) -> None:
    """Add files and folders to the database; unchanged ones are skipped."""
    total = Summary()
    with database(path, encoder=None if keyword_only else "static") as db:
        for name in paths:
            if not Path(name).is_dir():
                found = db.add_files([name], progress=False, chunk_size=chunk_size)
            else:
                found = db.add_dir(name, progress=not as_json, chunk_size=chunk_size)
            total = total + found
        if as_json:
            _dump({**total.as_dict(), "status": db.status()})
        else:
            click.echo(str(total))
            click.echo(f"{path}: {db.status()}")
    if total.failed:
        sys.exit(3 if total.stored or total.unchanged else 1)


@main.command()
@click.argument("query")
@DB
@JSON
@click.option("--limit", default=10, show_default=True, help="Results, 1 to 1,000.")
@click.option("--doc", multiple=True, help="Only in this document (source or title); repeatable.")
@click.option("--mode", default="hybrid", show_default=True, help="hybrid, keyword or semantic.")
@_one_line_errors
def search(query: str, path: str, as_json: bool, limit: int, doc: Sequence[str], mode: str) -> None:
    """Passages for a query, best first."""
    with _open(path) as db:
        _show(db.doc_search(query, limit=limit, docs=list(doc) or None, mode=mode), as_json, query)


@main.command()
@click.argument("query")
@DB
@JSON
@click.option("--limit", default=5, show_default=True, help="Sections, 1 to 1,000.")
@click.option("--doc", multiple=True, help="Only in this document (source or title); repeatable.")
@_one_line_errors
def sections(query: str, path: str, as_json: bool, limit: int, doc: Sequence[str]) -> None:
    """Whole sections for a query, best first."""
    with _open(path) as db:
        _show(db.sections(query, limit=limit, docs=list(doc) or None), as_json, query)


@main.command()
@click.argument("doc")
@DB
@JSON
@_one_line_errors
def toc(doc: str, path: str, as_json: bool) -> None:
    """The sections of a document (its id, source or title) as a tree."""
    with _open(path) as db:
        entries = db.toc(int(doc) if doc.isdigit() else doc)
        if as_json:
            _dump(entries)
        else:
            click.echo(str(entries))


@main.command()
@click.argument("node")
@DB
@JSON
@click.option("--doc", help="Only in this document (source or title).")
@_one_line_errors
def read(node: str, path: str, as_json: bool, doc: str | None) -> None:
    """The whole text of a section: by the node id that searches and toc print, or by its name."""
    with _open(path) as db:
        text = db.read(_node(db, node, doc))
        if as_json:
            _dump({"node": node, "text": text})
        else:
            click.echo(text)


@main.command()
@click.argument("ref")
@DB
@JSON
@click.option("--doc", help="Only in this document (source or title).")
@_one_line_errors
def lookup(ref: str, path: str, as_json: bool, doc: str | None) -> None:
    """The section of a name: "Article 5(1)", "§ 12", "Chapter 2 of Title I", "1.2.3", a title."""
    with _open(path) as db:
        found = db.lookup(ref, _doc(doc))
        if as_json:
            _dump({"exact": found.exact, "places": found, "notes": found.notes})
            return
        for place in found:
            click.echo(f"{place}\n   node {place.node_id}")
        for note in found.notes:
            click.echo(f"note: {note}", err=True)


@main.command()
@click.argument("term")
@DB
@JSON
@click.option("--doc", help="Only in this document (source or title).")
@_one_line_errors
def define(term: str, path: str, as_json: bool, doc: str | None) -> None:
    """The definitions of a term, of every document that has one."""
    with _open(path) as db:
        found = db.define(term, _doc(doc))
        if as_json:
            _dump(found)
        elif not found:
            click.echo(f"No document defines {term!r}.")
        else:
            click.echo("\n\n".join(map(str, found)))


@main.command()
@click.argument("node")
@DB
@JSON
@click.option("--doc", help="Only in this document (id, source or title).")
@click.option("--to", "incoming", is_flag=True, help="The references that lead to the section.")
@_one_line_errors
def refs(node: str, path: str, as_json: bool, doc: str | None, incoming: bool) -> None:
    """The cross-references in a section (its node id or name), and where they lead."""
    with _open(path) as db:
        section = _node(db, node, doc)
        found = db.referenced_by(section) if incoming else db.references(section)
        if as_json:
            _dump(found)
        else:
            click.echo("\n".join(map(str, found)) or "No cross-references.")


def _doc(doc: str | None) -> int | str | None:
    """A document as the command line has it: digits are an id."""
    return int(doc) if doc is not None and doc.isdecimal() else doc


def _node(db: Database, node: str, doc: str | None) -> int:
    """A section by its id or its name; "12" is the section of that number, no id is so small."""
    if node.isdecimal() and int(node) >= 1 << 20:
        return int(node)
    return node_named(db, node, _doc(doc))


@main.command()
@DB
@JSON
@_one_line_errors
def status(path: str, as_json: bool) -> None:
    """What the database holds."""
    with _open(path) as db:
        found = {**db.status(), "docs": db.docs()}
        if as_json:
            _dump(found)
            return
        click.echo(f"{path}: {db.status()}")
        for doc in found["docs"]:
            click.echo(
                f"  {doc.id}  {doc.source}  ({doc.kind}, {doc.pages} p., {doc.chunks} chunks)"
            )


QUESTIONS = (
    "speed limit for vessels in the inner harbour",
    "battery will not charge after a cold night",
    "how many days of annual leave can I carry over",
)


@main.command()
@click.argument("folder", default="examples", type=click.Path())
@DB
@_one_line_errors
def demo(folder: str, path: str) -> None:
    """Add the example documents and answer three questions with whole sections."""
    with database(path) as db:
        click.echo(str(db.add_dir(folder, pattern="*")))
        for question in QUESTIONS:
            click.echo(f"\n=== {question}\n")
            _show(db.sections(question, limit=3), False, question)
        click.echo(f"The answers are in one file: {path} ({db.status().bytes / 1e6:.1f} MB).")
