"""A result at its permanent address: of a submission that stands or stood on a public board."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import TextChoices

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise, is_organiser
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import NotFound
from backend.evaluation.models import Submission, SubmissionState
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.models import Standing, StandingRow
from backend.tracks.base import AnyTrack
from backend.tracks.metrics import EvaluatedMetric

DECIMALS = {"percent": 1, "fraction": 3}
ANONYMOUS = "Anonymous entry"


class WithdrawnBy(TextChoices):
    SUBMITTER = "submitter"
    ORGANISER = "organiser"


@dataclass(frozen=True)
class PublicResult:
    """standing: the last one that has the entry. content: null once it is withdrawn."""

    submission: Submission
    release: Release
    standing: Standing
    content: dict[str, Any] | None

    @property
    def track(self) -> AnyTrack:
        return get_track_or_raise(self.release.track)

    @property
    def key(self) -> str:
        return self.submission.evaluation.key if self.submission.evaluation else ""

    @property
    def main_metric(self) -> EvaluatedMetric:
        return self.track.get_metric(self.track.main_metric)

    @property
    def main_score(self) -> list[float | None]:
        """Value, low and high; empty once it is withdrawn."""
        return self.content["scores"][self.main_key][:3] if self.content else []

    @property
    def main_key(self) -> str:
        return f"{self.track.main_metric} {self.track.overall}"

    @property
    def model_name(self) -> str:
        model = self.content["model"] if self.content else None
        return model["name"] if model else ANONYMOUS

    @property
    def withdrawn_by(self) -> WithdrawnBy | None:
        """The side that withdrew it; names of people are not public."""
        actor = self.submission.withdrawn_by
        if actor is None:
            return None
        is_own = actor.pk == self.submission.submitted_by_id
        if not is_own and is_organiser(actor, self.release):
            return WithdrawnBy.ORGANISER
        return WithdrawnBy.SUBMITTER

    @property
    def url(self) -> str:
        return f"{settings.SITE_URL}/results/{self.submission.pk}"


def get_result_or_raise(user: User | None, submission_id: uuid.UUID) -> PublicResult:
    """Raises NotFound also for what never stood on a board that the user may see."""
    rows = StandingRow.objects.filter(submission_id=submission_id).select_related("standing")
    row = rows.last()
    if row is None:
        raise NotFound("This result does not exist, or is not public.")
    submissions = Submission.objects.select_related(
        "release", "evaluation", "withdrawn_by", "session__release"
    )
    submission = submissions.get(pk=submission_id)
    release = get_release_or_raise(user, submission.release.slug)
    is_withdrawn = submission.state == SubmissionState.WITHDRAWN
    content = None if is_withdrawn else reveal_names([row.content])[0]
    return PublicResult(submission, release, row.standing, content)


def format_score(metric: EvaluatedMetric, value: float) -> str:
    return f"{value:.{DECIMALS.get(metric.unit.id, 2)}f}"


def format_rank(rank: dict[str, int] | None) -> str:
    if rank is None:
        return "not ranked"
    best, worst = rank["best"], rank["worst"]
    return f"rank {best}" if best == worst else f"rank {best} to {worst}"
