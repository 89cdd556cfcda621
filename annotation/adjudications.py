"""Adjudication: a coordinator answers a question on which the experts differ, blind at first.

Until the own answer is submitted, the adjudicator gets no answer, comment or message of others
about the question; what was read of them before is recorded with the adjudication. Afterwards it
may be revised once, with a reason; both answers are stored.
"""

import uuid
from dataclasses import dataclass

from django.db import transaction

from annotation.assignments import new_assignment
from annotation.blinding import Sight, sight_of
from annotation.eligibility import require_eligible
from annotation.expert_answers import ExpertAnswer
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import (
    Assignment,
    BatchQuestion,
    ConflictOfInterest,
    ReopenedAdjudication,
    Revision,
)
from annotation.policies import check_adjudication
from annotation.presentations import design_of
from backend.accounts.models import User
from backend.common.errors import Conflict, NotFound
from backend.studies.models import Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    get_coordinated_study_or_raise,
    lock_unfrozen,
)


@dataclass(frozen=True)
class Adjudication:
    """sight: what the adjudicator had seen before the first answer. revised and its reason: after
    the others' answers were shown."""

    assignment: uuid.UUID
    sight: Sight
    first: ExpertAnswer
    reason: str
    revised: ExpertAnswer | None

    @property
    def result(self) -> ExpertAnswer:
        return self.revised or self.first


@transaction.atomic
def take_adjudication(*, actor: User, study_id: uuid.UUID, question_id: uuid.UUID) -> Assignment:
    """The actor's adjudication of the question, of which there is one at a time.

    Raises Conflict for who has the question as an expert, or a conflict of interest, or must not
    judge the study, or gave the question back after taking it, and once it is submitted.
    """
    get_coordinated_study_or_raise(actor, study_id)
    study = lock_unfrozen(study_id)
    entries = BatchQuestion.objects.filter(batch__study=study, question=question_id)
    entry = entries.order_by("batch__number", "id").select_for_update(of=("self",)).first()
    if entry is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    require_eligible(study_id, actor.pk)
    of_question = Assignment.objects.filter(study=study, question=question_id)
    taken = of_question.adjudications().exclude(expert=actor).select_related("expert").first()
    if taken is not None:
        sentence = f"{taken.expert.name} adjudicates this question."
        raise Conflict(sentence, code="adjudication_taken")
    if ConflictOfInterest.objects.filter(study=study, question=question_id, expert=actor).exists():
        sentence = "You have a conflict of interest. Another coordinator can adjudicate it."
        raise Conflict(sentence, code="conflict_of_interest")
    own = of_question.filter(expert=actor).first()
    if own is None:
        own = _new_adjudication(study, entry, actor)
    elif own.purpose != Assignment.Purpose.ADJUDICATION:
        sentence = "You have this question as an expert. Another coordinator can adjudicate it."
        raise Conflict(sentence, code="own_question")
    elif own.state == Assignment.State.RELEASED:
        sentence = "You gave this question back, and could read its answers since."
        raise Conflict(f"{sentence} Another coordinator can adjudicate it.", code="not_blind")
    elif hasattr(own, "response"):
        check_adjudication(own.response, "")
    notify_on_commit(study.id, "board")
    return own


def _new_adjudication(study: Study, entry: BatchQuestion, actor: User) -> Assignment:
    purpose = Assignment.Purpose.ADJUDICATION
    given = Assignment.objects.count_levels(study.pk, actor.pk, purpose)
    kind = get_kind_or_raise(study.kind)
    assignment = new_assignment(kind, design_of(study), entry, actor.pk, given, purpose)
    assignment.save()
    return assignment


@transaction.atomic
def reopen_adjudication(*, actor: User, assignment_id: uuid.UUID, reason: str) -> None:
    """Allow one more submission, for a reason that is stored before it."""
    own = Assignment.objects.adjudications().filter(id=assignment_id, expert=actor)
    assignment = own.select_for_update(of=("self",)).select_related("response").first()
    if assignment is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    get_coordinated_study_or_raise(actor, assignment.study_id)
    lock_unfrozen(assignment.study_id)
    if not hasattr(assignment, "response") or not assignment.response.submitted_number:
        raise Conflict("Submit an answer before you revise it.", code="adjudication_open")
    if ReopenedAdjudication.objects.filter(assignment=assignment).exists():
        raise Conflict("An adjudication is revised once, so it stays.", code="adjudicated")
    ReopenedAdjudication.objects.create(assignment=assignment, reason=reason)


def read_adjudications(study: Study, kind: AnyKind) -> dict[uuid.UUID, Adjudication]:
    """The submitted ones, by question."""
    rows = Revision.objects.filter(
        response__assignment__in=Assignment.objects.adjudications().filter(study=study)
    ).select_related(
        "legacy",
        "response__assignment__expert",
        "response__assignment__reopened",
        "response__assignment__blinding",
    )
    revisions: dict[Assignment, list[ExpertAnswer]] = {}
    for one in rows.order_by("number"):
        assignment = one.response.assignment
        revisions.setdefault(assignment, []).append(_answer(kind, one))
    return {
        assignment.question_id: Adjudication(
            assignment.pk,
            sight_of(assignment),
            answers[0],
            assignment.reopened.reason if hasattr(assignment, "reopened") else "",
            answers[1] if len(answers) > 1 else None,
        )
        for assignment, answers in revisions.items()
    }


def _answer(kind: AnyKind, revision: Revision) -> ExpertAnswer:
    assignment = revision.response.assignment
    payload = kind.convert(revision.answer, assignment.arms, {})
    return ExpertAnswer(
        expert=assignment.expert,
        outcome=kind.convert_outcome(revision.outcome, assignment.arms),
        payload=payload,
        comment=kind.comment(payload).strip(),
        active_ms=revision.active_ms,
        submitted_at=revision.submitted_at,
    )
