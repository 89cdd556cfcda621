"""Ensembles over the API: one job, paid by its owner, read by nobody else but administrators."""

import json
import uuid
from decimal import Decimal
from typing import Any

import pytest

from backend.benchmarks.models import Partition, QuestionSet
from backend.evaluation.models import CandidateEnsemble, CandidateScoring
from backend.evaluation.runs.run_limits import count_dollars
from backend.jobs.runner import run_job
from backend.llm.models import Budget, Endpoint
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/candidate-ensembles"
CANDIDATES = 10


def scores_of(body: dict[str, Any], number: int) -> Scripted:
    scores = {f"c{one + 1}": float(one) for one in range(CANDIDATES)}
    return Scripted(text=json.dumps({"scores": scores}))


def fail_second(body: dict[str, Any], number: int) -> Scripted:
    return Scripted(status=500) if body["model"] == "second" else scores_of(body, number)


@pytest.fixture
def cora(transactional_db: None) -> Person:
    return make_coordinator("cora")


def make_coordinator(name: str) -> Person:
    person = make_person(name)
    person.user.is_coordinator = True
    person.user.save(update_fields=["is_coordinator"])
    return person


@pytest.fixture
def questions(cora: Person) -> QuestionSet:
    question_set = QuestionSet.objects.create(name="Two questions", created_by=cora.user)
    for number in (1, 2):
        question = question_set.questions.create(
            file_id=f"q{number}", number=number, text=f"Which drug treats disease {number}?"
        )
        for position in range(CANDIDATES):
            question.candidates.create(
                position=position, name=f"Drug {position}", prior_rank=position + 1
            )
    return question_set


@pytest.fixture
def endpoints(cora: Person, server: ScriptedServer) -> list[Endpoint]:
    server.script = scores_of
    both = [make_endpoint(server.url, name) for name in ("first", "second")]
    for one in both:
        rows = Endpoint.objects.filter(pk=one.pk)
        rows.update(model=one.name, usable_by=Endpoint.UsableBy.EVERYONE)
        one.refresh_from_db()
    return both


def request(
    person: Person, questions: QuestionSet, endpoints: list[Endpoint], key: str = "", **more: Any
) -> Any:
    body = {
        "question_set": str(questions.pk),
        "endpoints": [str(one.pk) for one in endpoints],
        "budget": "0.5",
        **more,
    }
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    return person.browser.post(ADDRESS, body, format="json", headers=headers)


def work_off(job: str) -> None:
    run_job(uuid.UUID(job), inputs={"rules": QUICK})


