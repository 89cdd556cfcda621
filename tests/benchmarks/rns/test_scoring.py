"""The best split of a question, where single precision does not tell it from others."""

from dataclasses import replace
from pathlib import Path

import pytest

from backend.benchmarks.rns import options
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.question_scoring import LinkedQuestion, score_question
from backend.benchmarks.rns.scoring_context import ScoringContext, open_scoring_context
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.science.rns.measures import Weights
from tests.graphs.importers.factories import write_files

TWINS = range(5)
S_ALONE = Weights(0, 0, 1)


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScoringContext:
    """Five drugs with the same two links, in single precision: S tells none from another."""
    # Graphs that are computed in single precision have five million entities and more.
    monkeypatch.setattr(options, "FLOAT32_THRESHOLD", 0)
    drugs = [f"L:D{number}" for number in TWINS]
    entities = ["id,name,type", *(f"{one},{one},Drug" for one in drugs), "L:A,A,Gene", "L:B,B,Gene"]
    edges = [f"{one},targets,{gene}" for one in drugs for gene in ("L:A", "L:B")]
    files = {
        "entities.csv": "\n".join([*entities, ""]),
        "edges.csv": "\n".join(["source,relation,target", *edges, ""]),
    }
    source = open_source([write_files(tmp_path / "files", files)]).source
    basis = open_scoring_context(open_snapshot(build_snapshot(source, tmp_path).path), RnsOptions())
    assert basis.model.parameters.precision == "float32"
    return basis


def asked_of(basis: ScoringContext) -> LinkedQuestion:
    return LinkedQuestion(
        "1", tuple(TWINS), tuple(basis.snapshot.find_numbers([f"L:D{n}" for n in TWINS]))
    )


def test_twins_are_told_apart_by_their_order_in_double_precision(twins: ScoringContext) -> None:
    result = score_question(twins, asked_of(twins), S_ALONE)
    assert (result.best, result.search_outcome) == ((0,), "exact")


def test_it_reports_when_memory_is_too_small_for_double_precision(
    twins: ScoringContext,
) -> None:
    small = replace(twins, max_row_bytes=0)
    result = score_question(small, asked_of(twins), S_ALONE)
    assert result.search_outcome == "open" and len(result.best) == 1
