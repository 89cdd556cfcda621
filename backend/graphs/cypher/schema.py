"""A graph as Cypher sees it.

A type of entities is a label, `(d:Drug)`, with the properties id (the public identifier, and the
key: `{id: 'DRUGBANK:DB00945'}` is found at once), name, type (as the graph writes it) and
synonyms. A relation is a relationship, `-[:treats]->`, which may join several pairs of labels,
with the properties edge (its number in the snapshot), score, evidence, level, p_value and
publications. Lists are one text, separated by bars: `WHERE r.publications CONTAINS 'PMID:1'`.
A symmetric relation is stored once: ask for it without an arrow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.cypher.naming import labels_of, names_of
from backend.graphs.snapshots.opening import Snapshot

LAYOUT = 1
"""Goes up when the tables change, so that copies of the old layout are not read any more."""
ENTITY_COLUMNS = ("id", "name", "type", "synonyms")
EDGE_COLUMNS = {
    "edge": "INT64",
    "score": "DOUBLE",
    "evidence": "STRING",
    "level": "STRING",
    "p_value": "DOUBLE",
    "publications": "STRING",
}


@dataclass(frozen=True, slots=True)
class Label:
    label: str
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class Ends:
    """Between which labels a relation has edges, and how many."""

    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class RelationName:
    """`name` is what a query writes, `relation` what the graph calls it."""

    name: str
    relation: str
    forward: str
    backward: str
    symmetric: bool
    count: int
    ends: tuple[Ends, ...]


@dataclass(frozen=True, slots=True)
class Description:
    """What somebody who writes a query has to know."""

    labels: tuple[Label, ...]
    relations: tuple[RelationName, ...]


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """The edges of one relation between two types, by number."""

    relation: int
    source_type: int
    target_type: int
    edges: NDArray[np.int64]


def describe(snapshot: Snapshot) -> Description:
    """The labels and relations of a graph, with counts. Reads each edge's ends once."""
    labels = labels_of(snapshot.types)
    names = names_of([relation.name for relation in snapshot.relations], labels)
    ends: dict[int, list[Ends]] = {}
    for relation, source, target, count in pair_counts(snapshot):
        ends.setdefault(relation, []).append(Ends(labels[source], labels[target], count))
    counts = snapshot.manifest.type_counts
    return Description(
        tuple(map(Label, labels, snapshot.types, counts)),
        tuple(
            RelationName(
                name,
                one.name,
                one.forward,
                one.backward,
                one.symmetric,
                one.count,
                tuple(ends.get(number, ())),
            )
            for number, (name, one) in enumerate(zip(names, snapshot.relations, strict=True))
        ),
    )


def pair_counts(snapshot: Snapshot) -> list[tuple[int, int, int, int]]:
    """(relation, type of the source, type of the target, edges) for all that there are."""
    keys, counts = np.unique(_keys(snapshot), return_counts=True)
    return [
        (*_parts(snapshot, key), count) for key, count in zip(keys, counts.tolist(), strict=True)
    ]


def edge_groups(snapshot: Snapshot) -> list[EdgeGroup]:
    """Every edge in exactly one group; the tables that the engine joins."""
    keys = _keys(snapshot)
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)]
    return [
        EdgeGroup(*_parts(snapshot, key), order[start:end])
        for key, start, end in zip(found, starts.tolist(), ends, strict=bool(len(found)))
    ]


def _keys(snapshot: Snapshot) -> NDArray[np.int64]:
    """A number for each edge's relation and the types of its ends."""
    forward, types = snapshot.forward, len(snapshot.types)
    type_of = np.asarray(snapshot.type_of, np.int64)
    sources = np.repeat(type_of, np.diff(forward.offsets))
    targets = type_of[forward.neighbours]
    return (forward.relations.astype(np.int64) * types + sources) * types + targets


def _parts(snapshot: Snapshot, key: np.int64) -> tuple[int, int, int]:
    rest, target = divmod(int(key), len(snapshot.types))
    relation, source = divmod(rest, len(snapshot.types))
    return relation, source, target
