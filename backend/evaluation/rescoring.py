"""Stored predictions are scored again: by a new evaluator version, or for a corrected release.

New evaluations are stored beside the old ones. Then one transaction exchanges them all, so that the
scores of a release are always of one version.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from backend.benchmarks.announcements import announce_release_on_commit
from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import walked_graph
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.component_files import has_components
from backend.evaluation.damaged_files import DamagedFile, damaged_file
from backend.evaluation.lost_predictions import (
    leave_out,
    leave_out_of_correction,
    left_out_submissions,
    take_left_out,
)
from backend.evaluation.models import (
    Evaluation,
    Submission,
    SubmissionQuerySet,
    SubmissionState,
)
from backend.evaluation.scoring import (
    ScoredSplit,
    compute_evaluation,
    evaluation_key,
    store_evaluation,
)
from backend.evaluation.services import (
    RESCORING,
    fail_submission,
    get_job,
    record_evaluation,
    request_rescoring,
    request_standing,
)
from backend.evaluation.standing import is_improvement, make_standing, may_stand
from backend.jobs.faults import error_payload
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
Scored = tuple[Submission, Evaluation]


def pending_submissions(release: Release) -> SubmissionQuerySet:
    """Scored submissions without an evaluation of this release by the present evaluator.

    Also those that were scored before the masked graph of its partition, which leaves questions
    out, and withdrawn ones that the Ladder compares with. Not those whose file was lost before:
    see `left_out_submissions`.
    """
    version = get_track_or_raise(release.track).version
    other_version = Q(release=release) & ~Q(evaluation__evaluator_version=version)
    walked = walked_graph(release)
    if walked is not None:
        before_mask = Q(evaluation__created_at__lt=walked.created_at)
        other_version |= Q(release=release) & before_mask
    earlier = Q(release=release.corrects_id, rescored_as=None) if release.corrects_id else Q()
    scored = Submission.objects.scored()
    withdrawn = Submission.objects.ladder().filter(state=SubmissionState.WITHDRAWN)
    compared = scored | withdrawn
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

    def evaluate(self, submissions: Sequence[Submission]) -> Iterator[Evaluation | None]:
        """None for one whose stored file is lost or damaged."""
        keys = [self._keys.get(str(one.pk), "") for one in submissions]
        stored = Evaluation.objects.in_bulk(keys, field_name="key")
        for submission, key in zip(submissions, keys, strict=True):
            yield stored.get(key) or self._compute_unless_lost(submission)

    def _compute_unless_lost(self, submission: Submission) -> Evaluation | None:
        try:
            return self._compute(submission)
        except DamagedFile:
            return None

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
        pending = self._list_unscored(self.release)
        for number, _ in enumerate(self.evaluate(pending)):
            report(number + 1, len(pending))

    def _list_unscored(self, release: Release) -> list[Submission]:
        return [*pending_submissions(release), *left_out_submissions(release)]

    @transaction.atomic
    def exchange(self) -> tuple[int, list[str]]:
        """Give each submission its new evaluation; how many have one, and which were left out.

        What was scored since is evaluated here: nothing else ends while the rows are locked.
        """
        release = lock_release(self.release)
        unscored = self._list_unscored(release)
        evaluated = list(zip(unscored, self.evaluate(unscored), strict=True))
        scored = [(one, evaluation) for one, evaluation in evaluated if evaluation is not None]
        lost = [one for one, evaluation in evaluated if evaluation is None]
        self._exchange_own([pair for pair in scored if pair[0].release_id == release.pk])
        leave_out(one for one in lost if one.release_id == release.pk)
        release.evaluator_version = get_track_or_raise(release.track).version
        release.save(update_fields=["evaluator_version"])
        self._carry_over(release, [pair for pair in scored if pair[0].release_id != release.pk])
        for one in lost:
            if one.release_id != release.pk:
                leave_out_of_correction(release, one, copy_submission)
        if release.corrects is not None and release.state == Release.State.DRAFT:
            supersede(release, release.corrects)
        self._record_waiting(release)
        for split in {one.split for one in unscored}:
            request_standing(release.pk, split)
        return len(scored), [str(one.pk) for one in lost]

    def _exchange_own(self, scored: Sequence[Scored]) -> None:
        for one, evaluation in scored:
            one.evaluation = evaluation
            one.predictions_digest = evaluation.predictions_digest
        own = [one for one, _ in scored]
        Submission.objects.bulk_update(
            own, ["evaluation", "predictions_digest"], batch_size=ROWS_AT_ONCE
        )
        restored = [one.pk for one in own if one.error and one.state == SubmissionState.SCORED]
        Submission.objects.filter(pk__in=restored).update(error=None)

    def _record_waiting(self, release: Release) -> None:
        for one in waiting_submissions(release):
            key = evaluation_key(
                release, one.split, one.predictions_digest, release.evaluator_version
            )
            known = Evaluation.objects.filter(key=key).first() if has_components(key) else None
            if evaluation := known or self._compute_unless_lost(one):
                record_evaluation(submission_id=one.pk, evaluation=evaluation)
            else:
                error = error_payload(damaged_file(one))
                fail_submission(submission_id=one.pk, error=error, is_refunded=True)

    def _carry_over(self, release: Release, earlier: Sequence[Scored]) -> None:
        """Submissions to the corrected release of those to the earlier one."""
        present = Submission.objects.filter(release=release)
        taken = set(present.standing().values_list("model_id", "split"))
        chosen = set(present.filter(is_final=True).values_list("model_id", "split"))
        left_out = take_left_out(release, [one for one, _ in earlier])
        new, rivals = [], []
        for one, evaluation in earlier:
            is_rival = one.is_standing and (one.model_id, one.split) in taken
            copied = copy_submission(
                one,
                id=left_out.get(one.pk) or uuid.uuid4(),
                release=release,
                evaluation=evaluation,
                predictions_digest=evaluation.predictions_digest,
                is_standing=one.is_standing and not is_rival,
                is_final=one.is_final and (one.model_id, one.split) not in chosen,
            )
            new.append(copied)
            if is_rival:
                rivals.append((copied, evaluation))
        Submission.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
        for copied, evaluation in rivals:
            if is_improvement(copied, evaluation) and may_stand(copied):
                make_standing(copied)


def copy_submission(one: Submission, **own: Any) -> Submission:
    """To the corrected release; not stored yet."""
    copied = {name: getattr(one, name) for name in COPIED_FIELDS}
    return Submission(rescored_from=one, **{**copied, **own})


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
        one.version += 1  # both rows are locked
        one.save(update_fields=["state", "version"])
        announce_release_on_commit(one.pk)


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
        ).about(release.subject)
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
    return jobs.about(release.subject).exclude(state=JobState.SUCCEEDED).exists()


def unfinished_releases() -> Iterator[Release]:
    releases = Release.objects.filter(track__in=load_tracks())
    for release in releases.filter(corrects__isnull=False):
        if release.state == Release.State.DRAFT or pending_submissions(release).exists():
            yield release
    queued = Submission.objects.filter(state=SubmissionState.QUEUED)
    for release in releases.filter(pk__in=queued.values("release")):
        if waiting_submissions(release):
            yield release
