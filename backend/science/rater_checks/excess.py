"""Raters of whose answers something holds more often than of others to the same items."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, roots_hermitenorm

from backend.science.judgements.study_level import CHECKS, LEVEL
from backend.science.rater_checks.answers import FloatArray, IntArray
from backend.science.rater_checks.rater_tests import RaterTest, adjust_tests

MIN_ANSWERS = 3
SPREADS = np.linspace(0.0, 3.0, 13)
NODES, WEIGHTS = roots_hermitenorm(21)
SHRINKAGE = (16 * math.sqrt(3) / (15 * math.pi)) ** 2


def check_excess(
    raters: IntArray,
    items: IntArray,
    holds: npt.NDArray[np.bool_],
    *,
    least: int = MIN_ANSWERS,
) -> list[RaterTest]:
    """Whether something, such as being wrong, holds of a rater's answers more often than the spread
    of the others accounts for.

    Three flat arrays, one entry an answer. value: the share of the rater's answers of which it
    holds; expected: the mean share over the same items of all raters, the rater included. Raters
    differ without anything being amiss: of an answer to an item with share s it holds with logit
    chance c logit s + u, u normal over raters with mean 0 and deviation d, where c = √(1 + (16√3 /
    15π)² d²) leaves the mean over raters near s. The deviation is the most likely one of 0, 1/4, …
    3 for the other raters without this one, and p the upper tail of the rater's number. With d = 0
    that is the Poisson binomial distribution, exact for exchangeable raters; p is never less, and
    just this where it is too large for a flag. Few others show little of
    their spread. An item whose key is wrong accuses nobody: all are wrong there. Items with one
    answer are left out, and raters with fewer than `least` others.
    Source: Williams, Applied Statistics 31 (1982), for the spread; Zeger, Liang and Albert,
    Biometrics 44 (1988), for c.
    """
    compared = np.bincount(items, minlength=1)[items] > 1
    raters, items, holds = raters[compared], items[compared], holds[compared]
    shares = _item_shares(items, holds)
    tests = []
    for rater in np.unique(raters):
        own = raters == rater
        count, number = int(own.sum()), int(holds[own].sum())
        if count < least:
            continue
        tails = np.minimum(chances_of_counts(shares[own])[:, number:].sum(axis=1), 1.0)
        p = float(tails[0])
        if CHECKS * p <= LEVEL:
            spread = _likeliest_spread(raters[~own], items[~own], holds[~own])
            p = max(p, float(tails[spread]))
        tests.append(RaterTest(int(rater), number / count, float(shares[own].mean()), count, p))
    return adjust_tests(tests)


def _item_shares(items: IntArray, holds: npt.NDArray[np.bool_]) -> FloatArray:
    """(n,): of the answers to the item of each answer."""
    return np.asarray((np.bincount(items, holds) / np.maximum(np.bincount(items), 1))[items])


def _likeliest_spread(raters: IntArray, items: IntArray, holds: npt.NDArray[np.bool_]) -> int:
    """The place in SPREADS, for raters whose number has these shares of items."""
    shares = _item_shares(items, holds)
    total = np.zeros(len(SPREADS))
    for rater in np.unique(raters):
        own = raters == rater
        total += np.log(chances_of_counts(shares[own])[:, int(holds[own].sum())])
    return int(total.argmax())


def chances_of_counts(shares: FloatArray) -> FloatArray:
    """(spreads, n + 1): of each number of answers that it holds for, to items with shares (n,)."""
    middle = logit(shares) * np.sqrt(1 + SHRINKAGE * SPREADS**2)[:, None]
    chance = expit(middle[:, None, :] + (SPREADS[:, None] * NODES)[:, :, None])
    chances = np.zeros((*chance.shape[:2], len(shares) + 1))
    chances[:, :, 0] = 1
    for item in range(len(shares)):
        one = chance[:, :, item, None]
        moved = chances[:, :, :-1] * one
        chances *= 1 - one
        chances[:, :, 1:] += moved
    return np.asarray(np.einsum("skn,k->sn", chances, WEIGHTS / WEIGHTS.sum()))
