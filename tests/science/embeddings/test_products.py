"""The undirected graph and its product with a block, compared with dense matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.embeddings.column_file import temporary_columns
from backend.science.embeddings.edge_partition import partition_links
from backend.science.embeddings.sparse_products import multiply_block
from backend.science.embeddings.undirected_graph import UndirectedGraph, undirected_graph
from backend.science.transition.simd import aligned_zeros
from tests.science.embeddings.graphs import matrix, planted, random_multigraph, whole
from tests.science.multigraphs import Multigraph, multigraphs


def dense(graph: UndirectedGraph) -> np.ndarray:
    result = np.zeros((graph.entity_count,) * 2)
    for entity in range(graph.entity_count):
        row = graph.neighbours[graph.offsets[entity] : graph.offsets[entity + 1]]
        np.add.at(result[entity], row, 1)
    return result


@settings(deadline=None)
@given(multigraphs())
def test_a_link_counts_at_both_ends_and_a_self_loop_once(graph: Multigraph) -> None:
    assert np.array_equal(dense(whole(graph)), matrix(graph))


@settings(deadline=None)
@given(multigraphs())
def test_omitting_a_pair_omits_its_parallel_links_in_both_directions(graph: Multigraph) -> None:
    pairs = np.array([edge[::2] for edge in graph.edges[:3] if edge[0] != edge[2]], np.int64)
    pairs = pairs.reshape(-1, 2)[:, ::-1]
    assert np.array_equal(
        dense(undirected_graph(*graph.sides(), without=pairs)), matrix(graph, pairs)
    )


def test_a_pair_of_unknown_entities_is_rejected() -> None:
    with pytest.raises(IndexError, match="numbered from 0 to 59"):
        undirected_graph(*random_multigraph(1).sides(), without=np.array([[0, 60]]))


@pytest.mark.parametrize("width", [16, 48])
@pytest.mark.parametrize(("loops", "keep", "minus"), [(0, 0, 0), (1, 0, 0), (0, 0.5, 1), (2, 3, 4)])
def test_a_product_matches_the_dense_matrix(
    width: int, loops: float, keep: float, minus: float
) -> None:
    graph, rng = random_multigraph(2), np.random.default_rng(2)
    given, created = aligned_zeros(60, width, np.float32), aligned_zeros(60, width, np.float32)
    given[:], created[:] = rng.standard_normal((2, 60, width))
    scale = rng.random(60) + 0.1
    whole_matrix = matrix(graph) + loops * np.eye(60)
    expected = 0.7 * scale[:, None] * (whole_matrix @ given) + keep * given - minus * created
    multiply_block(
        whole(graph), scale, given, created, times=0.7, loops=loops, keep=keep, minus=minus
    )
    assert np.abs(created - expected).max() < 1e-4
    assert given.ctypes.data % 64 == 0


def test_a_product_of_blocks_of_wrong_shape_is_rejected() -> None:
    graph = whole(random_multigraph(2))
    with pytest.raises(ValueError, match="one row per entity"):
        multiply_block(
            graph, np.ones(60), aligned_zeros(59, 16, np.float32), aligned_zeros(59, 16, np.float32)
        )
    with pytest.raises(ValueError, match="16 columns"):
        multiply_block(graph, np.ones(60), *np.zeros((2, 60, 17), np.float32))


def test_a_product_can_be_cancelled() -> None:
    stop = CancellationToken()
    stop.cancel()
    with pytest.raises(Cancelled):
        multiply_block(
            whole(planted(1)),
            np.ones(640),
            aligned_zeros(640, 16, np.float32),
            aligned_zeros(640, 16, np.float32),
            stop=stop,
        )


def test_a_column_file_behaves_like_a_matrix(tmp_path: Path) -> None:
    rng, rows = np.random.default_rng(3), 70_000
    existing = rng.standard_normal((rows, 32)).astype(np.float32)
    weights, turn = rng.random(rows), rng.standard_normal((32, 32))
    with temporary_columns(tmp_path, rows, 32) as space:
        for block in range(2):
            space.write(block, np.ascontiguousarray(existing[:, block * 16 : block * 16 + 16]))
        assert np.array_equal(space.read_rows(65_000, 70_000), existing[65_000:])
        other = np.ascontiguousarray(existing[:, 5:21])
        expected = existing.T.astype(float) @ (other * weights[:, None])
        assert np.allclose(space.weighted_gram(other, weights), expected, rtol=1e-10, atol=1e-8)
        space.rotate_into(turn, space)
        assert np.allclose(space.read_rows(0, rows), existing @ turn, atol=1e-4)
    assert list(tmp_path.iterdir()) == []


def test_partitioning_assigns_each_link_with_its_parallels_to_one_graph() -> None:
    graph = whole(random_multigraph(4, edges=2000))
    observed, hidden = partition_links(graph, 5, 0.3)
    one, other = dense(observed), dense(hidden)
    assert np.array_equal(one + other, dense(graph)) and not (one * other).any()
    assert np.array_equal(one, one.T)
    assert 0.2 < (other > 0).sum() / (dense(graph) > 0).sum() < 0.4
    again, another = partition_links(graph, 5, 0.3)[1], partition_links(graph, 6, 0.3)[1]
    assert np.array_equal(dense(again), other) and not np.array_equal(dense(another), other)
