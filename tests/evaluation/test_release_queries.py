"""Cypher over the masked graph of a release: who may, and that it is the masked graph."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.release_graphs import build_release_graph, store_release_graph
from backend.benchmarks.release_states import change_release_state
from backend.graphs.models import Version
from tests.evaluation.serenqa_files import answer_ids, demo_questions, split_answers
from tests.evaluation.serenqa_releases import make_serenqa_release
from tests.personas import make_person

pytestmark = pytest.mark.django_db
CYPHER = "/api/v1/releases/retrieval/graphs/{method}/cypher"


@pytest.fixture
def release(demo_graph: Version, tmp_path: Path) -> Release:
    draft = make_serenqa_release(tmp_path, demo_graph, masked_by="expert")
    store_release_graph(draft, "expert", build_release_graph(draft, "expert"))
    return change_release_state(actor=None, release=draft, to=Release.State.OPEN)


def run_query(browser: APIClient, query: str, method: str = "expert") -> Any:
    return browser.post(CYPHER.format(method=method), {"query": query}, format="json")


def test_a_researcher_queries_the_masked_graph_and_nobody_else(release: Release) -> None:
    researcher = make_person("rohan", is_researcher=True).browser
    graph = release.graphs.get()
    question = next(one for one in demo_questions() if str(one["qid"]) in graph.included)
    answer = run_query(researcher, question["cypher"])
    assert answer.status_code == 200, answer.json()
    ((targets,),) = answer.json()["rows"]
    existing = split_answers(question, 0)["exact_matches"]["list"]
    assert {one["id"] for one in targets} == set(existing) < set(answer_ids(question))

    state = researcher.get("/api/v1/releases/retrieval/graphs").json()
    assert (state["can_query"], state["is_queried"], state["scored"]) == (True, True, ["expert"])
    assert state["offered"] == ["expert"]
    outsider = make_person("otto").browser
    assert run_query(outsider, "RETURN 1").status_code == 403
    state = outsider.get("/api/v1/releases/retrieval/graphs").json()
    assert (state["can_query"], state["is_queried"]) == (False, True)
    assert run_query(APIClient(), "RETURN 1").status_code == 401
    assert run_query(researcher, "RETURN 1", "rns").status_code == 404


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n) DETACH DELETE n", "cypher_refused"),
        ("MATCH (n:Drug RETURN n", "cypher_wrong"),
        ("LOAD FROM '/etc/passwd' RETURN *", "cypher_refused"),
    ],
)
def test_a_query_that_fails_has_a_code_and_a_sentence(
    release: Release, query: str, code: str
) -> None:
    answer = run_query(make_person("rohan", is_researcher=True).browser, query)
    assert 400 <= answer.status_code < 500
    assert answer.json()["code"] == code
    assert answer.json()["detail"]


def test_one_person_tries_so_many_queries_a_day(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {"release_query": "2/day"}
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.THROTTLE_RATES", rates)
    people = [make_person(name, is_researcher=True).browser for name in ("rohan", "rosa")]
    statuses = [run_query(people[0], "RETURN 1").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert run_query(people[1], "RETURN 1").status_code == 200
