"""The cut-off of a release binds the graphs that its queries run on and that its pages show."""

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from backend.graphs.cypher_service import request_scoring_database
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from backend.jobs.models import Job
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.personas import make_person

pytestmark = pytest.mark.django_db
CUTOFF = 2010
YEARS = {"old": 1990, "known": 2010, "late": 2011, "undated": None}
QUERY = (
    'MATCH (n0:Disease) MATCH (n1:Drug {name: "D"}) MATCH (n1)-[:treats]->(n0) '
    "RETURN COLLECT(DISTINCT {id: n0.id, name: n0.name}) AS n0_targets"
)
NODES = [
    {"nid": 0, "node_type": "class", "id": "Disease", "class": "Disease", "question_node": 1},
    {"nid": 1, "node_type": "entity", "id": "X:D", "class": "Drug", "question_node": 0},
]
EDGE = {"start": 1, "end": 0, "relation": "Drug.Disease", "friendly_name": "treats"}


def make_version(*, public: bool = True, more: Sequence[str] = ()) -> Version:
    """more: entities far from all others."""
    nodes: list[NodeRow | MalformedRow] = [
        NodeRow("X:D", "Drug", "D"),
        *(NodeRow(f"X:{one}", "Disease", one) for one in (*YEARS, *more)),
    ]
    edges: list[EdgeRow | MalformedRow] = [
        EdgeRow("X:D", "treats", f"X:{one}", first_year=year) for one, year in YEARS.items()
    ]
    edges += [
        EdgeRow("X:late", "resembles", "X:old", first_year=2015),
        EdgeRow("X:known", "resembles", "X:old", first_year=2000),
    ]
    graph = make_graph("Dated", rows=SourceRows(nodes, edges))
    if not public:
        graph.visibility = "private"
        graph.save()
    return Version.objects.get(graph=graph)


def question(number: int, answers: list[str]) -> dict[str, Any]:
    return {
        "qid": number,
        "question": "Which diseases does D treat?",
        "answer": [
            {"answer_type": "Entity", "answer_argument": f"X:{one}", "entity_name": one}
            for one in answers
        ],
        "function": "none",
        "num_node": 2,
        "num_edge": 1,
        "graph_query": {
            "nodes": [{**one, "friendly_name": one["id"], "function": "none"} for one in NODES],
            "edges": [EDGE],
        },
        "pattern_type": 1,
        "category": "treatment",
        "cypher": QUERY,
    }


def make_draft(folder: Path, version: Version, *, masked_by: str = "", **more: Any) -> Release:
    """Question 1 hides what was known of it, question 2 needs an answer that was not."""
    sets = {1: (["known"], ["old"]), 2: (["known"], ["late"])}
    questions = [question(number, [*parts[0], *parts[1]]) for number, parts in sets.items()]
    splits = [
        {
            "qid": number,
            "expert": {
                "serendipity_set": {"list": [f"X:{one}" for one in hidden]},
                "exact_matches": {"list": [f"X:{one}" for one in existing]},
            },
        }
        for number, (hidden, existing) in sets.items()
    ]
    paths = [folder / "questions.json", folder / "partitions.json"]
    for path, content in zip(paths, (questions, splits), strict=True):
        path.write_text(json.dumps(content))
    request = ReleaseRequest(
        track="serenqa-retrieval",
        name="dated",
        slug="dated",
        graph_version=version,
        masked_by=masked_by,
        test_share=0,
        cutoff=CUTOFF,
        **more,
    )
    return make_release(actor=None, request=request, files=paths)


def run(command: str, *arguments: object) -> Any:
    out = io.StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def edges_of(version: Version) -> list[tuple[str, str]]:
    snapshot = open_version_snapshot(version)
    ids = [snapshot.entity_summary(number).id for number in range(snapshot.entity_count)]
    return sorted((ids[one.source], ids[one.target]) for one in snapshot.edges())


