"""The evaluation notebook: its cells compile, and run in their quick form where the data is."""

from __future__ import annotations

import json
import re
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


def test_outputs_are_stored_and_name_no_machine() -> None:
    ran = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in ran] == list(range(1, len(ran) + 1))
    outputs = json.dumps([cell["outputs"] for cell in ran])
    images = [out for cell in ran for out in cell["outputs"] if "image/png" in out.get("data", {})]
    assert 2 <= len(images) <= 4
    assert not re.search(r'"output_type": "error"|"name": "stderr"', outputs)
    assert not re.search(r"/(?:home|root|tmp|work|usr|Users)/", outputs)


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
