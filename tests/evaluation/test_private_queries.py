"""Cypher queries on a graph that not everybody may read: whose run, and what they reveal."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_graphs import build_release_graph, store_release_graph
from backend.benchmarks.release_states import change_release_state
from backend.evaluation.models import Submission
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.graph_schema_text import GraphSchemas
from backend.evaluation.runs.run_settings import RunSettings
from backend.graphs.models import Graph, Version
from tests.evaluation.serenqa_releases import demo_questions, make_serenqa_release
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS, form, send
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
OpenRelease = Callable[..., Release]


@pytest.fixture
def owner(demo_graph: Version) -> Person:
    """A researcher whose graph is private."""
    person = make_person("oona", is_researcher=True)
    private = Graph.Visibility.PRIVATE
    Graph.objects.filter(pk=demo_graph.graph_id).update(owner=person.user, visibility=private)
    return person


@pytest.fixture
def open_release(demo_graph: Version, owner: Person, tmp_path: Path) -> OpenRelease:
    def open_it(slug: str, **fields: Any) -> Release:
        version = Version.objects.select_related("graph").get(pk=demo_graph.pk)
        draft = make_serenqa_release(tmp_path, version, slug=slug, test_share=0.0, **fields)
        if method := fields.get("masked_by"):
            store_release_graph(draft, method, build_release_graph(draft, method))
        return change_release_state(actor=None, release=draft, to=Release.State.OPEN)

    return open_it


def query_file(release: Release) -> dict[str, Any]:
    ids = [one["qid"] for one in demo_questions()[:2]]
    queries = "MATCH (n:Drug {id: 'nothing'}) RETURN n.id", "MATCH (n:Drug) RETURN n.name"
    rows = [{"question_id": id_, "cypher": one} for id_, one in zip(ids, queries, strict=True)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    return form(text, release=release.slug, split="dev")


def fault_codes(person: Person, release: Release) -> set[str]:
    answer = send(person.browser, VALIDATIONS, query_file(release))
    assert answer.status_code == 200, answer.json()
    return {one["code"] for one in answer.json()["faults"]}


def takes_queries(person: Person, release: Release) -> bool:
    page = person.browser.get(f"/api/v1/releases/{release.slug}/graphs").json()
    return bool(page["takes_queries"])


def test_queries_on_a_private_graph_are_those_of_its_readers_alone(
    open_release: OpenRelease, owner: Person, researcher: Person
) -> None:
    release = open_release("whole")
    assert takes_queries(owner, release) and not takes_queries(researcher, release)
    assert fault_codes(owner, release) == set()
    assert fault_codes(researcher, release) == {"no_queries"}
    register_model(actor=researcher.user, name="Mine")
    sent = send(researcher.browser, SUBMISSIONS, query_file(release) | {"model": "mine"})
    assert (sent.status_code, sent.json()["code"]) == (422, "invalid_predictions")
    assert not Submission.objects.exists()


def test_no_query_on_a_private_graph_undoes_its_mask_in_another_release(
    open_release: OpenRelease, owner: Person, researcher: Person
) -> None:
    release = open_release("whole")
    masked = open_release("masked", masked_by="expert")
    for person in (owner, researcher):
        assert not takes_queries(person, release) and takes_queries(person, masked)
        assert fault_codes(person, release) == {"no_queries"}
        assert fault_codes(person, masked) == set()
    change_release_state(actor=None, release=masked, to=Release.State.CLOSED)
    assert fault_codes(owner, release) == set()


def test_everybody_queries_a_public_graph_beside_its_mask(
    open_release: OpenRelease, demo_graph: Version, researcher: Person
) -> None:
    Graph.objects.filter(pk=demo_graph.graph_id).update(visibility=Graph.Visibility.PUBLIC)
    release, masked = open_release("whole"), open_release("masked", masked_by="expert")
    assert fault_codes(researcher, release) == fault_codes(researcher, masked) == set()


def test_the_schema_of_a_private_graph_is_in_no_prompt(open_release: OpenRelease) -> None:
    request = ContextRequest(open_release("whole"), RunSettings())
    assert "everybody" in GraphSchemas.find_missing(request)
    masked = ContextRequest(open_release("masked", masked_by="expert"), RunSettings())
    assert GraphSchemas.find_missing(masked) == ""


def test_whether_a_query_found_anything_is_shown_to_readers_of_its_graph(
    open_release: OpenRelease, owner: Person, researcher: Person, tmp_path: Path
) -> None:
    release = open_release("whole")
    register_model(actor=owner.user, name="Mine")
    file = tmp_path / "queries.jsonl"
    file.write_bytes(query_file(release)["file"].read())
    call_command(
        "submit", str(file), "--release", release.slug, "--model", "Mine", "--split", "dev",
        "--json", stdout=io.StringIO(),
    )  # fmt: skip
    Submission.objects.update(submitted_by=owner.user)
    address = f"{SUBMISSIONS}/{Submission.objects.get().pk}/query-report"
    report = owner.browser.get(address).json()
    assert (report["without_result"], report["without_entity"]) == (1, 1)
    assert {one["kind"] for one in report["failures"]} == {"nothing", "no_entity"}
    Graph.objects.update(owner=None)
    report = owner.browser.get(address).json()
    assert (report["queries"], report["without_result"], report["without_entity"]) == (2, 0, 0)
    assert report["failures"] == []
