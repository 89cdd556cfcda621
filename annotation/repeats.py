"""Questions that an expert gets a second time, for the agreement of experts with themselves.

The study's share of an expert's answers from earlier visits comes again, of those that 20 others
followed: in an order of the expert's own, with the sides swapped where a kind has sides, under a
number behind those of the batch. They take no place of a pool, and no result counts them.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db.models import F, Max, QuerySet
from django.utils import timezone

from annotation.kinds.base import AnyKind
from annotation.kinds.visits import start_of_visit
from annotation.models import Assignment, BatchQuestion, Response, StudyDesign
from annotation.pool_places import answered_assignments
from annotation.presentations import draw_number, repeat_arms

MIN_BETWEEN = 20
ROUNDING = 1e-9


def find_due_repeats(
    kind: AnyKind,
    design: StudyDesign,
    expert: uuid.UUID,
    batch: uuid.UUID | None = None,
    at: datetime | None = None,
) -> list[Assignment]:
    """The first occasions of what the expert gets again now, or `at` a time; of the batch, if one
    is named."""
    if not design.repeat_share:
        return []
    own = Assignment.objects.filter(study=design.study_id, expert=expert)
    answered = answered_assignments(kind).filter(pk__in=own.values("pk"))
    ordered = answered.annotate(answered_at=F("response__submitted_at"))
    rows = list(ordered.order_by("answered_at", "response__id"))
    if len(rows) <= MIN_BETWEEN:
        return []
    start = start_of_visit(_submission_times(own), at or timezone.now())
    earlier = sum(row.answered_at < start for row in rows)
    repeated = set(own.filter(occasion=2).values_list("question", flat=True))
    due = int(design.repeat_share * earlier + ROUNDING) - len(repeated)
    place = ("repeat", str(design.seed), expert.hex)
    followed = sorted(
        (row for row in rows[:-MIN_BETWEEN] if row.answered_at < start),
        key=lambda row: draw_number(*place, row.question_id.hex),
    )
    chosen = [row for row in followed if row.question_id not in repeated][: max(due, 0)]
    return [row for row in chosen if batch in (None, row.batch_id)]


def assign_repeats(
    kind: AnyKind, first: Sequence[Assignment], leased_until: datetime | None
) -> list[Assignment]:
    """The caller holds a lock that keeps the expert's other windows from doing the same."""
    rows = []
    for one in first:
        repeat = Assignment(
            study_id=one.study_id,
            batch_id=one.batch_id,
            question_id=one.question_id,
            expert_id=one.expert_id,
            occasion=2,
            number=_next_number(one),
            leased_until=leased_until,
            arms=repeat_arms(kind, one.arms),
            propensity=one.propensity,
            is_adaptive=one.is_adaptive,
            selection_propensity=one.selection_propensity,
        )
        repeat.save(force_insert=True)
        rows.append(repeat)
    return rows


def _submission_times(own: QuerySet[Assignment]) -> list[datetime]:
    rows = Response.objects.filter(assignment__in=own).order_by("submitted_at")
    return [time for time in rows.values_list("submitted_at", flat=True) if time is not None]


def _next_number(first: Assignment) -> int:
    """After those of the batch's questions, and of the expert's other repeats in it."""
    entries = BatchQuestion.objects.filter(batch=first.batch_id)
    own = Assignment.objects.filter(batch=first.batch_id, expert=first.expert_id)
    numbers = (
        entries.aggregate(last=Max("question__number"))["last"],
        own.aggregate(last=Max("number"))["last"],
    )
    return max(number or 0 for number in numbers) + 1