def test_a_query_of_a_prediction_finds_no_later_and_no_undated_edge(tmp_path: Path) -> None:
    release = make_draft(tmp_path, make_version())
    rows = [{"question_id": 1, "cypher": QUERY}, {"question_id": 2, "cypher": QUERY}]
    path = tmp_path / "queries.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    run("submit", path, "--release", release.slug, "--model", "M", "--split", "dev")
    evaluation = Submission.objects.get().evaluation
    assert evaluation is not None
    scores = {one.metric: one.value for one in evaluation.scores.filter(slice="all")}
    # Both return old and known. The answers are old and known, and known and late.
    assert scores == {"hit": 75.0, "f1": 75.0, "executability": 100.0}


@pytest.mark.parametrize("public", [True, False])
def test_a_masked_graph_has_what_was_known_and_no_question_that_needs_more(
    tmp_path: Path, *, public: bool
) -> None:
    version = make_version(public=public)
    release = make_draft(tmp_path, version, masked_by="expert")
    (summary,) = run("release_graph", release.slug)["graphs"]
    assert summary["excluded"]["2"]["reason"] == "unanswered"
    whole = edges_of(version)
    left_out = summary["later_edges"] + summary["undated_edges"]
    assert (summary["later_edges"], summary["undated_edges"]) == (2, 1)
    assert len(whole) == summary["removed_edges"] + left_out + 2
    masked = ReleaseGraph.objects.get(release=release).version
    assert edges_of(masked) == [("X:D", "X:old"), ("X:known", "X:old")]
    assert f"first seen after {CUTOFF}" in masked.graph.description
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    browser = make_person("rohan", is_researcher=True).browser
    tried = "MATCH (a)-[r]->(b) RETURN a.id, b.id"
    answer = browser.post(
        "/api/v1/releases/dated/graphs/expert/cypher", {"query": tried}, format="json"
    )
    assert answer.status_code == 200, answer.json()
    symmetric = [["X:old", "X:known"]] * _is_symmetric(masked)
    expected = [["X:D", "X:old"], ["X:known", "X:old"], *symmetric]
    assert sorted(answer.json()["rows"]) == sorted(expected)


def _is_symmetric(version: Version) -> bool:
    relations = open_version_snapshot(version).relations
    return next(one.symmetric for one in relations if one.name == "resembles")


def test_surroundings_have_what_was_known(tmp_path: Path, settings: Any) -> None:
    settings.CYPHER_LARGEST_GRAPH = 6
    release = make_draft(tmp_path, make_version(more=["a", "b"]))
    run("release_graph", release.slug, "--method", "surroundings")
    part = ReleaseGraph.objects.get(release=release).version
    assert edges_of(part) == [("X:D", "X:known"), ("X:D", "X:old"), ("X:known", "X:old")]


def test_a_query_to_a_graph_that_was_never_loaded_lets_a_worker_load_it(
    tmp_path: Path,
    settings: Any,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """As where a release was opened before its cut-off bound its queries."""
    release = make_draft(tmp_path, make_version(), masked_by="expert")
    run("release_graph", release.slug)
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    Job.objects.all().delete()
    settings.CYPHER = tmp_path / "cypher"
    settings.CYPHER_BUILT_IN_REQUEST = 1
    browser = make_person("rohan", is_researcher=True).browser
    path, body = "/api/v1/releases/dated/graphs/expert/cypher", {"query": "RETURN 1"}
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            answer = browser.post(path, body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (503, "cypher_being_built")
    assert run_queued_tasks() == ["jobs.run"]
    assert browser.post(path, body, format="json").json()["rows"] == [[1]]


def test_an_opened_release_loads_the_graph_of_its_cut_off_once(
    tmp_path: Path, settings: Any
) -> None:
    settings.CYPHER = tmp_path / "cypher"
    version = make_version()
    change_release_state(actor=None, release=make_draft(tmp_path, version), to=Release.State.OPEN)
    request_scoring_database(version, None)
    untils = [one.parameters["until"] for one in Job.objects.filter(kind="cypher-database")]
    assert sorted(untils, key=str) == [2010, None]
