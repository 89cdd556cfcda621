"""The Davidson-Luce model, against its likelihood written out and other estimators."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.stats import spearmanr

from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.davidson_luce import (
    DavidsonLuce,
    Prior,
    RankingProblem,
    fit_davidson_luce,
    order_by_worth,
)
from backend.science.rankings import Groups
from tests.science.strategies import weak_orders

FLAT = Prior(inf, inf, inf)
LOOSE = Prior(worth=30.0, tie=30.0)


def question(*rankings: Groups, ids: str = "abcdef") -> RatedQuestion:
    return RatedQuestion(list(ids), [f"r{i}" for i in range(len(rankings))], rankings)


def naive_log_likelihood(one: RatedQuestion, model: DavidsonLuce, number: int = 0) -> float:
    """The product of the choices, with the sum over all subsets, as the model is printed."""
    worths, total = model.log_worths[number], 0.0

    def weight(subset: tuple[str, ...], rater: str) -> float:
        mean = sum(worths[i] for i in subset) / len(subset)
        return model.ties.get(len(subset), 0.0) * exp(model.consistencies[rater] * mean)

    for rater, groups in zip(one.raters, one.rankings, strict=True):
        for place, group in enumerate(groups):
            left = [i for later in groups[place:] for i in later]
            subsets = [s for size in range(1, len(left) + 1) for s in combinations(left, size)]
            total += log(weight(tuple(group), rater))
            total -= log(sum(weight(subset, rater) for subset in subsets))
    return total


def luce_by_minorisation(orders: list[list[int]], count: int) -> np.ndarray:
    """Plackett-Luce worths by Hunter's MM algorithm (Annals of Statistics 32, 2004)."""
    choices = [order[place:] for order in orders for place in range(len(order) - 1)]
    wins, is_left = np.zeros(count), np.zeros((len(choices), count))
    for row, left in zip(is_left, choices, strict=True):
        wins[left[0]] += 1
        row[left] = 1
    worths = np.ones(count)
    for _ in range(1000):
        worths = wins / (is_left.T @ (1 / (is_left @ worths)))
        worths /= worths.sum()
    return np.asarray(np.log(worths) - np.log(worths).mean())


