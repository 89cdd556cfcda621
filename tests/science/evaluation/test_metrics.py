from __future__ import annotations

import numpy as np
import pytest

from backend.science.evaluation.metrics import Difference, Ratio
from tests.science.evaluation.worlds import ACCURACY, F1, MEAN, PRECISION, RECALL

TABLE = np.array([6.0, 2.0, 3.0, 9.0])  # TP, FP, FN, TN


def test_precision_recall_f1_and_accuracy_of_a_table() -> None:
    values = [float(metric(TABLE)) for metric in (PRECISION, RECALL, F1, ACCURACY)]
    assert values == pytest.approx([6 / 8, 6 / 9, 12 / 17, 15 / 20], abs=1e-15)


def test_a_ratio_is_taken_along_the_last_axis() -> None:
    sums = np.array([[[1.0, 2.0], [3.0, 4.0]], [[0.0, 5.0], [2.0, 2.0]]])
    assert MEAN(sums).tolist() == [[0.5, 0.75], [0.0, 1.0]]


def test_precision_without_a_predicted_link_is_zero() -> None:
    assert float(PRECISION(np.array([0.0, 0.0, 4.0, 9.0]))) == 0.0


def test_zero_by_zero_is_the_worst_value_that_the_metric_names() -> None:
    errors = Ratio((1, 0), (0, 1), undefined=1.0)
    assert errors(np.array([[0.0, 0.0], [0.0, 3.0]])).tolist() == [1.0, 0.0]


def test_only_clusters_with_a_predicted_link_contribute_to_precision() -> None:
    rows = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 3]])
    assert PRECISION.contributes(rows).tolist() == [True, True, False]
    assert ACCURACY.contributes(rows).tolist() == [True, True, True]


def test_a_difference_is_first_minus_second() -> None:
    both = np.array([3.0, 4.0, 1.0, 4.0])
    assert float(Difference(MEAN)(both)) == 0.5
    assert Difference(MEAN).contributes(np.array([[0.0, 0, 0, 1], [0.0, 0, 0, 0]])).tolist() == [
        True,
        False,
    ]


def test_a_metric_rejects_sums_of_other_components() -> None:
    with pytest.raises(ValueError, match="components"):
        MEAN(TABLE)
