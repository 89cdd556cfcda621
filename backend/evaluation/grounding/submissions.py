"""Grounds the rationales of a submission, within what its release lets a model know."""

from decimal import Decimal

from django.db import transaction
from django.db.models import Q

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import walked_version
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.grounding.submission_rationales import NO_RATIONALES, read_predicted_items
from backend.evaluation.models import (
    Grounding,
    GroundingState,
    Submission,
    SubmissionGrounding,
    SubmissionState,
)
from backend.evaluation.policies import may_see_submission
from backend.graphs.models import Collection, Version
from backend.jobs.models import Job
from backend.llm.models import Endpoint

Grounded = tuple[SubmissionGrounding, Job | None]


def default_version(release: Release) -> Version:
    """The graph that baselines and model runs read. Raises ReleaseGraphMissing, Conflict."""
    version = walked_version(release)
    if version is None:
        message = "The release has no graph. Name one whose edges support claims."
        raise Conflict(message, code="graph_missing")
    return version


def settings_within(
    release: Release,
    *,
    version: Version | None,
    collection: Collection | None,
    endpoint: Endpoint | None = None,
    budget: Decimal = Decimal(0),
) -> GroundingSettings:
    """version: None for the release's own; of the release's graph always the release's version.

    Raises Conflict for a graph that shows what is masked.
    """
    own = walked_version(release)
    if version is not None and own is not None and version.graph_id == own.graph_id:
        version = own
    is_masked = own is not None and own.pk != release.graph_version_id
    if is_masked and own is not None and version is not None and version.pk != own.pk:
        message = f"This release has a masked graph. Ground its submissions on {own.graph.slug}."
        raise Conflict(message, code="graph_not_masked")
    return GroundingSettings(
        version=version or default_version(release),
        collection=collection,
        cutoff=release.cutoff,
        endpoint=endpoint,
        budget=budget,
    )


def require_groundable(actor: User | None, submission: Submission) -> None:
    """Raises NotAllowed or Conflict. actor: None for a command."""
    if actor is not None and not may_see_submission(actor, submission):
        raise NotAllowed("Only the submitter or an organiser can ground this submission.")
    if submission.state != SubmissionState.SCORED:
        message = f"This submission is {submission.state}. Only scored ones are grounded."
        raise Conflict(message, code="not_scored")


def ground_submission(
    *,
    actor: User | None,
    submission: Submission,
    settings: GroundingSettings,
    is_local: bool = False,
) -> Grounded:
    """Queue all its rationales as one job. The same settings are grounded once, unless
    rationales failed by a fault of the platform or the endpoint; then the job is None.

    Raises NotAllowed, Conflict, and what `request_groundings` raises.
    """
    require_groundable(actor, submission)
    rows = read_predicted_items(submission).rows
    if not rows:
        raise Conflict(NO_RATIONALES, code="no_rationales")
    with transaction.atomic():
        locked = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
        require_groundable(actor, locked)
        if earlier := find_equal(submission, settings):
            return earlier, None
        groundings, job = request_groundings(
            actor=actor,
            rows=rows,
            settings=settings,
            is_local=is_local,
            subject=f"submission-grounding:{submission.pk}",
        )
        linked = SubmissionGrounding.objects.create(
            submission=submission, batch=groundings[0].batch, requested_by=actor
        )
    return linked, job


def find_equal(submission: Submission, settings: GroundingSettings) -> SubmissionGrounding | None:
    for one in SubmissionGrounding.objects.filter(submission=submission):
        rows = Grounding.objects.filter(batch=one.batch)
        may_pass = Q(state=GroundingState.FAILED, error__code__startswith="PLATFORM_")
        is_open = rows.filter(state=GroundingState.QUEUED).exists()
        is_final = is_open or not rows.filter(may_pass).exists()
        if is_final and rows.filter(**settings.fields()).exists():
            return one
    return None
