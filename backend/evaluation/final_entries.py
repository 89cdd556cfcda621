"""Final entries: chosen by submitters before a release closes, and standing from then on."""

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.policies import is_submitter
from backend.evaluation.services import lock_scores, request_standing
from backend.evaluation.standing import make_standing, of_same_model
from backend.evaluation.visibility import are_answers_retired


@transaction.atomic
def choose_final(*, actor: User, submission: Submission, is_final: bool) -> Submission:
    """Choose the model's final entry instead of an earlier choice, or take the choice back.

    Raises NotAllowed, or Conflict if the submission has no score or the release has closed.
    """
    if not is_submitter(actor, submission):
        raise NotAllowed("Only the submitter and their team choose a final entry.")
    release = lock_scores(submission.release_id)
    if release.has_ended:
        raise Conflict("The release has closed. Final entries can no longer be chosen.")
    locked = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    if locked.state != SubmissionState.SCORED or locked.split != ReleaseSplit.TEST:
        raise Conflict("Only a scored submission on the test items can be the final entry.")
    if is_final and locked.is_sample:
        raise Conflict("A sample is not ranked. Choose a submission of all items.")
    if is_final:
        of_same_model(locked).filter(is_final=True).update(is_final=False)
    locked.is_final = is_final
    locked.save(update_fields=["is_final"])
    return locked


def apply_final_entries() -> None:
    """Let the chosen entries stand once a release and its corrections have closed. Repeatable."""
    ended = (Release.State.CLOSED, Release.State.DEPRECATED)
    chosen = Submission.objects.filter(is_final=True, is_standing=False, release__state__in=ended)
    for submission in chosen:
        with transaction.atomic():
            release = lock_scores(submission.release_id)
            still = Submission.objects.filter(pk=submission.pk, is_final=True)
            if are_answers_retired(release) and still.exists() and not submission.is_sample:
                make_standing(submission)
                request_standing(submission.release_id, submission.split)
