"""One question to a graph: by names, by documents, or by both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from backend.graphs.reading import OpenGraph
from backend.graphs.search.documents import Near, near_documents
from backend.graphs.search.lexicon import Lexicon
from backend.graphs.search.names import Found, Hit, Search
from backend.graphs.search.opening import lexicon_of
from backend.graphs.search.snippets import Snippet, snippet_of
from backend.graphs.snapshots.opening import Snapshot

Mode = Literal["names", "documents", "hybrid"]
# Of reciprocal rank fusion: the larger, the less the first places count for.
FLATNESS = 60
SHORT = 3  # letters
KEPT = 64  # answers; each has the numbers of all entities that were met
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
    """The best, and how many entities of each type were met; the type that has most first."""

    results: list[Result]
    facets: list[tuple[str, int]]


def ask(
    opened: OpenGraph, asked: str, *, mode: Mode, types: Sequence[str] | None, limit: int
) -> Answer:
    snapshot, limit_of_names = opened.snapshot, limit if mode == "names" else max(limit, ENOUGH)
    wanted = None if types is None else frozenset(numbers_of(snapshot, types))
    names, near = Found([], np.empty(0, np.int32)), list[Near]()
    if mode != "documents":
        lexicon = lexicon_of(snapshot)
        names = by_names(snapshot, lexicon, asked, limit_of_names, wanted)
    if mode != "names":
        near = near_documents(opened.version, asked)
    documents = [
        it.entity for it in near if wanted is None or snapshot.type_of[it.entity] in wanted
    ]
    hits = {hit.entity: hit for hit in names.hits}
    best = fused(list(hits), documents)[:limit]
    told = Teller(snapshot, asked, hits, set(documents))
    return Answer([told.result(entity) for entity in best], facets(snapshot, names, near))


def numbers_of(snapshot: Snapshot, types: Sequence[str]) -> Iterator[int]:
    return (number for number, name in enumerate(snapshot.types) if name in types)


def by_names(
    snapshot: Snapshot, lexicon: Lexicon, asked: str, limit: int, types: frozenset[int] | None
) -> Found:
    """What everybody types first, a letter or two, meets most and is asked most: it is kept."""
    if len(asked) <= SHORT:
        return _kept(snapshot, lexicon, asked, limit, types)
    return Search(snapshot, lexicon, limit, types).run(asked)


@lru_cache(maxsize=KEPT)
def _kept(
    snapshot: Snapshot, lexicon: Lexicon, asked: str, limit: int, types: frozenset[int] | None
) -> Found:
    """Neither a snapshot nor its lexicon ever changes."""
    return Search(snapshot, lexicon, limit, types).run(asked)


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


def facets(snapshot: Snapshot, names: Found, near: Iterable[Near]) -> list[tuple[str, int]]:
    documents = np.array([it.entity for it in near], np.int32)
    met = names.entities if not len(documents) else np.union1d(names.entities, documents)
    counts = np.bincount(snapshot.type_of[met], minlength=len(snapshot.types)).tolist()
    found = [(name, count) for name, count in zip(snapshot.types, counts, strict=True) if count]
    return sorted(found, key=lambda it: (-it[1], it[0]))
