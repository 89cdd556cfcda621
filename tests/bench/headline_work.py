"""The headline's work: embed|partition SNAPSHOT QUESTIONS FOLDER, behind with_django; as JSON.

What the product's jobs do for a snapshot and a set of questions, in a process of its own, so that
the peak of its memory is that of the work. Whole rows are always of float32, as those of large
graphs are. Progress is written to the other stream.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.job_kinds.partition import score_all
from backend.benchmarks.rns.artifacts import (
    compute_marginal,
    compute_vectors,
    transition_model,
)
from backend.benchmarks.rns.options import RnsOptions, weights_payload
from backend.benchmarks.rns.question_scoring import ScoredQuestion
from backend.benchmarks.rns.scoring_context import ScoringContext, open_scoring_context
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.science.rns.candidates import Candidates
from backend.science.rns.jensen_shannon import RowBlock
from backend.science.rns.measures import Weights
from backend.science.rns.row_kernels import RowArray
from backend.science.rns.search import find_undecided
from backend.science.transition.parameters import Precision
from tests.bench.headline_questions import questions_of
from tests.bench.memory import peak
from tests.bench.synthetic import build_synthetic

OPTIONS = RnsOptions()
WEIGHTS = Weights()
PARAMETERS = {"weights": weights_payload(WEIGHTS), "size": 1}  # b = 1 for every question
EVERY = 15.0  # seconds between two lines of progress


@dataclass
class Watch:
    """Seconds of what is done, and a line about it now and then."""

    began: float = field(default_factory=time.perf_counter)
    took: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    reported_at: float = -EVERY

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.took[name] += time.perf_counter() - began

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        with self.timed(name):
            yield
        self.report(f"{name} took {self.took[name]:,.1f} s")

    def progress(self, doing: str, share: float) -> None:
        if time.perf_counter() - self.reported_at >= EVERY:
            self.report(f"{doing}, {100 * share:.1f}%")

    def report(self, what: str) -> None:
        self.reported_at = time.perf_counter()
        past = self.reported_at - self.began
        sys.stderr.write(f"{past:9,.1f} s  {peak() / 2**30:5.2f} GiB  {what}\n")
        sys.stderr.flush()


@dataclass(frozen=True)
class Watched(ScoringContext):
    """A scoring context that reports how long reading from it takes."""

    watch: Watch = field(kw_only=True)

    def candidates(
        self, entities: Sequence[int], transitions: NDArray[np.float64] | None = None
    ) -> Candidates:
        with self.watch.timed("among"):
            return super().candidates(entities, transitions)

    def blocks(self, entities: Sequence[int]) -> Iterator[RowBlock]:
        blocks = super().blocks(entities)
        while True:
            with self.watch.timed("rows"):
                block = next(blocks, None)
            if block is None:
                return
            yield block

    def rows(self, entities: Sequence[int], precision: Precision | None = None) -> RowArray:
        with self.watch.timed("rows" if precision is None else "rows_again"):
            return super().rows(entities, precision)


def embed(snapshot: Snapshot, watch: Watch) -> dict[str, Any]:
    with watch.stage("embedding"):
        compute_vectors(snapshot, OPTIONS.method, progress=watch.progress)
    return {}


def partition(snapshot: Snapshot, count: int, folder: Path, watch: Watch) -> dict[str, Any]:
    """Everything from the snapshot and its embedding on."""
    with watch.stage("model"):
        transition_model(snapshot, OPTIONS)
    with watch.stage("marginal"):
        compute_marginal(snapshot, OPTIONS, progress=watch.progress)
    with watch.stage("opening"):
        basis = watched(open_scoring_context(snapshot, OPTIONS), watch)
        questions = questions_of(snapshot, count)
    with watch.stage("partition"):
        result, left = score_all(basis, questions, PARAMETERS, folder, watch.progress)
    if left:
        raise AssertionError(f"{len(left)} questions were left out: {left}")
    return told_of(basis, result)


def watched(basis: ScoringContext, watch: Watch) -> Watched:
    """With rows of float32, also of a small graph."""
    parameters = replace(basis.model.parameters, precision="float32")
    model = replace(basis.model, parameters=parameters)
    return Watched(
        basis.snapshot, basis.options, model, basis.marginal, basis.embedding, watch=watch
    )


def told_of(basis: ScoringContext, result: Sequence[ScoredQuestion]) -> dict[str, Any]:
    again = [one for one in result if len(find_undecided(one.splits, WEIGHTS))]
    return {
        "candidates": sum(len(one.order) for one in result),
        "best": [list(one.best) for one in result],
        "how": dict(Counter(one.search_outcome for one in result)),
        "again": len(again),
        "surprise_error": max(one.splits.error for one in result),
        "marginal_error": basis.marginal.error,
        "products": basis.marginal.products,
    }


def warm(folder: Path) -> None:
    """Compiled code is made, or read, in here."""
    silent = Watch(reported_at=float("inf"))
    snapshot = open_snapshot(build_synthetic(300, 3000, folder).path)
    compute_vectors(snapshot, OPTIONS.method)
    compute_marginal(snapshot, OPTIONS)
    basis = watched(open_scoring_context(snapshot, OPTIONS), silent)
    questions = questions_of(snapshot, 5)
    score_all(basis, questions, PARAMETERS, folder / "work", silent.progress)
    basis.rows(questions[0].entities, "float64")


def main(stage: str, path: Path, count: int, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as space:
        warm(Path(space))
    watch = Watch()
    snapshot = open_snapshot(path)
    reported = (
        embed(snapshot, watch) if stage == "embed" else partition(snapshot, count, folder, watch)
    )
    sys.stdout.write(json.dumps({**reported, "seconds": dict(watch.took), "peak": peak()}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
