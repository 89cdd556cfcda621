from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize

from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.davidson_luce import fit_davidson_luce, order_by_worth
from backend.science.rank_models.top_membership import estimate_top_membership
from backend.science.rankings import FloatArray, Groups
from backend.science.rns.partitions import partition_from_ranking

ABC: Groups = [["a"], ["b"], ["c"], ["d"]]


def question(*rankings: Groups, ids: str = "abcd") -> RatedQuestion:
    return RatedQuestion(ids, [f"r{i}" for i in range(len(rankings))], rankings)


def values(one: RatedQuestion, size: int = 1, seed: int = 0) -> list[float | None]:
    result = estimate_top_membership(one, seed=seed, size=size)
    return [result.probabilities[candidate].value for candidate in one.ids]


def test_raters_who_agree_leave_no_doubt() -> None:
    assert values(question(ABC, ABC, ABC), size=2) == [1, 1, 0, 0]


def test_two_raters_with_different_firsts_share_the_probability() -> None:
    # Draws: both raters the same (1/4 each way), or one of each (1/2): then the order of ids.
    result = values(question(ABC, [["b"], ["a"], ["c"], ["d"]]))
    assert result[0] == pytest.approx(3 / 4, abs=0.1)
    assert result[1] == pytest.approx(1 / 4, abs=0.1)


def test_each_draw_is_the_partition_of_a_fit_to_the_raters_drawn() -> None:
    rankings: list[Groups] = [ABC, [["c", "d"], ["a"], ["b"]], [["b"], ["a", "c", "d"]]]
    times, rng = np.zeros(4), np.random.default_rng(5)
    for weights in rng.multinomial(3, [1 / 3] * 3, size=100):
        drawn = question(*[rankings[i] for i in range(3) for _ in range(weights[i])])
        fitted = order_by_worth(fit_davidson_luce([drawn]).log_worths[0])
        times[list(partition_from_ranking(fitted, drawn.ids, 2).serendipity)] += 1
    result = estimate_top_membership(question(*rankings), seed=5, size=2, resamples=100)
    shares = [result.probabilities[candidate].value for candidate in "abcd"]
    assert shares == pytest.approx(times / 100)
    assert sum(times) == 200


def test_one_rater_has_no_probabilities_but_a_partition() -> None:
    result = estimate_top_membership(question(ABC), seed=0)
    assert {it.reason for it in result.probabilities.values()} == {"too_few_rankings"}
    assert result.partition.serendipity == (0,)


def test_a_rater_known_to_be_inconsistent_counts_less() -> None:
    reverse = ABC[::-1]
    one = question(ABC, reverse)
    trusted = estimate_top_membership(one, seed=0, consistencies={"r0": 2.0, "r1": 0.1})
    assert trusted.partition.serendipity == (0,)
    other = estimate_top_membership(one, seed=0, consistencies={"r0": 0.1, "r1": 2.0})
    assert other.partition.serendipity == (3,)


def most_probable_first(orders: list[str], consistencies: list[float]) -> str:
    """Of the penalised Plackett-Luce likelihood, written out and maximised without gradients."""

    def loss(worths: FloatArray) -> float:
        total = sum(worths[i] ** 2 for i in range(4)) / (2 * 3.0**2)
        for order, scale in zip(orders, consistencies, strict=True):
            for place in range(4):
                left = [exp(scale * worths["abcd".index(one)]) for one in order[place:]]
                total -= log(left[0] / sum(left))
        return float(total)

    best = minimize(loss, np.zeros(4), method="Nelder-Mead", options={"maxiter": 5000}).x
    return "abcd"[int(np.argmax(best))]


def test_probabilities_with_consistencies_are_shares_of_draws_fitted_by_another_optimiser() -> None:
    orders, scales = ["abcd", "bdca", "dcab"], [0.4, 1.1, 2.0]
    times = dict.fromkeys("abcd", 0)
    for weights in np.random.default_rng(5).multinomial(3, [1 / 3] * 3, size=40):
        drawn = [i for i in range(3) for _ in range(weights[i])]
        times[most_probable_first([orders[i] for i in drawn], [scales[i] for i in drawn])] += 1
    one = question(*[[[name] for name in order] for order in orders])
    known = dict(zip(one.raters, scales, strict=True))
    result = estimate_top_membership(one, seed=5, size=1, resamples=40, consistencies=known)
    shares = {name: share.value for name, share in result.probabilities.items()}
    assert shares == {name: count / 40 for name, count in times.items()}
    equal = estimate_top_membership(one, seed=5, size=1, resamples=40)
    assert {name: share.value for name, share in equal.probabilities.items()} != shares


def test_the_same_seed_gives_the_same_probabilities() -> None:
    one = question(ABC, ABC[::-1], [["a", "d"], ["b", "c"]])
    assert values(one, seed=3) == values(one, seed=3)


def test_a_consistency_that_is_missing_or_not_positive_is_refused() -> None:
    with pytest.raises(ValueError, match="r1"):
        estimate_top_membership(question(ABC, ABC), seed=0, consistencies={"r0": 1, "r1": 0})
