"""Writes to submissions: made, scored, failed, withdrawn."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import Team, User
from backend.accounts.teams import find_team
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser, lock_release_or_raise
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.models import Evaluation, Provenance, Submission, SubmissionState
from backend.evaluation.notifications import mail_result_on_commit
from backend.evaluation.policies import may_withdraw, require_own_model, require_submitter
from backend.evaluation.pool_judges import withdraw_entrants_of
from backend.evaluation.prediction_files import PredictionFile
from backend.evaluation.queries import require_query
from backend.evaluation.standing import (
    has_final_entry,
    is_improvement,
    make_standing,
    may_stand,
    replace_withdrawn,
)
from backend.evaluation.tool_sessions import name_session
from backend.evaluation.transitions import transition
from backend.evaluation.validation import read_valid_predictions
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.tracks.prediction_check import CheckedPredictions

# Kinds of jobs; the board has the second.
EVALUATION, STANDING, RESCORING = "evaluation", "standing", "rescoring"
MANY_TEXTS = 10_000  # to embed; scoring more takes minutes


@dataclass(frozen=True)
class NewSubmission:
    """declared: what the submitter states, see Submission. session: of the tool calls."""

    release: Release
    model: Model
    split: ReleaseSplit = ReleaseSplit.TEST
    declared: Mapping[str, Any] = field(default_factory=dict)
    anonymous_until: datetime | None = None
    session: uuid.UUID | None = None
    provenance: Provenance = Provenance.EVALUATED


def submit_predictions(
    *, actor: User | None, new: NewSubmission, file: PredictionFile, is_local: bool = False
) -> tuple[Submission, Job]:
    """Validate a stored file, take a query for it, and queue its evaluation.

    actor: None for a command, whose submissions are free, as are an operator's and those on the dev
        split.
    is_local: the calling command runs the job by itself.
    Equal predictions of the same model and provenance for a split are submitted once by those who
    may edit them: the earlier submission is returned, with what is declared now.

    Raises InvalidPredictions with every fault, NotAllowed, QueriesUsedUp, or Conflict, also for a
    sealed release (see `sealing`).
    """
    require_access(actor, new.release, new.model)
    if new.release.is_sealed:
        message = "Nothing is scored on this release yet. Seal the predictions instead."
        raise Conflict(message, code="release_is_sealed")
    checked = read_valid_predictions(new.release, new.split, file, actor=actor)
    digest = checked.digest
    with transaction.atomic():
        team = lock_submitter(actor) if actor is not None else None
        release = lock_scores(new.release.pk)  # it may have closed during the check
        require_access(actor, release, new.model)
        if earlier := find_equal_submission(actor, new, digest):
            return declare_again(actor, earlier, new), get_job(earlier)
        submission = build_submission(actor, team, replace(new, release=release), file, digest)
        if new.session is not None:
            name_session(actor=actor, submission=submission, session_id=new.session)
        if actor is not None and not submission.is_free:
            require_query(actor, release)
        job = request_evaluation(submission, checked, is_local=is_local)
        file.store()
        submission.save(force_insert=True)
        withdraw_entrants_of(release, new.split)
    return submission, job


def build_submission(
    actor: User | None, team: Team | None, new: NewSubmission, file: PredictionFile, digest: str
) -> Submission:
    """Not stored yet. digest: of the canonical predictions."""
    return Submission(
        release=new.release,
        split=new.split,
        model=new.model,
        submitted_by=actor,
        team=team,
        provenance=new.provenance,
        file_name=file.name[-255:],
        file_digest=file.digest,
        file_size=file.size,
        predictions_digest=digest,
        declared=dict(new.declared),
        anonymous_until=new.anonymous_until,
        is_free=new.split == ReleaseSplit.DEV or is_operator(actor, new.release),
    )


def is_operator(actor: User | None, release: Release) -> bool:
    return actor is None or is_organiser(actor, release)


def require_access(actor: User | None, release: Release, model: Model) -> None:
    """Organisers submit at any time, and administrators too, under models of their own alone."""
    if actor is None:
        return
    require_own_model(actor, model)
    if not is_operator(actor, release):
        require_submitter(actor, release)


def request_evaluation(
    submission: Submission, checked: CheckedPredictions, *, is_local: bool
) -> Job:
    runs_queries = checked.queries > 0
    request = JobRequest(
        EVALUATION,
        {
            "submission": str(submission.pk),
            "is_long": runs_queries or checked.texts > MANY_TEXTS,
            "runs_queries": runs_queries,
        },
        subjects=[submission.release.subject, f"submission:{submission.pk}"],
    )
    return request_job(owner=submission.submitted_by, request=request, is_local=is_local).job


def declare_again(actor: User | None, submission: Submission, new: NewSubmission) -> Submission:
    """What is declared now replaces what was declared before; what is left out stays."""
    submission.declared = {**submission.declared, **new.declared}
    submission.anonymous_until = new.anonymous_until or submission.anonymous_until
    if new.session is not None:
        name_session(actor=actor, submission=submission, session_id=new.session)
    submission.save(update_fields=["declared", "anonymous_until", "session"])
    if submission.is_standing:
        request_standing(submission.release_id, submission.split)
    return submission


def lock_submitter(actor: User) -> Team | None:
    """Let submissions of a person, and of a team, count their queries one after the other."""
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    team = find_team(actor)
    if team is not None:
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    return team


def get_job(submission: Submission) -> Job:
    """The job that scored a submission as it was submitted."""
    job: Job = Job.objects.about(f"submission:{get_origin(submission).pk}").get()
    return job


def get_origin(submission: Submission) -> Submission:
    """The submission itself, or the one that it was scored again of for a corrected release."""
    while submission.rescored_from is not None:
        submission = submission.rescored_from
    return submission


def find_equal_submission(actor: User | None, new: NewSubmission, digest: str) -> Submission | None:
    """Only one that the actor may edit. The actor None is the command line.

    A sample is apart from an entry of all items, and from other samples: were it one afterwards,
    later entries would not be compared with it (see `is_improvement`).
    """
    own = Submission.objects.all() if actor is None else Submission.objects.visible_to(actor)
    equal = own.filter(
        release=new.release,
        split=new.split,
        model=new.model,
        provenance=new.provenance,
        predictions_digest=digest,
    )
    sample = new.declared.get("sample")
    equal = equal.filter(declared__sample=sample) if sample else equal.without_samples()
    valid = equal.filter(error__isnull=True)  # others are left out, as their file was lost
    return valid.filter(state__in=(SubmissionState.QUEUED, SubmissionState.SCORED)).first()


@transaction.atomic
def record_evaluation(*, submission_id: uuid.UUID, evaluation: Evaluation) -> Submission:
    """Store the result of a submission, and let it stand on the board if the Ladder allows it.

    A release's scores are of one evaluator version. By another version, the submission waits until
    all scores of the release are of that one.
    """
    # Not the evaluation's release, which may be another one with the same items.
    release = lock_scores(
        Submission.objects.values_list("release", flat=True).get(pk=submission_id)
    )
    submission = Submission.objects.select_for_update(of=("self",)).get(pk=submission_id)
    if submission.state != SubmissionState.QUEUED:
        return submission
    if evaluation.evaluator_version != release.evaluator_version:
        request_rescoring(release)
        return submission
    improves = not has_final_entry(submission) and is_improvement(submission, evaluation)
    transition(submission, SubmissionState.SCORED, evaluation=evaluation, is_improvement=improves)
    mail_result_on_commit(submission)
    if improves and may_stand(submission):
        make_standing(submission)
        request_standing(release.pk, submission.split)
    if later := Release.objects.filter(corrects=release).first():
        request_rescoring(later)
    return submission


def lock_scores(release_id: uuid.UUID) -> Release:
    """Submissions to a release end one after the other, so that each sees the standing one."""
    return lock_release_or_raise(release_id, no_key=True)


def request_standing(release_id: uuid.UUID, split: str) -> None:
    """Let the board be computed again."""
    parameters = {"release": str(release_id), "split": split}
    request_job(owner=None, request=JobRequest(STANDING, parameters))


def request_rescoring(
    release: Release, *, owner: User | None = None, is_local: bool = False
) -> Job:
    """Let all stored predictions of a release be scored by the present evaluator.

    Those for the release that it corrects as well. One job of a release is active at a time: it
    ends with the release's row locked, so what comes before is done by it. Lock that row first.
    """
    jobs = Job.objects.active().filter(kind=RESCORING)
    active: Job | None = jobs.about(release.subject).first()
    if active is not None:
        return active
    track = get_track_or_raise(release.track)
    parameters = {
        "release": str(release.pk),
        "slug": release.slug,
        "version": track.version,
        "is_long": track.has_queries or bool(track.embedder_name),
    }
    request = JobRequest(RESCORING, parameters, subjects=[release.subject])
    return request_job(owner=owner, request=request, is_local=is_local).job


@transaction.atomic
def fail_submission(
    *, submission_id: uuid.UUID, error: Mapping[str, Any], is_refunded: bool
) -> None:
    """End a submission whose job did not succeed; faults of the platform give the query back."""
    submission = Submission.objects.select_for_update(of=("self",)).get(pk=submission_id)
    if submission.state == SubmissionState.QUEUED:
        refunded_at = timezone.now() if is_refunded else None
        transition(
            submission, SubmissionState.FAILED, error=dict(error), query_refunded_at=refunded_at
        )
        mail_result_on_commit(submission)


def withdraw_submission(*, actor: User, submission: Submission, reason: str = "") -> Submission:
    """Take a submission off the board. Its permalink stays, with who withdrew it and when.

    One of the model that stood before stands again. The query is given back if scoring had not
    started. It is withdrawn from corrected releases and from those that they correct as well.
    Withdrawing twice changes nothing.
    """
    if not may_withdraw(actor, submission):
        raise NotAllowed("Only the submitter or an organiser can withdraw this submission.")
    carried: Submission | None = get_origin(submission)
    while carried is not None:
        _withdraw(actor, carried, reason)
        carried = Submission.objects.filter(rescored_from=carried).first()
    submission.refresh_from_db()
    return submission


@transaction.atomic
def _withdraw(actor: User, submission: Submission, reason: str) -> None:
    lock_scores(submission.release_id)
    locked = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    if locked.state == SubmissionState.WITHDRAWN:
        return
    was_queued = locked.state == SubmissionState.QUEUED
    not_started = was_queued and get_job(locked).started_at is None
    was_standing = locked.is_standing
    withdrawn = transition(
        locked,
        SubmissionState.WITHDRAWN,
        is_standing=False,
        is_final=False,
        withdrawn_at=timezone.now(),
        withdrawn_by=actor,
        withdrawal_reason=reason,
        query_refunded_at=timezone.now() if not_started else locked.query_refunded_at,
    )
    if was_standing:
        replace_withdrawn(withdrawn)
        request_standing(withdrawn.release_id, withdrawn.split)
