"""Who may see a graph, bring one here, and change one."""

import uuid

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.accounts import studies
from backend.accounts.models import User
from backend.common.errors import Missing, NotAllowed
from backend.graphs.models import Graph, GraphImport, GraphShare, Version

NOTHING_HERE = "There is nothing here, or it is not yours to see."


def visible_graphs(user: User | None) -> QuerySet[Graph]:
    """Public ones, her own, those of her studies; all of them for administrators.

    A graph without a version that is ready is there for nobody.
    """
    ready = Version.objects.ready().filter(graph=OuterRef("pk"))
    graphs = Graph.objects.filter(Exists(ready))
    if user is None:
        return graphs.public()
    if user.is_administrator:
        return graphs
    shared = GraphShare.objects.filter(graph=OuterRef("pk"), study__in=_studies_of(user))
    through_study = Q(visibility=Graph.Visibility.STUDY) & Exists(shared)
    return graphs.filter(Q(visibility=Graph.Visibility.PUBLIC) | Q(owner=user) | through_study)


def _studies_of(user: User) -> list[uuid.UUID]:
    return [membership.id for membership in studies.memberships_of(user)]


def get_graph_or_raise(user: User | None, slug: str) -> Graph:
    """Most graphs are public, and then nobody needs to ask whose studies she is in."""
    found = visible_graphs(None).filter(slug=slug).first()
    if found is None and user is not None:
        found = visible_graphs(user).filter(slug=slug).first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found


def may_import_graphs(user: User) -> bool:
    """Administrators, and whoever coordinates a study."""
    if not user.is_active:
        return False
    coordinates = ("coordinator" in membership.roles for membership in studies.memberships_of(user))
    return user.is_administrator or any(coordinates)


def require_importer(user: User) -> None:
    if not may_import_graphs(user):
        raise NotAllowed("Only administrators and coordinators may import a graph.")


def may_change_graph(user: User, graph: Graph) -> bool:
    return user.is_active and (user.is_administrator or graph.owner_id == user.pk)


def require_owner(user: User, graph: Graph) -> None:
    if not may_change_graph(user, graph):
        raise NotAllowed("Only the owner of this graph and administrators may do that.")


def require_administrator(user: User) -> None:
    if not (user.is_active and user.is_administrator):
        raise NotAllowed("Only administrators may do that.")


def own_imports(user: User) -> QuerySet[GraphImport]:
    """Hers, the latest first; all of them for administrators."""
    found = GraphImport.objects.select_related("graph", "version").order_by("-created_at")
    return found if user.is_administrator else found.filter(actor=user)


def require_own_import(user: User, graph_import: GraphImport) -> None:
    hers = graph_import.actor_id is not None and graph_import.actor_id == user.pk
    if not (user.is_active and (hers or user.is_administrator)):
        raise Missing(NOTHING_HERE)


def get_import_or_raise(user: User, import_id: uuid.UUID) -> GraphImport:
    found = own_imports(user).filter(id=import_id).first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found
