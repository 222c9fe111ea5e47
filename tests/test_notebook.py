"""The notebooks: their cells compile, and run in their quick form where the data is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

NBS = Path(__file__).resolve().parents[1] / "nbs"
DATA = NBS.parents[1] / "shared" / "data" / "eu"
SHOWN = {
    "evaluation": ("The right Article, degraded", "adaptive=True"),
    "structure": ("Headings of PDFs", "Lookup, right node first"),
}


def cells(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((NBS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_every_notebook_is_checked() -> None:
    assert {path.stem for path in NBS.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_outputs_are_stored_and_name_no_machine(name: str) -> None:
    ran = cells(name)
    for number, cell in enumerate(ran, 1):
        compile("".join(cell["source"]), f"cell {number}", "exec")
    assert [cell["execution_count"] for cell in ran] == list(range(1, len(ran) + 1))
    outputs = json.dumps([cell["outputs"] for cell in ran])
    images = [out for cell in ran for out in cell["outputs"] if "image/png" in out.get("data", {})]
    assert 2 <= len(images) <= 4
    assert not re.search(r'"output_type": "error"|"name": "stderr"', outputs)
    assert not re.search(r"/(?:home|root|tmp|work|usr|Users)/", outputs)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the data is no part of the project")
@pytest.mark.parametrize("name", SHOWN)
def test_quick_form_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    for package in ("sklearn", "IPython", "docutils", "lxml", "mistune"):
        pytest.importorskip(package)
    matplotlib.use("Agg")
    monkeypatch.setenv("LITESEARCH_QUICK", "1")
    monkeypatch.syspath_prepend(NBS)
    names: dict[str, object] = {"__name__": "notebook"}
    for number, cell in enumerate(cells(name), 1):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    matplotlib.pyplot.close("all")
    out = capsys.readouterr().out
    assert all(text in out for text in SHOWN[name])
