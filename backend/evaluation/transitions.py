"""The one function that moves a submission from state to state."""

from typing import Any

from backend.common.errors import Conflict
from backend.evaluation.models import ALLOWED_TRANSITIONS, Submission, SubmissionState


def transition(submission: Submission, to: SubmissionState, **fields: Any) -> Submission:
    """Change the state by compare-and-set. Raises Conflict if it has changed meanwhile."""
    origin = SubmissionState(submission.state)
    if to not in ALLOWED_TRANSITIONS[origin]:
        raise Conflict(
            f"A submission that is {origin.label.lower()} cannot become {to.label.lower()}."
        )
    changed = Submission.objects.filter(pk=submission.pk, state=origin).update(state=to, **fields)
    if not changed:
        raise Conflict("The submission has changed meanwhile. Load it again.")
    submission.refresh_from_db()
    return submission
