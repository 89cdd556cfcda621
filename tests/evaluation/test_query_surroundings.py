"""Releases of graphs above the engine's size: queries run on the surroundings of the questions."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_graph_lookup import takes_queries
from backend.benchmarks.release_questions import question_patterns, seeds_of
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.benchmarks.surroundings import (
    SurroundingsTooLarge,
    find_edges_around,
)
from backend.evaluation.models import QueryOutcome, Submission
from backend.graphs.cypher.errors import GraphTooLarge
from backend.graphs.cypher_service import build_scoring_database, get_scoring_database
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.snapshot import Snapshot
from tests.evaluation.releases import open_pairs
from tests.evaluation.serenqa_releases import demo_questions, partitions

pytestmark = pytest.mark.django_db
IMATINIB = "DRUGBANK:DB00619"


def chosen_questions(version: Version) -> list[Mapping[str, Any]]:
    """The demo's one with the fewest answers, and one of two steps: genes of treated diseases."""
    several = (one for one in demo_questions() if len(one["answer"]) > 1)
    near = min(several, key=lambda one: len(one["answer"]))
    return [near, two_step_question(open_version_snapshot(version))]


def two_step_question(snapshot: Snapshot) -> Mapping[str, Any]:
    names = {one.number: one.name for one in snapshot.relations}
    edges = [
        (snapshot.entity(e.source).id, names[e.relation], snapshot.entity(e.target).id)
        for e in snapshot.edges()
    ]
    treated = {b for a, name, b in edges if (a, name) == (IMATINIB, "treats")}
    genes = sorted({a for a, name, b in edges if name == "is_linked_to" and b in treated})
    assert len(genes) > 1
    nodes = [
        {"nid": 0, "node_type": "class", "id": "Gene", "class": "Gene", "question_node": 1},
        {"nid": 1, "node_type": "class", "id": "Disease", "class": "Disease", "question_node": 0},
        {"nid": 2, "node_type": "entity", "id": IMATINIB, "class": "Drug", "question_node": 0},
    ]
    steps = [
        {"start": 0, "end": 1, "friendly_name": "is_linked_to"},
        {"start": 2, "end": 1, "friendly_name": "treats"},
    ]
    return {
        "qid": 9001,
        "question": "Which genes are linked to diseases that imatinib treats?",
        "answer": [{"answer_argument": one, "entity_name": one} for one in genes],
        "graph_query": {"nodes": nodes, "edges": steps},
        "cypher": (
            "MATCH (n0:Gene)-[:is_linked_to]->(n1:Disease)<-[:treats]-"
            f'(n2:Drug {{id: "{IMATINIB}"}}) RETURN DISTINCT n0.id'
        ),
    }


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


def make(folder: Path, version: Version, **fields: Any) -> Release:
    questions = chosen_questions(version)
    files = folder / "questions.json", folder / "partitions.json"
    for path, content in zip(files, (questions, partitions(questions)), strict=True):
        path.write_text(json.dumps(content))
    request = ReleaseRequest(
        track="serenqa-retrieval", name="Large", slug="large", graph_version=version,
        test_share=0.0, **fields,
    )  # fmt: skip
    return make_release(actor=None, request=request, files=files)


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def slow_surroundings(snapshot: Snapshot, starts: Sequence[tuple[set[int], int]]) -> set[int]:
    """Edge by edge, without arrays."""
    edges = [(one.edge, one.source, one.target) for one in snapshot.edges()]
    inside: set[int] = set()
    for entities, hops in starts:
        near = set(entities)
        for _ in range(hops):
            near |= {b for _, a, b in edges if a in near} | {a for _, a, b in edges if b in near}
        inside |= near
    return {edge for edge, a, b in edges if {a, b} <= inside}


@pytest.fixture
def large(version: Version, settings: Any, tmp_path: Path) -> Callable[..., Release]:
    """A release whose graph is one edge above the engine's size."""

    def make_large(**fields: Any) -> Release:
        settings.CYPHER_LARGEST_GRAPH = version.edges - 1
        settings.CYPHER = tmp_path / "cypher"
        return make(tmp_path, version, **fields)

    return make_large


