"""The logarithms, and S of all splits in one pass: exactness, bounds and the same bytes."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.runtime.jit import jit_vectorize
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.fast_log2 import log2_float32, log2_float64
from backend.science.rns.jensen_shannon import (
    ARITHMETIC_ERROR,
    ENTRY_ERROR,
    RANGE_ENTITIES,
    split_surprises,
)
from backend.science.rns.row_kernels import RowArray
from backend.science.rns.splits import all_splits
from backend.science.transition.parameters import Precision
from backend.science.transition.rows import row_error_bound, transition_rows
from backend.science.transition.transition_model import TransitionModel
from tests.science.multigraphs import Multigraph

PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@jit_vectorize
def all_double(values: NDArray[np.float64], result: NDArray[np.float64]) -> None:
    for place in range(len(result)):
        result[place] = log2_float64(values[place])


@jit_vectorize
def all_single(values: NDArray[np.float32], result: NDArray[np.float32]) -> None:
    for place in range(len(result)):
        result[place] = log2_float32(values[place])


def numbers() -> NDArray[np.float64]:
    rng = np.random.default_rng(4)
    near = 1 + rng.normal(size=20_000) * 10 ** rng.uniform(-7, -1, 20_000)
    far = 2 ** rng.uniform(-120, 2, 20_000)
    return np.concatenate([near, far, rng.uniform(0, 2, 20_000), [2.0, 1.0, 0.5, 4.0]])


def test_float64_logarithms_have_relative_error_below_1e_15() -> None:
    values = numbers()
    result = np.empty_like(values)
    all_double(values, result)
    exact = np.log2(values.astype(np.longdouble))
    off = np.abs(result - exact)
    assert (off <= 1e-15 * np.abs(exact)).all()


def test_float32_logarithms_have_relative_error_below_3e_7() -> None:
    values = numbers().astype(np.float32)
    result = np.empty_like(values)
    all_single(values, result)
    exact = np.log2(values.astype(np.float64))
    assert (np.abs(result - exact) <= 3e-7 * np.abs(exact)).all()


def test_zero_times_log_zero_is_zero() -> None:
    assert 0.0 * log2_float64(0.0) == 0 and np.float32(0) * log2_float32(np.float32(0)) == 0


def rows_drawn(entities: int, count: int, seed: int = 0) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    rows = rng.random((entities, count)) ** 8 * (rng.random((entities, count)) < 0.8)
    rows[:count] += np.eye(count)
    return np.asarray(rows / rows.sum(axis=0))


def plain(rows: RowArray, split: list[int]) -> float:
    """By numpy in float64, with entropies instead of ratios."""
    wide = rows.astype(np.float64)
    others = [one for one in range(wide.shape[1]) if one not in split]
    p, q = wide[:, split].mean(axis=1), wide[:, others].mean(axis=1)
    return float(entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2)


def entropy(p: NDArray[np.float64]) -> float:
    some = p[p > 0]
    return float(-(some * np.log2(some)).sum())


@pytest.mark.parametrize("entities", [3, 1000, 1024, RANGE_ENTITIES + 5])
@pytest.mark.parametrize("size", [1, 2])
def test_surprise_matches_the_definition_for_every_split(entities: int, size: int) -> None:
    rows = rows_drawn(entities, 3 if entities == 3 else 5)
    splits = all_splits(rows.shape[1], size)
    result = split_surprises(rows, splits)
    expected = [plain(rows, split) for split in splits.tolist()]
    assert result.values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_float32_rows_stay_within_the_stated_bound(seed: int) -> None:
    exact = rows_drawn(5000, 6, seed)
    result = split_surprises(exact.astype(np.float32), all_splits(6, 1))
    off = np.abs(result.values - split_surprises(exact, all_splits(6, 1)).values)
    assert 0 < off.max() <= result.error < 2e-6


@pytest.mark.parametrize("error", [1e-6, 1e-4])
def test_relative_errors_of_entries_change_s_within_the_bound(error: float) -> None:
    exact = rows_drawn(4000, 4)
    splits = all_splits(4, 1)
    expected = split_surprises(exact, splits).values
    high, low = exact * (1 + error), exact * (1 - error)
    first = exact.argmax(axis=1)[:, None] == np.arange(4)
    for changed in (np.where(first, high, low), np.where(first, low, high)):
        result = split_surprises(changed, splits, entry_error=error)
        assert 0 < np.abs(result.values - expected).max() <= result.error


def test_the_result_does_not_depend_on_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_drawn(3 * RANGE_ENTITIES + 77, 4).astype(np.float32)
    many = split_surprises(rows, all_splits(4, 1))
    monkeypatch.setenv("PYTHON_CPU_COUNT", "1")
    assert many.values.tobytes() == split_surprises(rows, all_splits(4, 1)).values.tobytes()


def test_a_shared_block_gives_each_question_its_own_surprise() -> None:
    rows = rows_drawn(3000, 8)
    mine = np.array([6, 1, 4])
    result = split_surprises(rows, all_splits(3, 1), columns=mine)
    alone = split_surprises(rows[:, mine], all_splits(3, 1))
    assert result.values.tobytes() == alone.values.tobytes()


def test_cancellation_ends_the_pass() -> None:
    stop = CancellationToken()
    stop.cancel()
    with pytest.raises(Cancelled):
        split_surprises(rows_drawn(100, 3), all_splits(3, 1), stop=stop)


def gather_rows(model: TransitionModel, sources: list[int], precision: Precision) -> RowArray:
    blocks = transition_rows(model, sources, precision=precision)
    return np.concatenate([block.copy() for _, block in blocks], axis=1)


def test_rows_of_the_transition_model_are_accepted() -> None:
    """S of 19 candidates, which come in two or three blocks that share one piece of memory."""
    graph = Multigraph((0,) * 40, (False,), tuple((n, 0, (n * n + 3) % 40) for n in range(39)))
    model = TransitionModel.of(*graph.sides())
    sources = list(range(19))
    exact = gather_rows(model, sources, "float64")
    expected = [plain(exact, [one]) for one in sources]
    for precision in PRECISIONS:
        error = row_error_bound(model, precision)
        rows = gather_rows(model, sources, precision)
        result = split_surprises(rows, all_splits(19, 1), entry_error=error)
        assert np.abs(result.values - expected).max() <= result.error + 1e-12


def test_an_error_is_stated_for_each_precision() -> None:
    rows = rows_drawn(100, 3)
    assert split_surprises(rows, all_splits(3, 1)).error < 2e-13
    narrow = split_surprises(rows.astype(np.float32), all_splits(3, 1)).error
    assert narrow == pytest.approx(ARITHMETIC_ERROR["float32"] + 1.06 * ENTRY_ERROR["float32"])


def test_invalid_rows_are_rejected() -> None:
    rows = rows_drawn(50, 3)
    rows[7, 1] = np.nan
    with pytest.raises(InvalidNumbers):
        split_surprises(rows, all_splits(3, 1))
    with pytest.raises(SizeOutOfRange):
        split_surprises(rows, np.array([[0, 1, 2]]))
    with pytest.raises(InvalidNumbers):
        split_surprises(rows, np.array([[3]]))
    with pytest.raises(InvalidNumbers):
        split_surprises(rows_drawn(50, 3), all_splits(2, 1), columns=np.array([0, 3]))
