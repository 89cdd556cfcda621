"""The weights of edges, against their definition in plain Python."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.transition.edge_weights import LEVELS, level_strengths, link_weights

NAMES = ("", "High", "low", "not detected", "medium", "unheard of")
Edge = tuple[int, float, float, int]  # relation, score, p-value, level

edges = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.floats(-5, 5, width=32) | st.just(math.nan),
        st.floats(0, 1) | st.just(math.nan),
        st.integers(0, len(NAMES) - 1),
    ),
    max_size=30,
)


def measures_of(edge: Edge) -> list[float]:
    _, score, p_value, level = edge
    strength = LEVELS.get(NAMES[level].lower(), math.nan)
    return [score, -math.log10(max(p_value, 1e-300)), strength]


def expected(query: list[Edge]) -> list[float]:
    result = []
    for edge in query:
        shares = []
        for place, value in enumerate(measures_of(edge)):
            same = [measures_of(one)[place] for one in query if one[0] == edge[0]]
            known = [one for one in same if not math.isnan(one)]
            if not math.isnan(value):
                low, high = min(known), max(known)
                shares.append((value - low) / (high - low) if high > low else 1.0)
        result.append(0.01 + 0.99 * fmean(shares) if shares else 1.0)
    return result


def weights_of(query: list[Edge]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    columns = list(zip(*query, strict=True)) if query else [(), (), (), ()]
    relations, scores, p_values, levels = columns
    return link_weights(
        np.array(relations, np.uint8),
        scores=np.array(scores, np.float32),
        p_values=np.array(p_values, np.float64),
        levels=np.array(levels, np.uint8),
        strengths=level_strengths(NAMES),
    )


@given(edges)
def test_weights_match_the_definition(links: list[Edge]) -> None:
    np.testing.assert_allclose(weights_of(links), expected(links), atol=1e-6)


def test_an_edge_without_measures_has_weight_one() -> None:
    assert link_weights(np.array([0, 3], np.uint16)).tolist() == [1, 1]


def test_the_weakest_edge_has_a_positive_weight() -> None:
    result = link_weights(np.zeros(3, np.uint8), scores=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(result, [0.01, 0.505, 1.0])


def test_a_p_value_of_zero_is_the_strongest_and_finite() -> None:
    result = link_weights(np.zeros(3, np.uint8), p_values=np.array([0.0, 1e-150, 1.0]))
    np.testing.assert_allclose(result, [1.0, 0.505, 0.01])


def test_extreme_scores_do_not_overflow() -> None:
    result = link_weights(np.zeros(3, np.uint8), scores=np.array([-1.7e308, 0.0, 1.7e308]))
    np.testing.assert_allclose(result, [0.01, 0.505, 1.0])


def test_relations_are_scaled_separately() -> None:
    scores = np.array([1.0, 2.0, 100.0, 200.0])
    result = link_weights(np.array([0, 0, 1, 1], np.uint8), scores=scores)
    np.testing.assert_allclose(result, [0.01, 1, 0.01, 1])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"scores": np.array([np.inf])}, "finite"),
        ({"p_values": np.array([1.5])}, "from 0 to 1"),
        ({"p_values": np.array([-0.1])}, "from 0 to 1"),
        ({"scores": np.zeros(2)}, "1 elements"),
        ({"levels": np.zeros(1, np.uint8)}, "strengths"),
        ({"levels": np.array([7], np.uint8), "strengths": np.zeros(2)}, "level 7"),
        ({"into": np.zeros(3, np.float32)}, "1 elements"),
    ],
)
def test_invalid_measures_are_rejected(wrong: dict[str, np.ndarray], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        link_weights(np.zeros(1, np.uint8), **wrong)
