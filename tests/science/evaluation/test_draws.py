from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.evaluation import draws as draws_module
from backend.science.evaluation.cluster_sums import round_to_grid, sum_by_cluster
from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.metrics import FloatArray
from tests.science.evaluation.strategies import boards
from tests.science.evaluation.worlds import F1, MEAN, confusion_sums, drawn_clusters, mean_sums


def test_components_are_summed_by_cluster() -> None:
    components = np.array([[1.0, 1], [0, 1], [0.5, 1], [1, 1]])
    sums = sum_by_cluster(components, np.array([2, 0, 2, 2]), 4)
    assert sums.tolist() == [[0, 1], [0, 0], [2.5, 3], [0, 0]]


def test_a_slice_has_zeros_for_items_outside_it() -> None:
    components, clusters = np.array([[1.0, 1], [1, 1], [1, 1]]), np.array([0, 0, 1])
    mask = np.array([True, False, False])
    assert sum_by_cluster(components, clusters, 2, mask).tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("components", "clusters"),
    [([1.0], [0]), ([[1.0]], [0, 1]), ([[np.nan]], [0]), ([[1.0]], [2]), ([[1.0]], [-1])],
)
def test_invalid_components_are_rejected(components: list[float], clusters: list[int]) -> None:
    with pytest.raises(ValueError, match=r"components|cluster"):
        sum_by_cluster(np.array(components), np.array(clusters), 2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_any_sum_of_rows_on_the_grid_is_exact(values: list[float]) -> None:
    grid = round_to_grid(np.array(values)[:, None])[:, 0]
    assert np.abs(grid - values).max() <= 2.0**-50 * len(values) * max(map(abs, values))
    picked = np.random.default_rng(len(values)).integers(0, len(values), len(values))
    assert Fraction(float(grid[picked].sum())) == sum(Fraction(float(grid[one])) for one in picked)
    assert round_to_grid(np.array([[3.0], [0.5]])).tolist() == [[3.0], [0.5]]


def test_draws_are_of_as_many_clusters_as_there_are() -> None:
    draws = ClusterDraws(7, seed=3, draws=5)
    (block,) = draws.counts(100, np.float64)
    for counts, clusters in zip(block, drawn_clusters(draws), strict=True):
        assert dict(enumerate(counts)) == {one: Counter(clusters.tolist())[one] for one in range(7)}


@pytest.mark.parametrize(("clusters", "count"), [(5, 10), (100_000, 12), (600_000, 3)])
@pytest.mark.parametrize("rows", [1, 7, 10])
def test_neither_blocks_nor_threads_change_the_draws(
    clusters: int, count: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = ClusterDraws(clusters, seed=1, draws=count)
    blocks = np.concatenate(list(draws.counts(rows, np.float32)))
    monkeypatch.setenv("PYTHON_CPU_COUNT", "1")
    (whole,) = draws.counts(1_000_000, np.float64)
    assert np.array_equal(blocks, whole)
    last = drawn_clusters(draws)[-1]
    assert np.array_equal(whole[-1], np.bincount(last, minlength=clusters))


@pytest.mark.parametrize("clusters", [0, -1])
def test_draws_need_a_cluster(clusters: int) -> None:
    with pytest.raises(ValueError, match="cluster"):
        ClusterDraws(clusters, seed=0)


def naive_values(sums: FloatArray, draws: ClusterDraws) -> list[list[float]]:
    """F1 of each entry in each draw, by loops over the clusters that were drawn."""
    values = []
    for entry in sums.tolist():
        row = []
        for sample in drawn_clusters(draws).tolist():
            true = sum(entry[cluster][0] for cluster in sample)
            false = sum(entry[cluster][1] + entry[cluster][2] for cluster in sample)
            row.append(2 * true / (2 * true + false) if true + false else 0.0)
        values.append(row)
    return values


def test_values_of_draws_equal_naive_loops() -> None:
    sums, draws = confusion_sums(3, 12, seed=1), ClusterDraws(12, seed=9, draws=40)
    assert drawn_values(BoardSums.of(sums), [F1], draws)[0].tolist() == naive_values(sums, draws)


def test_whole_numbers_are_multiplied_in_float32_with_the_same_result() -> None:
    sums, draws = confusion_sums(3, 60, seed=1), ClusterDraws(60, seed=9, draws=200)
    board = BoardSums.of(sums)
    wide = BoardSums(
        tuple(column.astype(np.float64) for column in board.columns), board.entries, board.clusters
    )
    assert {column.dtype for column in board.columns} == {np.dtype(np.float32)}
    assert np.array_equal(drawn_values(board, [F1], draws), drawn_values(wide, [F1], draws))


def test_a_component_that_all_entries_share_is_stored_once() -> None:
    board = BoardSums.of(mean_sums(np.random.default_rng(0).random((4, 10))))
    assert [column.shape for column in board.columns] == [(10, 4), (10, 1)]
    assert board.totals()[:, 1].tolist() == [10] * 4


@settings(max_examples=25, deadline=None)
@given(boards(), st.integers(2_000, 40_000))
def test_an_entry_has_the_same_values_alone_and_in_any_block(sums: FloatArray, size: int) -> None:
    draws = ClusterDraws(sums.shape[1], seed=5, draws=64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws_module, "SEGMENT_CELLS", 300)
        together = drawn_values(BoardSums.of(sums), [MEAN], draws)[0]
        patch.setattr(draws_module, "BLOCK_BYTES", size)
        alone = [drawn_values(BoardSums.of(entry[None]), [MEAN], draws)[0, 0] for entry in sums]
    assert np.array_equal(together, np.stack(alone))


def test_draws_of_other_clusters_are_rejected() -> None:
    with pytest.raises(ValueError, match="clusters"):
        drawn_values(BoardSums.of(np.ones((1, 4, 2))), [MEAN], ClusterDraws(5, seed=0, draws=2))
