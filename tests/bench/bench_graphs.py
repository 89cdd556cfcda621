"""Snapshots of random graphs, beside PostgreSQL, Redis and networkx with the same edges.

SIZE=small has a hundred thousand edges and takes seconds; SIZE=full has one and ten million, takes
most of an hour and twelve gigabytes of memory, as Redis and networkx hold all of it. GRAPH=ck
instead has the Clinical Knowledge Graph's size: it takes minutes and ten gigabytes of disk, and is
held against a bare loop over the same arrays. A peer that gives another answer than the snapshot
ends the run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.config.embedded.services import Services
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.snapshot import Snapshot, _open_snapshots, open_snapshot
from backend.runtime.jit import jit_compile
from tests.bench.figures import ROOT, Figure, Size, bench, run_size
from tests.bench.graph_peers import PAGE, Networkx, Ours, Peer, Postgres, Redis
from tests.bench.synthetic import SEED
from tests.load.closed_loop import Timed

SIZES: dict[Size, list[tuple[int, int]]] = {
    "tiny": [(2_000, 20_000)],
    "small": [(10_000, 100_000)],
    "full": [(100_000, 1_000_000), (1_000_000, 10_000_000)],
}
CK = (15_430_157, 201_704_256)
QUERIES, ASKED_OF_PEER = 20_000, 2_000
HUB_DEGREE = 200_000
GATHER = "bare gather loop"


@dataclass(frozen=True)
class Measured:
    """A graph under measurement: how its figures are called, and what was built."""

    snapshot: Snapshot
    report: dict[str, Any]

    @property
    def size(self) -> str:
        return f"{self.snapshot.entity_count:,} entities, {self.snapshot.edge_count:,} edges"

    def figure(
        self, name: str, value: float, unit: str, peer: str = "", peers: float | None = None
    ) -> Figure:
        better: Literal["higher", "lower"] = "higher" if unit.endswith("/s") else "lower"
        return Figure(f"graphs.{name}", value, unit, better, peer, peers, self.size, SEED)

    def nodes(self, count: int) -> list[int]:
        """Any entities, each as likely as another."""
        rng = np.random.default_rng(SEED)
        numbers: list[int] = rng.integers(0, self.snapshot.entity_count, count).tolist()
        return numbers

    def hub(self) -> int:
        """The entity whose entries are nearest to two hundred thousand."""
        sides = (self.snapshot.forward, self.snapshot.reverse)
        degrees = np.add(*(side.degrees() for side in sides))
        return int(np.argmin(np.abs(degrees - HUB_DEGREE)))


@bench("graphs.snapshots")
def snapshots() -> Iterator[Figure]:
    """Building, opening, pages of neighbours, counts per relation."""
    if os.environ.get("GRAPH") == "ck":
        yield from measure(*CK, with_peers=False)
        return
    for entities, edges in SIZES[run_size()]:
        yield from measure(entities, edges, with_peers=True)


def measure(entities: int, edges: int, *, with_peers: bool) -> Iterator[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="serendib-bench-", dir=os.environ.get("SCRATCH")))
    try:
        reported = build(entities, edges, folder / "built")
        graph = Measured(open_snapshot(Path(reported["path"])), reported)
        yield from opening(graph)
        if with_peers:
            yield from beside_peers(graph, folder / "data")
        else:
            yield from alone(graph)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build(entities: int, edges: int, folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.build_graph", str(entities), str(edges)]
    done = subprocess.run([*command, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    reported: dict[str, Any] = json.loads(done.stdout)
    return reported


def opening(graph: Measured) -> Iterator[Figure]:
    seconds = []
    for _ in range(20):
        _open_snapshots.clear()  # as in a new process
        began = time.perf_counter()
        open_snapshot(graph.snapshot.path)
        seconds.append(1000 * (time.perf_counter() - began))
    yield graph.figure("open", float(np.median(seconds)), "ms")
    yield graph.figure("build.memory", graph.report["peak"] / 2**30, "GiB")
    per = Ours(graph.snapshot).nbytes() / graph.snapshot.edge_count / 2
    yield graph.figure("bytes_per_edge_and_direction", per, "B")


@jit_compile
def gather(offsets: NDArray[np.int64], neighbours: NDArray[np.int32], numbers: Any) -> int:
    """The minimum work of a page reader: the first and last entry of each page, and its
    neighbours."""
    total = 0
    for number in numbers:
        first = offsets[number]
        for place in range(first, min(offsets[number + 1], first + PAGE)):
            total += neighbours[place]
    return total


def timed(ask: Callable[[Any], int], questions: Sequence[Any]) -> Timed:
    """Every question once; the first warms up and is not counted."""
    ask(questions[0])
    result = Timed()
    start = time.perf_counter()
    for question in questions[1:]:
        began = time.perf_counter()
        ask(question)
        result.add_since(began)
    result.seconds = time.perf_counter() - start
    return result


@dataclass(frozen=True)
class Questions:
    """The queries of each side; peers get fewer."""

    nodes: list[int]
    hub: list[EdgeRecord]

    @classmethod
    def of(cls, graph: Measured) -> Questions:
        """Pages at random entities, and at random depths of a hub's largest relation."""
        snapshot, hub = graph.snapshot, graph.hub()
        largest = max(
            (one for one in snapshot.degrees(hub) if one.outgoing), key=lambda one: one.count
        )
        first = snapshot.neighbours(hub, largest.relation, limit=1).edges[0]
        rng = np.random.default_rng(SEED)
        edges = first + rng.integers(0, largest.count, QUERIES)
        return cls(graph.nodes(QUERIES), [snapshot.edge(edge) for edge in edges.tolist()])


