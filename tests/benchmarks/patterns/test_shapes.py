"""The type of a pattern is derived from its shape."""

from __future__ import annotations

import random

import pytest

from backend.tracks.serenqa_patterns import (
    PATTERN_TYPES,
    Pattern,
    PatternEdge,
    PatternNode,
)
from tests.benchmarks.patterns.factories import OTHERS, SHAPES


def pattern_of(shape: tuple[tuple[int, int], ...], *query: int) -> Pattern:
    nids = sorted({nid for pair in shape for nid in pair})
    nodes = (
        PatternNode(
            nid, "class" if nid in query else "entity", str(nid), "T", is_target=nid in query
        )
        for nid in nids
    )
    return Pattern(tuple(nodes), tuple(PatternEdge(*pair, "r") for pair in shape))


@pytest.mark.parametrize("name", SHAPES)
def test_each_of_the_nine_types_is_recognised(name: str) -> None:
    assert pattern_of(SHAPES[name], 0).type == name
    assert set(PATTERN_TYPES) == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_neither_the_order_nor_the_numbers_nor_most_directions_matter(name: str) -> None:
    chance = random.Random(1)  # noqa: S311  test data
    for _ in range(30):
        numbers = chance.sample(range(50), 4)
        edges = [(numbers[a], numbers[b]) for a, b in SHAPES[name]]
        if len(edges) > 1:
            edges = [pair[::-1] if chance.random() < 0.5 else pair for pair in edges]
        chance.shuffle(edges)
        assert pattern_of(tuple(edges), numbers[0]).type == name


def test_the_type_depends_on_which_node_is_asked() -> None:
    path = SHAPES["3.1"]
    assert [pattern_of(path, query).type for query in range(4)] == ["3.1", "3.2", "3.2", "3.1"]
    star = SHAPES["4.2"]
    assert [pattern_of(star, query).type for query in range(4)] == ["4.2", "3.3", "3.3", "3.3"]
    assert [pattern_of(SHAPES["2.1"], query).type for query in range(3)] == ["2.1", "4.1", "2.1"]


def test_a_ring_may_ask_for_one_node_or_two() -> None:
    ring = SHAPES["4.3"]
    assert pattern_of(ring, 0, 3).type == pattern_of(ring, 0, 1).type == "4.3"
    assert pattern_of(ring, 0, 1, 2).type == ""


@pytest.mark.parametrize("name", OTHERS)
def test_a_shape_that_is_none_of_them_has_no_type(name: str) -> None:
    assert pattern_of(OTHERS[name], 0).type == ""


def test_a_path_with_two_asked_nodes_has_no_type() -> None:
    assert pattern_of(SHAPES["2.1"], 0, 2).type == ""


def test_parts_that_do_not_hang_together_have_no_type() -> None:
    assert pattern_of(((0, 1), (2, 3)), 0).type == ""
    assert pattern_of(((0, 1), (2, 3), (3, 4), (4, 2)), 0).type == ""
