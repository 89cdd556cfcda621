"""All of SerenQA's questions by RNS: from a snapshot on disk to the best split of each.

A seeded graph is built; its embedding is made; then, in a process of its own, the marginal to 1e-9
and R, N and S over all entities of every split with b = 1, walked both ways, by the code of the
product's jobs. Sizes as in bench_graphs; GRAPH=ck has the Clinical Knowledge Graph's and all 1,529
questions, and takes about half an hour. Up to a million edges the best splits are held against
those of float64 throughout, and at a thousand entities against matrices; another split ends the
run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.bench.bench_graphs import CK, SIZES, build
from tests.bench.figures import ROOT, Figure, bench, run_size
from tests.bench.headline_check import check
from tests.bench.headline_questions import QUESTIONS, questions_of
from tests.bench.machine import machine
from tests.bench.synthetic import SEED

SMALL = (1_000, 10_000)
QUESTIONS_OF_SMALL = 300
CHECKED = 1_000_000  # edges up to which everything is found again another way
GOAL = "goal"
MOST_MINUTES, MOST_MEMORY = 60, 8
GIB = 2**30


@dataclass(frozen=True)
class Worked:
    """A graph under measurement, and the output of its processes."""

    snapshot: Snapshot
    questions: int
    built: dict[str, Any]
    embedded: dict[str, Any]
    report: dict[str, Any]

    def figure(
        self, name: str, value: float, unit: str, peer: str = "", peers: float | None = None
    ) -> Figure:
        graph = f"{self.snapshot.entity_count:,} entities, {self.snapshot.edge_count:,} edges"
        size = f"{graph}, {self.questions:,} questions, {self.report['candidates']:,} candidates"
        title, goal = f"benchmarks.rns.headline.{name}", 1 if peer == GOAL else None
        return Figure(title, value, unit, "lower", peer, peers, size, SEED, goal)


@bench("benchmarks.rns.headline")
def headline() -> Iterator[Figure]:
    sys.stderr.write(f"{machine()}\n")
    large = os.environ.get("GRAPH") == "ck"
    sizes = [CK] if large else [SMALL, *SIZES[run_size()]]
    count = int(os.environ.get("QUESTIONS", QUESTIONS if large else QUESTIONS_OF_SMALL))
    for size in sizes:
        folder = Path(tempfile.mkdtemp(prefix="serendib-bench-", dir=os.environ.get("SCRATCH")))
        try:
            work = worked(*size, count, folder)
            if size[1] <= CHECKED:
                query = questions_of(work.snapshot, count)
                check(work.snapshot, query, work.report["best"])
            yield from figures_of(work)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def worked(entities: int, edges: int, count: int, folder: Path) -> Worked:
    built = build(entities, edges, folder / "built")
    sys.stderr.write(f"The snapshot took {built['seconds']:,.1f} s.\n")
    path = Path(built["path"])
    embedded = process("embed", path, count, folder / "work")
    reported = process("partition", path, count, folder / "work")
    return Worked(open_snapshot(path), count, built, embedded, reported)


def process(stage: str, path: Path, count: int, folder: Path) -> dict[str, Any]:
    work = ["tests.bench.with_django", "tests.bench.headline_work", stage]
    command = [sys.executable, "-m", *work, str(path), str(count), str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    reported: dict[str, Any] = json.loads(done.stdout)
    return reported


def figures_of(work: Worked) -> Iterator[Figure]:
    reported, elapsed = work.report, work.report["seconds"]
    yield work.figure("build", work.built["seconds"], "s")
    yield work.figure("build.memory", work.built["peak"] / GIB, "GiB")
    yield work.figure("embedding", work.embedded["seconds"]["embedding"], "s")
    yield work.figure("embedding.memory", work.embedded["peak"] / GIB, "GiB")
    for stage in ("model", "marginal", "opening", "partition"):
        yield work.figure(stage, elapsed[stage], "s")
    inside = {name: elapsed.get(name, 0.0) for name in ("rows", "rows_again", "among")}
    rest = elapsed["partition"] - sum(inside.values())
    for part, seconds in {**inside, "splits": rest}.items():
        yield work.figure(f"partition.{part}", 100 * seconds / elapsed["partition"], "%")
    minutes = sum(elapsed[stage] for stage in ("model", "marginal", "opening", "partition")) / 60
    yield work.figure("total", minutes, "min", GOAL, MOST_MINUTES)
    yield work.figure("memory", reported["peak"] / GIB, "GiB", GOAL, MOST_MEMORY)
    yield work.figure("marginal.products", reported["products"], "products")
    yield work.figure("marginal.error", reported["marginal_error"], "L1", GOAL, 1e-9)
    yield work.figure("surprise.error", reported["surprise_error"], "S")
    yield work.figure("again_in_float64", reported["again"], "questions")
