"""SerenQA's ensemble: models score candidates, and the best by their mean are the `llm` partition.

Scores are stored by model and version of the prompt; a question is partitioned once every chosen
model has scored it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.common.errors import DomainError
from backend.evaluation.models.runs import CandidateScoring
from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import FaultCount, answer_all
from backend.evaluation.runs.requests import make_request
from backend.llm.budgets import BudgetExhausted, change_amount, open_budget, read_standing
from backend.llm.calls import TEMPORARY, ModelAnswer, ModelRequest
from backend.llm.endpoints import require_price
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.tracks.model_tasks import CandidateText, TaskContext
from backend.tracks.serenqa_ensemble import (
    ENSEMBLE_TASK,
    MOST_CANDIDATES,
    CandidateScores,
    EnsembleQuestion,
    mean_scores,
    split_by_mean,
)

LEAST_CANDIDATES = 2
VERSION = ENSEMBLE_TASK.prompt.version
Positions = Mapping[str, float]


@dataclass
class EnsembleResult:
    """known: scores that were stored before. failed: outcomes by question and endpoint, of those
    without scores. left_out: questions with one candidate or too many. is_partial: an endpoint
    failed for now; repeating it may help.
    """

    scored: int = 0
    is_partial: bool = False
    known: int = 0
    partitions: int = 0
    left_out: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    spent: Decimal = Decimal(0)


@dataclass
class Work:
    """check: called between requests, what it raises ends the work. report: gets how many of how
    many requests were answered. actor: who adds the partitions. since: what was stored then and
    after it is of an earlier attempt at the same work, so that it counts as scored."""

    rules: RetryRules | None = None
    check: Callable[[], object] = lambda: None
    report: Callable[[int, int], object] = lambda done, count: None
    actor: User | None = None
    since: datetime | None = None
    result: EnsembleResult = field(default_factory=EnsembleResult)


@dataclass(frozen=True)
class Request:
    question: Question
    endpoint: Endpoint
    request: ModelRequest

    @property
    def key(self) -> str:
        return f"{self.question.pk} {self.endpoint.pk}"


def score_candidates(
    *,
    question_set: QuestionSet,
    endpoints: Sequence[Endpoint],
    amount: Decimal | None = None,
    rules: RetryRules | None = None,
) -> EnsembleResult:
    """Let each model score each question, then partition what all have scored. Safe to repeat:
    stored scores are not requested again.

    amount: of the budget; None leaves it as it was. Raises PriceUnknown, DomainError, Conflict for
    less than is spent already; and, once what was answered is stored, BudgetExhausted or
    EndpointChanged. After the latter nothing is partitioned: the next ensemble may be another.
    """
    for endpoint in endpoints:
        require_price(endpoint)
    require_different_models(endpoints)
    budget = open_budget(subject=f"ensemble:{question_set.pk}", amount=amount or Decimal(0))
    if amount is not None:
        settle_dead_processes(None, budget.pk)
        change_amount(budget, amount)
    return score_with_budget(question_set, endpoints, budget, Work(rules))


def require_different_models(endpoints: Sequence[Endpoint]) -> None:
    if len({one.model for one in endpoints}) < len(endpoints):
        raise DomainError(
            "Each endpoint of an ensemble needs a model of its own.", code="same_model"
        )


def score_with_budget(
    question_set: QuestionSet, endpoints: Sequence[Endpoint], budget: Budget, work: Work
) -> EnsembleResult:
    """As score_candidates. `work.result` has what was done, also where this raises."""
    questions = [*question_set.questions.order_by("number").prefetch_related("candidates")]
    suitable = [one for one in questions if is_suitable(one)]
    result = work.result
    result.left_out = len(questions) - len(suitable)
    requests = [*list_requests(suitable, endpoints)]
    result.scored = count_scored(suitable, endpoints, work.since)
    result.known = len(suitable) * len(endpoints) - len(requests) - result.scored
    exhausted: BudgetExhausted | None = None
    try:
        _request_all(requests, budget, work)
    except BudgetExhausted as error:
        exhausted = error
    result.partitions = partition_by_means(suitable, endpoints, work.actor)
    result.spent = read_standing(budget).spent
    if exhausted is not None:
        raise exhausted
    return result


def is_suitable(question: Question) -> bool:
    return LEAST_CANDIDATES <= len(question.candidates.all()) <= MOST_CANDIDATES


def list_requests(
    questions: Sequence[Question], endpoints: Sequence[Endpoint]
) -> Iterator[Request]:
    """Without those whose scores are stored."""
    known = {*current_scorings(questions).values_list("question", "model")}
    for question in questions:
        for endpoint in endpoints:
            if (question.pk, endpoint.model) not in known:
                yield Request(question, endpoint, request_scores(question, endpoint))


def current_scorings(questions: Sequence[Question]) -> QuerySet[CandidateScoring]:
    """Without those of a model that is behind the name of its endpoint no more."""
    return CandidateScoring.objects.filter(
        question__in=questions,
        prompt_version=VERSION,
        cache_epoch=F("endpoint__cache_epoch"),
    )


def count_scored(
    questions: Sequence[Question], endpoints: Sequence[Endpoint], since: datetime | None
) -> int:
    if since is None:
        return 0
    rows = current_scorings(questions).filter(created_at__gte=since)
    return rows.filter(model__in=[one.model for one in endpoints]).count()


def request_scores(question: Question, endpoint: Endpoint) -> ModelRequest:
    context = TaskContext(candidates=[*map(describe, question.candidates.all())])
    item = EnsembleQuestion(str(question.pk), question.text)
    return make_request(ENSEMBLE_TASK, item, str(question.pk), context, endpoint=endpoint)


def describe(candidate: Candidate) -> CandidateText:
    return CandidateText(str(candidate.position), candidate.name, "")


def _request_all(
    requests: Sequence[Request],
    budget: Budget,
    work: Work,
) -> None:
    """No more calls once an endpoint has failed. Raises CallsRefused once all that was answered is
    stored."""
    faults = {one.endpoint.pk: FaultCount() for one in requests}
    by_key = {one.key: one for one in requests}
    calls = ((one.key, one.endpoint, one.request) for one in requests)
    done = 0
    with ModelLoop(budget, work.rules) as loop:
        for key, answer in answer_all(loop, calls, work.check):
            one, done = by_key[key], done + 1
            _store(one, answer, work.result)
            work.report(done, len(requests))
            count = faults[one.endpoint.pk]
            count.add(answer)
            if count.has_failed:
                work.result.is_partial = True
                loop.stop_calls()


def _store(one: Request, answer: ModelAnswer, result: EnsembleResult) -> None:
    if not answer.is_answered:
        result.is_partial |= answer.outcome in TEMPORARY
        result.failed[f"{one.question.file_id} {one.endpoint.name}"] = answer.outcome
        return
    scores: CandidateScores = answer.value
    CandidateScoring.objects.update_or_create(
        question=one.question,
        model=one.endpoint.model,
        prompt_version=VERSION,
        defaults={
            "endpoint": one.endpoint,
            "cache_epoch": one.endpoint.cache_epoch,
            "created_at": timezone.now(),
            "scores": dict(scores.scores),
            "is_retried": answer.is_retried,
        },
    )
    result.scored += 1


@transaction.atomic
def partition_by_means(
    questions: Sequence[Question], endpoints: Sequence[Endpoint], actor: User | None = None
) -> int:
    """How many of the questions have the ensemble's partition now."""
    by_name = sorted(endpoints, key=lambda one: one.model)
    models = {one.model: one.model_and_size for one in by_name}
    rows = current_scorings(questions).filter(model__in=models)
    by_question: dict[object, dict[str, Positions]] = {}
    for row in rows:
        by_question.setdefault(row.question_id, {})[row.model] = row.scores
    partitions = [
        _partition(question, scores, models)
        for question in questions
        if len(scores := by_question.get(question.pk, {})) == len(models)
    ]
    add_partitions(actor=actor, partitions=partitions)
    return len(partitions)


def _partition(
    question: Question, scores: Mapping[str, Positions], models: Mapping[str, str]
) -> NewPartition:
    """models: by their names, with what the source of the partition calls them."""
    names = [*models]
    means = mean_scores([scores[name] for name in names])
    order = [str(one.position) for one in question.candidates.all()]
    serendipity, existing = split_by_mean(means, order)
    return NewPartition(
        question=question.pk,
        method=Partition.Method.LLM,
        serendipity=[*map(int, serendipity)],
        existing=[*map(int, existing)],
        parameters={"models": names, "prompt_version": VERSION, "means": means},
        source=f"Ensemble of language models: {'; '.join(models.values())}.",
    )
