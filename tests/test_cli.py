"""The command line: output, JSON, exit codes, one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from litesearch.cli import main

GUIDE = "# Rates\n\nThe rate for books is 5 %.\n\n## Exceptions\n\nMaps are exempt ✓.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one good and one broken document, and nothing indexed yet."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_add_search_sections_toc_read_status(folder: Path) -> None:
    added = run("add", "docs")
    assert added.exit_code == 0, added.output
    assert "1 stored, 0 unchanged, 0 failed" in added.output
    assert (folder / "library.db").is_file()
    assert "1 unchanged" in run("add", "docs").output
    assert "1. Rates\n" in run("search", "rate for books").output
    found = json.loads(run("sections", "maps exempt", "--json").output)
    best = found["results"][0]
    assert best["path"] == ["Rates", "Exceptions"]
    assert "any" in found["legs"]
    assert "  Rates" in run("toc", "guide.md").output
    assert "Maps are exempt ✓." in run("read", str(best["node_id"])).output
    status = json.loads(run("status", "--json").output)
    assert (status["documents"], status["chunks"]) == (1, 2)
    assert "guide.md" in run("status").output


def test_nothing_found_is_said(folder: Path) -> None:
    run("add", "docs", "--keyword-only")
    result = run("search", "zzz")
    assert result.exit_code == 0
    assert result.output == "Nothing found for: zzz\n"


def test_part_failed_is_exit_3_and_all_failed_1(folder: Path) -> None:
    (folder / "docs" / "broken.pdf").write_bytes(b"not a pdf")
    result = run("add", "docs")
    assert result.exit_code == 3
    assert "broken.pdf" in result.output
    assert run("add", "docs/broken.pdf", "--db", "other.db").exit_code == 1


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("search", "x", "--db", "none.db"), "none.db: no such database"),
        (("toc", "nothing"), "There is no document 'nothing'"),
        (("read", "7"), "There is no section '7'"),
        (("search", "x", "--limit", "0"), "limit is 0"),
        (("search", "x", "--mode", "magic"), "mode is 'magic'"),
        (("add", "nowhere"), "nowhere: no such file"),
    ],
)
def test_errors_are_one_line(folder: Path, command: tuple[str, ...], says: str) -> None:
    run("add", "docs")
    result = run(*command)
    assert result.exit_code == 1
    assert says in result.output
    assert "Traceback" not in result.output


def test_help_lists_the_commands() -> None:
    out = run("--help").output
    for command in ("add", "search", "sections", "toc", "read", "status", "demo"):
        assert f"\n  {command} " in out
