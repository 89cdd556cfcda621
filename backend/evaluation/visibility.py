"""Which figures of a submission its submitter may read."""

from enum import StrEnum

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser
from backend.evaluation.models import Submission, SubmissionState


class ScoreVisibility(StrEnum):
    NOT_SCORED = "not_scored"
    SHOWN = "shown"
    # Scored on the test split and not better than what was shown, until the answers are retired.
    NOT_BETTER = "not_better"


def are_answers_retired(release: Release) -> bool:
    return release.are_answers_retired


def score_visibility(user: User | None, submission: Submission) -> ScoreVisibility:
    """Test figures follow the Ladder until the release closes; organisers see all of them."""
    if submission.evaluation_id is None or submission.state == SubmissionState.WITHDRAWN:
        return ScoreVisibility.NOT_SCORED
    is_exact = (
        submission.split == ReleaseSplit.DEV
        or bool(submission.is_improvement)
        or are_answers_retired(submission.release)
        or (user is not None and is_organiser(user, submission.release))
    )
    return ScoreVisibility.SHOWN if is_exact else ScoreVisibility.NOT_BETTER
