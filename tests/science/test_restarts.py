"""Walks with restarts, beside the linear system that they solve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.transition.parameters import BadParameters, Dangling, Parameters, UnknownEntity
from backend.science.transition.restarts import restart_probabilities
from backend.science.transition.transition_model import TransitionModel
from tests.science.dense_walks import Dense
from tests.science.multigraphs import Multigraph, multigraphs

TOLERANCE = 1e-9


@settings(deadline=None)
@given(
    multigraphs(entities=20),
    st.sampled_from([0.1, 0.15, 0.5]),
    st.sampled_from(["self", "uniform"]),
)
def test_probabilities_solve_the_linear_system(
    graph: Multigraph, restart: float, dangling: Dangling
) -> None:
    parameters = Parameters(dangling=dangling)
    model = TransitionModel.of(*graph.sides(), parameters)
    count = len(graph.types)
    matrix = np.eye(count) - (1 - restart) * Dense(graph, parameters).one().T
    expected = restart * np.linalg.inv(matrix)
    starts = list(range(count))[::-1]  # more than one block
    result = restart_probabilities(model, starts, restart=restart, tolerance=TOLERANCE)
    for expected_start, (start, values) in zip(starts, result, strict=True):
        assert start == expected_start
        assert np.abs(values - expected[:, start]).sum() <= TOLERANCE + 1e-12


PAIR = Multigraph((0, 0), (False,), ((0, 0, 1),))


@pytest.mark.parametrize(
    ("starts", "options", "error"),
    [
        ([0], {"restart": 0.0}, BadParameters),
        ([0], {"restart": 1.0}, BadParameters),
        ([0], {"tolerance": 0.0}, BadParameters),
        ([2], {}, UnknownEntity),
    ],
)
def test_what_is_out_of_range_is_refused(
    starts: list[int], options: dict[str, Any], error: type[Exception]
) -> None:
    model = TransitionModel.of(*PAIR.sides())
    with pytest.raises(error):
        list(restart_probabilities(model, starts, **options))