rankings_with_gaps = st.lists(
    st.sampled_from(["abcde", "abcd", "bcde", "ace", "ab"]).flatmap(
        lambda ids: weak_orders(tuple(ids))
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=30)
@given(rankings_with_gaps, st.booleans())
def test_the_likelihood_of_rankings_with_ties_and_gaps_is_the_printed_product(
    rankings: list[Groups], free: bool
) -> None:
    one = question(*rankings, ids="abcde")
    model = fit_davidson_luce([one], estimate_consistency=free)
    assert model.log_likelihood == pytest.approx(naive_log_likelihood(one, model), abs=1e-9)
    assert np.log(list(model.consistencies.values())).mean() == pytest.approx(0, abs=1e-9)
    assert sum(model.log_worths[0].values()) == pytest.approx(0, abs=1e-9)


@settings(max_examples=20)
@given(rankings_with_gaps, st.integers(0, 2**32 - 1))
def test_gradients_are_those_of_finite_differences(rankings: list[Groups], seed: int) -> None:
    first, second = question(*rankings, ids="abcde"), question([["x", "y"], ["z"]], ids="xyz")
    problem = RankingProblem([first, second], Prior())
    counts = problem.counts(np.ones(len(problem.raters)))
    rng = np.random.default_rng(seed)
    logs = rng.normal(size=len(problem.raters))
    point = rng.normal(size=8 + len(problem.sizes) - 1)
    _, gradient = problem.log_likelihood(point, logs, counts)

    def value(x: np.ndarray) -> float:
        return problem.log_likelihood(x, logs, counts)[0]

    expected = approx_fprime(point, value, 1e-6)
    assert gradient == pytest.approx(expected, abs=1e-4)


def random_rankings(rng: np.random.Generator) -> list[Groups]:
    """Three to five rankings of two or all of three candidates, with ties."""
    result: list[Groups] = []
    for _ in range(rng.integers(3, 6)):
        ids = rng.permutation(list("abc"))[: rng.integers(2, 4)]
        levels = rng.integers(0, len(ids), len(ids))
        groups = [[str(i) for i in ids[levels == level]] for level in range(len(ids))]
        result.append([group for group in groups if group])
    return result


def best_parameters(one: RatedQuestion, model: DavidsonLuce) -> tuple[np.ndarray, np.ndarray]:
    """Worths and logs of ties with the highest penalised printed product; raters are alike."""
    sizes = sorted(model.ties.keys() - {1})
    even = dict.fromkeys(one.raters, 1.0)

    def loss(x: np.ndarray) -> float:
        worths = dict(zip("abc", x[:3], strict=True))
        ties = {1: 1.0, **dict(zip(sizes, np.exp(x[3:]), strict=True))}
        candidate = replace(model, log_worths=(worths,), ties=ties, consistencies=even)
        return float(x @ x) / 2 - naive_log_likelihood(one, candidate)

    best = minimize(loss, np.zeros(3 + len(sizes)), options={"gtol": 1e-5}).x
    return best[:3] - best[:3].mean(), best[3:]


def test_random_rankings_with_ties_and_gaps_have_the_optimum_of_the_printed_product() -> None:
    for seed in range(200):
        one = question(*random_rankings(np.random.default_rng(seed)), ids="abc")
        model = fit_davidson_luce([one], prior=Prior(worth=1.0, tie=1.0))
        worths, ties = best_parameters(one, model)
        assert [model.log_worths[0][i] for i in "abc"] == pytest.approx(worths, abs=1e-3)
        fitted = [log(model.ties[size]) for size in sorted(model.ties.keys() - {1})]
        assert fitted == pytest.approx(ties, abs=1e-3)


def random_orders(rng: np.random.Generator) -> list[list[int]]:
    """Three to eight orders of two to all of four candidates; and two of all, so that nobody is
    always first."""
    orders = [list(range(4)), list(range(4))[::-1]]
    for _ in range(rng.integers(3, 9)):
        order = np.argsort(rng.gumbel(size=4) - np.arange(4) / 2)
        present = rng.permutation(4)[: rng.integers(2, 5)]
        orders.append([int(one) for one in order if one in present])
    return orders


def test_random_orders_with_gaps_have_the_worths_of_plackett_luce() -> None:
    for seed in range(200):
        orders = random_orders(np.random.default_rng(seed))
        rankings = [[["abcd"[i]] for i in order] for order in orders]
        model = fit_davidson_luce([question(*rankings, ids="abcd")], prior=FLAT)
        assert model.converged, seed
        fitted = [model.log_worths[0][i] for i in "abcd"]
        assert fitted == pytest.approx(luce_by_minorisation(orders, 4), abs=1e-5), seed
        assert model.ties == {1: 1.0}


@pytest.mark.parametrize(("first", "second", "ties"), [(9, 4, 6), (1, 1, 5), (20, 3, 1)])
def test_two_candidates_have_the_closed_form_of_davidson(
    first: int, second: int, ties: int
) -> None:
    # Three outcomes, two parameters: the model reproduces the shares (Davidson, JASA 65, 1970).
    rankings = [[["a"], ["b"]]] * first + [[["b"], ["a"]]] * second + [[["a", "b"]]] * ties
    model = fit_davidson_luce([question(*rankings, ids="ab")], prior=FLAT)
    worths = model.log_worths[0]
    assert worths["a"] - worths["b"] == pytest.approx(log(first / second), abs=1e-5)
    assert model.ties[2] == pytest.approx(ties / sqrt(first * second), rel=1e-5)


def test_sizes_of_groups_that_never_occur_have_no_parameter() -> None:
    model = fit_davidson_luce([question([["a", "b", "c"], ["d"]], [["d"], ["a"], ["b"], ["c"]])])
    assert set(model.ties) == {1, 3}


def test_no_ranking_leaves_all_worths_equal() -> None:
    model = fit_davidson_luce([question(ids="abc")])
    assert model.log_worths == ({"a": 0.0, "b": 0.0, "c": 0.0},)
    assert model.log_likelihood == 0


def test_unanimous_raters_have_finite_worths_in_their_order() -> None:
    groups = [["a"], ["b"], ["c"], ["d"]]
    model = fit_davidson_luce([question(*[groups] * 20, ids="abcd")])
    assert model.converged
    assert order_by_worth(model.log_worths[0]) == groups
    assert max(map(abs, model.log_worths[0].values())) < 15


@given(rankings_with_gaps)
@settings(max_examples=20)
def test_the_order_of_raters_and_names_of_candidates_do_not_matter(
    rankings: list[Groups],
) -> None:
    model = fit_davidson_luce([question(*rankings, ids="abcde")])
    moved = fit_davidson_luce([question(*rankings[::-1], ids="edcba")])
    for candidate in "abcde":
        assert moved.log_worths[0][candidate] == pytest.approx(
            model.log_worths[0][candidate], abs=1e-5
        )


def test_symmetric_rankings_tie_their_candidates() -> None:
    model = fit_davidson_luce([question([["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]], ids="abc")])
    assert [set(group) for group in order_by_worth(model.log_worths[0])] == [{"a", "b"}, {"c"}]


def simulated_board(scales: list[float], questions: int) -> list[RatedQuestion]:
    rng = np.random.default_rng(3)
    raters, board = [f"r{i}" for i in range(len(scales))], []
    for _ in range(questions):
        worths = rng.normal(size=7)
        draws = [np.argsort(-(scale * worths + rng.gumbel(size=7))) for scale in scales]
        board.append(RatedQuestion("abcdefg", raters, [[["abcdefg"[i]] for i in o] for o in draws]))
    return board


def test_consistency_of_raters_is_recovered_over_many_questions() -> None:
    scales = [0.1, 0.5, 1.0, 1.5, 2.0, 3.0]
    model = fit_davidson_luce(simulated_board(scales, 25), estimate_consistency=True)
    fitted = [model.consistencies[f"r{i}"] for i in range(6)]
    assert model.converged
    assert spearmanr(scales, fitted).statistic == 1
    expected = np.array(scales) / np.exp(np.log(scales).mean())
    # Errors of the worths pull the estimates together; the joint maximum would be 1.6 too high.
    assert np.log(fitted[1:]) == pytest.approx(np.log(expected[1:]), abs=0.75)


def test_questions_without_shared_parameters_are_fitted_as_if_alone() -> None:
    board = simulated_board([1.0, 1.0, 1.0], 3)
    joint = fit_davidson_luce(board)
    for number, one in enumerate(board):
        alone = fit_davidson_luce([one]).log_worths[0]
        assert list(joint.log_worths[number].values()) == pytest.approx(
            list(alone.values()), abs=1e-5
        )


def test_no_nearby_parameters_have_a_higher_penalised_likelihood() -> None:
    one = question([["a", "b"], ["c"], ["d"]], [["c"], ["a"], ["b", "d"]], ids="abcd")
    problem = RankingProblem([one], LOOSE)
    logs, counts = np.log([0.5, 2.0]), problem.counts(np.ones(2))
    point = problem.parameters(problem.fit(np.ones(2), logs))

    def height(x: np.ndarray) -> float:
        return problem.log_likelihood(x, logs, counts)[0] - float(x @ x) / (2 * 30**2)

    steps = np.random.default_rng(1).normal(scale=0.05, size=(200, len(point)))
    assert max(height(point + step) for step in steps) <= height(point) + 1e-9


def test_more_subsets_than_of_twelve_candidates_are_refused() -> None:
    ids = [f"c{i}" for i in range(40)]
    large = RatedQuestion(ids, ["r"], [[ids[:9], ids[9:]]])
    with pytest.raises(ValueError, match="at most 12 candidates"):
        fit_davidson_luce([large])


def test_a_ranking_of_other_ids_is_refused() -> None:
    with pytest.raises(ValueError, match="ids of its question"):
        question([["a"], ["z"]], ids="abc")
