"""Tables of judgements and their records."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from backend.science.judgements.tables import Cells, Judgement, JudgementTable

ROWS: list[Judgement] = [("q2", "ann", 3.0), ("q1", "ann", 1.0), ("q2", "bo", 2.0)]


def test_a_table_has_sorted_raters_and_items_and_gaps() -> None:
    table = JudgementTable.of(ROWS)
    assert (table.raters, table.items) == (("ann", "bo"), ("q1", "q2"))
    np.testing.assert_array_equal(table.values, [[1, 3], [np.nan, 2]])


def test_records_survive_the_table_in_any_order() -> None:
    shuffled = [ROWS[1], ROWS[2], ROWS[0]]
    one, other = JudgementTable.of(ROWS), JudgementTable.of(shuffled)
    assert one.judgements() == other.judgements() == sorted(ROWS, key=lambda row: (row[1], row[0]))


def test_a_gap_in_the_records_names_its_rater_and_item() -> None:
    table = JudgementTable.of([*ROWS, ("q3", "cy", float("nan"))])
    assert table.values.shape == (3, 3) and np.isnan(table.values[2]).all()


def test_two_judgements_of_one_item_are_rejected_even_if_one_is_a_gap() -> None:
    with pytest.raises(ValueError, match="twice"):
        JudgementTable.of([*ROWS, ("q2", "bo", float("nan"))])


@pytest.mark.parametrize(
    ("values", "raters", "items", "message"),
    [
        (np.ones((2, 3)), ("a",), ("x", "y", "z"), "row for each"),
        (np.array([[np.inf]]), ("a",), ("x",), "finite"),
        (np.ones((2, 1)), ("a", "a"), ("x",), "unique"),
    ],
)
def test_an_invalid_table_is_rejected(
    values: np.ndarray, raters: tuple[str, ...], items: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        JudgementTable(values, raters, items)


def test_cells_number_the_listed_categories_in_order() -> None:
    cells = Cells.of(np.array([[5, np.nan], [1, 5]]), categories=[5, 1, 3])
    assert cells.categories.tolist() == [1, 3, 5]
    assert cells.category.tolist() == [2, 0, 2]
    assert cells.item_counts(np.array([1.0, 10])).tolist() == [[10, 0, 1], [0, 0, 10]]
    assert cells.item_totals(np.array([1.0, 10])).tolist() == [11, 10]


@pytest.mark.parametrize("values", [[1, 2], [[np.inf, 1]]])
def test_cells_need_a_finite_table(values: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match="raters, items"):
        Cells.of(values)
