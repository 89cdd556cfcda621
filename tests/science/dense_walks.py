"""The transition model as its definition reads, with matrices: the oracle of the tests.

Nothing here knows how the fast one works: edges one by one, numpy's matrix products, and a linear
system for the marginal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.transition.parameters import Parameters
from backend.science.transition.rows import transition_rows
from backend.science.transition.transition_model import TransitionModel
from tests.science.multigraphs import Multigraph

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Dense:
    graph: Multigraph
    parameters: Parameters
    weights: Sequence[float] | None = None

    def links(self) -> Floats:
        """M: every edge counts, parallel ones each, a self-loop once."""
        count = len(self.graph.types)
        result = np.zeros((count, count))
        for number, (source, _, target) in enumerate(self.graph.edges):
            weight = 1.0 if self.weights is None else self.weights[number]
            result[source, target] += weight
            if self.parameters.direction == "both" and source != target:
                result[target, source] += weight
        return result

    def one(self) -> Floats:
        """P1."""
        result = self.links()
        count = len(result)
        for entity, row in enumerate(result):
            if row.sum():
                row /= row.sum()
            elif self.parameters.dangling == "self":
                row[entity] = 1
            else:
                row[:] = 1 / count
        return result

    def many(self) -> Floats:
        """P_k, by its definition."""
        one = self.one()
        hops = range(1, self.parameters.hops + 1)
        result = np.zeros_like(one)
        for hop in hops:
            result += hop / sum(hops) * np.linalg.matrix_power(one, hop)
        return result

    def marginal(self) -> Floats:
        """Exactly, but for rounding: (I - lambda P_k^T) P = (1 - lambda) / V."""
        many, keep = self.many(), self.parameters.damping
        count = len(many)
        return np.linalg.solve(np.eye(count) - keep * many.T, np.full(count, (1 - keep) / count))

    def model(self, **changed: Any) -> TransitionModel:
        given = None if self.weights is None else np.array(self.weights, np.float64)
        return TransitionModel.of(*self.graph.sides(), self.parameters, weights=given, **changed)


def rows_of(model: TransitionModel, sources: Sequence[int]) -> Floats:
    """Whole rows, collected: float64 [n, V]."""
    result = [block.T.astype(np.float64).copy() for _, block in transition_rows(model, sources)]
    return np.concatenate(result) if result else np.empty((0, model.entity_count))


def random_graph(seed: int) -> Multigraph:
    """With hubs, parallel edges, self-loops, entities without any edge and separate parts."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 60))
    edges = int(rng.integers(0, 4 * count + 1))
    part = rng.integers(0, 2, count)
    drawn = np.minimum((count * rng.random((edges, 2)) ** 2).astype(int), count - 1)
    drawn = np.concatenate([drawn, drawn[: edges // 5], np.repeat(drawn[: edges // 9, :1], 2, 1)])
    output = drawn[part[drawn[:, 0]] == part[drawn[:, 1]]]
    relations = rng.integers(0, 3, len(output)).tolist()
    triples = [(int(s), r, int(t)) for (s, t), r in zip(output, relations, strict=True)]
    return Multigraph((0,) * count, (False, False, False), tuple(sorted(triples)))