def alone(graph: Measured) -> Iterator[Figure]:
    """One by one, compared with the bare loop."""
    ours, side = Ours(graph.snapshot), graph.snapshot.forward
    questions = Questions.of(graph)
    singles = [np.array([node]) for node in questions.nodes]
    bare = timed(lambda one: gather(side.offsets, side.neighbours, one), singles)
    yield graph.figure("build", graph.report["seconds"], "s")
    yield from compared(graph, "pages.random", timed(ours.page, questions.nodes), GATHER, bare)
    hubs = [np.array([edge.source]) for edge in questions.hub]
    bare = timed(lambda one: gather(side.offsets, side.neighbours, one), hubs)
    yield from compared(graph, "pages.hub", timed(ours.deep_page, questions.hub), GATHER, bare)
    yield from compared(graph, "counts.random", timed(ours.counts, questions.nodes), "", None)
    hub = [questions.hub[0].source] * QUERIES
    yield from compared(graph, "counts.hub", timed(ours.counts, hub), "", None)


def beside_peers(graph: Measured, data: Path) -> Iterator[Figure]:
    services = Services(data, kind="command")
    services.lock.try_acquire()
    try:
        services.start()
        services.wait()
        addresses = services.environment()
        makers: list[Callable[[], Peer]] = [
            lambda: Postgres(addresses["DATABASE_URL"], graph.snapshot),
            lambda: Redis(addresses["REDIS_URL"], graph.snapshot),
            lambda: Networkx(graph.snapshot),
        ]
        for make in makers:
            yield from beside(graph, make)
    finally:
        services.stop()


def beside(graph: Measured, make: Callable[[], Peer]) -> Iterator[Figure]:
    began = time.perf_counter()
    peer, ours = make(), Ours(graph.snapshot)
    seconds = time.perf_counter() - began
    yield graph.figure("build", graph.report["seconds"], "s", peer.name, seconds)
    if peer.nbytes():
        mine, its = (one.nbytes() / graph.snapshot.edge_count / 2 for one in (ours, peer))
        yield graph.figure("bytes_per_edge_and_direction", mine, "B", peer.name, its)
    questions = Questions.of(graph)
    hub = [questions.hub[0].source] * QUERIES
    query: list[tuple[str, Callable[[Any], int], Callable[[Any], int], Sequence[Any]]] = [
        ("pages.random", ours.page, peer.page, questions.nodes),
        ("counts.random", ours.counts, peer.counts, questions.nodes),
        ("counts.hub", ours.counts, peer.counts, hub),
    ]
    if isinstance(peer, Postgres):
        query.append(("pages.hub", ours.deep_page, peer.deep_page, questions.hub))
    if isinstance(peer, Redis):
        query.append(("strongest.random", ours.strongest, peer.strongest, questions.nodes))
    check(ours, peer, questions.nodes[:200])
    for name, mine_of, theirs_of, what in query:
        theirs = timed(theirs_of, what[:ASKED_OF_PEER])
        yield from compared(graph, name, timed(mine_of, what), peer.name, theirs)


def check(ours: Ours, peer: Peer, nodes: list[int]) -> None:
    """Redis keeps one of edges with the same ends and relation, as the paper's keys do."""
    for node in nodes:
        same = ours.counts(node) == peer.counts(node)
        if not isinstance(peer, Redis):
            same &= ours.page(node) == peer.page(node)
        if not same:
            raise AssertionError(f"{peer.name} has other entries for entity {node}.")


def compared(
    graph: Measured, name: str, mine: Timed, peer: str, theirs: Timed | None
) -> Iterator[Figure]:
    rate = theirs.per_second if theirs else None
    yield graph.figure(f"{name}.rate", mine.per_second, "nodes/s", peer, rate)
    for share in (50, 95, 99):
        late = theirs.percentile(share / 100) if theirs else None
        yield graph.figure(f"{name}.p{share}", mine.percentile(share / 100), "ms", peer, late)
