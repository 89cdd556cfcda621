"""Search of a graph by names, by documents, or by both."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from backend.graphs.graph_access import OpenGraph
from backend.graphs.search.index_cache import get_term_index
from backend.graphs.search.int_sets import MatchedEntities
from backend.graphs.search.name_search import NameHit, NameMatches, NameSearch
from backend.graphs.search.snippets import Snippet, best_snippet
from backend.graphs.search.term_index import TermIndex
from backend.graphs.search.vector_search import find_similar_documents
from backend.graphs.snapshots.snapshot import Snapshot

SearchMode = Literal["names", "documents", "hybrid"]
# Constant k of reciprocal rank fusion: the larger, the less the first ranks dominate.
RRF_K = 60
MIN_CACHED_MATCHES = 10_000  # matched entities from which on a query is cached
MAX_CACHED_ANSWERS = 1024  # queries with so many matches
MIN_FUSED_NAMES = 50  # names that are fused with documents


@dataclass(frozen=True, slots=True)
class SearchResult:
    """An entity, how it matched, and the matching passage of its document."""

    entity: int
    match_kind: str
    text: str
    snippet: Snippet | None = None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The best results, and the number of matched entities per type in descending order.

    Cached and shared between requests: do not modify.
    """

    results: list[SearchResult]
    facets: list[tuple[str, int]]


def search_graph(
    opened: OpenGraph, query: str, *, mode: SearchMode, types: Sequence[str] | None, limit: int
) -> SearchResults:
    snapshot = opened.snapshot
    type_filter = (
        None
        if types is None
        else frozenset(map(snapshot.types.index, {*types} & {*snapshot.types}))
    )
    if mode == "names":
        return search_names_cached(snapshot, get_term_index(snapshot), query, limit, type_filter)
    names = NameMatches([], MatchedEntities.empty(snapshot))
    if mode == "hybrid":
        most = max(limit, MIN_FUSED_NAMES)
        names = NameSearch(snapshot, get_term_index(snapshot), most, type_filter).execute(query)
    near = find_similar_documents(opened.version, query)
    names.matched.add_entities(near)
    documents = [it for it in near if type_filter is None or snapshot.type_of[it] in type_filter]
    hits = {hit.entity: hit for hit in names.hits}
    best = fuse_rankings(list(hits), documents)[:limit]
    builder = ResultBuilder(snapshot, query, hits, set(documents))
    return SearchResults(
        [builder.result(entity) for entity in best], facets(snapshot, names.matched)
    )


def search_names(
    snapshot: Snapshot, lexicon: TermIndex, query: str, limit: int, types: frozenset[int] | None
) -> SearchResults:
    names = NameSearch(snapshot, lexicon, limit, types).execute(query)
    results = [SearchResult(hit.entity, hit.match_kind, hit.text) for hit in names.hits]
    return SearchResults(results, facets(snapshot, names.matched))


def search_names_cached(
    snapshot: Snapshot,
    lexicon: TermIndex,
    query: str,
    limit: int,
    types: frozenset[int] | None,
    *,
    min_matches: int = MIN_CACHED_MATCHES,
    max_answers: int = MAX_CACHED_ANSWERS,
) -> SearchResults:
    """As `search_names`, with a cache for queries with many matches.

    Queries such as a single letter or a common word are the most frequent and the slowest. The
    cache lives as long as the term index, which like its snapshot never changes.
    """
    cache, key = _cached_results.setdefault(lexicon, {}), (query, limit, types)
    names = cache.get(key)
    if names is None:
        names = search_names(snapshot, lexicon, query, limit, types)
        if sum(count for _, count in names.facets) >= min_matches:
            if len(cache) >= max_answers:
                cache.clear()
            cache[key] = names
    return names


CacheKey = tuple[str, int, frozenset[int] | None]
_cached_results: WeakKeyDictionary[TermIndex, dict[CacheKey, SearchResults]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ResultBuilder:
    """Builds the result of an entity from its name hit and its document."""

    snapshot: Snapshot
    query: str
    hits: Mapping[int, NameHit]
    documents: AbstractSet[int]

    def result(self, entity: int) -> SearchResult:
        hit = self.hits.get(entity)
        if entity not in self.documents:
            snippet = None
        else:
            snippet = best_snippet(self.snapshot.document(entity), self.query)
        if hit is not None:
            return SearchResult(entity, hit.match_kind, hit.text, snippet)
        return SearchResult(entity, "document", snippet.title if snippet else "", snippet)


def fuse_rankings(*lists: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion: sort by the sum of 1 / (RRF_K + rank) over the lists."""
    scores: dict[int, float] = {}
    for entities in lists:
        for place, entity in enumerate(entities, start=1):
            scores[entity] = scores.get(entity, 0.0) + 1 / (RRF_K + place)
    return sorted(scores, key=lambda entity: -scores[entity])  # stable: ties keep their order


def facets(snapshot: Snapshot, matched: MatchedEntities) -> list[tuple[str, int]]:
    counts = zip(snapshot.types, matched.counts.tolist(), strict=True)
    names = [(name, count) for name, count in counts if count]
    return sorted(names, key=lambda it: (-it[1], it[0]))
