"""A draw of the metapath test at Hetionet's size, and what of it is the exchange of edges.

The peer exchanges the same pairs of edges by a set of Python, a few of them scaled up to all.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.edge_exchange import TRIES, RelationEdges
from backend.science.metapath_test import permute_metapaths
from backend.science.path_answers import Metapath
from tests.bench.bench_time import timed
from tests.bench.figures import Figure, bench, run_size
from tests.bench.synthetic import FALL, SEED

Longs = NDArray[np.int64]
ENTITIES = 47_031  # of Hetionet
EDGES = {"tiny": 2_000, "small": 100_000, "full": 500_000}  # of each of two relations
DRAWS = {"tiny": 2, "small": 5, "full": 10}
PEER_TRIES = 100_000


@bench("science.metapaths")
def metapaths() -> Iterator[Figure]:
    """Between two hubs, over two relations and an entity of another type."""
    edges, draws = EDGES[run_size()], DRAWS[run_size()]
    forward, types = two_relations(edges)
    kind = Metapath((0, 1, 0), ((0, True), (1, False)))
    symmetric, ends = np.zeros(2, np.uint8), (0, 2)
    permute_metapaths(*two_relations(50), symmetric, [kind], ends, draws=1)  # compiles

    def test() -> None:
        permute_metapaths(forward, types, symmetric, [kind], ends, draws=draws, seed=SEED)

    seconds = timed(test) / draws
    tries = TRIES * forward.edge_count
    size = f"{ENTITIES:,} entities, 2 relations, {forward.edge_count:,} edges, {tries:,} tries"
    relation = RelationEdges.of(forward, 0, types, is_symmetric=False)
    share = tries / PEER_TRIES
    peers = timed(lambda: exchange_in_python(relation)) * share
    peer = f"a set of Python, from {PEER_TRIES:,} tries"
    yield Figure("science.metapaths.draw", seconds, "s", "lower", peer, peers, size, SEED)


def two_relations(edges: int) -> tuple[Adjacency, NDArray[np.uint8]]:
    """Entities of two types by turns; edges lead from the first to the second, with hubs."""
    rng = np.random.default_rng(SEED)
    half = ENTITIES // 2
    bounds = np.cumsum((np.arange(half) + 1.0) ** -FALL)
    rows: list[Longs] = []
    for relation in (0, 1):
        drawn = np.searchsorted(bounds, rng.random((edges, 2)) * bounds[-1]).astype(np.int64)
        columns = [2 * drawn[:, 0], np.full(edges, relation), 2 * drawn[:, 1] + 1]
        rows.append(np.unique(np.column_stack(columns), axis=0))
    table = np.concatenate(rows)
    table = table[np.lexsort(table.T[::-1])]
    offsets = np.searchsorted(table[:, 0], np.arange(ENTITIES + 1)).astype(np.int64)
    types = (np.arange(ENTITIES) % 2).astype(np.uint8)
    neighbours, relations = table[:, 2].astype(np.int32), table[:, 1].astype(np.uint8)
    return Adjacency(offsets, neighbours, relations), types


def exchange_in_python(edges: RelationEdges) -> int:
    """Some tried exchanges, without parallel edges."""
    rng = np.random.default_rng(SEED)
    pairs = list(zip(edges.sources.tolist(), edges.targets.tolist(), strict=True))
    known, exchanges = set(pairs), 0
    for one, other in rng.integers(0, len(pairs), (PEER_TRIES, 2)).tolist():
        (a, b), (c, d) = pairs[one], pairs[other]
        if a == d or c == b or (a, d) in known or (c, b) in known:
            continue
        known -= {(a, b), (c, d)}
        known |= {(a, d), (c, b)}
        pairs[one], pairs[other] = (a, d), (c, b)
        exchanges += 1
    return exchanges
