"""Paths between random entities, and from a hub: beside PostgreSQL, networkx or a bare loop.

Sizes as in bench_graphs. Each side counts all paths of up to two or three steps; ours also keeps
the best hundred. A peer that counts otherwise ends the run. Then the search as people make it,
with hubs hidden and its paths explained.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backend.config.embedded.services import Services
from backend.graphs.path_queries import DEFAULT_HUB_LINKS, search_paths
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery
from tests.bench.bench_graphs import CK, SIZES, Measured, build, timed
from tests.bench.figures import Figure, bench, run_size
from tests.bench.graph_peers import Postgres
from tests.bench.path_peers import (
    Gather,
    InNetworkx,
    InPostgres,
    InRecursion,
    Kernels,
    Pair,
    Searcher,
)
from tests.load.closed_loop import Timed

QUERIES = 2000
NETWORKX = 1_000_000  # edges; of ten million, one search in Python takes minutes


@dataclass(frozen=True)
class Round:
    """Pairs that are asked for paths of so many steps; of a peer, only the first of them."""

    name: str
    hops: int
    pairs: Sequence[Pair]
    of_peer: int

    def first(self) -> Sequence[Pair]:
        """One more, which warms up."""
        return self.pairs[: self.of_peer + 1]


@bench("graphs.paths")
def paths() -> Iterator[Figure]:
    sizes = [CK] if os.environ.get("GRAPH") == "ck" else SIZES[run_size()]
    for entities, edges in sizes:
        folder = Path(tempfile.mkdtemp(prefix="serendib-bench-", dir=os.environ.get("SCRATCH")))
        try:
            reported = build(entities, edges, folder / "built")
            graph = Measured(open_snapshot(Path(reported["path"])), reported)
            yield from beside_peers(graph, folder / "data")
            yield from as_people_ask(graph)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def pairs_of(graph: Measured) -> list[Pair]:
    """Different entities that have some edge, each as likely as another."""
    nodes = [node for node in graph.nodes(4 * QUERIES) if graph.snapshot.degree(node)]
    pairs = zip(nodes[0::2], nodes[1::2], strict=False)
    return [pair for pair in pairs if pair[0] != pair[1]][: QUERIES + 1]


def from_hub(graph: Measured) -> list[Pair]:
    hub = graph.hub()
    return [(hub, target) for _, target in pairs_of(graph)[:101] if target != hub]


def rounds_of(graph: Measured, few: int) -> list[Round]:
    pairs = pairs_of(graph)
    return [
        Round("two_hops.random", 2, pairs, 10 * few),
        Round("three_hops.random", 3, pairs, few),
        Round("two_hops.hub", 2, from_hub(graph), few),
    ]


def beside_peers(graph: Measured, data: Path) -> Iterator[Figure]:
    """At the size of the Clinical Knowledge Graph, beside the bare loop only."""
    rounds = rounds_of(graph, QUERIES)
    three = Round("three_hops.hub", 3, from_hub(graph), 100)
    yield from beside(graph, Gather(graph.snapshot), [*rounds, three])
    if os.environ.get("GRAPH") == "ck":
        return
    services = Services(data, kind="command")
    services.lock.try_acquire()
    try:
        services.start()
        services.wait()
        loaded = Postgres(services.environment()["DATABASE_URL"], graph.snapshot).connection
        yield from beside(graph, InPostgres(loaded), rounds_of(graph, 30))
        yield from beside(graph, InRecursion(loaded), rounds_of(graph, 30)[:1])
    finally:
        services.stop()
    if graph.snapshot.edge_count <= NETWORKX:
        yield from beside(graph, InNetworkx(graph.snapshot), rounds_of(graph, 10))


def beside(graph: Measured, peer: Searcher, rounds: Sequence[Round]) -> Iterator[Figure]:
    ours = Kernels(graph.snapshot)
    for one in rounds:
        theirs = timed(counting(peer, one.hops), one.first())
        mine = timed(counting(ours, one.hops), one.first())
        if not isinstance(peer, Gather):
            check(ours, peer, one)
        yield from latency_figures(graph, one.name, mine, peer.name, theirs)


def counting(side: Searcher, hops: int) -> Callable[[Pair], int]:
    return lambda pair: side.count(pair, hops)


def check(ours: Kernels, peer: Searcher, one: Round) -> None:
    for pair in one.first()[:5]:
        if ours.count(pair, one.hops) != peer.count(pair, one.hops):
            raise AssertionError(f"{peer.name} counts other paths between {pair}.")


def as_people_ask(graph: Measured) -> Iterator[Figure]:
    """As in the product: the best twelve, hubs hidden, with explanations."""

    def count_paths(pair: Pair) -> int:
        question = PathQuery([pair[0]], [pair[1]], max_degree=DEFAULT_HUB_LINKS, limit=12)
        return search_paths(graph.snapshot, question, CancellationToken()).total

    for name, pairs in (("random", pairs_of(graph)), ("hub", from_hub(graph))):
        yield from latency_figures(graph, f"explained.{name}", timed(count_paths, pairs), "", None)
    capped = []
    for source, target in from_hub(graph):
        question = PathQuery([source], [target], max_degree=DEFAULT_HUB_LINKS, limit=12)
        capped.append(
            search_paths(graph.snapshot, question, CancellationToken()).capped_by is not None
        )
    yield graph.figure("paths.explained.hub.capped", 100 * float(np.mean(capped)), "%")


def latency_figures(
    graph: Measured, name: str, mine: Timed, peer: str, theirs: Timed | None
) -> Iterator[Figure]:
    rate = theirs.per_second if theirs else None
    yield graph.figure(f"paths.{name}.rate", mine.per_second, "searches/s", peer, rate)
    for share in (50, 95, 99):
        late = theirs.percentile(share / 100) if theirs else None
        yield graph.figure(f"paths.{name}.p{share}", mine.percentile(share / 100), "ms", peer, late)
