"""Counting all paths of at most so many steps between two entities, elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod

import networkx as nx
import numpy as np
import psycopg
from numpy.typing import NDArray

from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.view_csr import ViewCsr, csr_of_view
from backend.runtime.jit import jit_compile
from backend.science.bidirectional_csr import BidirectionalCsr, first_entry
from backend.science.half_paths import Ints
from backend.science.path_answers import PathSearchResult
from backend.science.paths import PathQuery, find_paths
from tests.bench.graph_peers import edges_of

Pair = tuple[int, int]
MAX_PATHS = 100


class Searcher(ABC):
    name: str

    @abstractmethod
    def count(self, pair: Pair, hops: int) -> int:
        """Every path that edges make, walked either way, whose entities all differ."""


class Kernels(Searcher):
    """Ours: it also weighs every path, keeps the best hundred and counts their kinds."""

    name = "snapshot"

    def __init__(self, snapshot: Snapshot) -> None:
        self.sides: ViewCsr = csr_of_view(snapshot)

    def answer(self, pair: Pair, hops: int) -> PathSearchResult:
        question = PathQuery([pair[0]], [pair[1]], hops=hops, limit=MAX_PATHS, max_work=10**12)
        return find_paths(self.sides.links, self.sides.types, self.sides.symmetric, question)

    def count(self, pair: Pair, hops: int) -> int:
        return self.answer(pair, hops).path_count


class InNetworkx(Searcher):
    name = "networkx"

    def __init__(self, snapshot: Snapshot) -> None:
        self.graph = nx.MultiGraph()  # made of a directed one, it would lack edges
        for first, edges in edges_of(snapshot):
            numbered = enumerate(edges, start=first)
            self.graph.add_edges_from((edge[0], edge[2], eid) for eid, edge in numbered)

    def count(self, pair: Pair, hops: int) -> int:
        return sum(1 for _ in nx.all_simple_edge_paths(self.graph, *pair, cutoff=hops))


class InPostgres(Searcher):
    """Over half-edges, which are indexed by their entity: a join in which both ends meet."""

    name = "PostgreSQL, join"
    TWO = (
        "select count(*) from half a join half b on a.dst = b.dst where a.src = %(s)s "
        "and b.src = %(t)s and a.dst not in (%(s)s, %(t)s)"
    )
    THREE = (
        "select count(*) from half a join half m on m.src = a.dst join half b on b.dst = m.dst "
        "where a.src = %(s)s and b.src = %(t)s and a.dst not in (%(s)s, %(t)s) "
        "and b.dst not in (%(s)s, %(t)s) and a.dst <> b.dst"
    )
    ONE = "select count(*) from half where src = %(s)s and dst = %(t)s"

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def count(self, pair: Pair, hops: int) -> int:
        reported = {"s": pair[0], "t": pair[1]}
        result = 0
        for sql in (self.ONE, self.TWO, self.THREE)[:hops]:
            row = self.connection.execute(sql, reported, prepare=True).fetchone()
            result += int(row[0]) if row else 0
        return result


class InRecursion(InPostgres):
    """The same table by the recursive query that people write first."""

    name = "PostgreSQL, recursive"
    SQL = (
        "with recursive walk (node, seen, hops) as ("
        "select dst, array[src, dst], 1 from half where src = %(s)s and dst <> src union all "
        "select half.dst, walk.seen || half.dst, walk.hops + 1 from walk join half "
        "on half.src = walk.node where walk.hops < %(hops)s and walk.node <> %(t)s "
        "and half.dst <> all (walk.seen)) select count(*) from walk where node = %(t)s"
    )

    def count(self, pair: Pair, hops: int) -> int:
        reported = {"s": pair[0], "t": pair[1], "hops": hops}
        row = self.connection.execute(self.SQL, reported, prepare=True).fetchone()
        return int(row[0]) if row else 0


class Gather(Searcher):
    """What no search can do without: reading both rows and, for three steps, the rows of the
    entities in one of them. It counts nothing."""

    name = "bare gather loop"

    def __init__(self, snapshot: Snapshot) -> None:
        self.sides = csr_of_view(snapshot)

    def count(self, pair: Pair, hops: int) -> int:
        return min(sums(self.sides.links, *pair, hops), 0)


def sums(links: BidirectionalCsr, source: int, target: int, hops: int) -> int:
    near, far = around(links, source), around(links, target)
    total = int(near.sum()) + int(far.sum())
    if hops == 3:
        near, far = np.unique(near), np.unique(far)
        total += gather(links, near if entries(links, near) <= entries(links, far) else far)
    return total


def around(links: BidirectionalCsr, number: int) -> Ints:
    """All neighbours of an entity, on both sides."""
    out = links.out_neighbours[links.out_offsets[number] : links.out_offsets[number + 1]]
    back = links.in_neighbours[links.in_offsets[number] : links.in_offsets[number + 1]]
    return np.concatenate([out, back])


def entries(links: BidirectionalCsr, numbers: Ints) -> int:
    sides = (links.out_offsets, links.in_offsets)
    return int(sum((side[numbers + 1] - side[numbers]).sum() for side in sides))


@jit_compile
def gather(links: BidirectionalCsr, numbers: NDArray[np.int32]) -> int:
    total = 0
    for number in numbers:
        for way in range(2):
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            for place in range(
                first_entry(links, number, way), first_entry(links, number + 1, way)
            ):
                total += neighbours[place]
    return total
