"""Transitions of entities that are added one at a time, beside dense matrices."""

from itertools import product
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.science.transition.added_entities import MAX_ROW_BYTES, AddedTransitions
from backend.science.transition.parameters import Dangling, Direction, Parameters, UnknownEntity
from tests.science.dense_walks import Dense, random_graph
from tests.science.multigraphs import Multigraph

OPTIONS = list(product(get_args(Direction), get_args(Dangling), (False, True), (1, 2, 3, 4)))


def read_entries(matrix: NDArray[np.float64], existing: int) -> NDArray[np.float64]:
    """The entries that RNS of added entities reads; 0 for the others."""
    count = len(matrix)
    is_read = np.eye(count, dtype=np.bool_)
    is_read[:existing] = is_read[:, :existing] = True
    return np.where(is_read, matrix, 0)


def check(dense: Dense, existing: list[int], added: list[int], limit: int = MAX_ROW_BYTES) -> None:
    both = existing + added
    expected = read_entries(dense.many()[np.ix_(both, both)], len(existing))
    transitions = AddedTransitions(dense.model(), existing, max_row_bytes=limit)
    for _ in range(2):  # what the first call leaves behind does not change the second
        result = read_entries(transitions.among(added), len(existing))
        np.testing.assert_allclose(result, expected, rtol=1e-11, atol=1e-18)


@pytest.mark.parametrize("seed", range(60))
def test_entries_match_dense_matrices_under_every_option(seed: int) -> None:
    graph, rng = random_graph(seed), np.random.default_rng(seed)
    weights = rng.uniform(0.01, 1, len(graph.edges)).tolist()
    order = rng.permutation(len(graph.types)).tolist()
    cut = int(rng.integers(0, len(order) + 1))
    for direction, dangling, weighted, hops in OPTIONS:
        parameters = Parameters(direction, dangling, hops, weighted=weighted)
        dense = Dense(graph, parameters, weights if weighted else None)
        check(dense, order[:cut], order[cut:])


@pytest.mark.parametrize("seed", [4, 7, 11])
def test_rows_that_do_not_fit_into_memory_are_computed_again(seed: int) -> None:
    order = list(range(len(random_graph(seed).types)))
    check(Dense(random_graph(seed), Parameters()), order[:3], order[3:], limit=0)


def test_a_triangle_a_loop_and_parallel_edges_by_hand() -> None:
    """Three entities linked to each other, 0 and 1 twice, and a loop at 2."""
    edges = ((0, 0, 1), (0, 0, 2), (1, 0, 0), (1, 0, 2), (2, 0, 2))
    graph = Multigraph((0, 0, 0), (False,), edges)
    result = AddedTransitions(Dense(graph, Parameters()).model(), [1]).among([0])
    # d = 3, 3, 3. Two steps back to 0: 2/3 2/3 + 1/3 1/3. Three: 0-1-2-0 both ways, 0-2-2-0.
    expected = 2 / 6 * 5 / 9 + 3 / 6 * (2 * 2 / 27 + 1 / 27)
    assert result[1, 1] == pytest.approx(expected, rel=1e-14)


def test_an_entity_that_the_graph_lacks_is_an_error() -> None:
    model = Dense(random_graph(3), Parameters()).model()
    with pytest.raises(UnknownEntity):
        AddedTransitions(model, [model.entity_count])
    with pytest.raises(UnknownEntity):
        AddedTransitions(model, [0]).among([-1])
