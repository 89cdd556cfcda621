"""Raters who repeat one choice, and whose fast answers are worse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from backend.science.chance_matches import matches_tail
from backend.science.rater_checks.answers import (
    Answers,
    FloatArray,
    IntArray,
    agreement_beyond_item,
)
from backend.science.rater_checks.rater_tests import DRAWS, RaterTest, adjust_tests, simulated_p

MIN_ANSWERS = 10
FAST_SHARE = 0.25
GUESSED_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class CommonestChoice:
    """test: value is the share of the choice, expected its mean share among the others' answers."""

    test: RaterTest
    choice: int


def check_commonest_choice(answers: Answers) -> list[CommonestChoice]:
    """Whether a rater gave one choice more often than the raters of the same items.

    Under exchangeable raters each answer is one of the item's, the rater's own among them, with
    equal probability, so the number of matches has the Poisson binomial distribution of the item
    shares: the test is exact, also with few raters an item, where shares of the others alone would
    flag too many. A rater who knows less than others guesses, which is another flag: with a guess
    in a share g of the answers, of each choice as often as all raters give it over these items, the
    probabilities are (1 - g) times the item's share plus g times the mean share. p is the largest
    upper tail over g = 0, 1/4, … 1, times the number of choices, because the commonest was chosen
    afterwards. Permuting the rater's own answers would find nothing in a constant sequence.

    Raters with fewer than 10 answers that others can be compared with are left out.
    """
    counts = answers.counts
    sizes = counts.sum(axis=1)
    result = []
    for rater, own in answers.by_rater(MIN_ANSWERS):
        choices, items = answers.choices[own], answers.items[own]
        times = np.bincount(choices)
        choice = int(times.argmax())
        given, raters = counts[items, choice], sizes[items]
        others = float(np.mean((given - (choices == choice)) / (raters - 1)))
        tail = _largest_tail(given / raters, int(times[choice]))
        p = min(1.0, tail * counts.shape[1])
        test = RaterTest(rater, float(times[choice] / len(own)), others, len(own), p)
        result.append(CommonestChoice(test, choice))
    adjusted = adjust_tests([one.test for one in result])
    return [replace(one, test=test) for one, test in zip(result, adjusted, strict=True)]


def _largest_tail(shares: FloatArray, observed: int) -> float:
    mean = shares.mean()
    return max(matches_tail((1 - g) * shares + g * mean, observed) for g in GUESSED_SHARES)


def check_longest_run(answers: Answers, *, seed: int, draws: int = DRAWS) -> list[RaterTest]:
    """Whether a rater repeats a choice in a row for longer than in random order.

    value: the longest run. Its null distribution is that of the rater's own answers in random
    order, so a constant rater has p = 1: see `check_commonest_choice`.
    """
    rng = np.random.default_rng(seed)
    tests = []
    for rater, own in answers.by_rater(MIN_ANSWERS):
        choices = answers.choices[own]
        longest = int(_longest_runs(choices[None])[0])
        p, expected = simulated_p(longest, partial(_shuffled_runs, choices, rng), draws=draws)
        tests.append(RaterTest(rater, longest, expected, len(own), p))
    return adjust_tests(tests)


def check_fast_answers(
    answers: Answers, seconds: FloatArray, *, seed: int, draws: int = DRAWS
) -> list[RaterTest]:
    """Whether a rater's fastest quarter of answers agrees less with others than the rest.

    value: mean agreement beyond the item of the rest minus that of the fastest quarter; its null
    distribution is that of the rater's own times in random order. So a rater who is always fast, or
    gets faster without getting worse, is not flagged. seconds: (n,), NaN where unknown.
    """
    rng = np.random.default_rng(seed)
    beyond = agreement_beyond_item(answers)
    tests = []
    for rater, compared in answers.by_rater(MIN_ANSWERS):
        own = compared[~np.isnan(seconds[compared])]
        if len(own) < MIN_ANSWERS:
            continue
        values = beyond[own]
        fast = np.argsort(seconds[own], kind="stable") < 0
        fast[np.argsort(seconds[own], kind="stable")[: round(FAST_SHARE * len(own))]] = True
        loss = float(_loss(values, fast[None])[0])
        p, _ = simulated_p(loss, partial(_shuffled_loss, values, fast, rng), draws=draws)
        tests.append(RaterTest(rater, loss, 0.0, len(own), p))
    return adjust_tests(tests)


def _shuffled_runs(choices: IntArray, rng: np.random.Generator, draws: int) -> FloatArray:
    runs = _longest_runs(rng.permuted(np.tile(choices, (draws, 1)), axis=1))
    return runs.astype(np.float64)


def _shuffled_loss(
    values: FloatArray, fast: np.ndarray, rng: np.random.Generator, draws: int
) -> FloatArray:
    return _loss(values, rng.permuted(np.tile(fast, (draws, 1)), axis=1))


def _loss(values: FloatArray, fast: np.ndarray) -> FloatArray:
    """Mean of the rest minus mean of the fast answers, for each row of groups."""
    size = fast.sum(axis=1)
    sums = fast @ values
    return np.asarray((values.sum() - sums) / (len(values) - size) - sums / size)


def _longest_runs(sequences: IntArray) -> IntArray:
    """The longest run of equal values in each row."""
    current = np.ones(len(sequences), dtype=np.int64)
    longest = current.copy()
    for place in range(1, sequences.shape[1]):
        current = np.where(sequences[:, place] == sequences[:, place - 1], current + 1, 1)
        np.maximum(longest, current, out=longest)
    return longest
