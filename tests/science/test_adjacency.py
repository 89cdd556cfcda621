"""Arrays that would lead compiled code astray are refused by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from backend.science.adjacency import Adjacency
from backend.science.pages import first_pages

# 0 → 1, 0 → 2 and 2 → 0, of two relations.
SIDE = Adjacency(
    np.array([0, 2, 2, 3]),
    np.array([1, 2, 0], np.int32),
    np.array([0, 1, 1], np.uint8),
    np.array([2, 0, 1], np.int32),
)


def test_a_sound_one_is_itself_and_knows_its_degrees() -> None:
    assert SIDE.checked(2) is SIDE
    assert (SIDE.entity_count, SIDE.edge_count) == (3, 3)
    assert SIDE.degrees().tolist() == [2, 0, 1] == [SIDE.degree(number) for number in range(3)]
    assert SIDE.bounds(2) == (2, 3)


@pytest.mark.parametrize("number", [-1, 3, 1 << 62])
def test_an_entity_that_is_not_there_has_no_entries(number: int) -> None:
    with pytest.raises(IndexError, match="among 3"):
        SIDE.bounds(number)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (replace(SIDE, offsets=np.array([], np.int64)), "offsets: at least one"),
        (replace(SIDE, offsets=np.array([1, 2, 2, 3])), "offsets: expected from 0 to 3"),
        (replace(SIDE, offsets=np.array([0, 2, 2, 4])), "offsets: expected from 0 to 3"),
        (replace(SIDE, offsets=np.array([0, 3, 2, 3])), "offsets: they fall"),
        (replace(SIDE, neighbours=np.array([1, 3, 0], np.int32)), "neighbours: 3 is outside"),
        (replace(SIDE, neighbours=np.array([1, -1, 0], np.int32)), "neighbours: -1 is outside"),
        (replace(SIDE, relations=np.array([0, 2, 1], np.uint8)), "relations: 2 is outside"),
        (replace(SIDE, relations=np.array([0, 1], np.uint8)), "relations: 3 elements"),
        (replace(SIDE, edges=np.array([0, 3, 1], np.int32)), "edges: 3 is outside"),
        (replace(SIDE, edges=np.array([0, 1], np.int32)), "edges: 3 elements"),
    ],
)
def test_a_wrong_length_or_index_is_told_by_the_name_of_its_array(
    wrong: Adjacency, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        wrong.checked(2)


def test_pages_hold_the_first_entries_and_count_all() -> None:
    pages = first_pages(SIDE, np.array([2, 0, 1, 0]), None, 1)
    assert pages.starts.tolist() == [0, 1, 2, 2, 3]
    assert pages.counts.tolist() == [1, 2, 0, 2]
    assert pages.neighbours.tolist() == [0, 1, 1]
    assert pages.edges.tolist() == [1, 2, 2]


def test_pages_of_one_relation_leave_the_others_out() -> None:
    pages = first_pages(SIDE, np.array([0, 2]), 1, 5)
    assert pages.neighbours.tolist() == [2, 0]
    assert pages.relations.tolist() == [1, 1]
    assert first_pages(SIDE, np.array([], np.int64), None, 5).starts.tolist() == [0]
