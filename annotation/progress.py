"""How far groups of assignments are, counted by the database.

The newest submission counts: a response that is being changed still counts as it was submitted.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import Aggregate, BigIntegerField, Count, FloatField, Max, Q, Sum
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from annotation.kinds.base import AnyKind
from annotation.kinds.registry import study_kinds
from annotation.models import SKIPPED, Assignment, AssignmentQuerySet, Status


class Median(Aggregate):
    """The median of the values that are not null, computed by PostgreSQL."""

    function = "percentile_cont"
    template = "percentile_cont(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


AGGREGATES: Mapping[str, Aggregate | Coalesce] = {
    "total": Count("id"),
    "submitted": Count("id", filter=Q(response__submitted_number__gt=0)),
    "drafts": Count("id", filter=Q(response__status=Status.DRAFT)),
    "revisions": Coalesce(Sum("response__submitted_number"), 0, output_field=BigIntegerField()),
    "median_ms": Median("response__answer_ms"),
    "last_at": Max("response__submitted_at"),
}
# The active time of one question before an expert's own pace is known.
EXPECTED_ANSWER_MS = 45_000
KIND = "study__kind"
PREFIX = "outcome_"


@dataclass(frozen=True)
class StudyProgress:
    """total counts questions times assigned experts; outcomes has every outcome of the kind.

    Where the kind is not installed, outcomes has skipped ones alone, and answered all others.
    """

    total: int = 0
    answered: int = 0
    drafts: int = 0
    revisions: int = 0
    median_ms: float | None = None
    last_at: datetime | None = None
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def remaining(self) -> int:
        return self.total - self.answered

    @property
    def median_active_ms(self) -> int | None:
        return None if self.median_ms is None else round(self.median_ms)

    @property
    def planned_left_ms(self) -> int:
        """The time left at the expert's own pace, or at the expected one before it is known."""
        return round(self.remaining * (self.median_ms or EXPECTED_ANSWER_MS))

    @property
    def expected_left_ms(self) -> int | None:
        return None if self.median_ms is None else round(self.remaining * self.median_ms)


def with_requested(progress: StudyProgress, overlap: int | None, questions: int) -> StudyProgress:
    """Of a pool, the total is the answers that are requested: `overlap` of each question."""
    return progress if overlap is None else replace(progress, total=overlap * questions)


def revision_count() -> CombinedExpression:
    """Of assignments: all submissions, and each withdrawal as one more, so that it never falls."""
    submitted = Q(response__submitted_number__gt=0)
    withdrawn = Q(state=Assignment.State.WITHDRAWN)
    return Coalesce(Sum("response__submitted_number"), 0) + Count(
        "id", filter=submitted & withdrawn
    )


def no_progress(kind_name: str) -> StudyProgress:
    return StudyProgress(outcomes=dict.fromkeys(_outcome_names(study_kinds().get(kind_name)), 0))


def count_progress_by(
    assignments: AssignmentQuerySet, *fields: str
) -> dict[tuple[uuid.UUID, ...], StudyProgress]:
    """One progress per combination of the fields; each must lie within one study."""
    rows = assignments.values(*fields, KIND).annotate(**AGGREGATES, **_outcome_counts())
    return {tuple(row.pop(name) for name in fields): _progress(row) for row in rows.order_by()}


def _outcome_counts() -> dict[str, Count]:
    names = {name for kind in (None, *study_kinds().values()) for name in _outcome_names(kind)}
    return {
        f"{PREFIX}{name}": Count("id", filter=Q(response__submitted_outcome=name))
        for name in sorted(names)
    }


def _outcome_names(kind: AnyKind | None) -> list[str]:
    return [*(outcome.name for outcome in (kind.outcomes if kind else ())), SKIPPED]


def _progress(row: dict[str, Any]) -> StudyProgress:
    kind = study_kinds().get(row.pop(KIND))
    outcomes = {name: row[f"{PREFIX}{name}"] for name in _outcome_names(kind)}
    answered = row.pop("submitted") - outcomes[SKIPPED]
    if kind is not None:
        answered = sum(count for name, count in outcomes.items() if kind.counts_as_answer(name))
    counted = {name: value for name, value in row.items() if not name.startswith(PREFIX)}
    return StudyProgress(**counted, outcomes=outcomes, answered=answered)
