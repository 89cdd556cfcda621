"""Predictions that name entities are checked against the release's graph, here and there."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

from backend.benchmarks.models import Item, Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import QueryOutcome
from backend.graphs.demo import load_demo_graph
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph
from tests.client.server import Program
from tests.evaluation.serenqa_releases import make_serenqa_release

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


@pytest.mark.parametrize("track", ["serenqa-retrieval", "serenqa-exploration"])
def test_serenqa_has_the_identifiers_of_the_graph_and_an_example_that_is_valid(
    program: Program, tmp_path: Path, track: str
) -> None:
    version, _ = load_demo_graph()
    make_serenqa_release(tmp_path, version, track=track, slug="questions", test_share=0.0)
    Release.objects.update(state=Release.State.OPEN)
    folder = tmp_path / "fetched"
    fetched = program.run("fetch", "questions", "--output", folder, token="")
    assert fetched.status == 0
    ids = [json.loads(line) for line in (folder / "entities.jsonl").read_text().splitlines()]
    assert ids == [one.id for one in open_version_snapshot(version).entities()]
    example = folder / "example_predictions.jsonl"
    assert "null" not in example.read_text()
    words = ("validate", example, "--release", "questions", "--split", "dev", "--json")
    checked = program.run(*words)
    assert (checked.status, checked.json["answered"]) == (0, 3)


def test_the_example_of_a_release_that_runs_queries_has_one_that_runs(
    program: Program, tmp_path: Path
) -> None:
    version, _ = load_demo_graph()
    make_serenqa_release(tmp_path, version, slug="questions", test_share=0.0)
    Release.objects.update(state=Release.State.OPEN)
    program.run("fetch", "questions", "--output", tmp_path / "with", token="")
    example = tmp_path / "with" / "example_predictions.jsonl"
    first, second, _ = [json.loads(line) for line in example.read_text().splitlines()]
    assert ({*first}, {*second}) == ({"question_id", "cypher"}, {"question_id", "answers"})
    command = ["submit", str(example), "--release", "questions", "--model", "M", "--split", "dev"]
    call_command(*command, stdout=io.StringIO())
    outcome = QueryOutcome.objects.get()
    assert (outcome.queries, outcome.failures) == (1, [])
    with override_settings(CYPHER_LARGEST_GRAPH=1):
        program.run("fetch", "questions", "--output", tmp_path / "without", token="")
    assert "cypher" not in (tmp_path / "without" / "example_predictions.jsonl").read_text()


def test_entities_of_a_graph_that_is_not_public_are_for_those_who_see_it(
    program: Program, queries: Release, tmp_path: Path
) -> None:
    Graph.objects.update(visibility="private")
    folder = tmp_path / "queries"
    for token in ("", None):
        assert program.run("fetch", "queries", "--output", folder, token=token).status == 0
        assert not (folder / "entities.jsonl").exists()
    assert Item.objects.filter(release=queries).count() == 2
