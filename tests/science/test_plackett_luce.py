"""Plackett-Luce draws, against the formula computed item by item."""

from collections import Counter
from itertools import permutations
from math import exp, inf, nan

import numpy as np
import pytest

from backend.science.plackett_luce import sample_order

DRAWS = 20_000


def probability(order: tuple[int, ...], worths: list[float]) -> float:
    """The product of the choices, as the model says it."""
    result = 1.0
    for place in range(len(order)):
        left = order[place:]
        result *= exp(worths[left[0]]) / sum(exp(worths[item]) for item in left)
    return result


@pytest.mark.parametrize("worths", [[0.0, 0.0, 0.0], [1.5, 0.0, -1.0], [100.0, 101.0, 99.5]])
def test_order_frequencies_match_the_formula(worths: list[float]) -> None:
    rng = np.random.default_rng(7)
    observed = Counter(tuple(sample_order(worths, rng)) for _ in range(DRAWS))
    for order in permutations(range(3)):
        expected = probability(order, worths)
        spread = (expected * (1 - expected) / DRAWS) ** 0.5
        assert abs(observed[order] / DRAWS - expected) < 5 * spread


def test_the_same_seed_draws_the_same_order() -> None:
    first, second = (sample_order([0.0] * 9, np.random.default_rng(3)) for _ in range(2))
    assert first == second
    assert sorted(first) == list(range(9))


def test_nothing_to_order_gives_an_empty_order() -> None:
    assert sample_order([], np.random.default_rng(0)) == []


@pytest.mark.parametrize("worth", [nan, inf, -inf])
def test_a_non_finite_worth_is_rejected(worth: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        sample_order([0.0, worth], np.random.default_rng(0))
