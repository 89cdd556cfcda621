"""One question to a graph: by names, by documents, or by both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from backend.graphs.reading import OpenGraph
from backend.graphs.search.documents import near_documents
from backend.graphs.search.lexicon import Lexicon
from backend.graphs.search.names import Found, Hit, Search
from backend.graphs.search.opening import lexicon_of
from backend.graphs.search.sets import Met
from backend.graphs.search.snippets import Snippet, snippet_of
from backend.graphs.snapshots.opening import Snapshot

Mode = Literal["names", "documents", "hybrid"]
# Of reciprocal rank fusion: the larger, the less the first places count for.
FLATNESS = 60
MANY = 10_000  # entities
KEPT = 1024  # answers that met so many
ENOUGH = 50  # names that are fused with documents


@dataclass(frozen=True, slots=True)
class Result:
    """An entity, how it was met, and what of its document answers."""

    entity: int
    kind: str
    text: str
    snippet: Snippet | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The best, and how many entities of each type were met; the type that has most first.

    Nobody changes one: the same may be given to several readers.
    """

    results: list[Result]
    facets: list[tuple[str, int]]


def ask(
    opened: OpenGraph, asked: str, *, mode: Mode, types: Sequence[str] | None, limit: int
) -> Answer:
    snapshot = opened.snapshot
    wanted = None if types is None else frozenset(numbers_of(snapshot, types))
    if mode == "names":
        return kept_by_names(snapshot, lexicon_of(snapshot), asked, limit, wanted)
    names = Found([], Met.none_of(snapshot))
    if mode == "hybrid":
        most = max(limit, ENOUGH)
        names = Search(snapshot, lexicon_of(snapshot), most, wanted).run(asked)
    near = [it.entity for it in near_documents(opened.version, asked)]
    names.met.add_these(near)
    documents = [it for it in near if wanted is None or snapshot.type_of[it] in wanted]
    hits = {hit.entity: hit for hit in names.hits}
    best = fused(list(hits), documents)[:limit]
    told = Teller(snapshot, asked, hits, set(documents))
    return Answer([told.result(entity) for entity in best], facets(snapshot, names.met))


def numbers_of(snapshot: Snapshot, types: Sequence[str]) -> Iterator[int]:
    return (number for number, name in enumerate(snapshot.types) if name in types)


def by_names(
    snapshot: Snapshot, lexicon: Lexicon, asked: str, limit: int, types: frozenset[int] | None
) -> Answer:
    found = Search(snapshot, lexicon, limit, types).run(asked)
    results = [Result(hit.entity, hit.kind, hit.text) for hit in found.hits]
    return Answer(results, facets(snapshot, found.met))


def kept_by_names(
    snapshot: Snapshot, lexicon: Lexicon, asked: str, limit: int, types: frozenset[int] | None
) -> Answer:
    """What meets most, a first letter or a common word, is asked most and takes longest: that is
    kept as long as the lexicon is open. Neither it nor its snapshot ever changes.
    """
    kept, key = _kept.setdefault(lexicon, {}), (asked, limit, types)
    found = kept.get(key)
    if found is None:
        found = by_names(snapshot, lexicon, asked, limit, types)
        if sum(count for _, count in found.facets) >= MANY:
            if len(kept) >= KEPT:
                kept.clear()
            kept[key] = found
    return found


Key = tuple[str, int, frozenset[int] | None]
_kept: WeakKeyDictionary[Lexicon, dict[Key, Answer]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Teller:
    """Says of an entity how it was met."""

    snapshot: Snapshot
    asked: str
    hits: Mapping[int, Hit]
    documents: AbstractSet[int]

    def result(self, entity: int) -> Result:
        hit = self.hits.get(entity)
        if entity not in self.documents:
            snippet = None
        else:
            snippet = snippet_of(self.snapshot.document(entity), self.asked)
        if hit is not None:
            return Result(entity, hit.kind, hit.text, snippet)
        return Result(entity, "document", snippet.title if snippet else "", snippet)


def fused(*lists: Sequence[int]) -> list[int]:
    """By the sum of 1 / (FLATNESS + place) over the lists that an entity is in."""
    scores: dict[int, float] = {}
    for entities in lists:
        for place, entity in enumerate(entities, start=1):
            scores[entity] = scores.get(entity, 0.0) + 1 / (FLATNESS + place)
    return sorted(scores, key=lambda entity: -scores[entity])  # equal ones stay in order


def facets(snapshot: Snapshot, met: Met) -> list[tuple[str, int]]:
    counts = zip(snapshot.types, met.counts.tolist(), strict=True)
    found = [(name, count) for name, count in counts if count]
    return sorted(found, key=lambda it: (-it[1], it[0]))
