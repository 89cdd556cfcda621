"""A marginal that is kept, and questions that share their rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.artefact import ArtefactRefused
from backend.science.transition.batches import batches_of
from backend.science.transition.kept import keep_marginal, kept_marginal
from backend.science.transition.parameters import Parameters
from tests.science.dense_walks import Dense, random_graph

questions = st.lists(st.lists(st.integers(0, 30), max_size=12), max_size=30)


def test_a_kept_marginal_is_read_back(tmp_path: Path) -> None:
    parameters = Parameters("out", hops=2)
    found = Dense(random_graph(5), parameters).model().marginal()
    keep_marginal(tmp_path / "kept", "graph", parameters, found)
    count = len(found.values)
    kept = kept_marginal(tmp_path / "kept", "graph", parameters, entity_count=count)
    np.testing.assert_array_equal(kept.values, found.values)
    assert replace(kept, values=found.values) == found


def test_the_precision_of_rows_does_not_ask_for_another_marginal(tmp_path: Path) -> None:
    parameters = Parameters()
    found = Dense(random_graph(5), parameters).model().marginal()
    keep_marginal(tmp_path / "kept", "graph", parameters, found)
    other = replace(parameters, precision="float32")
    kept_marginal(tmp_path / "kept", "graph", other, entity_count=len(found.values))


def test_a_marginal_of_something_else_is_refused(tmp_path: Path) -> None:
    parameters = Parameters()
    found = Dense(random_graph(5), parameters).model().marginal()
    keep_marginal(tmp_path / "kept", "graph", parameters, found)
    count = len(found.values)
    for source, asked, size, weights in [
        ("other", parameters, count, None),
        ("graph", Parameters(hops=2), count, None),
        ("graph", parameters, count + 1, None),
        ("graph", parameters, count, "weights"),
    ]:
        with pytest.raises(ArtefactRefused):
            kept_marginal(tmp_path / "kept", source, asked, entity_count=size, weights=weights)


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    parameters = Parameters()
    for name in ("one", "two"):
        found = Dense(random_graph(9), parameters).model().marginal()
        keep_marginal(tmp_path / name, "graph", parameters, found)
    one, two = ((tmp_path / name / "values.npy").read_bytes() for name in ("one", "two"))
    assert one == two


@given(questions, st.integers(1, 9))
def test_every_question_has_one_batch_with_all_its_candidates(
    asked: list[list[int]], width: int
) -> None:
    batches = batches_of(asked, width)
    assert sorted(one for batch in batches for one in batch.questions) == list(range(len(asked)))
    for batch in batches:
        assert len(set(batch.sources)) == len(batch.sources)
        for number in batch.questions:
            assert set(asked[number]) <= set(batch.sources)
        wide = max(len(set(asked[number])) for number in batch.questions)
        assert len(batch.sources) <= max(width, wide)


def test_a_common_candidate_is_computed_once() -> None:
    (batch,) = batches_of([[1, 2, 3], [3, 4], [1, 4]], 8)
    assert batch.sources == [1, 2, 3, 4]


def test_a_question_goes_where_its_candidates_are() -> None:
    batches = batches_of([[1, 2, 3], [7, 8, 9], [9, 8]], 4)
    assert [one.questions for one in batches] == [[0], [1, 2]]