def test_a_job_scores_and_partitions_and_its_owner_pays(
    cora: Person, questions: QuestionSet, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    Endpoint.objects.filter(model="first").update(parameters=135_000_000)
    key = str(uuid.uuid4())
    first, second = (request(cora, questions, endpoints, key) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202), first.json()
    assert first.json() == second.json()
    assert count_dollars(cora.user, None) == Decimal("0.5")
    again = request(cora, questions, endpoints)
    assert (again.status_code, again.json()["code"]) == (409, "ensemble_under_way")
    work_off(first.json()["job"])
    read = cora.browser.get(f"{ADDRESS}/{first.json()['id']}").json()
    assert read["state"] == "ended", read
    assert read["result"] == {
        "scored": 4, "known": 0, "failed": 0, "partitions": 2, "left_out": 0
    }  # fmt: skip
    assert [(one["model"], one["size_label"]) for one in read["endpoints"]] == [
        ("first", "135-million-parameter model"),
        ("second", ""),
    ]
    assert 0 < Decimal(read["budget"]["spent"]) <= Decimal(read["budget"]["amount"])
    budget = Budget.objects.get()
    assert (budget.owner, f"{budget.spent:.6f}") == (cora.user, read["budget"]["spent"])
    assert {one.created_by for one in Partition.objects.filter(method="llm")} == {cora.user}
    assert sum(one.is_paid for one in server.log) == 4

    repeated = request(cora, questions, endpoints).json()
    work_off(repeated["job"])
    read = cora.browser.get(f"{ADDRESS}/{repeated['id']}").json()
    assert (read["result"]["known"], float(read["budget"]["spent"])) == (4, 0)
    assert sum(one.is_paid for one in server.log) == 4


def test_only_its_owner_and_administrators_read_it_and_only_managers_of_the_set_request_it(
    cora: Person, questions: QuestionSet, endpoints: list[Endpoint]
) -> None:
    created = request(cora, questions, endpoints).json()
    one = f"{ADDRESS}/{created['id']}"
    other = make_coordinator("omar")
    assert other.browser.get(ADDRESS).json()["results"] == []
    assert other.browser.get(one).status_code == 404
    resumed = other.browser.post(f"{one}/resume", {"budget": "1"}, format="json")
    assert resumed.status_code == 404
    assert request(other, questions, endpoints).status_code in (403, 404)
    assert request(make_person("rita"), questions, endpoints).status_code == 403
    chief = make_person("ada")
    chief.user.is_administrator = True
    chief.user.save(update_fields=["is_administrator"])
    assert [it["owner"] for it in chief.browser.get(ADDRESS).json()["results"]] == [cora.user.name]
    assert CandidateEnsemble.objects.count() == 1


def test_two_endpoints_of_one_model_and_a_price_without_budget_are_refused(
    cora: Person, questions: QuestionSet, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    assert request(cora, questions, endpoints, budget="0").status_code == 422
    Endpoint.objects.update(model="same")
    refused = request(cora, questions, endpoints)
    assert (refused.status_code, refused.json()["code"]) == (422, "same_model")
    assert not CandidateEnsemble.objects.exists()
    assert not server.log


def test_a_failed_ensemble_states_what_it_scored_and_goes_on_without_repeating_a_paid_call(
    cora: Person, questions: QuestionSet, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    server.script = fail_second
    created = request(cora, questions, endpoints).json()
    address = f"{ADDRESS}/{created['id']}"
    chief = make_person("ada")
    chief.user.is_administrator = True
    chief.user.save(update_fields=["is_administrator"])
    spent = chief.browser.post(f"{address}/resume", {"budget": "1"}, format="json")
    assert spent.status_code == 403, "another's money"
    early = cora.browser.post(f"{address}/resume", {"budget": "1"}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "request_not_failed")
    work_off(created["job"])
    failed = cora.browser.get(address).json()
    assert (failed["state"], failed["error"]["code"]) == ("failed", "PLATFORM_ENDPOINT_FAILS")
    assert (failed["result"]["scored"], failed["result"]["partitions"]) == (2, 0)
    server.script = scores_of
    Endpoint.objects.update(model="same")
    same = cora.browser.post(f"{address}/resume", {"budget": "1"}, format="json")
    assert (same.status_code, same.json()["code"]) == (422, "same_model")
    for one in endpoints:
        Endpoint.objects.filter(pk=one.pk).update(model=one.name)
    resumed = cora.browser.post(f"{address}/resume", {"budget": "1"}, format="json").json()
    assert resumed["state"] == "queued", resumed
    work_off(resumed["job"])
    read = cora.browser.get(address).json()
    # Of both attempts: known is what was stored before the request.
    assert (read["state"], read["result"]["scored"], read["result"]["known"]) == ("ended", 4, 0)
    paid = [one for one in server.log if one.body["model"] == "first" and one.is_paid]
    assert len(paid) == 2
    assert CandidateScoring.objects.count() == 4
    assert Partition.objects.filter(method="llm").count() == 2


def test_a_used_up_budget_states_what_was_scored_and_is_not_exceeded(
    cora: Person, questions: QuestionSet, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    created = request(cora, questions, endpoints, budget="0.000001").json()
    work_off(created["job"])
    read = cora.browser.get(f"{ADDRESS}/{created['id']}").json()
    assert (read["state"], read["result"]["scored"]) == ("failed", 0), read
    assert Decimal(read["budget"]["spent"]) == 0
    assert not server.log
