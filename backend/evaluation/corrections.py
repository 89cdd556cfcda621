"""Corrections of a release: the corrected one is made, and what was submitted is scored on it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.corrections import Verdicts, make_corrected_release
from backend.benchmarks.models import Release
from backend.benchmarks.policies import require_release_organiser
from backend.evaluation.services import lock_scores, request_rescoring
from backend.jobs.models import Job


@dataclass(frozen=True)
class CorrectionRequest:
    """name, slug: of the corrected release. rows, verdicts: see backend.benchmarks.corrections."""

    name: str
    rows: Sequence[object]
    slug: str = ""
    verdicts: Verdicts = field(default_factory=dict)


@transaction.atomic
def correct_release(
    *, actor: User | None, release: Release, request: CorrectionRequest, is_local: bool = False
) -> tuple[Release, Job]:
    """The corrected release as a draft, and the job that opens it with all entries scored again.

    actor: None for a command. is_local: the calling command runs the job by itself.
    Raises NotAllowed, Conflict, or DomainError with every fault of the rows.
    """
    if actor is not None:
        require_release_organiser(actor, release)
    corrected = make_corrected_release(
        release=release,
        name=request.name,
        slug=request.slug,
        rows=request.rows,
        verdicts=request.verdicts,
    )
    return corrected, request_rescoring(corrected, owner=actor, is_local=is_local)


@transaction.atomic
def rescore_release(*, actor: User, release: Release) -> Job:
    """Start scoring by the present evaluator. Raises NotAllowed."""
    require_release_organiser(actor, release)
    return request_rescoring(lock_scores(release.pk), owner=actor)
