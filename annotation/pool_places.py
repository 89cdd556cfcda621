"""Which places of a pool's questions are taken, and what a submission does to its place.

Each question of a pool has `overlap` places. A place is taken by a lease while it lasts, and by an
answer. All that counts or takes places happens under the lock of the question's row in the batch,
so that no question has more counted answers than places: an answer that comes after others have
taken them all is stored as surplus. A skip returns the place, and its row stays.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.kinds.base import AnyKind
from annotation.models import (
    Assignment,
    AssignmentQuerySet,
    BatchQuestion,
    ConflictOfInterest,
    Response,
    StudyDesign,
)
from backend.common.prepared_queries import PreparedQuery
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit

State = Assignment.State


def answer_outcomes(kind: AnyKind) -> list[str]:
    return [one.name for one in kind.outcomes if one.is_answer]


def answered_assignments(kind: AnyKind) -> QuerySet[Assignment]:
    """Those that count, with an answer."""
    return _with_outcome(answer_outcomes(kind))


def _with_outcome(outcomes: Sequence[str]) -> QuerySet[Assignment]:
    return Assignment.objects.counted().filter(response__submitted_outcome__in=outcomes)


@cache
def _answered(outcomes: tuple[str, ...]) -> PreparedQuery[Assignment]:
    """Of a question in a study: as many as it has places, or fewer."""
    return PreparedQuery(
        lambda study, question: (
            _with_outcome(outcomes).filter(study=study, question=question).only("pk")
        ),
        study=uuid.uuid4(),
        question=uuid.uuid4(),
    )


# The lock of a question's places.
_entry = PreparedQuery(
    lambda batch, question: BatchQuestion.objects.select_for_update().filter(
        batch=batch, question=question
    ),
    batch=uuid.uuid4(),
    question=uuid.uuid4(),
)


def with_free_place(
    entries: QuerySet[BatchQuestion], kind: AnyKind, overlap: int
) -> QuerySet[BatchQuestion]:
    """Those of which fewer than `overlap` places are taken now. For a few: it counts for each."""
    of_entry = {"study": OuterRef("batch__study"), "question": OuterRef("question")}
    taken = _taken(Assignment.objects.filter(**of_entry), kind).annotate(number=Count("pk"))
    count = Coalesce(Subquery(taken.values("number")), 0)
    return entries.annotate(taken=count).filter(taken__lt=overlap)


def full_questions(study: Study, kind: AnyKind, overlap: int) -> QuerySet[Assignment, Any]:
    """Questions of which all places are taken now, counted at once for the whole study."""
    taken = _taken(Assignment.objects.filter(study=study), kind).annotate(number=Count("pk"))
    return taken.filter(number__gte=overlap).values("question")


def _taken(assignments: AssignmentQuerySet, kind: AnyKind) -> QuerySet[Assignment, Any]:
    """Those that take a place, grouped by question."""
    is_answered = Q(response__submitted_outcome__in=answer_outcomes(kind))
    is_leased_now = Q(leased_until__gt=timezone.now()) | Q(leased_until=None)
    taken = assignments.counted().filter(is_answered | is_leased_now)
    return taken.order_by().values("question")


def answerable_by(expert: uuid.UUID, entries: QuerySet[BatchQuestion]) -> QuerySet[BatchQuestion]:
    """Those for which the expert has the needed tags and no conflict of interest."""
    able = Member.objects.filter(
        study=OuterRef("batch__study"),
        user=expert,
        role=Member.Role.EXPERT,
        tags__contains=OuterRef("batch__needed_tags"),
    )
    return without_conflicts(expert, entries).filter(Exists(able))


def without_conflicts(
    expert: uuid.UUID, entries: QuerySet[BatchQuestion]
) -> QuerySet[BatchQuestion]:
    conflicts = ConflictOfInterest.objects.filter(
        study=OuterRef("batch__study"), question=OuterRef("question"), expert=expert
    )
    return entries.filter(~Exists(conflicts))


def is_leased(assignment: Assignment, now: datetime) -> bool:
    """Whether its place is the expert's alone; always outside pools."""
    return assignment.leased_until is None or assignment.leased_until > now


def renew_lease(assignment: Assignment, now: datetime) -> None:
    """While an expert writes, the lease goes on. An expired one does not come back.

    The assignment was loaded `with_item`.
    """
    if assignment.leased_until is None or assignment.leased_until <= now:
        return
    whole = timedelta(minutes=assignment.lease_minutes or 0)
    if assignment.leased_until - now < whole / 2:
        assignment.leased_until = now + whole
        assignment.save(update_fields=["leased_until"])


