"""SerenQA's ensemble: scores by model, their mean, and the partition of the best fifth."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from backend.benchmarks.models import Partition, QuestionSet
from backend.evaluation.models.runs import CandidateScoring
from backend.evaluation.runs.ensemble import score_candidates
from backend.llm.models import Budget, Endpoint
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
CANDIDATES = 10


@pytest.fixture
def questions(transactional_db: None) -> QuestionSet:
    question_set = QuestionSet.objects.create(name="Two questions")
    for number in (1, 2):
        question = question_set.questions.create(
            file_id=f"q{number}", number=number, text=f"Which drug treats disease {number}?"
        )
        for position in range(CANDIDATES):
            question.candidates.create(
                position=position, name=f"Drug {position}", prior_rank=position + 1
            )
    question_set.questions.create(file_id="q3", number=3, text="One?").candidates.create(
        position=0, name="Drug", prior_rank=1
    )
    return question_set


def rising(body: dict[str, Any], number: int) -> Scripted:
    """One model scores candidates by their place, the other by twice the places of the even."""
    places = range(CANDIDATES)
    if body["model"] == "first":
        scores = {f"c{one + 1}": float(one) for one in places}
    else:
        scores = {f"c{one + 1}": 10.0 + one if one % 2 == 0 else 9.0 - one for one in places}
    return Scripted(text=json.dumps({"scores": scores}))


def endpoints_of(server: ScriptedServer) -> list[Endpoint]:
    endpoints = [make_endpoint(server.url, name) for name in ("first", "second")]
    for one in endpoints:
        Endpoint.objects.filter(pk=one.pk).update(model=one.name)
        one.refresh_from_db()
    return endpoints


def score(questions: QuestionSet, endpoints: list[Endpoint]) -> Any:
    return score_candidates(
        question_set=questions, endpoints=endpoints, amount=Decimal(1), rules=QUICK
    )


def test_the_best_fifth_by_the_mean_of_the_models_is_the_partition(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    server.script = rising
    result = score(questions, endpoints_of(server))
    assert (result.scored, result.partitions, result.left_out) == (4, 2, 1)
    assert not result.failed
    means = {one: (one + (10 + one if one % 2 == 0 else 9 - one)) / 2 for one in range(CANDIDATES)}
    best = sorted(means, key=lambda one: (-means[one], one))[:2]  # a fifth of ten
    for partition in Partition.objects.all():
        assert partition.method == Partition.Method.LLM
        assert sorted(partition.serendipity) == sorted(best)
        assert sorted([*partition.serendipity, *partition.existing]) == [*range(CANDIDATES)]
        assert partition.parameters["models"] == ["first", "second"]


def test_stored_scores_are_not_asked_for_again_and_a_failure_leaves_the_question_open(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    def script(body: dict[str, Any], number: int) -> Scripted:
        text = json.dumps(body["messages"])
        fails = re.search(r"treats disease 2", text) and body["model"] == "second"
        return Scripted(text="I cannot answer.") if fails else rising(body, number)

    server.script = script
    endpoints = endpoints_of(server)
    result = score(questions, endpoints)
    assert (result.scored, result.partitions) == (3, 1)
    assert result.failed == {"q2 second": "unreadable"}
    calls = len(server.log)
    again = score(questions, endpoints)
    assert (again.known, again.scored, again.partitions) == (3, 0, 1)
    assert len(server.log) == calls  # also the unreadable answer is paid for once
    assert CandidateScoring.objects.count() == 3
    assert Partition.objects.count() == 1
    budget = Budget.objects.get()
    assert 0 < budget.spent <= budget.amount
