"""Writes to a graph's metadata and to the studies that it is shared with."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import NotAllowed
from backend.graphs.models import Graph, GraphShare
from backend.graphs.policies import require_graph_owner
from backend.graphs.versions import update_graph_metadata
from backend.studies.models import Study
from backend.studies.policies import coordinated_studies


@transaction.atomic
def update_graph(
    *, actor: User, graph: Graph, studies: Sequence[uuid.UUID] | None = None, **about: Any
) -> Graph:
    """Update the given fields. `studies`, if given, replaces the studies it is shared with."""
    require_graph_owner(actor, graph)
    update_graph_metadata(graph, about)
    if studies is not None:
        _replace_shares(actor, graph, set(studies))
    return graph


def _replace_shares(actor: User, graph: Graph, study_ids: set[uuid.UUID]) -> None:
    """Add only studies that the actor coordinates; existing shares may stay."""
    before = set(graph.shares.values_list("study", flat=True))
    own = set(coordinated_studies(actor).values_list("id", flat=True))
    if not actor.is_administrator and not study_ids - before <= own:
        raise NotAllowed("You can share a graph only with studies that you coordinate.")
    graph.shares.exclude(study__in=study_ids).delete()
    added = Study.objects.filter(id__in=study_ids - before)
    GraphShare.objects.bulk_create(GraphShare(graph=graph, study=study) for study in added)


@transaction.atomic
def share_with_study(*, actor: User | None, graph: Graph, study: Study) -> None:
    """Let the members of a study see the graph, unless it is public or shared already.

    Only the owner of the graph and administrators may; actor None stands for the command line.
    """
    if graph.visibility == Graph.Visibility.PUBLIC:
        return
    shared = graph.shares.filter(study=study).exists()
    if shared and graph.visibility == Graph.Visibility.STUDY:
        return
    if actor is not None:
        require_graph_owner(actor, graph)
    update_graph_metadata(graph, {"visibility": Graph.Visibility.STUDY})
    GraphShare.objects.get_or_create(graph=graph, study=study)
