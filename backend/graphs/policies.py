from typing import Protocol, runtime_checkable

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.accounts.models import User
from backend.common.errors import NotAllowed, NotFound
from backend.graphs.models import OPEN_BY_ADDRESS, Graph, GraphQuerySet, GraphShare, Version
from backend.studies.models import ENDED_STATUSES, Study
from backend.studies.policies import (
    is_any_coordinator,
    joined_studies,
    opens_its_graphs,
)

NOT_FOUND_MESSAGE = "This does not exist, or you may not see it."


def visible_graphs(user: User | None) -> QuerySet[Graph]:
    """Public graphs, the user's own, those of the user's studies; all for administrators.

    A graph without a published version is visible to nobody.
    """
    graphs = _ready_graphs()
    if user is None:
        return graphs.public()
    if user.is_administrator:
        return graphs
    studies = joined_studies(user).filter(opens_its_graphs(user))
    shared = GraphShare.objects.filter(graph=OuterRef("pk"), study__in=studies)
    through_study = Q(visibility=Graph.Visibility.STUDY) & Exists(shared)
    return graphs.filter(Q(visibility=Graph.Visibility.PUBLIC) | Q(owner=user) | through_study)


@runtime_checkable
class VersionOwner(Protocol):
    """A model of a package above that decides who reads the graphs of the versions it refers to."""

    @classmethod
    def visible_graphs(cls, user: User | None) -> QuerySet[Graph]: ...


def graphs_of_owners(user: User | None) -> GraphQuerySet:
    """Graphs that are in no list, because something else shows them: a release's masked graphs."""
    shown = Q(pk__in=[])
    for relation in Version._meta.get_fields(include_hidden=True):
        model = relation.related_model if relation.auto_created else None
        if isinstance(model, VersionOwner):
            shown |= Q(pk__in=model.visible_graphs(user).order_by().values("pk"))
    return _ready_graphs().filter(shown)


def _ready_graphs() -> GraphQuerySet:
    return Graph.objects.filter(Exists(Version.objects.ready().filter(graph=OuterRef("pk"))))


def readable_graphs(user: User | None) -> QuerySet[Graph]:
    """The graphs that the user may read at their address: also those that no list shows."""
    return visible_graphs(user) | _ready_graphs().open_by_address() | graphs_of_owners(user)


def get_graph_or_raise(user: User | None, slug: str) -> Graph:
    graph = _find_graph(user, slug)
    if graph is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return graph


def may_read_graph(user: User | None, graph: Graph) -> bool:
    return _find_graph(user, graph.slug) is not None


def _find_graph(user: User | None, slug: str) -> Graph | None:
    """Look among open graphs first, which needs no query for the user's studies."""
    graph = _ready_graphs().open_by_address().filter(slug=slug).first()
    if graph is None and user is not None:
        graph = visible_graphs(user).filter(slug=slug).first()
    if graph is None:
        graph = graphs_of_owners(user).filter(slug=slug).first()
    return graph


def check_study_graph(user: User, graph: Graph, study: Study) -> None:
    """Before a member of a study is shown the graph beside the study's questions: also where its
    own pages stay closed to the study's experts."""
    is_shared = graph.visibility == Graph.Visibility.STUDY
    if not (is_shared and GraphShare.objects.filter(graph=graph, study=study).exists()):
        get_graph_or_raise(user, graph.slug)


def can_be_read_elsewhere(graph: Graph, study: Study) -> bool:
    """Whether experts may have the graph's own pages although the study hides evidence: also by
    another study that hides it and has ended, which opens them to its own experts."""
    if graph.visibility in OPEN_BY_ADDRESS:
        return True
    opens = Q(study__hides_evidence=False) | Q(study__status__in=ENDED_STATUSES)
    others = GraphShare.objects.filter(opens, graph=graph)
    return graph.visibility == Graph.Visibility.STUDY and others.exclude(study=study).exists()


def may_import_graphs(user: User) -> bool:
    """Administrators and coordinators of any study may import graphs."""
    if not user.is_active:
        return False
    return user.is_administrator or is_any_coordinator(user)


def require_importer(user: User) -> None:
    if not may_import_graphs(user):
        raise NotAllowed("Only administrators and study coordinators can import a graph.")


def may_change_graph(user: User, graph: Graph) -> bool:
    return user.is_active and (user.is_administrator or graph.owner_id == user.pk)


def require_graph_owner(user: User, graph: Graph) -> None:
    if not may_change_graph(user, graph):
        raise NotAllowed("Only the owner of this graph or an administrator can do this.")


def require_administrator(user: User) -> None:
    if not (user.is_active and user.is_administrator):
        raise NotAllowed("Only an administrator can do this.")