def settle_place(assignment: Assignment, kind: AnyKind, response: Response) -> None:
    """After a submission: whether it takes a place, comes too late, or returns its place.

    The assignment was loaded `with_item`.
    """
    if assignment.leased_until is None:
        return
    is_answer = kind.counts_as_answer(response.outcome)
    if not may_count(assignment):  # it takes no place, and a skip looks like any other
        _set_state(assignment, State.ACTIVE if is_answer else State.RELEASED)
        return
    _entry.fetch(batch=assignment.batch_id, question=assignment.question_id)
    places = assignment.overlap or 0
    if not is_answer:
        state = State.RELEASED
        if assignment.state == State.ACTIVE:
            _promote_surplus(_others(assignment), kind, places)
    else:
        outcomes = tuple(answer_outcomes(kind))
        answered = _answered(outcomes).fetch(
            study=assignment.study_id, question=assignment.question_id
        )
        others = [one for one in answered if one.pk != assignment.pk]
        state = State.ACTIVE if len(others) < places else State.SURPLUS
    _set_state(assignment, state)


def may_count(assignment: Assignment) -> bool:
    """Whether its answer takes a place: no repeated question does, and no check."""
    return assignment.occasion == 1 and assignment.purpose == Assignment.Purpose.ANSWER


def _set_state(assignment: Assignment, state: str) -> None:
    if assignment.state != state:
        assignment.state = state
        assignment.save(update_fields=["state"])


def return_places(assignments: Sequence[Assignment], kind: AnyKind, state: str) -> None:
    """Give these another state; surplus answers of others take the places of those that counted.

    The caller holds the locks of the assignments, in the order of their ids.
    """
    counted = [row for row in assignments if row.state == State.ACTIVE and may_count(row)]
    Assignment.objects.filter(pk__in=[row.pk for row in assignments]).update(state=state)
    pooled = [row for row in counted if row.leased_until is not None]
    if not pooled:
        return
    places = StudyDesign.objects.get(study=pooled[0].study_id).overlap or 0
    entries = BatchQuestion.objects.filter(
        batch__study=pooled[0].study_id, question__in=[row.question_id for row in pooled]
    )
    list(entries.select_for_update().order_by("pk"))
    for row in pooled:
        _promote_surplus(_others(row), kind, places)


def _others(assignment: Assignment) -> QuerySet[Assignment]:
    of_question = Assignment.objects.answers().filter(
        study=assignment.study_id, question=assignment.question_id
    )
    return of_question.exclude(pk=assignment.pk)


def _promote_surplus(of_question: QuerySet[Assignment], kind: AnyKind, places: int) -> bool:
    """Whether the earliest surplus answer takes a free place. One that is being written now is
    passed over: its own submission takes the place, or `fill_free_places` gives it."""
    answers = of_question.filter(response__submitted_outcome__in=answer_outcomes(kind))
    if answers.filter(state=State.ACTIVE).count() >= places:
        return False
    surplus = answers.filter(state=State.SURPLUS).order_by("response__submitted_at")
    first = surplus.select_for_update(of=("self",), skip_locked=True).first()
    if first is None:
        return False
    _set_state(first, State.ACTIVE)
    return True


def fill_free_places(study: Study, batch: uuid.UUID, kind: AnyKind) -> None:
    """Surplus answers take places that were returned while a draft or activity held their lock."""
    outcomes = answer_outcomes(kind)
    surplus = Assignment.objects.answers().filter(
        batch=batch, state=State.SURPLUS, response__submitted_outcome__in=outcomes
    )
    questions = set(surplus.values_list("question", flat=True))
    if not questions:
        return
    places = StudyDesign.objects.get(study=study).overlap or 0
    counted = answered_assignments(kind).filter(study=study, question__in=questions)
    numbers = Counter(counted.values_list("question", flat=True))
    for question in sorted(one for one in questions if numbers[one] < places):
        _fill_question(surplus.filter(question=question), kind, places)


@transaction.atomic
def _fill_question(surplus: QuerySet[Assignment], kind: AnyKind, places: int) -> None:
    """Locks the answers before their question, as a submission does."""
    rows = list(surplus.select_for_update(of=("self",)).order_by("id"))
    if not rows or Study.objects.lock_for_share(rows[0].study_id).status == Study.Status.FROZEN:
        return
    one = rows[0]
    _entry.fetch(batch=one.batch_id, question=one.question_id)
    of_question = Assignment.objects.answers().filter(study=one.study_id, question=one.question_id)
    while _promote_surplus(of_question, kind, places):
        notify_on_commit(one.study_id, "board")
