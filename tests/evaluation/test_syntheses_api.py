"""Syntheses of queries over the API: requested once, read by their owner alone."""

import uuid
from typing import Any

import pytest

from backend.benchmarks.models import QuestionSet
from backend.evaluation.models import QuerySynthesis
from backend.evaluation.runs.run_limits import count_dollars
from backend.graphs.models import Version
from backend.jobs.runner import run_job
from backend.llm.models import Endpoint
from tests.evaluation.synthesis_graph import make_primekg
from tests.evaluation.synthesis_worlds import synthesize, task_of
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/query-syntheses"


@pytest.fixture
def graph(transactional_db: None) -> Version:
    return make_primekg()


@pytest.fixture
def endpoint(graph: Version, server: ScriptedServer) -> Endpoint:
    server.script = synthesize
    endpoint = make_endpoint(server.url, parameters=135_000_000)
    Endpoint.objects.filter(pk=endpoint.pk).update(usable_by=Endpoint.UsableBy.EVERYONE)
    endpoint.refresh_from_db()
    return endpoint


@pytest.fixture
def cora(graph: Version) -> Person:
    return make_coordinator("cora")


def make_coordinator(name: str) -> Person:
    person = make_person(name)
    person.user.is_coordinator = True
    person.user.save(update_fields=["is_coordinator"])
    return person


def request(person: Person, graph: Version, endpoint: Endpoint, key: str = "", **more: Any) -> Any:
    own = str(endpoint.pk)
    roles = {"writer": own, "rewriter": own, "verifiers": [own]}
    body = {"name": "Set", "graph": graph.graph.slug, "budget": "0.5", "count": 6, **roles, **more}
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    return person.browser.post(ADDRESS, body, format="json", headers=headers)


def test_a_synthesis_becomes_a_set_of_its_owner_and_nobody_else_reads_it(
    cora: Person, graph: Version, endpoint: Endpoint
) -> None:
    key = str(uuid.uuid4())
    first, second = (request(cora, graph, endpoint, key) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202), first.json()
    assert first.json() == second.json()
    assert count_dollars(cora.user, None) > 0
    run_job(uuid.UUID(first.json()["job"]), inputs={"rules": QUICK})
    one = f"{ADDRESS}/{first.json()['id']}"
    read = cora.browser.get(one).json()
    assert (read["state"], read["summary"]["accepted"]) == ("ended", 6), read
    assert read["models"] == [f"{endpoint.model}, a 135-million-parameter model"]
    assert read["summary"]["gold_passed"] == read["summary"]["gold_checked"] > 0
    assert QuestionSet.objects.get(pk=read["question_set"]).created_by == cora.user
    with_properties = next(it for it in read["results"] if it["properties"])
    assert with_properties["properties"][0]["source"].startswith("It has mark")
    lines = cora.browser.get(f"{one}/queries.csv").content.decode().splitlines()
    assert len(lines) == 1 + 6
    assert [it["id"] for it in cora.browser.get(ADDRESS).json()["results"]] == [read["id"]]
    other = make_coordinator("omar")
    assert other.browser.get(ADDRESS).json()["results"] == []
    for address in (one, f"{one}/queries.csv"):
        assert other.browser.get(address).status_code == 404
    taken = request(cora, graph, endpoint)
    assert (taken.status_code, taken.json()["code"]) == (409, "set_exists")
    assert request(make_person("rita"), graph, endpoint).status_code == 403


def test_a_failed_synthesis_goes_on_and_repeats_no_paid_call(
    cora: Person, graph: Version, endpoint: Endpoint, server: ScriptedServer
) -> None:
    def script(body: dict[str, Any], number: int) -> Scripted:
        return Scripted(status=500) if task_of(body) == "rewriting" else synthesize(body, number)

    server.script = script
    created = request(cora, graph, endpoint).json()
    address = f"{ADDRESS}/{created['id']}/resume"
    early = cora.browser.post(address, {"budget": "1"}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "request_not_failed")
    run_job(uuid.UUID(created["job"]), inputs={"rules": QUICK})
    failed = QuerySynthesis.objects.get()
    assert (failed.state, QuestionSet.objects.count()) == ("failed", 0)
    paid = sum(one.is_paid for one in server.log)
    server.script = synthesize
    resumed = cora.browser.post(address, {"budget": "1"}, format="json").json()
    assert resumed["state"] == "queued"
    run_job(uuid.UUID(resumed["job"]), inputs={"rules": QUICK})
    read = cora.browser.get(f"{ADDRESS}/{created['id']}").json()
    assert (read["state"], read["summary"]["accepted"]) == ("ended", 6)
    repeated = [one for one in server.log if one.is_paid and one.number > 1]
    assert paid > 0 and repeated and all(task_of(one.body) == "rewriting" for one in repeated)


def test_a_set_that_was_deleted_is_made_again_without_a_call(
    cora: Person, graph: Version, endpoint: Endpoint, server: ScriptedServer
) -> None:
    created = request(cora, graph, endpoint).json()
    address = f"{ADDRESS}/{created['id']}/question-set"
    early = cora.browser.post(address)
    assert (early.status_code, early.json()["code"]) == (409, "no_accepted_queries")
    run_job(uuid.UUID(created["job"]), inputs={"rules": QUICK})
    again = cora.browser.post(address)
    assert (again.status_code, again.json()["code"]) == (409, "set_exists")
    before = texts_of(QuestionSet.objects.get())
    QuestionSet.objects.all().delete()
    calls = len(server.log)
    assert make_coordinator("omar").browser.post(address).status_code == 404
    restored = cora.browser.post(address)
    assert restored.status_code == 200, restored.json()
    new_set = QuestionSet.objects.get(pk=restored.json()["question_set"])
    assert (new_set.created_by, new_set.name) == (cora.user, "Set")
    assert texts_of(new_set) == before and len(before) == 6
    assert len(server.log) == calls


def texts_of(question_set: QuestionSet) -> list[tuple[str, int]]:
    rows = question_set.questions.order_by("file_id")
    return [(one.text, one.candidates.count()) for one in rows]
