"""Which figures of a submission its submitter may read."""

from enum import StrEnum

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser
from backend.benchmarks.release_graph_lookup import is_masked
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


def shows_pool_figures(user: User | None, release: Release, split: str) -> bool:
    """Whether judged@k and bounds of the board may be read.

    On a masked graph the answers that the mask hides are judged and count in no score: judged@k of
    an entry with one of them would differ from that of a false answer.
    """
    is_open = split == ReleaseSplit.DEV or are_answers_retired(release)
    is_own = user is not None and is_organiser(user, release)
    return is_open or is_own or not is_masked(release)
