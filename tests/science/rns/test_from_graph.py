"""RNS from a graph's edges to the total, beside matrices and plain loops, under every option."""

from __future__ import annotations

from itertools import product
from typing import get_args

import networkx as nx
import numpy as np
import pytest

from backend.science.rns.candidates import Candidates, Novelty
from backend.science.rns.divergence import gathered, split_surprises
from backend.science.rns.measures import score
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import Dangling, Direction, Parameters
from tests.science.dense_walks import Dense, random_graph
from tests.science.rns import oracle
from tests.science.rns.questions import weights_drawn

EXACT = 1e-10
WALKS: list[tuple[Direction, Dangling, bool]] = list(
    product(get_args(Direction), get_args(Dangling), (False, True))
)


def worlds(seed: int) -> list[tuple[TransitionModel, oracle.World]]:
    """One seeded multigraph under each option: the model, and what the matrices say."""
    graph, chance = random_graph(seed), np.random.default_rng(seed)
    weights = chance.uniform(0.01, 1, len(graph.edges)).tolist()
    vectors = [
        None if chance.random() < 0.1 else chance.normal(size=4).tolist() for _ in graph.types
    ]
    found = []
    for direction, dangling, weighted in WALKS:
        parameters = Parameters(direction, dangling, 1 + seed % 4, weighted=weighted)
        dense = Dense(graph, parameters, weights if weighted else None)
        rows = [dict(enumerate(row)) for row in dense.many().tolist()]
        world = oracle.World(nx.MultiDiGraph(), rows, dense.marginal().tolist(), vectors)
        found.append((dense.model(), world))
    return found


@pytest.mark.parametrize("seed", range(200))
def test_rns_of_a_graph_is_that_of_its_matrices(seed: int) -> None:
    chance, weights = np.random.default_rng(seed), weights_drawn(seed)
    alpha, beta, gamma = weights.values
    for model, world in worlds(seed):
        if len(world.rows) < 2:
            continue
        some = chance.permutation(len(world.rows))[: int(chance.integers(2, 8))].tolist()
        cut = int(chance.integers(1, len(some)))
        candidates = from_model(model, world, some)
        split = np.arange(cut, len(some), dtype=np.int64)
        whole = split_surprises(gathered(model.rows(some), len(some)), split[None, :])
        known, new = list(range(cut)), split.tolist()
        of_known, of_new = some[:cut], some[cut:]
        relevance = oracle.relevance(world, of_known, of_new)
        forms: list[tuple[str, Novelty]] = [
            ("all", "printed"),
            ("all", "conditional"),
            ("candidates", "printed"),
        ]
        for support, novelty in forms:
            given = float(whole.values[0]) if support == "all" else None
            found = score(candidates, known, new, weights, novelty=novelty, surprise=given)
            information = oracle.information(world, of_known, of_new, novelty)
            surprise = oracle.surprise(world, of_known, of_new, support)
            assert found.relevance == pytest.approx(relevance, abs=EXACT)
            assert found.mutual_information == pytest.approx(information, abs=EXACT)
            assert found.surprise == pytest.approx(surprise, abs=EXACT)
            total = alpha * relevance + beta * (1 - information) + gamma * surprise
            assert found.total == pytest.approx(total, abs=EXACT)


def from_model(model: TransitionModel, world: oracle.World, some: list[int]) -> Candidates:
    """As a question is put together for a stored graph."""
    return Candidates(
        model.block(some),
        model.marginal(tolerance=1e-12).values[some],
        np.array([world.vectors[one] or [0.0] * 4 for one in some]),
        np.array([world.vectors[one] is not None for one in some]),
    )
