"""Questions with a known answer: which an expert gets, whether it was right, what is shown of it.

The first ones in the study's order are its qualification; the others are mixed among the questions,
in an order of the expert's own. Until feedback is due, nothing that an expert receives differs from
that of any other question.
"""

import uuid
from typing import TypedDict

from django.db.models import Exists, OuterRef, QuerySet

from annotation.kinds.base import AnyKind, Payload
from annotation.models import (
    UNANSWERED,
    Assignment,
    BatchQuestion,
    CheckedAnswer,
    KnownAnswer,
    Response,
    StudyDesign,
)
from annotation.pool_places import answerable_by, without_conflicts
from annotation.presentations import draw_number, draw_unit

Feedback = StudyDesign.GoldFeedback
CHECKS = (Assignment.Purpose.GOLD, Assignment.Purpose.QUALIFICATION)


class FeedbackData(TypedDict):
    is_right: bool | None
    explanation: str


def qualification_entries(design: StudyDesign) -> list[BatchQuestion]:
    """The same for every expert."""
    return _sorted_entries(design)[: design.qualification_items]


def gold_entries(design: StudyDesign, expert: uuid.UUID) -> list[BatchQuestion]:
    """Those that the expert may answer and does not have yet, in the expert's order."""
    own = Assignment.objects.filter(study=design.study_id, expert=expert)
    answered = set(own.values_list("question", flat=True))
    rest = _sorted_entries(design)[design.qualification_items :]
    fitting = without_conflicts if design.overlap is None else answerable_by
    allowed = set(fitting(expert, _known_entries(design)).values_list("pk", flat=True))
    entries = [one for one in rest if one.pk in allowed and one.question_id not in answered]
    place = ("gold", str(design.seed), expert.hex)
    return sorted(entries, key=lambda entry: draw_number(*place, entry.question_id.hex))


def count_gold(design: StudyDesign, expert: uuid.UUID, place: str, questions: int) -> int:
    """How many gold questions belong among so many others, so that their share is the study's."""
    expected = questions * design.gold_share / (1 - design.gold_share)
    return int(expected + draw_unit("gold share", str(design.seed), expert.hex, place))


def record_check(assignment: Assignment, kind: AnyKind, response: Response) -> None:
    """The first answer counts: feedback may follow it."""
    if assignment.purpose not in CHECKS or not kind.counts_as_answer(response.outcome):
        return
    if CheckedAnswer.objects.filter(assignment=assignment).exists():
        return
    known = _known_answer(assignment).payload
    is_right = judge_answer(kind, assignment, response.outcome, response.payload, known)
    CheckedAnswer.objects.create(assignment=assignment, is_right=is_right)


def judge_answer(
    kind: AnyKind, assignment: Assignment, outcome: str, payload: Payload, known: Payload
) -> bool | None:
    """Whether it is right; None for 'not sure'. known: to the complete item."""
    if not kind.is_measured(outcome):
        return None
    return kind.is_right(kind.convert(payload, assignment.arms, {}), known)


def read_feedback(assignment: Assignment) -> FeedbackData | None:
    """None where the expert must not learn, or not yet, whether the answer was right."""
    if assignment.purpose not in CHECKS:
        return None
    check = CheckedAnswer.objects.filter(assignment=assignment).first()
    if check is None or not _is_due(assignment):
        return None
    return {"is_right": check.is_right, "explanation": _known_answer(assignment).explanation}


def _is_due(assignment: Assignment) -> bool:
    """At the end of a batch: none of its questions is open."""
    if assignment.purpose == Assignment.Purpose.QUALIFICATION:
        return True
    rule = StudyDesign.objects.values_list("gold_feedback", flat=True)
    feedback = rule.get(study=assignment.study_id)
    if feedback != Feedback.BATCH_END:
        return feedback == Feedback.EACH
    own = Assignment.objects.not_released().filter(expert=assignment.expert_id)
    return not own.filter(UNANSWERED, batch=assignment.batch_id).exists()


def _known_answer(assignment: Assignment) -> KnownAnswer:
    return KnownAnswer.objects.get(
        entry__batch=assignment.batch_id, entry__question=assignment.question_id
    )


def _known_entries(design: StudyDesign) -> QuerySet[BatchQuestion]:
    return BatchQuestion.objects.filter(
        Exists(KnownAnswer.objects.filter(entry=OuterRef("pk"))), batch__study=design.study_id
    )


def _sorted_entries(design: StudyDesign) -> list[BatchQuestion]:
    """In the study's order."""
    place = ("known answer", str(design.seed))
    entries = _known_entries(design)
    return sorted(entries, key=lambda entry: draw_number(*place, entry.question_id.hex))
