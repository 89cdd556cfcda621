"""The graph as embeddings see it, and its product with a block, beside dense matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from backend.science.embeddings.columns import columns
from backend.science.embeddings.dealing import dealt
from backend.science.embeddings.products import multiply
from backend.science.embeddings.undirected import Undirected, undirected
from backend.science.stopping import Stop, Stopped
from backend.science.transition.lanes import aligned
from tests.science.embeddings.graphs import matrix, planted, random_multigraph, whole
from tests.science.multigraphs import Multigraph, multigraphs


def dense(graph: Undirected) -> np.ndarray:
    found = np.zeros((graph.entity_count,) * 2)
    for entity in range(graph.entity_count):
        row = graph.neighbours[graph.offsets[entity] : graph.offsets[entity + 1]]
        np.add.at(found[entity], row, 1)
    return found


@settings(deadline=None)
@given(multigraphs())
def test_a_link_is_seen_from_both_ends_and_a_self_loop_once(graph: Multigraph) -> None:
    assert np.array_equal(dense(whole(graph)), matrix(graph))


@settings(deadline=None)
@given(multigraphs())
def test_a_pair_left_out_takes_all_its_parallels_along_either_way(graph: Multigraph) -> None:
    pairs = np.array([edge[::2] for edge in graph.edges[:3] if edge[0] != edge[2]], np.int64)
    pairs = pairs.reshape(-1, 2)[:, ::-1]
    assert np.array_equal(dense(undirected(*graph.sides(), without=pairs)), matrix(graph, pairs))


def test_a_pair_of_entities_that_are_not_there_is_refused() -> None:
    with pytest.raises(IndexError, match="numbered from 0 to 59"):
        undirected(*random_multigraph(1).sides(), without=np.array([[0, 60]]))


@pytest.mark.parametrize("width", [16, 48])
@pytest.mark.parametrize(("loops", "keep", "minus"), [(0, 0, 0), (1, 0, 0), (0, 0.5, 1), (2, 3, 4)])
def test_a_product_is_that_of_the_matrix(
    width: int, loops: float, keep: float, minus: float
) -> None:
    graph, chance = random_multigraph(2), np.random.default_rng(2)
    given, made = aligned(60, width, np.float32), aligned(60, width, np.float32)
    given[:], made[:] = chance.standard_normal((2, 60, width))
    scale = chance.random(60) + 0.1
    whole_matrix = matrix(graph) + loops * np.eye(60)
    wanted = 0.7 * scale[:, None] * (whole_matrix @ given) + keep * given - minus * made
    multiply(whole(graph), scale, given, made, times=0.7, loops=loops, keep=keep, minus=minus)
    assert np.abs(made - wanted).max() < 1e-4
    assert given.ctypes.data % 64 == 0


def test_a_product_of_blocks_that_do_not_fit_is_refused() -> None:
    graph = whole(random_multigraph(2))
    with pytest.raises(ValueError, match="a row for each entity"):
        multiply(graph, np.ones(60), aligned(59, 16, np.float32), aligned(59, 16, np.float32))
    with pytest.raises(ValueError, match="16 columns"):
        multiply(graph, np.ones(60), *np.zeros((2, 60, 17), np.float32))


def test_a_product_can_be_stopped() -> None:
    stop = Stop()
    stop.pull()
    with pytest.raises(Stopped):
        multiply(
            whole(planted(1)),
            np.ones(640),
            aligned(640, 16, np.float32),
            aligned(640, 16, np.float32),
            stop=stop,
        )


def test_columns_on_disk_are_read_multiplied_and_turned_as_a_matrix(tmp_path: Path) -> None:
    chance, rows = np.random.default_rng(3), 70_000
    there = chance.standard_normal((rows, 32)).astype(np.float32)
    weights, turn = chance.random(rows), chance.standard_normal((32, 32))
    with columns(tmp_path, rows, 32) as space:
        for block in range(2):
            space.write(block, np.ascontiguousarray(there[:, block * 16 : block * 16 + 16]))
        assert np.array_equal(space.rows_of(65_000, 70_000), there[65_000:])
        other = np.ascontiguousarray(there[:, 5:21])
        wanted = there.T.astype(float) @ (other * weights[:, None])
        assert np.allclose(space.against(other, weights), wanted, rtol=1e-10, atol=1e-8)
        space.turn(turn, space)
        assert np.allclose(space.rows_of(0, rows), there @ turn, atol=1e-4)
    assert list(tmp_path.iterdir()) == []


def test_dealing_gives_every_link_to_one_of_two_graphs_with_its_parallels() -> None:
    graph = whole(random_multigraph(4, edges=2000))
    seen, hidden = dealt(graph, 5, 0.3)
    one, other = dense(seen), dense(hidden)
    assert np.array_equal(one + other, dense(graph)) and not (one * other).any()
    assert np.array_equal(one, one.T)
    assert 0.2 < (other > 0).sum() / (dense(graph) > 0).sum() < 0.4
    again, another = dealt(graph, 5, 0.3)[1], dealt(graph, 6, 0.3)[1]
    assert np.array_equal(dense(again), other) and not np.array_equal(dense(another), other)