def test_the_surroundings_are_those_of_a_slow_search(
    large: Callable[..., Release], version: Version
) -> None:
    release, snapshot = large(), open_version_snapshot(version)
    seeds = [seeds_of(snapshot, one) for one in question_patterns(release).values()]
    assert {one.hops for one in seeds} == {1, 2}
    for some in (seeds, seeds[:1], seeds[-1:]):
        edges = find_edges_around(snapshot, some, largest=snapshot.edge_count)
        expected = slow_surroundings(snapshot, [({*one.entities}, one.hops) for one in some])
        assert edges.tolist() == sorted(expected)
        assert (np.diff(edges) > 0).all()
        with pytest.raises(SurroundingsTooLarge):
            find_edges_around(snapshot, some, largest=len(edges) - 1)


@pytest.mark.parametrize("masked_by", ["", "expert"])
def test_queries_run_on_the_surroundings_of_the_questions_and_find_all_answers(
    masked_by: str,
    version: Version,
    large: Callable[..., Release],
    visitor: APIClient,
    tmp_path: Path,
) -> None:
    release = large(masked_by=masked_by)
    questions = chosen_questions(version)
    rows = [{"question_id": one["qid"], "cypher": one["cypher"]} for one in questions]
    file = tmp_path / "queries.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    submit = ("submit", file, "--release", release.slug, "--model", "M", "--split", "dev")
    if masked_by:
        run("release_graph", release.slug)
    assert not takes_queries(release)
    with pytest.raises(SystemExit):
        run(*submit)
    (summary,) = run("release_graph", release.slug, "--method", "surroundings")["graphs"]
    assert summary["removed_edges"] > 0 and summary["excluded"] == {}
    assert takes_queries(release)
    run(*submit)
    assert QueryOutcome.objects.get().failures == []
    evaluation = Submission.objects.get().evaluation
    assert evaluation is not None
    scores = {one.metric: one.value for one in evaluation.scores.filter(slice="all")}
    assert scores == {"hit": 100.0, "f1": 100.0, "executability": 100.0}
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    page = visitor.get(f"/api/v1/releases/{release.slug}/graphs").json()
    assert page["takes_queries"] is True
    assert "2 relations of the entities that the questions of Large name" in page["queried"]
    card = visitor.get(f"/api/v1/releases/{release.slug}/croissant.json").json()
    assert page["queried"] in card["description"]


def test_the_engine_has_the_linked_entities_alone_where_there_are_too_many(
    large: Callable[..., Release], version: Version, settings: Any
) -> None:
    release = large()
    run("release_graph", release.slug, "--method", "surroundings")
    graph = ReleaseGraph.objects.get(release=release)
    part = open_version_snapshot(graph.version)
    assert part.entity_count == version.entities
    linked = {end for edge in part.edges() for end in (edge.source, edge.target)}
    settings.CYPHER_LARGEST_GRAPH = max(len(linked), part.edge_count)
    assert part.entity_count > settings.CYPHER_LARGEST_GRAPH
    with pytest.raises(GraphTooLarge):
        build_scoring_database(open_version_snapshot(version), None)
    assert build_scoring_database(part, None) == get_scoring_database(part, None)
    settings.CYPHER_LARGEST_GRAPH = len(linked) - 1
    with pytest.raises(GraphTooLarge):
        build_scoring_database(part, None)


def test_surroundings_are_offered_where_the_graph_is_too_large_alone(
    version: Version, tmp_path: Path, visitor: APIClient
) -> None:
    release = make(tmp_path, version)
    with pytest.raises(SystemExit):
        run("release_graph", release.slug, "--method", "surroundings")
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    page = visitor.get(f"/api/v1/releases/{release.slug}/graphs").json()
    assert (page["queried"], page["takes_queries"]) == ("", True)
    assert "surroundings" not in page["offered"]


def test_a_small_graph_is_named_as_the_reason_against_surroundings(
    version: Version, tmp_path: Path
) -> None:
    release = make(tmp_path, version)
    out = io.StringIO()
    command = ("release_graph", release.slug, "--method", "surroundings", "--json")
    with pytest.raises(SystemExit):
        call_command(*command, stdout=out)
    error = json.loads(out.getvalue())["error"]
    assert error["code"] == "graph_is_small" and "small" in error["detail"]


def test_a_release_without_masks_is_answered_with_a_sentence(tmp_path: Path) -> None:
    release = open_pairs(tmp_path)
    out = io.StringIO()
    call_command("release_graph", release.slug, stdout=out)
    assert "nothing to mask" in out.getvalue()
