"""RNS from a graph's edges to the total, beside matrices and plain loops, under every option."""

from __future__ import annotations

from itertools import product
from typing import get_args

import networkx as nx
import numpy as np
import pytest

from backend.science.rns.candidates import Candidates, NoveltyForm
from backend.science.rns.jensen_shannon import split_surprises
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.parameters import Dangling, Direction, Parameters
from backend.science.transition.transition_model import TransitionModel
from tests.science.dense_walks import Dense, random_graph, rows_of
from tests.science.rns import oracle
from tests.science.rns.definitions import score_sets
from tests.science.rns.questions import weights_drawn

EXACT = 1e-10
WALKS: list[tuple[Direction, Dangling, bool]] = list(
    product(get_args(Direction), get_args(Dangling), (False, True))
)


def worlds(seed: int) -> list[tuple[TransitionModel, oracle.World]]:
    """One seeded multigraph under each option: the model, and what the matrices say."""
    graph, rng = random_graph(seed), np.random.default_rng(seed)
    weights = rng.uniform(0.01, 1, len(graph.edges)).tolist()
    vectors = [None if rng.random() < 0.1 else rng.normal(size=4).tolist() for _ in graph.types]
    result = []
    for direction, dangling, weighted in WALKS:
        parameters = Parameters(direction, dangling, 1 + seed % 4, weighted=weighted)
        dense = Dense(graph, parameters, weights if weighted else None)
        rows = [dict(enumerate(row)) for row in dense.many().tolist()]
        world = oracle.World(nx.MultiDiGraph(), rows, dense.marginal().tolist(), vectors)
        result.append((dense.model(), world))
    return result


@pytest.mark.parametrize("seed", range(200))
def test_rns_of_a_graph_matches_dense_matrices(seed: int) -> None:
    rng, weights = np.random.default_rng(seed), weights_drawn(seed)
    alpha, beta, gamma = weights.values
    for model, world in worlds(seed):
        if len(world.rows) < 2:
            continue
        some = rng.permutation(len(world.rows))[: int(rng.integers(2, 8))].tolist()
        cut = int(rng.integers(1, len(some)))
        candidates = from_model(model, world, some)
        split = np.arange(cut, len(some), dtype=np.int64)
        whole = split_surprises(rows_of(model, some).T, split[None, :])
        known, new = list(range(cut)), split.tolist()
        of_known, of_new = some[:cut], some[cut:]
        relevance = oracle.relevance(world, of_known, of_new)
        forms: list[tuple[str, NoveltyForm]] = [
            ("all", "printed"),
            ("all", "conditional"),
            ("candidates", "printed"),
        ]
        for support, novelty in forms:
            given = float(whole.values[0]) if support == "all" else None
            result = score_sets(candidates, known, new, weights, novelty=novelty, surprise=given)
            information = oracle.information(world, of_known, of_new, novelty)
            surprise = oracle.surprise(world, of_known, of_new, support)
            assert result.relevance == pytest.approx(relevance, abs=EXACT)
            assert result.mutual_information == pytest.approx(information, abs=EXACT)
            assert result.surprise == pytest.approx(surprise, abs=EXACT)
            total = alpha * relevance + beta * (1 - information) + gamma * surprise
            assert result.total == pytest.approx(total, abs=EXACT)


def from_model(model: TransitionModel, world: oracle.World, some: list[int]) -> Candidates:
    """As a question is put together for a stored graph."""
    return Candidates(
        pairwise_transitions(model, some),
        solve_marginal(model, tolerance=1e-12).values[some],
        np.array([world.vectors[one] or [0.0] * 4 for one in some]),
        np.array([world.vectors[one] is not None for one in some]),
    )
