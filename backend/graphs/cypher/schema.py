"""The Cypher schema of a graph.

A type is a label, `(d:Drug)`, with the properties id (the identifier, and the primary key:
`{id: 'DRUGBANK:DB00945'}`), name, type (the original type) and synonyms. A relation is a
relationship type, `-[:treats]->`, between one or more pairs of labels, with the properties edge
(its number in the snapshot), score, evidence, level, p_value, publications, first_seen (the PMID,
else the year, in which the edge was first seen; null for an undated one) and date_source (what
states that date): `WHERE r.first_seen <= 2015 AND r.date_source <> 'synthetic'`. Lists are one
string, separated by bars: `WHERE r.publications CONTAINS 'PMID:1'`. A symmetric relation is stored
once: match it without a direction.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.snapshot import Snapshot

LAYOUT_VERSION = 3
"""Increased when the tables change, so that databases of an older layout are not read."""
ENTITY_COLUMNS = ("id", "name", "type", "synonyms")
EDGE_COLUMNS = {
    "edge": "INT64",
    "score": "DOUBLE",
    "evidence": "STRING",
    "level": "STRING",
    "p_value": "DOUBLE",
    "publications": "STRING",
    "first_seen": "INT64",
    "date_source": "STRING",
}


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """The edge numbers of one relation between two types; `is_reversed`: from target to source."""

    relation: int
    source_type: int
    target_type: int
    edges: NDArray[np.int64]
    is_reversed: bool = False


def edge_groups(
    snapshot: Snapshot, *, both_directions: bool = False, until: int | None = None
) -> list[EdgeGroup]:
    """Group all edges by relation and types of their ends.

    both_directions: with the edges of symmetric relations a second time, reversed, so that an
    arrow in a query finds them either way.
    until: with those alone that were first seen until this PMID or year. Raises NoDates.
    """
    groups = _stored_groups(snapshot)
    if until is not None:
        view = DatedView(snapshot, until)
        groups = [replace(one, edges=view.admitted(one.edges)) for one in groups]
    if both_directions:
        groups += [
            EdgeGroup(one.relation, one.target_type, one.source_type, edges, is_reversed=True)
            for one in groups
            if snapshot.relations[one.relation].symmetric
            and len(edges := _without_loops(snapshot, one.edges))
        ]
    return groups


def _without_loops(snapshot: Snapshot, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    sources = np.searchsorted(snapshot.forward.offsets, edges, "right") - 1
    is_loop: NDArray[np.bool_] = sources == snapshot.forward.neighbours[edges]
    return edges[~is_loop]


def _stored_groups(snapshot: Snapshot) -> list[EdgeGroup]:
    keys = _group_keys(snapshot)
    order = np.argsort(keys, kind="stable")
    unique_keys, starts = np.unique(keys[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)]
    return [
        EdgeGroup(*_split_key(snapshot, key), order[start:end])
        for key, start, end in zip(
            unique_keys, starts.tolist(), ends, strict=bool(len(unique_keys))
        )
    ]


def _group_keys(snapshot: Snapshot) -> NDArray[np.int64]:
    """One integer per edge that encodes its relation and the types of its ends."""
    forward, types = snapshot.forward, len(snapshot.types)
    type_of = np.asarray(snapshot.type_of, np.int64)
    sources = np.repeat(type_of, np.diff(forward.offsets))
    targets = type_of[forward.neighbours]
    return (forward.relations.astype(np.int64) * types + sources) * types + targets


def _split_key(snapshot: Snapshot, key: np.int64) -> tuple[int, int, int]:
    rest, target = divmod(int(key), len(snapshot.types))
    relation, source = divmod(rest, len(snapshot.types))
    return relation, source, target
