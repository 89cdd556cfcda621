"""Embeddings: the product that they are made of beside scipy's, and whole embeddings.

Sizes as in bench_graphs. A product is of the links both ways with 16 columns, and, where they fit
into memory, with 64; scipy's has the same links as a CSR of float32. One that finds other numbers
ends the run. The network is trained for EPOCHS only: each takes as long as another.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.science.embeddings.sparse_products import Block, multiply_block
from backend.science.embeddings.undirected_graph import UndirectedGraph, undirected_graph
from backend.science.transition.simd import aligned_zeros
from tests.bench.bench_graphs import CK, SIZES, build
from tests.bench.figures import ROOT, Figure, bench, run_size
from tests.bench.synthetic import SEED

EPOCHS = 5
RUNS = 5
SCIPY = "scipy.sparse CSR, one thread"
GIB = 2**30


@dataclass(frozen=True)
class Embedded:
    """A graph under measurement."""

    path: Path
    snapshot: Snapshot

    def figure(
        self, name: str, value: float, unit: str, peer: str = "", peers: float | None = None
    ) -> Figure:
        size = f"{self.snapshot.entity_count:,} entities, {self.snapshot.edge_count:,} edges"
        return Figure(f"science.embeddings.{name}", value, unit, "lower", peer, peers, size, SEED)


@bench("science.embeddings")
def embeddings() -> Iterator[Figure]:
    large = os.environ.get("GRAPH") == "ck"
    for size in [CK] if large else SIZES[run_size()]:
        folder = Path(tempfile.mkdtemp(prefix="serendib-bench-", dir=os.environ.get("SCRATCH")))
        try:
            path = Path(build(*size, folder / "built")["path"])
            graph = Embedded(path, open_snapshot(path))
            yield from products(graph, [16] if large else [16, 64])
            yield from whole(graph, "propagation", folder)
            if not large:
                yield from whole(graph, "gcn", folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def products(graph: Embedded, widths: list[int]) -> Iterator[Figure]:
    links = undirected_graph(graph.snapshot.forward, graph.snapshot.reverse)
    values = np.ones(len(links.neighbours), np.float32)
    matrix = csr_array((values, links.neighbours, links.offsets), shape=(links.entity_count,) * 2)
    for width in widths:
        ours, theirs = product(links, matrix, width)
        yield graph.figure(f"product.{width}_columns", ours, "s", SCIPY, theirs)


def product(
    links: UndirectedGraph, matrix: csr_array[Any, tuple[int, int]], width: int
) -> tuple[float, float]:
    """Seconds of ours, and of scipy's."""
    given, created = (
        aligned_zeros(links.entity_count, width, np.float32),
        aligned_zeros(links.entity_count, width, np.float32),
    )
    given[:] = np.random.default_rng(SEED).random(given.shape, np.float32)
    ones = np.ones(links.entity_count)
    ours = best(lambda: multiply_block(links, ones, given, created), RUNS)
    output: list[Block] = []
    theirs = best(lambda: output.append(matrix @ given), 2)
    off = float(np.abs(output[0] - created).max() / created.max())
    if off > 1e-4:  # float32 sums of a hub's many neighbours; ours are in float64
        raise AssertionError(f"The two disagree by {off}.")
    return ours, theirs


def best(work: Callable[[], None], runs: int) -> float:
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def whole(graph: Embedded, method: str, folder: Path) -> Iterator[Figure]:
    command = [sys.executable, "-m", "tests.bench.embed_graph", str(graph.path), method]
    command += [str(EPOCHS), str(folder / method)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    reported: dict[str, Any] = json.loads(done.stdout)
    name = f"gcn.{EPOCHS}_epochs" if method == "gcn" else method
    yield graph.figure(f"{name}.time", reported["seconds"], "s")
    yield graph.figure(f"{name}.peak", reported["peak"] / GIB, "GiB")
