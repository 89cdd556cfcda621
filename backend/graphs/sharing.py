"""How a graph is described, and who else may see it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from backend.accounts import studies as joined
from backend.accounts.models import User
from backend.common.errors import NotAllowed
from backend.graphs.models import Graph, GraphShare
from backend.graphs.policies import require_owner
from backend.graphs.versions import describe_graph


@transaction.atomic
def change_graph(
    *, actor: User, graph: Graph, studies: Sequence[uuid.UUID] | None = None, **about: Any
) -> Graph:
    """Change what is named. The studies, where given, are from now on those it is shared with."""
    require_owner(actor, graph)
    describe_graph(graph, about)
    if studies is not None:
        _share(actor, graph, set(studies))
    return graph


def _share(actor: User, graph: Graph, wanted: set[uuid.UUID]) -> None:
    """With studies that she coordinates; what it was shared with before may stay."""
    before = set(graph.shares.values_list("study", flat=True))
    hers = {it.id for it in joined.memberships_of(actor) if "coordinator" in it.roles}
    if not actor.is_administrator and not wanted - before <= hers:
        raise NotAllowed("A graph can be shared with studies that you coordinate.")
    graph.shares.exclude(study__in=wanted).delete()
    GraphShare.objects.bulk_create(GraphShare(graph=graph, study=it) for it in wanted - before)


@transaction.atomic
def share_with_study(*, actor: User | None, graph: Graph, study: uuid.UUID) -> None:
    """Let the members of a study see a graph that it shows them. The actor None is the command
    line, which may share any; else a graph that is not public is its owner's to share.
    """
    if graph.visibility == Graph.Visibility.PUBLIC:
        return
    shared = graph.shares.filter(study=study).exists()
    if shared and graph.visibility == Graph.Visibility.STUDY:
        return
    if actor is not None:
        require_owner(actor, graph)
    describe_graph(graph, {"visibility": Graph.Visibility.STUDY})
    GraphShare.objects.get_or_create(graph=graph, study=study)
