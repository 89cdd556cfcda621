"""The best split of a question, where single precision does not tell it from others."""

from pathlib import Path

import pytest

from backend.benchmarks.serendipity import basis as bases
from backend.benchmarks.serendipity import options
from backend.benchmarks.serendipity.basis import Basis, basis_of
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.scoring import Asked, score_question
from backend.graphs.importers.catalogue import open_source
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import open_snapshot
from backend.science.rns.measures import Weights
from tests.graphs.importers.making import write

TWINS = range(5)
S_ALONE = Weights(0, 0, 1)


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Basis:
    """Five drugs with the same two links, in single precision: S tells none from another."""
    monkeypatch.setattr(options, "NARROW", 0)
    drugs = [f"L:D{number}" for number in TWINS]
    entities = ["id,name,type", *(f"{one},{one},Drug" for one in drugs), "L:A,A,Gene", "L:B,B,Gene"]
    edges = [f"{one},targets,{gene}" for one in drugs for gene in ("L:A", "L:B")]
    files = {
        "entities.csv": "\n".join([*entities, ""]),
        "edges.csv": "\n".join(["source,relation,target", *edges, ""]),
    }
    source = open_source([write(tmp_path / "files", files)]).source
    basis = basis_of(open_snapshot(build_snapshot(source, tmp_path).path), Options())
    assert basis.model.parameters.precision == "float32"
    return basis


def asked_of(basis: Basis) -> Asked:
    return Asked("1", tuple(TWINS), tuple(basis.snapshot.numbers_of([f"L:D{n}" for n in TWINS])))


def test_twins_are_told_apart_by_their_order_in_double_precision(twins: Basis) -> None:
    found = score_question(twins, asked_of(twins), S_ALONE)
    assert (found.best, found.how) == ((0,), "exact")


def test_it_says_so_where_there_is_no_room_for_double_precision(
    twins: Basis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bases, "LARGEST_ROWS", 0)
    found = score_question(twins, asked_of(twins), S_ALONE)
    assert found.how == "open" and len(found.best) == 1
