"""What changes of a release once it is made: its state, its dates and its metadata."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, JSONField, OuterRef, Subquery, TextField, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.announcements import announce_release_on_commit
from backend.benchmarks.models import Item, Release
from backend.benchmarks.policies import (
    lock_release_or_raise,
    require_release_organiser,
    require_version,
)
from backend.benchmarks.release_graph_lookup import request_query_databases, require_masked_graphs
from backend.benchmarks.releases import require_order
from backend.common.errors import Conflict
from backend.common.pluralize import pluralize
from backend.validation.faults import Fault

# The content of an item, whichever masked graph it is about.
QUESTION = CombinedExpression(
    F("content"), "-", Cast(Value("graph"), TextField()), output_field=JSONField()
)
ALLOWED_TRANSITIONS: Mapping[Release.State, frozenset[Release.State]] = {
    Release.State.DRAFT: frozenset({Release.State.OPEN}),
    Release.State.OPEN: frozenset({Release.State.CLOSED, Release.State.DEPRECATED}),
    Release.State.CLOSED: frozenset({Release.State.OPEN, Release.State.DEPRECATED}),
    Release.State.DEPRECATED: frozenset(),
}


@transaction.atomic
def change_release_state(
    *, actor: User | None, release: Release, to: Release.State, version: int | None = None
) -> Release:
    """version: as the actor read it. A state that the release has already is no change.

    Raises NotAllowed, or Conflict if it was changed since, or for a step that the state does not
    allow.
    """
    if actor is not None:
        require_release_organiser(actor, release)
    locked = lock_release_or_raise(release.pk)
    has_closed = locked.phase == Release.Phase.CLOSED
    origin = Release.State.CLOSED if has_closed else Release.State(locked.state)
    if origin == to:
        return locked
    require_version(locked, version)
    if origin == Release.State.DRAFT and locked.corrects_id is not None:
        raise Conflict("A corrected release opens by itself once its entries are scored again.")
    if to not in ALLOWED_TRANSITIONS[origin]:
        raise Conflict(
            f"A release that is {origin.label.lower()} cannot become {to.label.lower()}."
        )
    if to == Release.State.OPEN:
        if locked.unsealed_as.exists():
            raise Conflict("Its answers are public now. Seal predictions on the later version.")
        require_hidden_elsewhere(locked)
        require_masked_graphs(locked)
        request_query_databases(locked)
    _record_closing(locked, to)
    locked.state = to
    locked.version += 1
    locked.save(update_fields=["state", "closes_at", "version"])
    announce_release_on_commit(locked.pk)
    return locked


def require_hidden_elsewhere(release: Release) -> None:
    """Raises Conflict where an item is of the dev split here and of the test split elsewhere.

    Answers of dev items are public as soon as one is scored. Elsewhere: in another release of the
    track that was opened; what is sealed has no answers to publish, and the demo's are public
    files. Items are the same by key and content: numbers of queries are used by many data sets.
    """
    if release.is_sealed or release.is_demo:
        return
    same = Item.objects.filter(release__track=release.track, key=OuterRef("key"))
    same = same.alias(question=QUESTION).filter(question=OuterRef("question"))
    others = same.exclude(release=release).exclude(release__state=Release.State.DRAFT)
    others = others.filter(release__is_demo=False)
    others = others.exclude(release__is_sealed=True).exclude(split=OuterRef("split"))
    items = Item.objects.filter(release=release).alias(question=QUESTION)
    clash = items.annotate(other=Subquery(others.values("release__name")[:1])).exclude(other=None)
    first = clash.values_list("key", "other").first()
    if first is not None:
        raise Conflict(
            f"{pluralize(clash.count(), 'item')} of this release, such as {first[0]}, "
            f"would be public here and hidden in '{first[1]}', or the other way round. Make the "
            "release with the same test share and seed, or of other items.",
            code="public_elsewhere",
        )


def _record_closing(release: Release, to: Release.State) -> None:
    """Let the closing date agree with a release that is closed or opened by hand."""
    now = timezone.now()
    has_closed = release.closes_at is not None and release.closes_at <= now
    has_opened = release.opens_at is None or release.opens_at < now
    if to == Release.State.OPEN and has_closed:
        release.closes_at = None
    elif to == Release.State.CLOSED and has_opened and not has_closed:
        release.closes_at = now


@transaction.atomic
def close_due_releases() -> None:
    """Store that the closing date of open releases has passed; `Release.phase` knows it before."""
    due = list(Release.objects.past_closing().select_for_update().values_list("pk", flat=True))
    Release.objects.filter(pk__in=due).update(state=Release.State.CLOSED)
    for release_id in due:
        announce_release_on_commit(release_id)


@transaction.atomic
def change_release_metadata(
    *, actor: User, release: Release, version: int, fields: Mapping[str, Any]
) -> Release:
    """Values that are equal already are no change.

    Raises NotAllowed, Conflict if it was changed since `version` or a closed one would get a later
    closing date, or DomainError where it would close before it opens.
    """
    require_release_organiser(actor, release)
    locked = lock_release_or_raise(release.pk)
    changed = {name: value for name, value in fields.items() if getattr(locked, name) != value}
    if not changed:
        return locked
    require_version(locked, version)
    if "closes_at" in changed:
        _require_stays_closed(locked, changed["closes_at"])
    for name, value in changed.items():
        setattr(locked, name, value)
    require_order(locked.opens_at, locked.closes_at)
    locked.version += 1
    locked.save(update_fields=[*changed, "version"])
    announce_release_on_commit(locked.pk)
    return locked


def _require_stays_closed(release: Release, closes_at: datetime | None) -> None:
    """A later date would open it by chance: only until the sweep has stored that it is closed."""
    is_past = closes_at is not None and closes_at <= timezone.now()
    if release.phase == Release.Phase.CLOSED and not is_past:
        message = "This release has closed. Open it again, then set a later closing date."
        fault = Fault("closes_at", message, "release_has_closed")
        raise Conflict(message, code="release_has_closed", faults=[fault])
