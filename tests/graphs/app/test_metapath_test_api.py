"""Tests of two entities' metapaths: who starts them, what they show, and that they are bounded."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.graphs import metapath_tests
from backend.graphs.metapath_jobs import MOST_ACTIVE
from backend.graphs.models import Graph, Version
from backend.graphs.version_references import references_to
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from tests.graphs.app.factories import ASPIRIN, COX1, HEADACHE, make_graph
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/graphs/small/metapath-test"
PAIR: dict[str, Any] = {"from": ASPIRIN, "to": HEADACHE, "draws": 20, "seed": 4}
KEY = "Drug/>treats/Phenotype"


@pytest.fixture
def version() -> Version:
    return make_graph(name="Small", visibility=Graph.Visibility.PUBLIC)


@pytest.fixture
def eve() -> Person:
    return make_person("eve")


def read(client: APIClient, **changes: Any) -> dict[str, Any]:
    body: dict[str, Any] = client.get(ADDRESS, {**PAIR, **changes}).json()
    return body


def test_a_reader_starts_a_test_and_a_visitor_reads_its_result_at_the_same_address(
    version: Version, eve: Person, visitor: APIClient
) -> None:
    before = read(visitor)
    assert (before["job"], before["result"], before["hops"]) == (None, None, 2)
    assert visitor.post(ADDRESS, PAIR).status_code == 401
    started = eve.browser.post(ADDRESS, PAIR)
    assert started.status_code == 202
    assert read(visitor)["job"]["state"] == "queued"
    run_job(started.json()["id"])
    after = read(visitor)
    assert (after["job"]["state"], after["snapshot"]) == ("succeeded", version.snapshot)
    assert (after["source"]["name"], after["target"]["name"]) == ("Aspirin", "Headache")
    [row] = after["result"]["metapaths"]
    assert (row["metapath"], row["paths"], row["phrase"]) == (KEY, 1, "Drug treats Phenotype")
    assert row["observed"] == pytest.approx(1) == row["mean"]
    assert (row["p_value"], row["p_adjusted"], row["z_score"]) == (1, 1, None)
    assert after["result"]["family"] >= 1
    assert after["result"]["is_complete"] and after["result"]["other_paths"] == 0
    again = eve.browser.post(ADDRESS, PAIR)
    assert (again.status_code, again.json()["id"]) == (200, started.json()["id"])


def test_the_page_and_the_command_have_the_same_figures(version: Version, eve: Person) -> None:
    body = {**PAIR, "metapath": KEY}
    run_job(eve.browser.post(ADDRESS, body).json()["id"])
    out = io.StringIO()
    options = ("--metapath", KEY, "--draws", "20", "--seed", "4", "--json")
    call_command("test_metapaths", "small", ASPIRIN, HEADACHE, *options, stdout=out)
    shown = read(eve.browser, metapath=KEY)
    assert shown["result"]["metapaths"] == json.loads(out.getvalue())["metapaths"]
    assert (shown["hops"], shown["result"]["family"]) == (1, None)
    assert shown["result"]["metapaths"][0]["p_adjusted"] is None


def test_a_test_of_too_many_edges_is_refused_with_what_to_choose(
    version: Version, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metapath_tests, "MOST_WORK", 10)
    job = Job.objects.get(pk=eve.browser.post(ADDRESS, PAIR).json()["id"])
    run_job(job.pk)
    error = read(eve.browser)["job"]["error"]
    assert error["detail"].endswith("20 draws allow 0. Choose fewer draws, or one metapath.")


def test_a_reader_s_test_keeps_no_owner_from_deleting_a_version(
    version: Version, eve: Person
) -> None:
    eve.browser.post(ADDRESS, PAIR)
    assert references_to(version) == []


def test_no_path_is_a_result_without_rows(version: Version, eve: Person) -> None:
    body: dict[str, Any] = {**PAIR, "to": COX1, "from": HEADACHE, "hops": 1}
    run_job(eve.browser.post(ADDRESS, body).json()["id"])
    result = eve.browser.get(ADDRESS, body).json()["result"]
    assert result == {"metapaths": [], "family": 0, "other_paths": 0, "is_complete": True}


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"draws": 10_001}, 422, "invalid"),
        ({"draws": 0}, 422, "invalid"),
        ({"hops": 4}, 422, "invalid"),
        ({"seed": -1}, 422, "invalid"),
        ({"from": "x" * 2_001}, 422, "invalid"),
        ({"metapath": "x" * 4_001}, 422, "invalid"),
        ({"to": "nothing"}, 404, "no_entity"),
        ({"to": ASPIRIN}, 422, "same_entity"),
        ({"metapath": "Drug/>inhibits/Gene"}, 422, "other_ends"),
        ({"metapath": "Drug/>cures/Phenotype"}, 422, "no_metapath"),
    ],
)
def test_what_cannot_be_tested_is_refused_before_a_job_begins(
    changes: dict[str, Any], status: int, code: str, version: Version, eve: Person
) -> None:
    for answer in (
        eve.browser.get(ADDRESS, {**PAIR, **changes}),
        eve.browser.post(ADDRESS, {**PAIR, **changes}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Job.objects.exists()


def test_one_person_has_few_tests_at_a_time(version: Version, eve: Person) -> None:
    bodies = [{**PAIR, "seed": seed} for seed in range(MOST_ACTIVE + 1)]
    answers = [eve.browser.post(ADDRESS, body) for body in bodies]
    assert [one.status_code for one in answers] == [202] * MOST_ACTIVE + [409]
    assert answers[-1].json()["code"] == "too_many_tests"
    assert Job.objects.count() == MOST_ACTIVE
    assert eve.browser.post(ADDRESS, bodies[0]).status_code == 200
    assert make_person("cleo").browser.post(ADDRESS, bodies[-1]).status_code == 202
    run_job(answers[0].json()["id"])
    assert eve.browser.post(ADDRESS, {**PAIR, "seed": 9}).status_code == 202


def test_a_private_graphs_tests_are_for_its_readers(eve: Person, visitor: APIClient) -> None:
    make_graph(owner=eve.user, name="Small", visibility=Graph.Visibility.PRIVATE)
    job = eve.browser.post(ADDRESS, PAIR).json()["id"]
    run_job(job)
    otto = make_person("otto")
    for client in (otto.browser, visitor):
        assert client.get(ADDRESS, PAIR).status_code == 404
    assert otto.browser.post(ADDRESS, PAIR).status_code == 404
    assert otto.browser.get(f"/api/v1/jobs/{job}").status_code == 404
    Graph.objects.update(visibility=Graph.Visibility.PUBLIC)
    assert otto.browser.get(f"/api/v1/jobs/{job}").status_code == 200
    assert read(otto.browser)["job"]["id"] == job


def test_a_failed_test_states_why_and_can_be_started_again(version: Version, eve: Person) -> None:
    first = Job.objects.get(pk=eve.browser.post(ADDRESS, PAIR).json()["id"])
    eve.browser.post(f"/api/v1/jobs/{first.pk}/cancel")
    shown = read(eve.browser)
    assert (shown["job"]["state"], shown["result"]) == ("cancelled", None)
    assert shown["job"]["error"]["detail"]
    second = eve.browser.post(ADDRESS, PAIR)
    assert second.status_code == 202 and second.json()["id"] != str(first.pk)
