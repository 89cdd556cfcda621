"""Search by name in all graphs that a user may see, or in one of them."""

from dataclasses import dataclass

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.graphs.graph_access import OpenGraph, open_graph
from backend.graphs.policies import visible_graphs
from backend.graphs.search.query import SearchResult, search_graph

MATCH_ORDER = {"identifier": 0, "name": 1, "synonym": 2, "prefix": 3, "typo": 4}
# As many as stay open at once: reading more would close graphs that others read.
MAX_GRAPHS = 12


@dataclass(frozen=True, slots=True)
class GraphMatch:
    graph: OpenGraph
    result: SearchResult


@dataclass(frozen=True, slots=True)
class GraphMatches:
    """The best matches, and how many visible graphs were not searched."""

    matches: list[GraphMatch]
    skipped_graphs: int


def search_graphs(
    user: User | None, query: str, *, slug: str = "", snapshot: str = "", limit: int
) -> GraphMatches:
    """Search one graph, or the newest version of each visible one.

    Raises NotFound if the user may not see the named graph.
    """
    if slug:
        return GraphMatches(_search_one(open_graph(user, slug, snapshot), query, limit), 0)
    slugs = visible_graphs(user).order_by("-is_demo", "name").values_list("slug", flat=True)
    matches: list[GraphMatch] = []
    skipped = max(0, len(slugs) - MAX_GRAPHS)
    for one in slugs[:MAX_GRAPHS]:
        try:
            matches += _search_one(open_graph(user, one), query, limit)
        except DomainError:  # one graph without an index or with damaged files hides no other
            skipped += 1
    return GraphMatches(best_matches(matches, limit), skipped)


def best_matches(matches: list[GraphMatch], limit: int) -> list[GraphMatch]:
    """Ordered by the kind of match; those of one kind keep their order."""
    ordered = sorted(matches, key=lambda it: MATCH_ORDER[it.result.match_kind])
    has_name = any(it.result.match_kind != "typo" for it in ordered)
    return [it for it in ordered if not has_name or it.result.match_kind != "typo"][:limit]


def _search_one(graph: OpenGraph, query: str, limit: int) -> list[GraphMatch]:
    results = search_graph(graph, query, mode="names", types=None, limit=limit).results
    return [GraphMatch(graph, result) for result in results]
