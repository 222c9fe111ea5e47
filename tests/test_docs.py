"""The README's examples and the docstrings' run as they stand."""

from __future__ import annotations

import doctest
import re
import shlex
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

import litesearch
from litesearch import cli, database, db

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example documents, as the README's reader has it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python_blocks_run(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
    out = capsys.readouterr().out
    assert "4 stored, 0 unchanged, 0 failed" in out
    assert "annual leave" in out.lower()
    assert sorted(path.name for path in clone.iterdir()) == ["examples", "library.db"]


def test_sql_blocks_answer(clone: Path) -> None:
    with database("library.db") as made:
        made.add_dir("examples", pattern="*", progress=False)
    selects = [one for block in blocks("sql") for one in block.strip().split(";") if one.strip()]
    assert len(selects) == 6
    with database("library.db", readonly=True) as read:
        answers = [read.rows(select) for select in selects]
    assert all(answers)
    stock = sqlite3.connect("library.db")
    for select, answer in zip(selects, answers, strict=True):
        if "FROM doc_search\n" not in select:
            assert stock.execute(select).fetchall() == [tuple(row.values()) for row in answer]
    stock.close()


def test_shell_blocks_run(clone: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = [shlex.split(line) for line in lines if line.startswith("litesearch ")]
    assert len(commands) == 8
    for command in commands:
        result = CliRunner().invoke(cli.main, command[1:])
        assert result.exit_code == 0, (command, result.output)
        assert result.output


def test_exactly_two_commands_for_a_fresh_machine() -> None:
    first, second = [block for block in blocks("sh") if "venv" in block]
    assert "demo" in first
    assert "pytest" in second
    assert len(first.splitlines()) == len(second.splitlines()) == 1


@pytest.mark.parametrize("module", [litesearch, db])
def test_docstrings(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.failed == 0


def test_every_param_is_documented() -> None:
    from litesearch.options import PARAMS

    table = README.split("The keys of `params`:")[1].split("## From the shell")[0]
    assert set(re.findall(r"`(\w+)`", table.replace("|", "\n"))) >= PARAMS
