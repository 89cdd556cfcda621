"""Who may submit predictions, and who sees what of a submission."""

import uuid

from backend.accounts.models import User
from backend.benchmarks.models import Model, Release
from backend.benchmarks.policies import is_organiser, is_own_model, may_submit
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.evaluation.models import Submission


def is_submitter(actor: User, submission: Submission) -> bool:
    """Whether the actor submitted it, or is in the team of its model."""
    return Submission.objects.visible_to(actor).filter(pk=submission.pk).exists()


def may_see_submission(actor: User, submission: Submission) -> bool:
    return is_submitter(actor, submission) or is_organiser(actor, submission.release)


def get_submission_or_raise(actor: User, submission_id: uuid.UUID) -> Submission:
    """Raises NotFound for a submission that the actor may not see."""
    related = ("release", "model", "evaluation", "submitted_by", "session__release")
    rows = Submission.objects.select_related(*related)
    submission = rows.filter(pk=submission_id).first()
    if submission is None or not may_see_submission(actor, submission):
        raise NotFound("This submission does not exist, or you may not see it.")
    return submission


def require_researcher(actor: User) -> None:
    if not may_submit(actor):
        raise NotAllowed(
            "Only researchers submit predictions. Ask an administrator for this role.",
            code="not_a_researcher",
        )


def may_withdraw(actor: User, submission: Submission) -> bool:
    return may_see_submission(actor, submission)


def require_own_model(actor: User, model: Model) -> None:
    """Administrators have no right to the models of others either."""
    if not is_own_model(actor, model):
        raise NotAllowed("This model belongs to someone else. Submit under a model of your own.")


def require_submitter(actor: User, release: Release) -> None:
    """Raises NotAllowed or Conflict, with what to do."""
    require_researcher(actor)
    require_open(release)


def require_open(release: Release) -> None:
    phase = release.phase
    if phase == Release.Phase.OPEN:
        return
    message = f"The release is {phase.label.lower()} and takes no predictions."
    if phase == Release.Phase.ANNOUNCED:
        message = f"The release opens at {release.opens_at:%Y-%m-%d %H:%M} UTC."
    elif phase == Release.Phase.CLOSED and release.closes_at is not None:
        message = f"The release closed at {release.closes_at:%Y-%m-%d %H:%M} UTC."
    raise Conflict(message, code="release_not_open")
