"""The best split of each question another way: float64 throughout, and of a small graph by
matrices and numpy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.rns.artifacts import vectors_folder
from backend.benchmarks.rns.question_scoring import LinkedQuestion
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.embeddings.embedding_store import open_embedding
from backend.science.rns.candidates import Candidates
from backend.science.rns.search import RowSurprise, best_partition
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.rows import transition_rows
from backend.science.transition.transition_model import TransitionModel
from tests.bench.bench_rns import entropy
from tests.bench.transition_peers import Materialised

Floats = NDArray[np.float64]
FITS = 1_000  # entities whose P3 is made as a matrix
TOLERANCE = 1e-11


def check(
    snapshot: Snapshot, questions: Sequence[LinkedQuestion], best: Sequence[Sequence[int]]
) -> None:
    """Raises AssertionError for the first question whose best split is another one."""
    peer = Matrices(snapshot) if snapshot.entity_count <= FITS else Doubles(snapshot)
    for query, mine in zip(questions, best, strict=True):
        theirs = peer.best(np.array(query.entities, np.int64))
        if mine != theirs:
            raise AssertionError(f"{query.file_id}: {mine} is chosen, and it is {theirs}.")


class Doubles:
    """The same definitions with whole rows of float64, a question at a time."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.model = TransitionModel.of(snapshot.forward, snapshot.reverse)
        self.marginal = solve_marginal(self.model, tolerance=TOLERANCE).values
        self.embedding = open_embedding(vectors_folder(snapshot, "propagation"))

    def best(self, entities: NDArray[np.int64]) -> list[int]:
        value = [rows.copy() for _, rows in transition_rows(self.model, entities)]
        candidates = Candidates(
            pairwise_transitions(self.model, entities),
            self.marginal[entities],
            self.embedding.vectors_of(entities),
            self.embedding.has_vector[entities],
        )
        result = best_partition(
            candidates, size=1, source=RowSurprise(np.concatenate(value, axis=1))
        )
        return list(result.serendipity)


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
        vectors = self.embedding.vectors_of(entities)
        has = self.embedding.has_vector[entities]
        far = np.linalg.norm(vectors - vectors[one], axis=1) / 2
        far[~(has & has[one])] = 0.5**0.5
        return -float(np.delete(far, one).mean())

    def novelty(self, entities: NDArray[np.int64], transition: Floats, one: int) -> float:
        before = self.marginal[entities]
        result = np.zeros(len(entities))
        existing = transition[:, one] > 0
        chances = transition[existing, one]
        result[existing] = before[existing] * chances * np.log2(chances / before[one])
        return 1 - float(np.delete(result, one).sum())


def divergence(rows: Floats, one: int) -> float:
    p, q = rows[one], np.delete(rows, one, axis=0).mean(axis=0)
    return entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
