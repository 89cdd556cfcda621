"""How an expert's answers compare with the others', once the study is closed and not before."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Coalesce

from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Batch, Revision
from annotation.presentations import build_item_of
from backend.accounts.models import User
from backend.benchmarks.policies import comparable_questions
from backend.studies.policies import check_closed
from backend.studies.services import record_comparison

# With fewer, a count would be somebody's answer.
MIN_OTHERS = 3


@dataclass(frozen=True)
class ComparedQuestion:
    number: int
    text: str
    sentence: str


@dataclass(frozen=True)
class AnswerComparison:
    """compared: the questions that enough others answered. total: all of the batch."""

    total: int
    compared: list[ComparedQuestion]


def compare_with_others(*, expert: User, batch: Batch) -> AnswerComparison:
    """Raises Conflict while the study is open; it cannot be opened again afterwards.

    Questions of hidden tests are left out.
    """
    check_closed(batch.study)
    kind = get_kind_or_raise(batch.study.kind)
    own = Assignment.objects.answers().not_withdrawn().filter(batch=batch, expert=expert)
    shown = own.filter(question__in=comparable_questions()).with_item(resources=False)
    rows = list(shown.order_by("question__number", "question__file_id"))
    answers = _read_answers(batch, kind, [row.question_id for row in rows])
    compared = [
        ComparedQuestion(row.question.number, row.question.text, sentence)
        for row in rows
        if (sentence := _compare(kind, row, answers[row.question_id]))
    ]
    if compared and batch.study.comparison_shown_at is None:
        record_comparison(batch.study_id)
    return AnswerComparison(own.count(), compared)


def _compare(kind: AnyKind, assignment: Assignment, answers: Mapping[UUID, Payload]) -> str:
    """All answers are to the item as this expert sees it."""
    shown = {expert: kind.convert(one, {}, assignment.arms) for expert, one in answers.items()}
    own = shown.pop(assignment.expert_id, None)
    if len(shown) < MIN_OTHERS:
        return ""
    return kind.compare(build_item_of(assignment), own, list(shown.values()))


def _read_answers(
    batch: Batch, kind: AnyKind, questions: Collection[UUID]
) -> dict[UUID, dict[UUID, Payload]]:
    """The newest measured answers, to the complete item, by question and expert."""
    result: dict[UUID, dict[UUID, Payload]] = defaultdict(dict)
    of_study = Revision.objects.filter(
        response__assignment__in=Assignment.objects.counted().filter(
            study=batch.study, question__in=questions
        ),
        number=F("response__submitted_number"),
    )
    rows = of_study.order_by("response_id").values_list(
        "response__assignment__question",
        "response__assignment__expert",
        "response__assignment__arms",
        "outcome",
        Coalesce("payload", "legacy__payload"),
    )
    for question, expert, arms, outcome, payload in rows:
        if kind.is_measured(outcome):
            result[question][expert] = kind.convert(payload, arms, {})
    return result
