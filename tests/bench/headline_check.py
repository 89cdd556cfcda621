"""The best split of each question another way: float64 throughout, and of a small graph by
matrices and numpy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.serendipity.artefacts import vectors_folder
from backend.benchmarks.serendipity.scoring import Asked
from backend.graphs.snapshots.opening import Snapshot
from backend.science.embeddings.vectors import open_embedding
from backend.science.rns.candidates import Candidates
from backend.science.rns.search import Over, best_partition
from backend.science.transition.model import TransitionModel
from tests.bench.bench_rns import entropy
from tests.bench.transition_peers import Materialised

Floats = NDArray[np.float64]
FITS = 1_000  # entities whose P3 is made as a matrix
TOLERANCE = 1e-11


def check(snapshot: Snapshot, questions: Sequence[Asked], best: Sequence[Sequence[int]]) -> None:
    """Raises AssertionError for the first question whose best split is another one."""
    peer = Matrices(snapshot) if snapshot.entity_count <= FITS else Doubles(snapshot)
    for asked, mine in zip(questions, best, strict=True):
        theirs = peer.best(np.array(asked.entities, np.int64))
        if mine != theirs:
            raise AssertionError(f"{asked.file_id}: {mine} is chosen, and it is {theirs}.")


class Doubles:
    """The same definitions with whole rows of float64, a question at a time."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.model = TransitionModel.of(snapshot.forward, snapshot.reverse)
        self.marginal = self.model.marginal(tolerance=TOLERANCE).values
        self.embedding = open_embedding(vectors_folder(snapshot, "propagation"))

    def best(self, entities: NDArray[np.int64]) -> list[int]:
        held = [rows.copy() for _, rows in self.model.rows(entities)]
        candidates = Candidates(
            self.model.block(entities),
            self.marginal[entities],
            self.embedding.of(entities),
            self.embedding.has[entities],
        )
        found = best_partition(candidates, size=1, source=Over(np.concatenate(held, axis=1)))
        return list(found.serendipity)


class Matrices:
    """P3 by scipy, and R, N and S as they are defined."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.three = Materialised(snapshot)
        self.marginal = self.three.marginal(TOLERANCE)
        self.embedding = open_embedding(vectors_folder(snapshot, "propagation"))

    def best(self, entities: NDArray[np.int64]) -> list[int]:
        rows = self.three.three[entities].toarray()
        transition = self.three.block(entities.tolist())
        totals = [
            self.relevance(entities, one)
            + self.novelty(entities, transition, one)
            + divergence(rows, one)
            for one in range(len(entities))
        ]
        best = max(totals)
        return [next(one for one, total in enumerate(totals) if total >= best - 3e-12)]

    def relevance(self, entities: NDArray[np.int64], one: int) -> float:
        vectors = self.embedding.of(entities)
        has = self.embedding.has[entities]
        far = np.linalg.norm(vectors - vectors[one], axis=1) / 2
        far[~(has & has[one])] = 0.5**0.5
        return -float(np.delete(far, one).mean())

    def novelty(self, entities: NDArray[np.int64], transition: Floats, one: int) -> float:
        before = self.marginal[entities]
        found = np.zeros(len(entities))
        there = transition[:, one] > 0
        chances = transition[there, one]
        found[there] = before[there] * chances * np.log2(chances / before[one])
        return 1 - float(np.delete(found, one).sum())


def divergence(rows: Floats, one: int) -> float:
    p, q = rows[one], np.delete(rows, one, axis=0).mean(axis=0)
    return entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
