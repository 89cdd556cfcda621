"""A version of a graph as people name it: 'slug', its newest, or 'slug@number'."""

import re

from backend.accounts.models import User
from backend.common.errors import DomainError, Fault, Missing
from backend.graphs.models import Graph, Version
from backend.graphs.policies import get_graph_or_raise

NAMED = re.compile(r"(?P<slug>[-\w]{1,100})(@(?P<number>[0-9]{1,9}))?", re.ASCII)


def version_named(actor: User | None, named: str) -> Version | None:
    """Raises DomainError, with the place, where there is no such graph or version for her."""
    if not named:
        return None
    match = NAMED.fullmatch(named)
    graph = _graph(actor, match["slug"]) if match else None
    versions = Version.objects.ready().filter(graph=graph).select_related("graph")
    if match and match["number"]:
        versions = versions.filter(number=int(match["number"]))
    found = versions.order_by("-number").first() if graph else None
    if found is None:
        sentence = "There is no such graph, or no such version of it, that you may see."
        fault = Fault("graph", sentence, "unknown_graph", "a graph's short name, or name@version")
        raise DomainError(sentence, code="unknown_graph", faults=[fault])
    return found


def _graph(actor: User | None, slug: str) -> Graph | None:
    if actor is None:
        return Graph.objects.filter(slug=slug).first()
    try:
        return get_graph_or_raise(actor, slug)
    except Missing:
        return None
