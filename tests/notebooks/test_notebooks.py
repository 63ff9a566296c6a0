"""Every notebook runs, is stored without its outputs, and ends with what was learned."""

from __future__ import annotations

from pathlib import Path

import nbformat
import papermill
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
SMALL = {"00_start_here": {"LIVE_JOBS": 120}}
"""Parameters with which a notebook runs in seconds."""
CELL_S = 60

# Jupyter's kernels, not jobsim, leave sockets open and still use calls that were replaced.
others_warnings = pytest.mark.filterwarnings("default")

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@each
@others_warnings
def test_the_small_parameters_are_parameters_of_the_notebook(path: Path) -> None:
    known = papermill.inspect_notebook(str(path))
    assert set(SMALL.get(path.stem, {})) <= set(known)


@each
@pytest.mark.notebook
@pytest.mark.live
@others_warnings
def test_a_notebook_runs_to_its_end(path: Path, tmp_path: Path) -> None:
    played = papermill.execute_notebook(
        str(path),
        str(tmp_path / path.name),
        parameters=SMALL.get(path.stem, {}),
        cwd=str(tmp_path),
        execution_timeout=CELL_S,
        progress_bar=False,
    )
    code = [cell for cell in played.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert any("image/png" in out.get("data", {}) for cell in code for out in cell.outputs)


@each
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@each
def test_a_notebook_ends_with_what_was_learned(path: Path) -> None:
    last = nbformat.read(path, as_version=4).cells[-1]
    assert last.cell_type == "markdown"
    assert last.source.startswith("## What was learned")
