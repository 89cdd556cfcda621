"""Stored marginals, and questions that share rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.runtime.array_store.errors import InvalidArrayStore
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.marginal_store import load_marginal, save_marginal
from backend.science.transition.parameters import Parameters
from backend.science.transition.row_batches import plan_batches
from tests.science.dense_walks import Dense, random_graph

questions = st.lists(st.lists(st.integers(0, 30), max_size=12), max_size=30)


def test_a_saved_marginal_is_read_back(tmp_path: Path) -> None:
    parameters = Parameters("out", hops=2)
    result = solve_marginal(Dense(random_graph(5), parameters).model())
    save_marginal(tmp_path / "kept", "graph", parameters, result)
    count = len(result.values)
    output = load_marginal(tmp_path / "kept", "graph", parameters, entity_count=count)
    np.testing.assert_array_equal(output.values, result.values)
    assert replace(output, values=result.values) == result


def test_the_row_precision_does_not_require_another_marginal(tmp_path: Path) -> None:
    parameters = Parameters()
    result = solve_marginal(Dense(random_graph(5), parameters).model())
    save_marginal(tmp_path / "kept", "graph", parameters, result)
    other = replace(parameters, precision="float32")
    load_marginal(tmp_path / "kept", "graph", other, entity_count=len(result.values))


def test_a_marginal_of_other_parameters_is_rejected(tmp_path: Path) -> None:
    parameters = Parameters()
    result = solve_marginal(Dense(random_graph(5), parameters).model())
    save_marginal(tmp_path / "kept", "graph", parameters, result)
    count = len(result.values)
    for source, query, size, weights in [
        ("other", parameters, count, None),
        ("graph", Parameters(hops=2), count, None),
        ("graph", parameters, count + 1, None),
        ("graph", parameters, count, "weights"),
    ]:
        with pytest.raises(InvalidArrayStore):
            load_marginal(tmp_path / "kept", source, query, entity_count=size, weights=weights)


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    parameters = Parameters()
    for name in ("one", "two"):
        result = solve_marginal(Dense(random_graph(9), parameters).model())
        save_marginal(tmp_path / name, "graph", parameters, result)
    one, two = ((tmp_path / name / "values.npy").read_bytes() for name in ("one", "two"))
    assert one == two


@given(questions, st.integers(1, 9))
def test_every_question_has_one_batch_with_all_its_candidates(
    questions: list[list[int]], width: int
) -> None:
    batches = plan_batches(questions, width)
    assert sorted(one for batch in batches for one in batch.questions) == list(
        range(len(questions))
    )
    for batch in batches:
        assert len(set(batch.sources)) == len(batch.sources)
        for number in batch.questions:
            assert set(questions[number]) <= set(batch.sources)
        wide = max(len(set(questions[number])) for number in batch.questions)
        assert len(batch.sources) <= max(width, wide)


def test_a_common_candidate_is_computed_once() -> None:
    (batch,) = plan_batches([[1, 2, 3], [3, 4], [1, 4]], 8)
    assert batch.sources == [1, 2, 3, 4]


def test_a_question_joins_the_batch_with_its_candidates() -> None:
    batches = plan_batches([[1, 2, 3], [7, 8, 9], [9, 8]], 4)
    assert [one.questions for one in batches] == [[0], [1, 2]]
