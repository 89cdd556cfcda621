"""The logarithms, and S of all splits in one pass: exactness, bounds and the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.divergence import (
    ARITHMETIC,
    ENTRY_ERROR,
    RANGE,
    Block,
    gathered,
    single_surprises,
    split_surprises,
)
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.logarithms import log2_double, log2_single
from backend.science.rns.row_kernels import Rows
from backend.science.rns.splits import all_splits
from backend.science.stopping import Stop, Stopped
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import Precision
from backend.science.transition.rows import row_error
from tests.science.multigraphs import Multigraph

PRECISIONS: tuple[Precision, ...] = get_args(Precision)


@vectorised
def all_double(values: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    for place in range(len(found)):
        found[place] = log2_double(values[place])


@vectorised
def all_single(values: NDArray[np.float32], found: NDArray[np.float32]) -> None:
    for place in range(len(found)):
        found[place] = log2_single(values[place])


def numbers() -> NDArray[np.float64]:
    chance = np.random.default_rng(4)
    near = 1 + chance.normal(size=20_000) * 10 ** chance.uniform(-7, -1, 20_000)
    far = 2 ** chance.uniform(-120, 2, 20_000)
    return np.concatenate([near, far, chance.uniform(0, 2, 20_000), [2.0, 1.0, 0.5, 4.0]])


def test_logarithms_in_float64_are_right_to_1e_15() -> None:
    values = numbers()
    found = np.empty_like(values)
    all_double(values, found)
    exact = np.log2(values.astype(np.longdouble))
    off = np.abs(found - exact)
    assert (off <= 1e-15 * np.abs(exact)).all()


def test_logarithms_in_float32_are_right_to_3e_7() -> None:
    values = numbers().astype(np.float32)
    found = np.empty_like(values)
    all_single(values, found)
    exact = np.log2(values.astype(np.float64))
    assert (np.abs(found - exact) <= 3e-7 * np.abs(exact)).all()


def test_nothing_times_the_logarithm_of_nothing_is_nothing() -> None:
    assert 0.0 * log2_double(0.0) == 0 and np.float32(0) * log2_single(np.float32(0)) == 0


def rows_drawn(entities: int, count: int, seed: int = 0) -> NDArray[np.float64]:
    chance = np.random.default_rng(seed)
    rows = chance.random((entities, count)) ** 8 * (chance.random((entities, count)) < 0.8)
    rows[:count] += np.eye(count)
    return np.asarray(rows / rows.sum(axis=0))


def plain(rows: Rows, split: list[int]) -> float:
    """By numpy in float64, with entropies instead of ratios."""
    wide = rows.astype(np.float64)
    others = [one for one in range(wide.shape[1]) if one not in split]
    p, q = wide[:, split].mean(axis=1), wide[:, others].mean(axis=1)
    return float(entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2)


def entropy(p: NDArray[np.float64]) -> float:
    some = p[p > 0]
    return float(-(some * np.log2(some)).sum())


@pytest.mark.parametrize("entities", [3, 1000, 1024, RANGE + 5])
@pytest.mark.parametrize("size", [1, 2])
def test_s_of_every_split_is_that_of_its_mean_rows(entities: int, size: int) -> None:
    rows = rows_drawn(entities, 3 if entities == 3 else 5)
    splits = all_splits(rows.shape[1], size)
    found = split_surprises(rows, splits)
    wanted = [plain(rows, split) for split in splits.tolist()]
    assert found.values == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_float32_rows_stay_within_the_stated_bound(seed: int) -> None:
    exact = rows_drawn(5000, 6, seed)
    found = split_surprises(exact.astype(np.float32), all_splits(6, 1))
    off = np.abs(found.values - split_surprises(exact, all_splits(6, 1)).values)
    assert 0 < off.max() <= found.error < 2e-6


@pytest.mark.parametrize("error", [1e-6, 1e-4])
def test_entries_that_are_off_by_a_factor_move_s_by_no_more_than_the_bound(error: float) -> None:
    exact = rows_drawn(4000, 4)
    splits = all_splits(4, 1)
    wanted = split_surprises(exact, splits).values
    high, low = exact * (1 + error), exact * (1 - error)
    first = exact.argmax(axis=1)[:, None] == np.arange(4)
    for changed in (np.where(first, high, low), np.where(first, low, high)):
        found = split_surprises(changed, splits, entry_error=error)
        assert 0 < np.abs(found.values - wanted).max() <= found.error


def test_the_number_of_cores_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_drawn(3 * RANGE + 77, 4).astype(np.float32)
    many = split_surprises(rows, all_splits(4, 1))
    monkeypatch.setattr("backend.science.threads.core_count", lambda: 1)
    assert many.values.tobytes() == split_surprises(rows, all_splits(4, 1)).values.tobytes()


def test_rows_that_come_in_several_blocks_are_passed_twice_and_give_the_same() -> None:
    rows = rows_drawn(2000, 7)
    passes = []

    def blocks() -> Iterator[Block]:
        for part in np.array_split(np.arange(7), 3):
            passes.append(len(part))
            yield part + 100, rows[:, part]

    found = single_surprises(blocks, 7)
    whole = single_surprises(lambda: [(np.arange(7), rows)], 7)
    assert found.values == pytest.approx(whole.values, abs=1e-13)
    assert passes == [3, 2, 2] * 2


def test_a_block_that_questions_share_gives_each_the_s_of_its_own_rows() -> None:
    rows = rows_drawn(3000, 8)
    mine = np.array([6, 1, 4])
    found = split_surprises(rows, all_splits(3, 1), columns=mine)
    alone = split_surprises(rows[:, mine], all_splits(3, 1))
    assert found.values.tobytes() == alone.values.tobytes()


def test_a_stop_ends_the_pass() -> None:
    stop = Stop()
    stop.pull()
    with pytest.raises(Stopped):
        split_surprises(rows_drawn(100, 3), all_splits(3, 1), stop=stop)


def test_the_rows_of_the_transition_model_are_taken_as_they_come() -> None:
    """S of 19 candidates, which come in two or three blocks that share one piece of memory."""
    graph = Multigraph((0,) * 40, (False,), tuple((n, 0, (n * n + 3) % 40) for n in range(39)))
    model = TransitionModel.of(*graph.sides())
    sources = list(range(19))
    exact = gathered(model.rows(sources), 19)
    wanted = [plain(exact, [one]) for one in sources]
    for precision in PRECISIONS:
        error = row_error(model, precision)
        found = single_surprises(
            partial(model.rows, sources, precision=precision), 19, entry_error=error
        )
        assert np.abs(found.values - wanted).max() <= found.error + 1e-12


def test_an_error_is_stated_for_each_precision() -> None:
    rows = rows_drawn(100, 3)
    assert split_surprises(rows, all_splits(3, 1)).error < 2e-13
    narrow = split_surprises(rows.astype(np.float32), all_splits(3, 1)).error
    assert narrow == pytest.approx(ARITHMETIC["float32"] + 1.06 * ENTRY_ERROR["float32"])


def test_what_is_no_row_is_refused() -> None:
    rows = rows_drawn(50, 3)
    rows[7, 1] = np.nan
    with pytest.raises(InvalidNumbers):
        split_surprises(rows, all_splits(3, 1))
    with pytest.raises(SizeOutOfRange):
        split_surprises(rows, np.array([[0, 1, 2]]))
    with pytest.raises(InvalidNumbers):
        split_surprises(rows, np.array([[3]]))
    with pytest.raises(InvalidNumbers):
        single_surprises(lambda: [(np.array([0, 1]), rows_drawn(50, 2))], 3)
    with pytest.raises(InvalidNumbers):
        split_surprises(rows_drawn(50, 3), all_splits(2, 1), columns=np.array([0, 3]))
