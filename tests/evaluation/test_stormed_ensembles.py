"""An ensemble whose servers refuse, break down, stall and lie before each right answer."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from backend.benchmarks.models import Partition, QuestionSet
from backend.evaluation.models import CandidateEnsemble, CandidateScoring
from backend.evaluation.runs.ensemble import request_scores
from backend.evaluation.runs.estimates import worst_repair
from backend.llm.calls import Outcome
from backend.llm.models import Budget, Call, Endpoint
from tests.evaluation.fault_storm import TIMEOUT_S, FaultStorm, outcome_of
from tests.evaluation.scored_questions import (
    CANDIDATES,
    MODELS,
    QUESTIONS,
    REQUESTS,
    answer,
    make_question_set,
    number_of,
    scores_of,
)
from tests.evaluation.stormed_ledger import assert_ledger_is_log
from tests.evaluation.test_ensembles_api import ADDRESS, make_coordinator, request, work_off
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Logged, Scripted, ScriptedServer
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class World:
    cora: Person
    questions: QuestionSet
    endpoints: list[Endpoint]
    server: ScriptedServer

    def read(self, ensemble: str) -> Any:
        return self.cora.browser.get(f"{ADDRESS}/{ensemble}").json()

    def resume(self, ensemble: str, budget: str) -> Any:
        """Worked off, and read then."""
        body = {"budget": budget}
        answer = self.cora.browser.post(f"{ADDRESS}/{ensemble}/resume", body, format="json")
        assert answer.status_code in (200, 202), answer.json()
        work_off(answer.json()["job"])
        return self.read(ensemble)


@pytest.fixture
def world(transactional_db: None, server: ScriptedServer) -> World:
    cora = make_coordinator("cora")
    questions = make_question_set("Six questions", cora.user)
    fields = {"timeout_s": TIMEOUT_S, "usable_by": Endpoint.UsableBy.EVERYONE}
    endpoints = [make_endpoint(server.url, name, **fields) for name in MODELS]
    for one in endpoints:
        Endpoint.objects.filter(pk=one.pk).update(model=one.name)
        one.refresh_from_db()
    return World(cora, questions, endpoints, server)


def request_of(entry: Logged) -> int:
    return number_of(entry.body)


def test_in_a_storm_every_score_is_stored_once_and_the_ledger_is_what_the_servers_saw(
    world: World,
) -> None:
    world.server.script = FaultStorm(number_of, answer).play
    created = request(world.cora, world.questions, world.endpoints).json()
    work_off(created["job"])
    read = world.read(created["id"])
    assert (read["state"], read["error"]) == ("ended", None)
    assert read["result"] == {
        "scored": REQUESTS, "known": 0, "failed": 0, "partitions": QUESTIONS, "left_out": 0
    }  # fmt: skip
    answered = Counter(map(request_of, (one for one in world.server.log if is_answer(one))))
    assert answered == dict.fromkeys(range(REQUESTS), 1)
    subject = CandidateEnsemble.objects.get().subject
    assert_ledger_is_log(subject, world.server.log)
    assert_scores_are_those_of_the_models()


def is_answer(entry: Logged) -> bool:
    return outcome_of(entry) == Outcome.ANSWERED


def assert_scores_are_those_of_the_models() -> None:
    """What came by a repair is marked: each request of the storm meets an answer that is none."""
    rows = CandidateScoring.objects.all()
    assert len(rows) == REQUESTS
    for row in rows:
        given = scores_of(row.model)
        assert row.scores == {str(one): given[f"c{one + 1}"] for one in range(CANDIDATES)}
        assert row.is_retried
    for one in Partition.objects.filter(method="llm"):
        assert one.parameters["models"] == [*MODELS]
        assert {*one.parameters["means"].values()} == {9.75}


def test_a_budget_that_is_used_up_in_the_storm_holds_and_nothing_paid_for_is_lost_or_repeated(
    world: World,
) -> None:
    world.server.script = FaultStorm(number_of, answer).play
    amount = 3 * worst_of_repair(world)  # for twelve requests, half of them lost once or twice
    created = request(world.cora, world.questions, world.endpoints, budget=str(amount)).json()
    work_off(created["job"])
    failed = world.read(created["id"])
    assert (failed["state"], failed["error"]["code"]) == ("failed", "USER_BUDGET_EXHAUSTED")
    budget = Budget.objects.get(subject=CandidateEnsemble.objects.get().subject)
    assert budget.reserved == 0
    assert 0 < budget.spent <= budget.amount == amount
    answered = sum(map(is_answer, world.server.log))
    assert failed["result"]["scored"] == CandidateScoring.objects.count() == answered < REQUESTS

    ended = world.resume(created["id"], "1")
    assert (ended["state"], ended["result"]["scored"]) == ("ended", REQUESTS)
    counts = Counter(map(request_of, filter(is_answer, world.server.log)))
    assert counts == dict.fromkeys(range(REQUESTS), 1)
    assert_ledger_is_log(CandidateEnsemble.objects.get().subject, world.server.log)
    assert_scores_are_those_of_the_models()


def worst_of_repair(world: World) -> Decimal:
    """The most that is reserved for one call."""
    endpoint, question = world.endpoints[0], world.questions.questions.get(number=1)
    return worst_repair(endpoint, request_scores(question, endpoint)).quantize(Decimal("0.000001"))


def test_a_server_that_never_answers_is_called_as_often_as_the_rule_states(world: World) -> None:
    """One question of the second model meets broken connections without end."""
    hopeless = number_of({"model": "second", "messages": [{}, {"content": "treats disease 4"}]})

    def script(body: dict[str, Any], number: int) -> Scripted:
        if number_of(body) == hopeless:
            return Scripted(is_cut=True)
        return Scripted(text=answer(0, body))

    world.server.script = script
    created = request(world.cora, world.questions, world.endpoints).json()
    work_off(created["job"])
    failed = world.read(created["id"])
    assert (failed["state"], failed["error"]["code"]) == ("failed", "PLATFORM_ENDPOINT_FAILS")
    assert failed["result"]["scored"] == REQUESTS - 1
    assert (failed["result"]["failed"], failed["result"]["partitions"]) == (1, QUESTIONS - 1)
    calls = Counter(map(request_of, world.server.log))
    once = dict.fromkeys(range(REQUESTS), 1)
    assert calls == {**once, hopeless: 1 + QUICK.most_failures}
    lost = Call.objects.filter(outcome=Outcome.BROKEN)
    assert {one.cost for one in lost} == {one.reserved for one in lost}

    world.server.script = lambda body, number: Scripted(text=answer(0, body))
    ended = world.resume(created["id"], "1")
    assert (ended["state"], ended["result"]["partitions"]) == ("ended", QUESTIONS)
    calls = Counter(map(request_of, world.server.log))
    assert calls == {**once, hopeless: 2 + QUICK.most_failures}
