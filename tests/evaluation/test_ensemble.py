"""SerenQA's ensemble: scores by model, their mean, and the partition of the best fifth."""

import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from annotation.kinds.items import Presentation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import BatchQuestion
from backend.benchmarks.models import Partition, QuestionSet
from backend.common.errors import Conflict
from backend.evaluation.models.runs import CandidateScoring
from backend.evaluation.runs.ensemble import count_scored, is_suitable, score_candidates
from backend.llm.budgets import BudgetExhausted
from backend.llm.endpoints import EndpointChanged
from backend.llm.models import Budget, Call, Endpoint
from backend.llm.session import RetryRules
from backend.studies.models import Study
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


def score(
    questions: QuestionSet,
    endpoints: list[Endpoint],
    amount: Decimal | None = Decimal(1),
    rules: RetryRules = QUICK,
) -> Any:
    return score_candidates(question_set=questions, endpoints=endpoints, amount=amount, rules=rules)


def test_the_best_fifth_by_the_mean_of_the_models_is_the_partition(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    server.script = rising
    endpoints = endpoints_of(server)
    endpoints[1].parameters = 135_000_000
    result = score(questions, endpoints)
    assert (result.scored, result.partitions, result.left_out) == (4, 2, 1)
    assert not result.failed
    means = {one: (one + (10 + one if one % 2 == 0 else 9 - one)) / 2 for one in range(CANDIDATES)}
    best = sorted(means, key=lambda one: (-means[one], one))[:2]  # a fifth of ten
    for partition in Partition.objects.all():
        assert partition.method == Partition.Method.LLM
        assert sorted(partition.serendipity) == sorted(best)
        assert sorted([*partition.serendipity, *partition.existing]) == [*range(CANDIDATES)]
        assert partition.parameters["models"] == ["first", "second"]
        assert partition.source == (
            "Ensemble of language models: first; second, a 135-million-parameter model."
        )


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


def test_scores_of_a_model_that_was_replaced_behind_its_endpoint_are_used_no_more(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    server.script = rising
    endpoints = endpoints_of(server)
    before = timezone.now()
    assert score(questions, endpoints).partitions == 2
    first = endpoints[0]
    Endpoint.objects.filter(pk=first.pk).update(cache_epoch=1)
    first.refresh_from_db()
    server.script = lambda body, number: Scripted(text="I cannot answer.")
    failed = score(questions, endpoints)
    assert (failed.known, failed.scored, failed.partitions) == (2, 0, 0)
    server.script = rising
    Endpoint.objects.filter(pk=first.pk).update(cache_epoch=2)
    first.refresh_from_db()
    again = score(questions, endpoints)
    assert (again.known, again.scored, again.partitions) == (2, 2, 2)
    assert [one.cache_epoch for one in CandidateScoring.objects.order_by("model")] == [2, 2, 0, 0]
    suitable = [one for one in questions.questions.all() if is_suitable(one)]
    assert count_scored(suitable, endpoints, before) == 4
    now = timezone.now()
    assert count_scored(suitable, endpoints, now) == 0 and len(server.log) == 10


def test_a_lower_budget_holds_and_one_below_what_is_spent_is_refused(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    server.script = rising
    endpoints = endpoints_of(server)
    score(questions, endpoints[:1])
    spent = Budget.objects.get().spent
    calls = len(server.log)
    with pytest.raises(Conflict) as refused:
        score(questions, endpoints, spent / 2)
    assert "spent" in refused.value.detail
    assert Budget.objects.get().amount == 1
    with pytest.raises(BudgetExhausted):
        score(questions, endpoints, spent)
    assert Budget.objects.get().amount == spent
    assert len(server.log) == calls
    with pytest.raises(BudgetExhausted):  # None leaves it
        score(questions, endpoints, None)
    assert score(questions, endpoints).partitions == 2


def test_what_was_paid_for_is_stored_and_partitioned_when_the_budget_is_used_up(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    """The worst case of one call fits, that of several does not; answers come late."""
    server.script = lambda body, number: replace(rising(body, number), delay_s=0.2)
    endpoints = endpoints_of(server)
    score(questions, endpoints[:1], Decimal(1))
    reserved = max(Call.objects.values_list("reserved", flat=True))
    spent = Budget.objects.get().spent
    each = spent / 2
    amount = spent + each + reserved  # one call, and after it none that is of the worst case
    with pytest.raises(BudgetExhausted):
        score(questions, endpoints, amount - each / 2)
    paid = [one for one in server.log if one.is_paid]
    assert len(paid) == CandidateScoring.objects.count() == 3
    assert not Call.objects.filter(outcome="lost").exists()
    assert Partition.objects.filter(parameters__models=["first", "second"]).count() == 1
    result = score(questions, endpoints)
    assert (result.known, result.scored, result.partitions) == (3, 1, 2)
    assert len(server.log) == 4


def test_calls_in_flight_when_another_cannot_be_paid_are_awaited(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    """The second question is so long that its call never fits; the first is answered late."""
    longest = questions.questions.get(number=2)
    longest.text = "Why? " * 20_000
    longest.save()
    server.script = lambda body, number: replace(rising(body, number), delay_s=0.5)
    with pytest.raises(BudgetExhausted):
        score(questions, endpoints_of(server)[:1], Decimal("0.05"))
    assert [one.question.file_id for one in CandidateScoring.objects.all()] == ["q1"]
    assert not Call.objects.filter(outcome="lost").exists()
    assert Partition.objects.get().question.file_id == "q1"


def test_calls_in_flight_when_an_endpoint_is_retired_are_stored_and_nothing_is_partitioned(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    """The second model answers late; the first fails, and would be requested again."""
    first, second = endpoints_of(server)

    def script(body: dict[str, Any], number: int) -> Scripted:
        if body["model"] == "first":
            return Scripted(status=500, delay_s=0.2)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(retire, first).result()
        return replace(rising(body, number), delay_s=1.0)

    server.script = script
    with pytest.raises(EndpointChanged) as refused:
        score(questions, [first, second], rules=replace(QUICK, check_s=0.0))
    assert refused.value.code == "endpoint_retired"
    paid = [one for one in server.log if one.is_paid]
    assert len(paid) == CandidateScoring.objects.filter(endpoint=second).count() > 0
    assert not Call.objects.filter(outcome="lost").exists()
    assert not Partition.objects.exists()
    server.script = rising
    first.retired_at = None
    first.save()
    result = score(questions, [first, second])
    assert (result.known, result.partitions) == (len(paid), 2)


def retire(endpoint: Endpoint) -> None:
    Endpoint.objects.filter(pk=endpoint.pk).update(retired_at=timezone.now())
    connection.close()


def test_a_ranking_study_begins_with_the_order_of_the_ensembles_scores(
    questions: QuestionSet, server: ScriptedServer
) -> None:
    """By the commands: the models score, then the study is made of the same set."""
    server.script = rising
    names = [one.name for one in endpoints_of(server)]
    call_command("score_candidates", questions.name, "--endpoint", *names, "--budget", "1")
    words = ("--name", "By scores", "--coordinator", "cara@example.org")
    out = io.StringIO()
    call_command(
        "create_study", "ranking", *words, "--question-set", questions.name, "--json", stdout=out
    )
    assert json.loads(out.getvalue())["with_prior"] == 2

    means = {one: (one + (10 + one if one % 2 == 0 else 9 - one)) / 2 for one in range(CANDIDATES)}
    expected = [
        [f"Drug {one}" for one in range(CANDIDATES) if means[one] == mean]
        for mean in sorted({*means.values()}, reverse=True)
    ]
    assert len(expected) > 2
    assert any(len(group) > 1 for group in expected)
    study = Study.objects.get(name="By scores")
    kind = get_kind_or_raise("ranking")
    shown = BatchQuestion.objects.filter(batch__study=study, question__number__lte=2)
    for entry in shown.select_related("question"):
        candidates = {str(one.pk): one.name for one in entry.question.candidates.all()}
        item = kind.build_item(entry.question, Presentation(fields=entry.payload))
        assert [[candidates[one] for one in group] for group in item.prior] == expected
    assert shown.count() == 2
