"""Stored predictions are scored again: by a new evaluator version, or for a corrected release.

New evaluations are stored beside the old ones. Then one transaction exchanges them all, so that the
scores of a release are always of one version.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.announcements import announce_release_on_commit
from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import walked_graph
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models import (
    Evaluation,
    PoolStudy,
    Submission,
    SubmissionQuerySet,
    SubmissionState,
)
from backend.evaluation.notifications import mail_failed_correction_on_commit
from backend.evaluation.scoring import (
    ScoredSplit,
    compute_evaluation,
    evaluation_key,
    open_predictions,
    store_evaluation,
)
from backend.evaluation.services import (
    RESCORING,
    get_job,
    record_evaluation,
    release_subject,
    request_rescoring,
    request_standing,
)
from backend.evaluation.standing import is_improvement, make_standing, may_stand
from backend.jobs.faults import PlatformFault
from backend.jobs.models import Job, JobState
from backend.tracks.registry import load_tracks

Report = Callable[[int, int], None]  # done, of how many
RETRIED_AFTER = timedelta(minutes=10)
# What a submission does not have of the one to the earlier release.
OWN_FIELDS = {
    "id",
    "release",
    "rescored_from",
    "evaluation",
    "predictions_digest",
    "is_final",
    "is_standing",
}
COPIED_FIELDS = tuple(
    one.attname for one in Submission._meta.concrete_fields if one.name not in OWN_FIELDS
)
ROWS_AT_ONCE = 1_000


def pending_submissions(release: Release) -> SubmissionQuerySet:
    """Scored submissions without an evaluation of this release by the present evaluator.

    Also those that were scored before the masked graph of its partition, which leaves questions
    out, and withdrawn ones that the Ladder compares with.
    """
    version = get_track_or_raise(release.track).version
    other_version = Q(release=release) & ~Q(evaluation__evaluator_version=version)
    walked = walked_graph(release)
    if walked is not None:
        before_mask = Q(evaluation__created_at__lt=walked.created_at)
        other_version |= Q(release=release) & before_mask
    earlier = Q(release=release.corrects_id, rescored_as=None) if release.corrects_id else Q()
    scored = Submission.objects.filter(state=SubmissionState.SCORED)
    compared = scored | Submission.objects.ladder()
    return compared.filter(other_version | earlier).order_by("created_at", "pk")


@dataclass
class Rescoring:
    """The evaluations of a release that one job has stored, by submission.

    file: their keys, so that an attempt goes on where the one before was stopped.
    """

    release: Release
    file: Path
    _keys: dict[str, str] = field(default_factory=dict)
    _splits: dict[str, ScoredSplit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.exists():
            # A killed worker may have left half of the last line.
            for line in self.file.read_text().splitlines():
                submission, _, key = line.partition(" ")
                if len(key) == 64:
                    self._keys[submission] = key

    def evaluate(self, submissions: Sequence[Submission]) -> Iterator[Evaluation]:
        keys = [self._keys.get(str(one.pk), "") for one in submissions]
        stored = Evaluation.objects.in_bulk(keys, field_name="key")
        for submission, key in zip(submissions, keys, strict=True):
            yield stored.get(key) or self._compute(submission)

    def _compute(self, submission: Submission) -> Evaluation:
        split = submission.split
        if split not in self._splits:
            self._splits[split] = ScoredSplit.load(self.release, split)
        computed = compute_evaluation(submission, self._splits[split], is_rescored=True)
        evaluation = store_evaluation(computed.evaluation.key, computed)
        self._keys[str(submission.pk)] = evaluation.key
        with self.file.open("a") as file:
            file.write(f"{submission.pk} {evaluation.key}\n")
        return evaluation

    def evaluate_all(self, report: Report) -> None:
        self._leave_out_lost()
        pending = list(pending_submissions(self.release))
        for number, _ in enumerate(self.evaluate(pending)):
            report(number + 1, len(pending))

    def _leave_out_lost(self) -> None:
        """Withdrawing a submission whose file is lost or damaged lets the others be scored."""
        for one in pending_submissions(self.release):
            if one.state == SubmissionState.WITHDRAWN:
                try:
                    with open_predictions(one, is_verified=True):
                        pass
                except PlatformFault:
                    Submission.objects.filter(pk=one.pk).update(is_improvement=False)

    @transaction.atomic
    def exchange(self) -> int:
        """Give each submission its new evaluation; how many have one.

        What was scored since is evaluated here: nothing else ends while the rows are locked.
        """
        release = lock_release(self.release)
        pending = list(pending_submissions(release))
        own = [one for one in pending if one.release_id == release.pk]
        for one, evaluation in zip(own, self.evaluate(own), strict=True):
            one.evaluation = evaluation
            one.predictions_digest = evaluation.predictions_digest
        Submission.objects.bulk_update(
            own, ["evaluation", "predictions_digest"], batch_size=ROWS_AT_ONCE
        )
        release.evaluator_version = get_track_or_raise(release.track).version
        release.save(update_fields=["evaluator_version"])
        earlier = [one for one in pending if one.release_id != release.pk]
        self._carry_over(release, earlier)
        if release.corrects is not None and release.state == Release.State.DRAFT:
            supersede(release, release.corrects)
        self._record_waiting(release)
        for split in {one.split for one in pending}:
            request_standing(release.pk, split)
        return len(pending)

    def _record_waiting(self, release: Release) -> None:
        for one in waiting_submissions(release):
            key = evaluation_key(
                release, one.split, one.predictions_digest, release.evaluator_version
            )
            evaluation = Evaluation.objects.filter(key=key).first() or self._compute(one)
            record_evaluation(submission_id=one.pk, evaluation=evaluation)

    def _carry_over(self, release: Release, earlier: list[Submission]) -> None:
        """Submissions to the corrected release of those to the earlier one."""
        present = Submission.objects.filter(release=release)
        taken = set(present.standing().values_list("model_id", "split"))
        chosen = set(present.filter(is_final=True).values_list("model_id", "split"))
        new, rivals = [], []
        for one, evaluation in zip(earlier, self.evaluate(earlier), strict=True):
            is_rival = one.is_standing and (one.model_id, one.split) in taken
            copied = Submission(
                release=release,
                rescored_from=one,
                evaluation=evaluation,
                predictions_digest=evaluation.predictions_digest,
                is_standing=one.is_standing and not is_rival,
                is_final=one.is_final and (one.model_id, one.split) not in chosen,
                **{name: getattr(one, name) for name in COPIED_FIELDS},
            )
            new.append(copied)
            if is_rival:
                rivals.append((copied, evaluation))
        Submission.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
        for copied, evaluation in rivals:
            if is_improvement(copied, evaluation) and may_stand(copied):
                make_standing(copied)


def lock_release(release: Release) -> Release:
    """The release, locked with the one that it corrects: neither gets a new score meanwhile."""
    pair = [pk for pk in (release.corrects_id, release.pk) if pk]
    rows = Release.objects.filter(pk__in=pair).order_by("created_at")
    list(rows.select_for_update(of=("self",), no_key=True))
    return Release.objects.select_related("corrects").get(pk=release.pk)


def supersede(release: Release, earlier: Release) -> None:
    """The corrected release takes the place of the earlier one, which leads to it."""
    is_open = earlier.state == Release.State.OPEN
    release.state = Release.State.OPEN if is_open else Release.State.CLOSED
    earlier.state = Release.State.DEPRECATED
    for one in (release, earlier):
        one.save(update_fields=["state"])
        announce_release_on_commit(one.pk)


@transaction.atomic
def end_correction(release: Release, reason: str, *, owner: User | None) -> str:
    """Let the earlier release be corrected otherwise; what was done, in words.

    The draft is deleted, or parted from the earlier release if something refers to it by now.
    """
    locked = lock_release(release)
    earlier = locked.corrects
    if earlier is None or locked.state != Release.State.DRAFT:
        return reason
    done = "was deleted"
    if not delete_unused(locked):
        done = "stays as a draft that corrects nothing"
        PoolStudy.objects.filter(corrected_as=locked).update(corrected_as=None)
        Release.objects.filter(pk=locked.pk).update(corrects=None)
    detail = f"{reason} The correction '{locked.slug}' {done}. Correct '{earlier.slug}' otherwise."
    mail_failed_correction_on_commit(owner or earlier.created_by, earlier.name, detail)
    return detail


def delete_unused(release: Release) -> bool:
    """False if submissions, sessions or masked graphs of it exist already."""
    if release.graphs.exists():
        return False
    try:
        with transaction.atomic():
            release.delete()
    except ProtectedError:
        return False
    return True


def waiting_submissions(release: Release) -> list[Submission]:
    """Submissions that were evaluated by another version than the release had then."""
    queued = Submission.objects.filter(release=release, state=SubmissionState.QUEUED)
    ordered = queued.select_related("rescored_from").order_by("created_at")
    return [one for one in ordered if get_job(one).state == JobState.SUCCEEDED]


def request_missing_rescorings() -> None:
    """Also after a lost message or a failure: corrections without their entries, and submissions
    that wait for one evaluator version. A new evaluator version is begun once."""
    for release in outdated_releases():
        with transaction.atomic():
            locked = lock_release(release)
            if not is_version_begun(locked):  # another sweep may have ended since
                request_rescoring(locked)
    for release in unfinished_releases():
        recent = Job.objects.filter(
            kind=RESCORING, created_at__gt=timezone.now() - RETRIED_AFTER
        ).about(release_subject(release))
        if not recent.exists():
            with transaction.atomic():
                request_rescoring(lock_release(release))


def outdated_releases() -> Iterator[Release]:
    """Those whose scores are by another evaluator version than the present one, which is new."""
    for slug, track in load_tracks().items():
        releases = Release.objects.filter(track=slug).exclude(evaluator_version=track.version)
        for release in releases.order_by("created_at"):
            if not is_version_begun(release) and pending_submissions(release).exists():
                yield release


def is_version_begun(release: Release) -> bool:
    """Whether the release has, or had, a score or a job by the present version.

    So a worker that still has the earlier code does not lead the release back to it, and what has
    failed waits for its organiser. A job that succeeded without a score ran on the earlier code.
    """
    version = get_track_or_raise(release.track).version
    if Evaluation.objects.filter(release=release, evaluator_version=version).exists():
        return True
    jobs = Job.objects.filter(kind=RESCORING, parameters__version=version)
    return jobs.about(release_subject(release)).exclude(state=JobState.SUCCEEDED).exists()


def unfinished_releases() -> Iterator[Release]:
    releases = Release.objects.filter(track__in=load_tracks())
    for release in releases.filter(corrects__isnull=False):
        if release.state == Release.State.DRAFT or pending_submissions(release).exists():
            yield release
    queued = Submission.objects.filter(state=SubmissionState.QUEUED)
    for release in releases.filter(pk__in=queued.values("release")):
        if waiting_submissions(release):
            yield release
