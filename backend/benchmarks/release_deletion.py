"""Deletion of drafts: of releases that nobody but their organisers has seen."""

from collections import Counter

from django.db import transaction
from django.db.models import ProtectedError

from backend.accounts.models import User
from backend.benchmarks.models import HiddenAnswer, Item, JudgedAnswer, Release
from backend.benchmarks.policies import (
    lock_release_or_raise,
    require_release_organiser,
    require_version,
)
from backend.common.errors import Conflict
from backend.common.pluralize import pluralize
from backend.graphs.versions import VersionReferenced, delete_masked_version
from backend.jobs.models import Job


@transaction.atomic
def delete_draft(*, actor: User, release: Release, version: int | None = None) -> None:
    """Delete the draft with its items, answers and masked graphs. version: as the actor read it.

    Raises NotAllowed, NotFound, or Conflict where it was opened or changed since, corrects a
    release, has a job under way, or predictions, runs, sessions or views refer to it or to its
    graphs.
    """
    require_release_organiser(actor, release)
    locked = lock_release_or_raise(release.pk)
    _require_idle_draft(locked)
    require_version(locked, version)
    masked = [one.version for one in locked.graphs.select_related("version__graph")]
    try:
        delete_rows(locked)
    except ProtectedError as error:
        message = f"This draft has {_count_users(error)}. It stays; nobody else sees it."
        raise Conflict(message, code="release_in_use") from error
    for one in masked:
        try:
            delete_masked_version(one)
        except VersionReferenced as error:
            users = ", ".join(error.data.get("cited_by", ["others"]))
            message = f"A masked graph of this draft is used by {users}. End or delete that first."
            raise Conflict(message, code="release_in_use") from error


def _count_users(error: ProtectedError) -> str:
    """What refers to the draft, in words: '1 evaluation, 2 submissions'."""
    counts = Counter(type(one) for one in error.protected_objects)
    named = sorted((str(model._meta.verbose_name), count) for model, count in counts.items())
    return ", ".join(pluralize(count, name) for name, count in named)


def _require_idle_draft(release: Release) -> None:
    if release.state != Release.State.DRAFT:
        message = "This release was opened, so its page and results stay. Deprecate it instead."
        raise Conflict(message, code="release_was_opened")
    if release.corrects_id is not None:
        message = "A corrected release opens once its entries are scored. Cancel its job instead."
        raise Conflict(message, code="release_is_correction")
    if Job.objects.active().about(release.subject).exists():
        message = "A job of this draft is under way. Cancel it, or wait until it has ended."
        raise Conflict(message, code="job_under_way")


def delete_rows(release: Release) -> None:
    """The release with what is its own. Raises ProtectedError where something else refers to it.

    Large tables with one statement each; Django would fetch the rows first.
    """
    for rows in (
        HiddenAnswer.objects.filter(item__release=release),
        JudgedAnswer.objects.filter(item__release=release),
        Item.objects.filter(release=release),
    ):
        rows._raw_delete(rows.db)
    release.delete()
