"""Views that somebody keeps: a permanent link to what the explorer showed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import Missing
from backend.graphs.models import SavedView, Version
from backend.graphs.policies import NOTHING_HERE, visible_graphs


@transaction.atomic
def save_view(
    *, actor: User | None, version: Version, title: str, state: Mapping[str, str]
) -> SavedView:
    """Whoever may see a graph may keep a view of it, for everybody who may see the graph."""
    # A version that is being removed at this moment is not there any more.
    held = Version.objects.select_for_update(no_key=True).ready().filter(id=version.pk).first()
    if held is None:
        raise Missing(NOTHING_HERE)
    return SavedView.objects.create(version=held, title=title, state=dict(state), owner=actor)


def get_view_or_raise(user: User | None, view_id: uuid.UUID) -> SavedView:
    found = SavedView.objects.select_related("version__graph").filter(id=view_id).first()
    if found is None or not visible_graphs(user).filter(id=found.version.graph_id).exists():
        raise Missing(NOTHING_HERE)
    return found
