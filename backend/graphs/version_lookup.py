"""Look up a version by name: 'slug' for the latest, or 'slug@number'."""

import re

from backend.accounts.models import User
from backend.common.errors import DomainError, NotFound
from backend.graphs.models import Graph, Version
from backend.graphs.policies import get_graph_or_raise
from backend.validation.faults import Fault

VERSION_NAME = re.compile(r"(?P<slug>[-\w]{1,100})(@(?P<number>[0-9]{1,9}))?", re.ASCII)


def find_version_or_raise(actor: User | None, name: str) -> Version | None:
    """The named version; None for an empty name. Raises DomainError if the actor sees none."""
    if not name:
        return None
    match = VERSION_NAME.fullmatch(name)
    graph = _get_graph(actor, match["slug"]) if match else None
    versions = Version.objects.ready().filter(graph=graph).select_related("graph")
    if match and match["number"]:
        versions = versions.filter(number=int(match["number"]))
    version = versions.order_by("-number").first() if graph else None
    if version is None:
        sentence = "This graph or version does not exist, or you may not see it."
        fault = Fault("graph", sentence, "unknown_graph", "a graph's short name, or name@version")
        raise DomainError(sentence, code="unknown_graph", faults=[fault])
    return version


def _get_graph(actor: User | None, slug: str) -> Graph | None:
    if actor is None:
        return Graph.objects.filter(slug=slug).first()
    try:
        return get_graph_or_raise(actor, slug)
    except NotFound:
        return None
