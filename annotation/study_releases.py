"""Freeze a study under a name that papers can cite.

The checksum is the SHA-256 of the JSON export without `exported_at`: its keys sorted, without
spaces between them, in UTF-8.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable

from django.core.validators import slug_re
from django.db import transaction
from django.utils import timezone

from annotation.exports import export_json
from annotation.models import StudyRelease
from annotation.release_record import build_record
from backend.accounts.models import User
from backend.benchmarks.study_links import check_not_hidden
from backend.common.errors import Conflict, DomainError, NotFound
from backend.common.slugs import MAX_SLUG_LENGTH
from backend.studies.life_cycle import check_move, move_study
from backend.studies.models import Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import get_coordinated_study_or_raise
from backend.validation.faults import Fault


@transaction.atomic
def freeze_study(*, actor: User | None, study_id: uuid.UUID, slug: str) -> StudyRelease:
    """The actor None is the command line. Raises Conflict unless the study is closed."""
    if actor is not None:
        get_coordinated_study_or_raise(actor, study_id)
    study = Study.objects.select_for_update().get(pk=study_id)
    check_can_freeze(study, slug)
    move_study(study, Study.Status.FROZEN)
    now = timezone.now()
    release = StudyRelease.objects.create(
        study=study,
        slug=slug,
        checksum=compute_checksum(export_json(study)),
        record=build_record(study, now),
        created_by=actor,
        created_at=now,
    )
    notify_on_commit(study.id, "board")
    return release


def check_can_freeze(study: Study, slug: str) -> None:
    """Raises DomainError for a name that cannot be one, and Conflict unless the study is closed."""
    _check_slug(slug)
    if StudyRelease.objects.exclude(study=study).filter(slug=slug).exists():
        raise Conflict("Another release has this name. Choose another name.", code="name_taken")
    if study.status == Study.Status.FROZEN:
        raise Conflict("This study is frozen already.", code="study_frozen")
    check_move(study, Study.Status.FROZEN)
    check_not_hidden(study)


def _check_slug(slug: str) -> None:
    if len(slug) > MAX_SLUG_LENGTH or not slug_re.match(slug):
        expected = f"at most {MAX_SLUG_LENGTH} letters, digits, hyphens and underscores"
        fault = Fault("slug", "This cannot be the name of a release.", "slug_invalid", expected)
        raise DomainError(fault.message, code="slug_invalid", faults=[fault])


def compute_checksum(export: Iterable[str]) -> str:
    content = json.loads("".join(export))
    content.pop("exported_at", None)
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_release(release: StudyRelease, export: Iterable[str] | None = None) -> None:
    """Whether an export, by default a new one, is what was frozen."""
    try:
        checksum = compute_checksum(export_json(release.study) if export is None else export)
    except (ValueError, AttributeError) as error:
        raise DomainError("This file is no JSON export of a study.") from error
    if checksum != release.checksum:
        raise Conflict(
            f"This export is not what release '{release.slug}' froze.",
            code="checksum_differs",
            data={"expected": release.checksum, "checksum": checksum},
        )


def get_release_of_study_or_raise(study: Study) -> StudyRelease:
    release = StudyRelease.objects.filter(study=study).select_related("study").first()
    if release is None:
        raise NotFound(f"The study '{study.name}' has no release. Freeze it first.")
    return release


def find_release_or_raise(name: str) -> StudyRelease:
    """By its own name, or by that of its study."""
    releases = StudyRelease.objects.select_related("study")
    release = releases.filter(slug=name).first() or releases.filter(study__name=name).first()
    if release is None:
        raise NotFound(f"There is no release '{name}'. Freeze a study first.")
    return release
