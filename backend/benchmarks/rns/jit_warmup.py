"""Compile the numba kernels of RNS and of graph queries ahead of their first use.

Machine code is cached on disk beside the sources, so this is slow only once per installation.
Those of RNS come first: the demo's questions are partitioned before the first page.
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from backend.benchmarks.rns.artifacts import compute_marginal, compute_vectors
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.question_scoring import LinkedQuestion, score_question
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.graphs import jit_warmup
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo
from backend.science.rns.measures import Weights
from backend.science.rns.search import RowSurprise
from backend.science.transition.rows import block_columns

ENTITIES = 300  # of a smaller graph no edge is held out, and no iteration converges slowly
STEPS = (1, 7, 40)
# Candidates, and the size of a set of them: all splits are scored; the best are searched, on the
# smallest such number; rows of more candidates than a block has are an array of their own.
CASES = ((6, None), (21, None), (60, 1))


class IrregularGraph:
    """Two types of entities, each linked to three others."""

    relations: Mapping[str, RelationInfo] = {}

    def nodes(self) -> Iterator[NodeRow]:
        for number in range(ENTITIES):
            yield NodeRow(f"EX:{number}", "Link" if number % 2 else "Node", f"link {number}")

    def edges(self) -> Iterator[EdgeRow]:
        for number in range(ENTITIES):
            for step in STEPS:
                yield EdgeRow(f"EX:{number}", "precedes", f"EX:{(number * step + 1) % ENTITIES}")


def compile_kernels() -> None:
    with tempfile.TemporaryDirectory(prefix="serendib-") as folder:
        built = build_snapshot(IrregularGraph(), Path(folder))
        score_splits(open_snapshot(built.path))
    jit_warmup.compile_kernels()


def score_splits(snapshot: Snapshot) -> None:
    """Score questions by rows of their own, and by rows that they share."""
    options = RnsOptions()
    compute_marginal(snapshot, options)
    compute_vectors(snapshot, options.method)
    scoring = open_scoring_context(snapshot, options)
    block = range(block_columns(scoring.model.parameters.precision))  # a narrower one has gaps
    rows = next(scoring.blocks(block))[1]
    for count, size in CASES:
        numbers = np.arange(count)
        question = LinkedQuestion("warm-up", tuple(numbers.tolist()), tuple(numbers.tolist()))
        shared = RowSurprise(rows, numbers % len(block), scoring.entry_error)
        for one in (None, shared):
            score_question(scoring, question, Weights(), size=size, rows=one)
