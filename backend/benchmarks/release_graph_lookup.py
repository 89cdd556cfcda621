"""Which masked graphs a release has, which of an earlier release it takes over, and which graph is
scored, queried and walked."""

from collections.abc import Sequence

from django.conf import settings
from pydantic import TypeAdapter

from backend.accounts.models import User
from backend.benchmarks.models import Item, Release, ReleaseGraph
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError
from backend.graphs.cypher_service import request_scoring_database
from backend.graphs.models import Graph, Version
from backend.graphs.policies import may_read_graph

SURROUNDINGS = "surroundings"  # beside the methods of partitions
METHODS_IN_WORDS = {"expert": "experts", "llm": "language models", "rns": "RNS"}


class ReleaseGraphMissing(DomainError):
    code = "release_graph_missing"


def offered_methods(release: Release) -> Sequence[str]:
    """Methods by which the release can have a masked graph: of its own partition, if it has one;
    that which its items are scored on; else all. Surroundings come last, as they are part of the
    masked graph.

    Two methods show each other's hidden edges. Items about the whole graph have several masked
    graphs only where everybody may read the whole one: of a private graph, the first one stays the
    only one.
    """
    track = get_track_or_raise(release.track)
    if track.partition_methods:
        return [release.partition] if release.partition else []
    scored = scored_method(release)
    is_partial = track.has_queries and is_above_engine(release)
    masks = [scored] if scored else track.mask_methods
    methods = [*masks, SURROUNDINGS] if is_partial else masks
    if scored or is_public(release):
        return methods
    return [one for one in methods if find_used_graph(release, one) is not None] or methods


def is_public(release: Release) -> bool:
    """Whether everybody may read the whole graph of the release."""
    version = release.graph_version
    return version is not None and version.graph.visibility == Graph.Visibility.PUBLIC


def find_release_graph(release: Release, method: str) -> ReleaseGraph | None:
    rows = ReleaseGraph.objects.filter(release=release, method=method)
    return rows.select_related("version__graph").first()


def scored_method(release: Release) -> str:
    """The method whose masked graph the items are about, all the same; empty for the full graph."""
    track = get_track_or_raise(release.track)
    if not track.mask_methods:
        return ""
    content = Item.objects.filter(release=release).values_list("content", flat=True).first()
    if content is None:
        return ""
    return track.masked_by(TypeAdapter(track.item_schema).validate_python(content))


def needed_methods(release: Release) -> set[str]:
    """Methods whose masked graphs are there before it opens: that which the items are scored on,
    and that of its partition, which baselines, runs and agents walk."""
    has_walks = release.partition != "" and release.graph_version is not None
    return {scored_method(release), release.partition if has_walks else ""} - {""}


def is_masked(release: Release) -> bool:
    return scored_method(release) != ""


def missing_methods(release: Release) -> set[str]:
    needed = needed_methods(release)
    return {method for method in needed if find_used_graph(release, method) is None}


def method_in_words(method: str) -> str:
    """As the pages write it within a sentence."""
    return METHODS_IN_WORDS.get(method, method)


def require_masked_graphs(release: Release) -> None:
    """Raises ReleaseGraphMissing: nobody walks the graph with the edges that reveal answers."""
    if missing := missing_methods(release):
        raise ReleaseGraphMissing(
            f"The masked graph by {', '.join(map(method_in_words, sorted(missing)))} is missing. "
            "Make it before opening."
        )


def get_release_graph_or_raise(release: Release, method: str) -> ReleaseGraph:
    """That of the release, or of the one that it corrects: entries are scored again at once."""
    graph = find_used_graph(release, method)
    if graph is None:
        named = method_in_words(method)
        raise ReleaseGraphMissing(f"The masked graph of this release by {named} is missing.")
    return graph


def find_earlier_graph(release: Release, method: str) -> ReleaseGraph | None:
    graph, earlier = None, release.corrects
    while graph is None and earlier is not None:
        graph, earlier = find_release_graph(earlier, method), earlier.corrects
    return graph


def scored_snapshots(release: Release) -> list[str]:
    """The graphs that scores depend on: of queries, of names, and the masked one of the release's
    partition, which leaves questions out; none for another track."""
    track = get_track_or_raise(release.track)
    whole = [] if release.graph_version is None else [release.graph_version.snapshot]
    if not track.has_queries:
        walked = walked_graph(release)
        masked = [] if walked is None else [walked.version.snapshot]
        return [*(whole if track.merges_names else []), *masked]
    scored = scored_method(release)
    graphs = [get_release_graph_or_raise(release, scored)] if scored else []
    part = find_used_graph(release, SURROUNDINGS)
    return [
        *whole,
        *(one.version.snapshot for one in graphs),
        *([] if part is None else [part.version.snapshot]),
    ]


