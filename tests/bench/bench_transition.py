"""Chance over a graph's links: products, the marginal, entries among candidates, whole rows.

Sizes as in bench_graphs. Products stand beside a bare loop over the same indices; the others, at
ten thousand entities, beside networkx and scipy, and one hop beside networkit's PageRank. A peer
that finds other numbers ends the run.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.parameters import Parameters, Precision
from backend.science.transition.rows import block_columns, row_error_bound, transition_rows
from backend.science.transition.simd import aligned_zeros
from backend.science.transition.transition_model import TransitionModel
from tests.bench.bench_graphs import CK, SIZES, build
from tests.bench.figures import Figure, bench, run_size
from tests.bench.memory import peak
from tests.bench.synthetic import SEED
from tests.bench.transition_peers import Dictionaries, Floats, Materialised, Networkit, gather

# What networkx and P3 as a matrix can hold.
SMALL = (2_000, 26_000) if run_size() == "tiny" else (10_000, 130_000)
QUERIES = 60
ROUNDS = 12
TOLERANCE = 1e-9
LOOP = "bare gather loop"
PRECISIONS: tuple[Precision, ...] = ("float64", "float32")


@dataclass(frozen=True)
class Walked:
    """A graph under measurement, and its model both ways."""

    graph: Snapshot
    model: TransitionModel

    @classmethod
    def of(cls, path: Path) -> Walked:
        graph = open_snapshot(path)
        return cls(graph, model_of(graph, Parameters(precision="float32")))

    def figure(
        self, name: str, value: float, unit: str, peer: str = "", peers: float | None = None
    ) -> Figure:
        size = f"{self.graph.entity_count:,} entities, {self.graph.edge_count:,} edges"
        better: Literal["higher", "lower"] = "lower"
        return Figure(f"science.transition.{name}", value, unit, better, peer, peers, size, SEED)

    def questions(self) -> list[list[int]]:
        """Candidates as an edge leads to them: the more links, the likelier."""
        rng = np.random.default_rng(SEED)
        sizes = np.minimum(1 + rng.geometric(0.33, QUERIES), 49)
        targets = self.graph.forward.neighbours
        return [np.unique(targets[rng.integers(0, len(targets), size)]).tolist() for size in sizes]


def model_of(graph: Snapshot, parameters: Parameters) -> TransitionModel:
    return TransitionModel.of(graph.forward, graph.reverse, parameters)


@bench("science.transition")
def transition() -> Iterator[Figure]:
    sizes = [CK] if os.environ.get("GRAPH") == "ck" else [SMALL, *SIZES[run_size()]]
    for size in sizes:
        folder = Path(tempfile.mkdtemp(prefix="serendib-bench-", dir=os.environ.get("SCRATCH")))
        try:
            walked = Walked.of(Path(build(*size, folder)["path"]))
            yield from measure(walked, with_matrices=size == SMALL)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def measure(walked: Walked, *, with_matrices: bool) -> Iterator[Figure]:
    yield from products(walked)
    yield from rows(walked)
    if with_matrices:
        yield from beside(walked, Materialised(walked.graph), walked.questions())
        yield from beside(walked, Dictionaries(walked.graph), walked.questions()[:10])
    else:
        yield from alone(walked)
    if walked.graph.edge_count < CK[1]:
        yield from pagerank(walked)
    else:  # alone in this process, so that the peak of its memory is that of the model
        used = peak()
        yield walked.figure("memory", used / 2**30, "GiB")


def quickest(work: Callable[[], object], times: int = 7) -> float:
    """Seconds, of the quickest of some runs after one that warms up."""
    return side_by_side([work], times)[0]


def side_by_side(works: Sequence[Callable[[], object]], times: int = 7) -> list[float]:
    """The same of each, in turn: what else the machine does comes to all of them."""
    for work in works:
        work()
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, mine in zip(works, seconds, strict=True):
            began = time.perf_counter()
            work()
            mine.append(time.perf_counter() - began)
    return [min(mine) for mine in seconds]


def products(walked: Walked) -> Iterator[Figure]:
    """One column, and a block whose rows fill a line of the cache."""
    model = walked.model
    x = np.random.default_rng(SEED).random(model.entity_count)
    created = np.empty_like(x)
    works: dict[str, Callable[[], object]] = {
        LOOP: partial(gather, model, x),
        "product": partial(model.pull_into, created, x),
    }
    for precision in PRECISIONS:
        columns, kind = block_columns(precision), np.dtype(precision).type
        given, filled = (aligned_zeros(model.entity_count, columns, kind) for _ in range(2))
        given[:] = x[:, None]
        name = f"product.{columns}_columns_{precision}"
        works[name] = partial(model.pull_into, filled, given, share=True)
    bare, *elapsed = side_by_side([*works.values()], ROUNDS)
    for name, seconds in zip([*works][1:], elapsed, strict=True):
        yield walked.figure(name, 1000 * seconds, "ms", LOOP, 1000 * bare)


def rows(walked: Walked) -> Iterator[Figure]:
    """Whole rows, a block of sixteen at a time, and what they are wrong by."""
    model = walked.model
    sources = np.random.default_rng(SEED).integers(0, model.entity_count, 32)
    next(transition_rows(model, sources[:16]))
    wrong, began = 0.0, time.perf_counter()
    for _, block in transition_rows(model, sources):
        sums = block.sum(axis=0, dtype=np.float64)
        wrong = max(wrong, float(np.abs(sums - 1).max()))
    seconds = time.perf_counter() - began
    bound = row_error_bound(model, "float32")
    if wrong > bound:
        raise AssertionError(f"Rows sum to 1 within {wrong}, and {bound} is the bound.")
    yield walked.figure("row", 1000 * seconds / len(sources), "ms")
    yield walked.figure("row.error_bound", bound, "share")


def alone(walked: Walked) -> Iterator[Figure]:
    model = walked.model
    pairwise_transitions(model, [0, 1])
    seconds = []
    for question in walked.questions():
        began = time.perf_counter()
        pairwise_transitions(model, question)
        seconds.append(1000 * (time.perf_counter() - began))
    for share in (50, 95):
        yield walked.figure(f"among.p{share}", float(np.percentile(seconds, share)), "ms")
    began = time.perf_counter()
    result = solve_marginal(model, tolerance=TOLERANCE)
    yield walked.figure("marginal", time.perf_counter() - began, "s")
    yield walked.figure("marginal.products", result.products, "products")
    yield walked.figure("marginal.error_bound", result.error, "L1")


def beside(
    walked: Walked, peer: Materialised | Dictionaries, questions: list[list[int]]
) -> Iterator[Figure]:
    """The marginal and the entries among candidates; making a matrix is not counted."""
    model = walked.model
    began = time.perf_counter()
    theirs = peer.marginal(TOLERANCE)
    its = time.perf_counter() - began
    mine = quickest(lambda: solve_marginal(model, tolerance=TOLERANCE), 3)
    check(peer.name, solve_marginal(model, tolerance=TOLERANCE).values, theirs, 2 * TOLERANCE)
    yield walked.figure("marginal", mine, "s", peer.name, its)
    began = time.perf_counter()
    blocks = [peer.block(question) for question in questions]
    its = (time.perf_counter() - began) / len(questions)
    mine = quickest(lambda: [pairwise_transitions(model, one) for one in questions], 3) / len(
        questions
    )
    for question, block in zip(questions, blocks, strict=True):
        check(peer.name, pairwise_transitions(model, question), block, 1e-12)
    yield walked.figure("among.mean", 1000 * mine, "ms", peer.name, 1000 * its)


def pagerank(walked: Walked) -> Iterator[Figure]:
    model = model_of(walked.graph, Parameters("out", "uniform", hops=1))
    peer = Networkit(walked.graph)
    began = time.perf_counter()
    theirs = peer.ranks(TOLERANCE)
    its = time.perf_counter() - began
    mine = quickest(lambda: solve_marginal(model, tolerance=TOLERANCE), 3)
    check(peer.name, solve_marginal(model, tolerance=TOLERANCE).values, theirs, 3 * TOLERANCE)
    yield walked.figure("pagerank", mine, "s", peer.name, its)


def check(peer: str, mine: Floats, theirs: Floats, tolerance: float) -> None:
    wrong = float(np.abs(mine - theirs).sum())
    if wrong > tolerance:
        raise AssertionError(f"{peer} finds other numbers: {wrong} apart.")
