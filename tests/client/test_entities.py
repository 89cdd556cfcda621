"""Predictions that name entities are checked against the release's graph, here and there."""

import json
from pathlib import Path

import pytest

from backend.benchmarks.models import Item, Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Graph
from tests.client.server import Program

pytestmark = pytest.mark.django_db
KNOWN = "DRUGBANK:DB00571"


@pytest.fixture
def queries(tmp_path: Path) -> Release:
    version, _ = load_demo_graph()
    source = tmp_path / "qa.csv"
    source.write_text(f"id,query,answer_ids\n1,Which?,\"['{KNOWN}']\"\n2,Who?,\"['{KNOWN}']\"\n")
    request = ReleaseRequest(
        track="stark-prime", name="Queries", slug="queries", graph_version=version
    )
    release = make_release(actor=None, request=request, files=[source])
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    return release


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    rows = [{"query_id": 1, "pred_rank": [KNOWN]}, {"query_id": 2, "pred_rank": [KNOWN, "none"]}]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_an_unknown_entity_is_the_same_fault_on_this_machine(
    program: Program, queries: Release, predictions: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "queries"
    fetched = program.run("fetch", "queries", "--output", folder, token="")
    assert "entities.jsonl" in fetched.out
    here = program.run(
        "validate", predictions, "--track", "stark-prime", "--items", folder, "--json"
    )
    there = program.run("validate", predictions, "--release", "queries", "--json")
    assert here.json == there.json
    (fault,) = here.json["faults"]
    assert (fault["line"], fault["field"], fault["code"]) == (2, "pred_rank[1]", "unknown_id")
    (folder / "entities.jsonl").write_text("{\n")
    again = program.run("validate", predictions, "--track", "stark-prime", "--items", folder)
    assert (again.status, "Fetch the release again" in again.err) == (2, True)


def test_entities_of_a_graph_that_is_not_public_are_for_those_who_see_it(
    program: Program, queries: Release, tmp_path: Path
) -> None:
    Graph.objects.update(visibility="private")
    folder = tmp_path / "queries"
    for token in ("", None):
        assert program.run("fetch", "queries", "--output", folder, token=token).status == 0
        assert not (folder / "entities.jsonl").exists()
    assert Item.objects.filter(release=queries).count() == 2
