"""Sealed predictions: stored with their hash and time, and scored once the answers exist.

No score of a sealed prediction exists before: its release has no answers. A later version of the
graph makes a release of its own with those of the pairs that were linked meanwhile, and each sealed
file becomes a free submission to it, with the time at which it was sealed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.link_discoveries.sealed_pairs import LabelledPairs, label_pairs
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.sealed_releases import later_versions, make_unsealed_release
from backend.common.errors import Conflict, DomainError
from backend.evaluation.baselines import request_baselines
from backend.evaluation.models import Submission, SubmissionQuerySet, SubmissionState
from backend.evaluation.prediction_files import PredictionFile, store_predictions
from backend.evaluation.queries import require_query
from backend.evaluation.release_items import load_items
from backend.evaluation.scoring import open_predictions
from backend.evaluation.services import (
    NewSubmission,
    build_submission,
    lock_scores,
    lock_submitter,
    require_access,
    submit_predictions,
)
from backend.evaluation.validation import read_valid_predictions
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.tracks.registry import load_tracks
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows

UNSEALING = "unsealing"  # kind of job


def seal_predictions(*, actor: User | None, new: NewSubmission, file: PredictionFile) -> Submission:
    """Validate a stored file and keep it unscored, with the present time.

    Equal predictions of a model are sealed once: the earlier time holds. Raises as
    `submit_predictions`, and Conflict once a later version of the graph is known.
    """
    require_access(actor, new.release, new.model)
    digest = read_valid_predictions(new.release, new.split, file, actor=actor).digest
    with transaction.atomic():
        team = lock_submitter(actor) if actor is not None else None
        release = lock_scores(new.release.pk)
        require_access(actor, release, new.model)
        require_unknown_answers(release)
        equal = sealed_submissions(release).filter(model=new.model, predictions_digest=digest)
        if earlier := equal.first():
            return earlier
        sealed = build_submission(actor, team, replace(new, release=release), file, digest)
        sealed.state = SubmissionState.SEALED
        if actor is not None and not sealed.is_free:
            require_query(actor, release)
        file.store()
        sealed.save(force_insert=True)
    return sealed


def require_unknown_answers(release: Release) -> None:
    if not release.is_sealed or release.graph_version is None:
        raise Conflict("This release is not sealed. Submit the predictions.", code="not_sealed")
    if release.has_ended or later_versions(release.graph_version).exists():
        message = "A later version of the graph has the answers. Nothing more can be sealed."
        raise Conflict(message, code="answers_are_known")


def sealed_submissions(release: Release) -> SubmissionQuerySet:
    """The earliest first."""
    rows = Submission.objects.filter(release=release, state=SubmissionState.SEALED)
    return rows.select_related("model").order_by("created_at", "pk")


@transaction.atomic
def request_unsealing(
    *,
    actor: User | None,
    release: Release,
    version: Version | None = None,
    until: int | None = None,
    is_local: bool = False,
) -> Job:
    """Let all sealed predictions be scored by a later version of the graph, the newest without one.

    until: the last year whose links count, that of the version without it. Raises NotAllowed,
    Conflict or DomainError.
    """
    if actor is not None:
        require_release_organiser(actor, release)
    locked = lock_scores(release.pk)
    if not locked.is_sealed or locked.graph_version is None:
        raise Conflict("This release is not sealed. There is nothing to open.", code="not_sealed")
    if locked.state == Release.State.DRAFT:
        raise Conflict("The release is a draft. Open it first.", code="release_is_draft")
    later = later_versions(locked.graph_version)
    chosen = later.last() if version is None else later.filter(pk=version.pk).first()
    if chosen is None:
        message = "No later version of the graph is there. Import one into the same graph."
        raise Conflict(message, code="no_later_version")
    active: Job | None = Job.objects.active().filter(kind=UNSEALING).about(locked.subject).first()
    if active is not None:
        return active
    if locked.unsealed_as.filter(graph_version=chosen).exists():
        raise Conflict("This version has its board already.", code="already_unsealed")
    parameters = {"release": str(locked.pk), "version": chosen.pk, "until": until}
    request = JobRequest(UNSEALING, parameters, subjects=[locked.subject])
    return request_job(owner=actor, request=request, is_local=is_local).job


@dataclass(frozen=True)
class Unsealing:
    release: Release
    version: Version
    until: int | None

    def label(self) -> LabelledPairs:
        """Raises DomainError if nothing can be compared."""
        if self.release.cutoff is None:
            raise TypeError("a sealed release has a cut-off")
        items = load_items(self.release, ReleaseSplit.TEST).table.items
        graph = open_version_snapshot(self.version)
        return label_pairs(items, graph, self.release.cutoff, self.until, self.release.seed)

    def store(self, labelled: LabelledPairs) -> Mapping[str, Any]:
        """In one transaction: the release, closed, with the submissions that are to be scored."""
        sealed = lock_scores(self.release.pk)
        release = make_unsealed_release(sealed, self.version, labelled)
        ids = {row.id for row in labelled.rows}
        # Whoever sealed after the version was there could have read it.
        timely = sealed_submissions(sealed).filter(created_at__lt=self.version.created_at)
        copies = [self._submit(release, one, ids) for one in timely]
        request_baselines(release)
        return {
            "release": release.slug,
            "links": labelled.links,
            "dropped": dict(labelled.dropped),
            "until": labelled.until,
            "submissions": len(copies),
            "late": sealed_submissions(sealed).count() - len(copies),
        }

    def _submit(self, release: Release, sealed: Submission, ids: set[str]) -> Submission:
        lines = [
            json.dumps({"id": one.id, "score": one.score})
            for one in read_sealed_scores(sealed)
            if one.id in ids
        ]
        text = "".join(f"{line}\n" for line in lines)
        file = store_predictions(text.encode(), f"{sealed.model.slug}-unsealed.jsonl")
        new = NewSubmission(
            release=release,
            model=sealed.model,
            declared=sealed.declared,
            anonymous_until=sealed.anonymous_until,
        )
        submission, _ = submit_predictions(actor=None, new=new, file=file)
        Submission.objects.filter(pk=submission.pk).update(
            submitted_by=sealed.submitted_by,
            team=sealed.team,
            provenance=sealed.provenance,
            created_at=sealed.created_at,
            unsealed_from=sealed,
        )
        return submission


def read_sealed_scores(sealed: Submission) -> Sequence[Any]:
    """The rows of the stored file. Raises PlatformFault if it is not what was sealed."""
    track, faults = load_tracks()[sealed.release.track], RowFaultList()
    with open_predictions(sealed, is_verified=True) as stream:
        batches = read_rows(stream, sealed.file_name, track.prediction_rows, faults)
        rows = [row for batch in batches for row in batch.values]
    if faults.total:
        sentence = "A sealed file can no longer be read. Restore it from a backup, then try again."
        raise DomainError(sentence, code="file_changed")
    return rows
