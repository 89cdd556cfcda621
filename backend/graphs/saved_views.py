"""Saved views: permanent links to a state of the explorer."""

import uuid
from collections.abc import Mapping

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.graphs.models import SavedView, Version
from backend.graphs.policies import NOT_FOUND_MESSAGE, readable_graphs


@transaction.atomic
def save_view(
    *, actor: User | None, version: Version, title: str, state: Mapping[str, str]
) -> SavedView:
    """Save a view of a version. Whoever may see the graph may save and open views of it."""
    # The lock keeps the version from being deleted at the same moment.
    locked = Version.objects.select_for_update(no_key=True).ready().filter(id=version.pk).first()
    if locked is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return SavedView.objects.create(version=locked, title=title, state=dict(state), owner=actor)


def get_view_or_raise(user: User | None, view_id: uuid.UUID) -> SavedView:
    view = SavedView.objects.select_related("version__graph", "owner").filter(id=view_id).first()
    if view is None or not readable_graphs(user).filter(id=view.version.graph_id).exists():
        raise NotFound(NOT_FOUND_MESSAGE)
    return view
