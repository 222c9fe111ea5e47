"""The evaluation notebook: its cells compile, and run in their quick form where the data is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NBS = Path(__file__).resolve().parents[1] / "nbs"
DATA = NBS.parents[1] / "shared" / "data" / "eu"
CELLS: list[dict[str, Any]] = json.loads((NBS / "evaluation.ipynb").read_text(encoding="utf-8"))[
    "cells"
]
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]


def test_cells_compile() -> None:
    for number, source in enumerate(CODE, 1):
        compile(source, f"cell {number}", "exec")


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the data is no part of the project")
def test_quick_form_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("sklearn")
    matplotlib.use("Agg")
    monkeypatch.setenv("LITESEARCH_QUICK", "1")
    monkeypatch.syspath_prepend(NBS)
    names: dict[str, object] = {"__name__": "notebook"}
    for number, source in enumerate(CODE, 1):
        exec(compile(source, f"cell {number}", "exec"), names)
    matplotlib.pyplot.close("all")
    out = capsys.readouterr().out
    assert "The right Article, degraded" in out
    assert "adaptive=True" in out