def queried_versions(release: Release) -> list[Version]:
    """The graphs that queries of predictions run on; none where it takes no queries."""
    if not takes_queries(release):
        return []
    version = queried_version(release, scored_method(release))
    return [] if version is None else [version]


def queried_version(release: Release, method: str) -> Version | None:
    """The graph that queries about items of this masked graph run on; '' for the full graph."""
    part = find_used_graph(release, SURROUNDINGS)
    if part is not None:
        return part.version
    return get_release_graph_or_raise(release, method).version if method else release.graph_version


def request_query_databases(release: Release) -> None:
    """Let workers load the graphs into the query engine, before predictions come."""
    for version in queried_versions(release):
        request_scoring_database(version, release.cutoff)


def describe_queried_part(release: Release) -> str:
    """A sentence about the part of the graph that queries run on; empty for the whole of it."""
    part = find_used_graph(release, SURROUNDINGS)
    return "" if part is None else f"Queries run on {part.version.graph.description}"


def takes_queries(release: Release) -> bool:
    """Whether predictions may be Cypher queries: the engine takes the graph, or a part is made, and
    no query reveals what a masked graph hides."""
    return fits_engine(release) and (scored_method(release) != "" or not is_masked_beside(release))


def may_send_queries(actor: User | None, release: Release) -> bool:
    """Whether predictions of the actor, None for a visitor, may be Cypher queries.

    Each query reveals something of its graph, if only whether it finds anything. Masked graphs and
    surroundings are made by the graph's owner and shown with the release; the whole graph of the
    release is queried by those who may read it.
    """
    if not takes_queries(release):
        return False
    whole = find_whole_queried(release)
    return whole is None or may_read_graph(actor, whole.graph)


def find_whole_queried(release: Release) -> Version | None:
    """The graph of the release, where queries run on that and on no masked graph or part of it."""
    is_other = scored_method(release) or find_used_graph(release, SURROUNDINGS) is not None
    return None if is_other else release.graph_version


def is_masked_beside(release: Release) -> bool:
    """Whether a public release hides edges of the graph, which not everybody may read: queries on
    the whole graph would find what they reveal."""
    version = release.graph_version
    if version is None or is_public(release):
        return False
    masked = ReleaseGraph.objects.exclude(method=SURROUNDINGS).select_related("release")
    beside = masked.filter(release__graph_version__graph=version.graph_id)
    shown = beside.exclude(release__state=Release.State.DRAFT)
    return any(not one.release.are_answers_retired for one in shown)


def fits_engine(release: Release) -> bool:
    """Whether the track has queries, and the engine takes the graph or a part of it is made."""
    if release.graph_version is None or not get_track_or_raise(release.track).has_queries:
        return False
    return not is_above_engine(release) or find_used_graph(release, SURROUNDINGS) is not None


def is_above_engine(release: Release) -> bool:
    version = release.graph_version
    largest = settings.CYPHER_LARGEST_GRAPH
    return version is not None and max(version.edges, version.entities) > largest


def scored_version(release: Release) -> Version | None:
    """The graph that predictions are about: the masked one where the items are about that."""
    method = scored_method(release)
    if not method:
        return release.graph_version
    return get_release_graph_or_raise(release, method).version


def walked_version(release: Release) -> Version | None:
    """The graph that baselines, runs and agents read. Raises ReleaseGraphMissing."""
    if not release.partition or release.graph_version is None:
        return scored_version(release)
    return get_release_graph_or_raise(release, release.partition).version


def walked_graph(release: Release) -> ReleaseGraph | None:
    return find_used_graph(release, release.partition) if release.partition else None


def find_used_graph(release: Release, method: str) -> ReleaseGraph | None:
    """The release's own, or that of one which it corrects without changing what is masked."""
    return find_release_graph(release, method) or find_earlier_graph(release, method)


def used_graphs(release: Release) -> list[ReleaseGraph]:
    graphs = (find_used_graph(release, method) for method in offered_methods(release))
    return [one for one in graphs if one is not None]


def has_masked_graph(release: Release) -> bool:
    return any(one.method != SURROUNDINGS for one in used_graphs(release))
