"""Pairs of entries that fail alike, beside a count in plain loops."""

import numpy as np

from backend.science.evaluation.alike_entries import Outcomes, alike_pairs, chance_corrected
from backend.science.evaluation.metrics import Ratio

ACCURACY = Ratio((1, 0), (0, 1))


def counted(first: list[list[float]], second: list[list[float]]) -> tuple[int, float]:
    """Items that either one does not get right, and the share of equal rows among them."""
    pairs = [
        (one, other)
        for one, other in zip(first, second, strict=True)
        if (one[1] or other[1]) and not (one == other == [1.0, 1.0])
    ]
    return len(pairs), sum(one == other for one, other in pairs) / max(1, len(pairs))


def test_alike_pairs_are_those_of_a_count_in_plain_loops() -> None:
    rng = np.random.default_rng(3)
    base = np.stack([rng.random(200) < 0.7, np.ones(200)], axis=1).astype(float)
    entries = [base.copy() for _ in range(6)]
    for number, entry in enumerate(entries):
        changed = rng.choice(200, size=4 * number, replace=False)
        entry[changed, 0] = 1 - entry[changed, 0]
    outcomes = [Outcomes.of(one, ACCURACY, higher_is_better=True) for one in entries]
    expected = {}
    for second in range(6):
        for first in range(second):
            items, share = counted(entries[first].tolist(), entries[second].tolist())
            if items >= 20 and share >= 0.8:
                expected[first, second] = share
    pairs = alike_pairs(outcomes, least_share=0.8, least_items=20, least_kappa=0.5)
    assert {(first, second): share for first, second, share in pairs} == expected
    assert 0 < len(expected) < 15


def test_entries_that_are_right_everywhere_are_not_alike() -> None:
    right = Outcomes.of(np.ones((50, 2)), ACCURACY, higher_is_better=True)
    assert not [*alike_pairs([right, right], least_share=0.5, least_items=1, least_kappa=0)]


def test_weak_entries_that_fail_nearly_everywhere_are_not_alike_but_copies_are() -> None:
    rng = np.random.default_rng(5)
    weak = [np.stack([rng.random(1_000) < 0.04, np.ones(1_000)], axis=1) for _ in range(2)]
    first, second = (
        Outcomes.of(one.astype(float), ACCURACY, higher_is_better=True) for one in weak
    )
    alike = alike_pairs([first, second, first], least_share=0.9, least_items=20, least_kappa=0.8)
    assert [pair[:2] for pair in alike] == [(0, 2)]
    right = [one[:, 0].astype(bool) for one in weak]
    by_chance = sum(
        right[0].mean() * right[1].mean() if side else (1 - right[0].mean()) * (1 - right[1].mean())
        for side in (True, False)
    )
    expected = ((right[0] == right[1]).mean() - by_chance) / (1 - by_chance)
    assert np.isclose(chance_corrected(first, second), expected)
