"""Arrays that would crash compiled code are rejected by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from backend.science.adjacency import Adjacency
from tests.science.multigraphs import check_adjacency

# 0 → 1, 0 → 2 and 2 → 0, of two relations.
SIDE = Adjacency(
    np.array([0, 2, 2, 3]),
    np.array([1, 2, 0], np.int32),
    np.array([0, 1, 1], np.uint8),
    np.array([2, 0, 1], np.int32),
)


def test_a_valid_adjacency_passes_and_has_its_degrees() -> None:
    check_adjacency(SIDE, 2)
    assert (SIDE.entity_count, SIDE.edge_count) == (3, 3)
    assert SIDE.degrees().tolist() == [2, 0, 1] == [SIDE.degree(number) for number in range(3)]
    assert SIDE.bounds(2) == (2, 3)


@pytest.mark.parametrize("number", [-1, 3, 1 << 62])
def test_an_unknown_entity_raises(number: int) -> None:
    with pytest.raises(IndexError, match="among 3"):
        SIDE.bounds(number)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (replace(SIDE, offsets=np.array([], np.int64)), "offsets: at least one"),
        (replace(SIDE, offsets=np.array([1, 2, 2, 3])), "offsets: expected from 0 to 3"),
        (replace(SIDE, offsets=np.array([0, 2, 2, 4])), "offsets: expected from 0 to 3"),
        (replace(SIDE, offsets=np.array([0, 3, 2, 3])), "offsets: they decrease"),
        (replace(SIDE, neighbours=np.array([1, 3, 0], np.int32)), "neighbours: 3 is outside"),
        (replace(SIDE, neighbours=np.array([1, -1, 0], np.int32)), "neighbours: -1 is outside"),
        (replace(SIDE, relations=np.array([0, 2, 1], np.uint8)), "relations: 2 is outside"),
        (replace(SIDE, relations=np.array([0, 1], np.uint8)), "relations: 3 elements"),
        (replace(SIDE, edges=np.array([0, 3, 1], np.int32)), "edges: 3 is outside"),
        (replace(SIDE, edges=np.array([0, 1], np.int32)), "edges: 3 elements"),
    ],
)
def test_a_wrong_length_or_index_is_reported_with_its_array(wrong: Adjacency, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_adjacency(wrong, 2)
