"""Vectors without training, beside eigenvectors of the dense matrix."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.embeddings import propagation
from backend.science.embeddings.embed import EmbeddingPlan, compute_embedding
from backend.science.embeddings.embedding_store import MemoryOutput, NormalizingSink
from backend.science.embeddings.propagation import filter_degree, propagate, rayleigh_ritz
from backend.science.embeddings.undirected_graph import UndirectedGraph
from tests.science.embeddings.graphs import matrix, planted, random_multigraph, whole
from tests.science.multigraphs import Multigraph


def vectors_of(
    graph: UndirectedGraph, folder: Path, dimensions: int = 16, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    output = MemoryOutput()
    sink = NormalizingSink(output, graph.entity_count, dimensions)
    propagate(graph, sink, scratch=folder, dimensions=dimensions, seed=seed)
    return output.to_array(), sink.has


def oracle(graph: Multigraph, dimensions: int) -> np.ndarray:
    """N² U by numpy, of length 1."""
    links = matrix(graph)
    degrees = links.sum(axis=1)
    scale = 1 / np.sqrt(degrees + max(degrees.sum() / (degrees > 0).sum(), 1))
    values, turn = np.linalg.eigh(scale[:, None] * links * scale)
    values, turn = values[::-1][:dimensions], turn[:, ::-1][:, :dimensions]
    result = turn * np.maximum(values, 0) ** 2
    lengths = np.linalg.norm(result, axis=1, keepdims=True)
    return np.asarray(result / np.where(lengths > 1e-12, lengths, 1))


@pytest.mark.parametrize("seed", range(3))
def test_angles_are_those_between_rows_of_the_leading_eigenvectors(
    seed: int, tmp_path: Path
) -> None:
    """Sixteen groups have sixteen eigenvalues far above the others: the space is sharp."""
    graph = planted(seed)
    result, expected = vectors_of(whole(graph), tmp_path, seed=seed)[0], oracle(graph, 16)
    assert np.abs(result @ result.T - expected @ expected.T).max() < 1e-4


def test_a_graph_smaller_than_the_space_is_exact(tmp_path: Path) -> None:
    graph = random_multigraph(1, entities=23, edges=60)
    result, expected = vectors_of(whole(graph), tmp_path, 16)[0], oracle(graph, 16)
    assert np.abs(result @ result.T - expected @ expected.T).max() < 1e-3


def test_vectors_have_length_one_and_isolated_entities_have_none(tmp_path: Path) -> None:
    graph = random_multigraph(2)
    result, has = vectors_of(whole(graph), tmp_path)
    linked = matrix(graph).sum(axis=1) > 0
    assert np.array_equal(has, linked) and not linked[-3:].any()
    assert np.allclose(np.linalg.norm(result, axis=1), linked, atol=1e-6)


def test_a_graph_without_links_has_no_vectors(tmp_path: Path) -> None:
    empty = UndirectedGraph(np.zeros(6, np.int64), np.empty(0, np.int32))
    result, has = vectors_of(empty, tmp_path)
    assert result.shape == (5, 16) and not result.any() and not has.any()


def test_the_same_seed_gives_the_same_bytes_and_another_nearly_the_same_angles(
    tmp_path: Path,
) -> None:
    graph = whole(planted(3))
    one, again = vectors_of(graph, tmp_path)[0], vectors_of(graph, tmp_path)[0]
    assert one.tobytes() == again.tobytes()
    other = vectors_of(graph, tmp_path, seed=1)[0]
    assert other.tobytes() != one.tobytes()
    assert np.abs(one @ one.T - other @ other.T).max() < 1e-3


def test_the_chunk_size_does_not_change_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = planted(3)
    # A threshold between two ways of computing: both must give the same where both can run.
    monkeypatch.setattr("backend.science.embeddings.column_file.CHUNK_ROWS", 100)
    result, expected = vectors_of(whole(graph), tmp_path)[0], oracle(graph, 16)
    assert np.abs(result @ result.T - expected @ expected.T).max() < 1e-4


def test_dimensions_are_a_multiple_of_sixteen(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="16 columns"):
        vectors_of(whole(planted(1)), tmp_path, 20)


def test_a_cancelled_run_leaves_nothing_behind(tmp_path: Path) -> None:
    stop, graph = CancellationToken(), planted(1)

    def listen(_doing: str, done: int, _total: int) -> None:
        if done == 3:
            stop.cancel()

    types = np.zeros(len(graph.types), np.uint8)
    plan = EmbeddingPlan(dimensions=16)
    with pytest.raises(Cancelled):
        compute_embedding(
            *graph.sides(), types, tmp_path / "made", plan, source="a", progress=listen, stop=stop
        )
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert [name for name in left if name != ".lock"] == []


def test_rayleigh_ritz_solves_the_pencil_and_drops_null_directions() -> None:
    rng = np.random.default_rng(5)
    links = rng.standard_normal((40, 40))
    links += links.T
    base = rng.standard_normal((40, 8))
    base[:, 7] = base[:, 0]  # a rank of seven
    values, turn = rayleigh_ritz(base.T @ base, base.T @ links @ base)
    created = base @ turn
    assert np.allclose(created[:, :7].T @ created[:, :7], np.eye(7), atol=1e-9)
    assert np.allclose(created[:, :7].T @ links @ created[:, :7], np.diag(values[:7]), atol=1e-8)
    assert not turn[:, 7].any() and values[7] == 0


def test_the_filter_degree_limits_growth_to_float32_range() -> None:
    for reach in (1.01, 1.5, 3.0, 30.0):
        degree = filter_degree(reach)
        grown = np.cosh(degree * np.arccosh(reach))
        assert 1 <= degree <= propagation.MAX_DEGREE
        assert degree == 1 or grown <= propagation.MAX_GROWTH
