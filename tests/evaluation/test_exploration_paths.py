"""Paths of an exploration in their order."""

import pytest

from backend.evaluation.runs.exploration_paths import rank_paths, strength_of
from backend.tracks.serenqa_exploration.guided_state import GuidedEdge, NodePath


def path(node: int, *weights: float | None) -> NodePath:
    edges = tuple(
        GuidedEdge(at, "treats", "treats", at + 1, weight) for at, weight in enumerate(weights)
    )
    return NodePath(node, edges)


def test_the_strongest_comes_first_and_a_path_with_an_unknown_weight_last() -> None:
    paths = [
        path(1, 0.5, None),
        path(2, 0.5, 0.5),
        path(3, None),
        path(4, 0.9),
        path(5, 0.25),
        path(6, None),
    ]
    assert [one.node for one in rank_paths(paths)] == [4, 5, 2, 3, 6, 1]


def test_a_strength_is_the_product_of_the_weights() -> None:
    assert strength_of(path(1, 0.5, 0.2)) == pytest.approx(0.1)
    assert strength_of(path(1, 0.5, None)) is None
