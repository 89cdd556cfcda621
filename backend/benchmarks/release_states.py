"""What changes of a release once it is made: its state, its dates and its metadata."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.release_graph_lookup import request_query_databases, require_masked_graphs
from backend.benchmarks.releases import require_order
from backend.common.errors import Conflict

ALLOWED_TRANSITIONS: Mapping[Release.State, frozenset[Release.State]] = {
    Release.State.DRAFT: frozenset({Release.State.OPEN}),
    Release.State.OPEN: frozenset({Release.State.CLOSED, Release.State.DEPRECATED}),
    Release.State.CLOSED: frozenset({Release.State.OPEN, Release.State.DEPRECATED}),
    Release.State.DEPRECATED: frozenset(),
}


@transaction.atomic
def change_release_state(*, actor: User | None, release: Release, to: Release.State) -> Release:
    """Raises NotAllowed, or Conflict for a step that the state does not allow."""
    if actor is not None:
        require_release_organiser(actor, release)
    locked = Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    has_closed = locked.phase == Release.Phase.CLOSED
    origin = Release.State.CLOSED if has_closed else Release.State(locked.state)
    if origin == to:
        return locked
    if origin == Release.State.DRAFT and locked.corrects_id is not None:
        raise Conflict("A corrected release opens by itself once its entries are scored again.")
    if to not in ALLOWED_TRANSITIONS[origin]:
        raise Conflict(
            f"A release that is {origin.label.lower()} cannot become {to.label.lower()}."
        )
    if to == Release.State.OPEN:
        if locked.unsealed_as.exists():
            raise Conflict("Its answers are public now. Seal predictions on the later version.")
        require_masked_graphs(locked)
        request_query_databases(locked)
    _record_closing(locked, to)
    locked.state = to
    locked.save(update_fields=["state", "closes_at"])
    return locked


def _record_closing(release: Release, to: Release.State) -> None:
    """Let the closing date agree with a release that is closed or opened by hand."""
    now = timezone.now()
    has_closed = release.closes_at is not None and release.closes_at <= now
    has_opened = release.opens_at is None or release.opens_at < now
    if to == Release.State.OPEN and has_closed:
        release.closes_at = None
    elif to == Release.State.CLOSED and has_opened and not has_closed:
        release.closes_at = now


def close_due_releases() -> None:
    """Store that the closing date of open releases has passed; `Release.phase` knows it before."""
    Release.objects.past_closing().update(state=Release.State.CLOSED)


@transaction.atomic
def change_release_metadata(*, actor: User, release: Release, fields: Mapping[str, Any]) -> Release:
    """Raises NotAllowed, or DomainError where it would close before it opens."""
    require_release_organiser(actor, release)
    locked = Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    for name, value in fields.items():
        setattr(locked, name, value)
    require_order(locked.opens_at, locked.closes_at)
    locked.save(update_fields=[*fields])
    return locked
