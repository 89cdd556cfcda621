"""How sure it is that a candidate belongs to the best of a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from backend.science.optional_statistic import Statistic
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.davidson_luce import (
    DavidsonLuce,
    Prior,
    RankingProblem,
    order_by_worth,
)
from backend.science.rankings import FloatArray
from backend.science.rns.partitions import RankedPartition, partition_from_ranking


@dataclass(frozen=True)
class TopMembership:
    """The top b by the model, and for each candidate the probability to be in it.

    A probability's n is the number of raters; with fewer than two it is undefined,
    `too_few_rankings`. The probabilities of a question sum to b.
    """

    model: DavidsonLuce
    partition: RankedPartition
    probabilities: Mapping[str, Statistic]


def estimate_top_membership(
    question: RatedQuestion,
    *,
    seed: int,
    size: int | None = None,
    resamples: int = 200,
    consistencies: Mapping[str, float] | None = None,
    prior: Prior | None = None,
) -> TopMembership:
    """P(in the top b) of each candidate, by a bootstrap over raters of the Davidson-Luce model.

    Raters are drawn with replacement `resamples` times, each with all rankings of the question; a
    draw counts the top b of its fitted worths by `partition_from_ranking`, so a tie at the border
    goes to the first in the order of ids. b is `serendipity_size(n, size)`. consistencies: of the
    raters, from a fit over many questions, and not estimated again.

    Raises ValueError for a rater without consistency, fewer than one resample, or what
    `fit_davidson_luce` raises; SizeOutOfRange as `serendipity_size`. Source: Efron and Tibshirani,
    An Introduction to the Bootstrap (1993), chapter 6.
    """
    if resamples < 1:
        raise ValueError("a bootstrap needs at least one resample")
    problem = RankingProblem([question], prior or Prior())
    logs = _log_consistencies(problem.raters, consistencies)
    model = problem.fit(np.ones(len(problem.raters)), logs)
    partition = _partition(question, model, size)
    raters = len(problem.raters)
    if raters < 2:
        lack = Statistic(None, raters, "too_few_rankings")
        return TopMembership(model, partition, dict.fromkeys(question.ids, lack))
    start = problem.parameters(model)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(raters, np.full(raters, 1 / raters), size=resamples)
    times = np.zeros(len(question.ids))
    for weights, count in Counter(map(tuple, drawn.tolist())).items():  # few raters: few draws
        fitted = problem.fit(np.array(weights, dtype=np.float64), logs, start)
        times[list(_partition(question, fitted, size).serendipity)] += count
    shares = (times / resamples).tolist()
    probabilities = {
        candidate: Statistic(share, raters)
        for candidate, share in zip(question.ids, shares, strict=True)
    }
    return TopMembership(model, partition, probabilities)


def _partition(question: RatedQuestion, model: DavidsonLuce, size: int | None) -> RankedPartition:
    return partition_from_ranking(order_by_worth(model.log_worths[0]), question.ids, size)


def _log_consistencies(raters: list[str], consistencies: Mapping[str, float] | None) -> FloatArray:
    if consistencies is None:
        return np.zeros(len(raters))
    missing = [rater for rater in raters if not consistencies.get(rater, 0) > 0]
    if missing:
        raise ValueError(f"raters without a positive consistency: {missing}")
    return np.log([consistencies[rater] for rater in raters])
