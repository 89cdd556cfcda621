"""Proposed hypotheses over the API: requested once, read by their owner alone, within a day."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from backend.evaluation.grounding.services import groundings_today, planned_groundings
from backend.evaluation.models import Grounding, HypothesisProposal, RequestState
from backend.evaluation.paid_requests import end_lost
from backend.evaluation.runs.run_limits import count_dollars
from backend.jobs.models import Job, JobState
from backend.jobs.runner import run_job
from backend.llm.models import Endpoint
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.test_hypothesis_proposals import background_of, planted
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/hypothesis-proposals"


@pytest.fixture
def world(transactional_db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def rita(world: GroundingWorld) -> Person:
    return make_person("rita")


@pytest.fixture
def endpoint(world: GroundingWorld, server: ScriptedServer) -> Endpoint:
    server.script = planted
    endpoint = make_endpoint(server.url, parameters=135_000_000)
    Endpoint.objects.filter(pk=endpoint.pk).update(usable_by=Endpoint.UsableBy.EVERYONE)
    endpoint.refresh_from_db()
    return endpoint


def request(
    person: Person, world: GroundingWorld, endpoint: Endpoint, key: str = "", **more: Any
) -> Any:
    body = {
        "graph": world.graph,
        "endpoint": str(endpoint.pk),
        "budget": "1",
        "backgrounds": [{"background": f"Background {n}."} for n in (1, 2)],
        **more,
    }
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    return person.browser.post(ADDRESS, body, format="json", headers=headers)


def test_backgrounds_become_pairs_and_nobody_else_reads_them(
    rita: Person, world: GroundingWorld, endpoint: Endpoint
) -> None:
    key = str(uuid.uuid4())
    first, second = (request(rita, world, endpoint, key) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202), first.json()
    assert first.json() == second.json()
    proposal = HypothesisProposal.objects.get()
    assert count_dollars(rita.user, None) == 1
    assert proposal.job is not None
    run_job(proposal.job.pk, inputs={"rules": QUICK})
    one = f"{ADDRESS}/{proposal.pk}"
    read = rita.browser.get(one).json()
    assert read["state"] == "ended", read
    assert read["model_size"] == "135-million-parameter model"
    assert read["selection"]["pairs"] == 2
    shares = [it["share"] for it in read["results"][0]["hypotheses"]]
    assert shares == [0, 0.2, 0.4, 0.6, 1]
    assert 0 < float(read["budget"]["spent"]) <= 1
    pairs = rita.browser.get(f"{one}/pairs.json").json()
    assert [it["gap"] for it in pairs] == [100, 100]
    assert groundings_today(rita.user) == 10
    assert 0 < count_dollars(rita.user, None) < 1
    assert [it["id"] for it in rita.browser.get(ADDRESS).json()["results"]] == [str(proposal.pk)]
    other = make_person("omar")
    assert other.browser.get(ADDRESS).json()["results"] == []
    for address in (one, f"{one}/pairs.json"):
        assert other.browser.get(address).status_code == 404


def test_a_failed_request_goes_on_with_more_money_and_repeats_no_paid_call(
    rita: Person, world: GroundingWorld, endpoint: Endpoint, server: ScriptedServer
) -> None:
    def script(body: dict[str, Any], number: int) -> Scripted:
        return planted(body, number) if background_of(body) == "1" else Scripted(status=500)

    server.script = script
    created = request(rita, world, endpoint, budget="0.5").json()
    address = f"{ADDRESS}/{created['id']}/resume"
    early = rita.browser.post(address, {"budget": "1"}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "request_not_failed")
    run_job(uuid.UUID(created["job"]), inputs={"rules": QUICK})
    failed = HypothesisProposal.objects.get()
    assert failed.state == RequestState.FAILED
    low = rita.browser.post(address, {"budget": "0.000001"}, format="json")
    assert low.status_code == 409
    wrong = rita.browser.post(address, {"budget": "-1"}, format="json")
    assert wrong.status_code == 422
    assert make_person("omar").browser.post(address, {"budget": "1"}).status_code == 404
    server.script = planted
    resumed = rita.browser.post(address, {"budget": "1"}, format="json").json()
    assert (resumed["state"], resumed["budget"]["amount"]) == ("queued", "1.000000")
    run_job(uuid.UUID(resumed["job"]), inputs={"rules": QUICK})
    read = rita.browser.get(f"{ADDRESS}/{created['id']}").json()
    assert (read["state"], read["selection"]["pairs"]) == ("ended", 2)
    assert sum(one.is_paid for one in server.log) == 2


def test_rationales_that_are_still_to_be_proposed_count_for_the_day(
    rita: Person, world: GroundingWorld, endpoint: Endpoint, settings: Settings
) -> None:
    settings.GROUNDINGS_PER_DAY = 19
    assert request(rita, world, endpoint, budget="0.1").status_code == 202
    assert planned_groundings(rita.user) == 10
    refused = request(rita, world, endpoint, budget="0.1")
    assert (refused.status_code, refused.json()["code"]) == (429, "grounding_limit")
    assert HypothesisProposal.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"backgrounds": []}, "backgrounds"),
        ({"backgrounds": [{"background": " \n"}]}, "backgrounds.0.background"),
        ({"backgrounds": [{"background": "A"}] * 101}, "backgrounds"),
        ({"count": 1}, "count"),
        ({"least_gap": 101}, "least_gap"),
        ({"budget": "0"}, "budget"),
        ({"cutoff": 0}, "cutoff"),
    ],
)
def test_bad_input_is_refused_with_its_place(
    rita: Person, world: GroundingWorld, endpoint: Endpoint, fields: dict[str, Any], place: str
) -> None:
    refused = request(rita, world, endpoint, **fields)
    assert refused.status_code == 422, refused.json()
    assert place in json.dumps(refused.json()["errors"])
    assert not HypothesisProposal.objects.exists()


def test_a_lost_job_ends_its_request_with_a_reason(
    rita: Person, world: GroundingWorld, endpoint: Endpoint
) -> None:
    request(rita, world, endpoint)
    Job.objects.update(state=JobState.FAILED, error={"code": "X", "detail": "It was lost."})
    end_lost(HypothesisProposal)
    proposal = HypothesisProposal.objects.get()
    assert (proposal.state, proposal.error) == (
        RequestState.FAILED,
        {"code": "X", "detail": "It was lost."},
    )
    assert not Grounding.objects.exists()


def test_a_verifier_at_an_endpoint_is_paid_from_the_same_budget(
    rita: Person, world: GroundingWorld, endpoint: Endpoint, server: ScriptedServer
) -> None:
    def script(body: dict[str, Any], number: int) -> Scripted:
        content = body["messages"][0]["content"]
        if "divide scientific reasoning" in content:
            claims = [{"quote": "", "claim": "Aspirin inhibits COX-1."}]
            return Scripted(text=json.dumps({"claims": claims}))
        if "check one claim" in content:
            return Scripted(text='{"evidence": ["E1"], "verdict": "supported"}')
        return planted(body, number)

    server.script = script
    answer = request(rita, world, endpoint, verifier=str(endpoint.pk))
    assert answer.status_code == 202, answer.json()
    proposal = HypothesisProposal.objects.get()
    assert proposal.job is not None
    run_job(proposal.job.pk, inputs={"rules": QUICK})
    read = rita.browser.get(f"{ADDRESS}/{proposal.pk}").json()
    assert (read["state"], read["verifier"]) == ("ended", "model")
    assert {it["share"] for it in read["results"][0]["hypotheses"]} == {1}
    assert read["selection"]["close"] == 2  # all alike: no pair
    assert len(server.log) > 2 + 2
