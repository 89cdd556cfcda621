"""How far a group of assignments is, counted by the database.

What counts is the newest submission: one that is being revised still counts as it was.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Aggregate, BigIntegerField, Count, FloatField, Max, Q, Sum
from django.db.models.functions import Coalesce

from annotation.models import AssignmentQuerySet, State


class Median(Aggregate):
    """The middle of what is not null; the mean of the two middle ones when they are even.

    The database's own, as counts and sums are: the times of all answers stay where they are.
    """

    function = "percentile_cont"
    template = "percentile_cont(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def _counted(state: State) -> Count:
    return Count("id", filter=Q(response__submitted_state=state))


COUNTS = {
    "total": Count("id"),
    "confirmed": _counted(State.CONFIRMED),
    "changed": _counted(State.CHANGED),
    "not_sure": _counted(State.NOT_SURE),
    "skipped": _counted(State.SKIPPED),
    "drafts": Count("id", filter=Q(response__state=State.DRAFT)),
    "revisions": Coalesce(Sum("response__submitted_number"), 0, output_field=BigIntegerField()),
    "median": Median("response__answer_ms"),
    "last_at": Max("response__submitted_at"),
}


@dataclass(frozen=True)
class Progress:
    """total counts questions times assigned experts. Shares are None while nothing is known."""

    total: int = 0
    confirmed: int = 0
    changed: int = 0
    not_sure: int = 0
    skipped: int = 0
    drafts: int = 0
    revisions: int = 0
    median: float | None = None
    last_at: datetime | None = None

    @property
    def answered(self) -> int:
        return self.confirmed + self.changed + self.not_sure

    @property
    def left(self) -> int:
        return self.total - self.answered

    @property
    def median_active_ms(self) -> int | None:
        return None if self.median is None else round(self.median)

    @property
    def expected_left_ms(self) -> int | None:
        return None if self.median is None else round(self.left * self.median)

    @property
    def changed_share(self) -> float | None:
        """Of the orders submitted; 'not sure' says nothing about the prior."""
        ordered = self.confirmed + self.changed
        return self.changed / ordered if ordered else None

    @property
    def not_sure_share(self) -> float | None:
        return self.not_sure / self.answered if self.answered else None


def progress_of(assignments: AssignmentQuerySet) -> Progress:
    return Progress(**assignments.aggregate(**COUNTS))


def progress_by(
    assignments: AssignmentQuerySet, *fields: str
) -> dict[tuple[uuid.UUID, ...], Progress]:
    """One for each combination of the fields' values that occurs."""
    rows = assignments.values(*fields).annotate(**COUNTS)
    return {tuple(row.pop(field) for field in fields): Progress(**row) for row in rows}
