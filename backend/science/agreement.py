"""Agreement between raters on the order of one question's candidates, and averages over a batch.

A rank vector may be any finite numbers whose order is the ranking, smaller is better. Only order
and equality count, so mid-ranks and competition ranks give the same result. Memory is m * n * n
bytes for m raters and n items: intended for questions with few candidates.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import MIN_CLUSTERS, estimate_metrics
from backend.science.evaluation.metrics import Ratio
from backend.science.optional_statistic import Reason, Statistic
from backend.science.rankings import FloatArray, Groups, mid_ranks, ranked_ids, validate_weak_order

MIN_QUESTIONS_FOR_INTERVAL = MIN_CLUSTERS
MEAN = Ratio((1, 0), (0, 1))


@dataclass(frozen=True)
class QuestionRankings:
    """The submitted rankings of one question, each a weak order over exactly `ids`."""

    ids: Sequence[str]
    rankings: Sequence[Groups]


@dataclass(frozen=True)
class Agreement:
    """The three measures: of one question, or their averages over a batch."""

    kendall_w: Statistic
    tau_b: Statistic
    top1: Statistic


@dataclass(frozen=True)
class BatchAgreement:
    """Averages over the questions, and the measures of each question in input order."""

    average: Agreement
    by_question: tuple[Agreement, ...]


def kendall_w(ranks: npt.ArrayLike) -> Statistic:
    """Kendall's coefficient of concordance, corrected for ties, of an (m raters, n items) array.

    W = 12 S / (m^2 (n^3 - n) - m sum_j T_j), where S = sum_i (R_i - mean R)^2 over the items' rank
    sums R_i, and T_j = sum (t^3 - t) over the sizes t of rater j's groups of ties.

    Computed as |sum_j d_j|^2 / (m sum_j |d_j|^2), where d_j are rater j's mid-ranks minus their
    mean (n+1)/2. This is equal, since 12 |d_j|^2 = n^3 - n - T_j. Hence 0 <= W <= 1, and W = 1
    exactly if all raters gave the same weak order. A rater who tied everything lowers W; W is
    undefined only if all raters did.

    n is the number of raters. Undefined, tested in this order: `too_few_rankings` (m < 2),
    `too_few_items` (n < 2), `all_tied`. Raises ValueError unless the array has two axes and is
    finite; an empty list means no raters. Source: Kendall and Gibbons, Rank Correlation Methods
    (5th ed., 1990), chapter 6.
    """
    table = _rank_table(ranks)
    raters = table.shape[0]
    lack = _missing_reason(*table.shape)
    if lack is not None:
        return Statistic(None, raters, lack)
    # Summed over the other items, the signs are 2 d_j: whole numbers, so nothing is rounded.
    doubled = _pair_signs(table).sum(axis=2, dtype=np.int64)
    spread = raters * int((doubled**2).sum())
    if spread == 0:
        return Statistic(None, raters, "all_tied")
    return Statistic(int((doubled.sum(axis=0) ** 2).sum()) / spread, raters)


def tau_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Statistic:
    """Kendall's tau-b of two rank vectors of shape (n,): of item ranks, not of listings of ids.

    tau_b = (C - D) / sqrt((P - X)(P - Y)): C concordant and D discordant pairs of items,
    P = n(n-1)/2 pairs in all, X and Y the pairs tied in x and in y. Symmetric; +1 exactly for
    equal weak orders, -1 exactly for reversed ones.

    n counts the items. Undefined: `too_few_items` (n < 2), `all_tied` (x or y ties everything).
    Raises ValueError for unequal lengths or values that are not finite.
    Source: Kendall and Gibbons, Rank Correlation Methods (5th ed., 1990), chapter 3.
    """
    one, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError("tau-b compares two flat rank vectors of equal length")
    table = _rank_table([one, other])
    items = table.shape[1]
    lack = _missing_reason(*table.shape)
    if lack is not None:
        return Statistic(None, items, lack)
    (value,) = _pairwise_tau_b(table)
    return Statistic(None, items, "all_tied") if np.isnan(value) else Statistic(float(value), items)


def mean_pairwise_tau_b(ranks: npt.ArrayLike) -> Statistic:
    """Mean of tau-b over all pairs of raters of an (m raters, n items) array.

    n is the number of pairs averaged. A pair with a rater who tied everything has no tau-b: it is
    left out and counted in `left_out["all_tied"]`.

    Undefined: `too_few_rankings` (m < 2), `too_few_items` (n < 2), `all_tied` (no pair remains).
    Raises what `kendall_w` raises. Source: Kendall and Gibbons, Rank Correlation Methods (5th ed.,
    1990), chapters 3 and 6.
    """
    table = _rank_table(ranks)
    lack = _missing_reason(*table.shape)
    if lack is not None:
        return Statistic(None, 0, lack)
    values = _pairwise_tau_b(table)
    defined = values[~np.isnan(values)]
    tied: dict[Reason, int] = {}
    if defined.size < values.size:
        tied = {"all_tied": values.size - defined.size}
    if defined.size == 0:
        return Statistic(None, 0, "all_tied", left_out=tied)
    return Statistic(float(defined.mean()), defined.size, left_out=tied)


def top1_agreement(rankings: Sequence[Groups]) -> Statistic:
    """Share of pairs of raters whose top groups are equal sets.

    {a, b} agrees with {a, b}, not with {a}. Two raters who both tied everything agree. n is the
    number of pairs.

    Undefined: `too_few_rankings` (fewer than two), `too_few_items` (fewer than two ids, where
    disagreement is impossible). Raises InvalidRanking unless all rank the same ids. Source: defined
    here (architecture.md, Statistics); none of the five papers reports an agreement between
    experts on rankings.
    """
    ids = ranked_ids(rankings[0]) if rankings else []
    for groups in rankings:
        validate_weak_order(groups, ids)
    lack = _missing_reason(len(rankings), len(ids))
    if lack is not None:
        return Statistic(None, 0, lack)
    top_groups = Counter(frozenset(groups[0]) for groups in rankings)
    pairs = len(rankings) * (len(rankings) - 1) // 2
    agreeing = sum(size * (size - 1) // 2 for size in top_groups.values())
    return Statistic(agreeing / pairs, pairs)


def question_agreement(question: QuestionRankings) -> Agreement:
    """The three measures of one question. Raises InvalidRanking for a ranking of other ids."""
    ranks = [mid_ranks(groups, question.ids) for groups in question.rankings]
    return Agreement(
        kendall_w(ranks), mean_pairwise_tau_b(ranks), top1_agreement(question.rankings)
    )


def batch_agreement(
    questions: Sequence[QuestionRankings], *, seed: int, resamples: int = 1000
) -> BatchAgreement:
    """The three measures per question, and their unweighted averages over the batch.

    In an average, n is the number of questions that have a value and `left_out` counts the others
    by reason (`too_few_rankings` for those with fewer than two). If there is no such question,
    there is no value and the reason is `too_few_questions`.

    low and high are a 95% interval over those questions, as `average_statistics` has it, resampled
    from `seed` separately for each measure. Raters are fixed, so the interval generalizes to other
    questions for the same raters.

    Raises InvalidRanking for a ranking that is not over its question's ids; ValueError for fewer
    than one resample. Source: defined here (architecture.md, Statistics).
    """
    if resamples < 1:
        raise ValueError("a bootstrap needs at least one resample")
    result = tuple(question_agreement(question) for question in questions)

    def average(values: list[Statistic], lowest: float = 0.0) -> Statistic:
        return average_statistics(values, seed=seed, resamples=resamples, lowest=lowest)

    over_batch = Agreement(
        average([question.kendall_w for question in result]),
        average([question.tau_b for question in result], -1.0),
        average([question.top1 for question in result]),
    )
    return BatchAgreement(over_batch, result)


def average_statistics(
    statistics: Sequence[Statistic], *, seed: int, resamples: int = 1000, lowest: float = 0.0
) -> Statistic:
    """Mean of the values of questions, numbers from `lowest` to 1, with its interval over them.

    Fewer than 50 questions: Student's t, within these bounds; percentiles of resampled questions
    cover 82 to 88% with 5 of them, this 92 to 96%. From 50 on these percentiles. Where every value
    is `lowest` or 1, Wilson's interval. With fewer than MIN_QUESTIONS_FOR_INTERVAL values there is
    none, and `interval_reason` is `too_few_questions`. Source: `estimate_metrics`, of clusters that
    are questions.
    """
    values = [statistic.value for statistic in statistics if statistic.value is not None]
    left_out = dict(
        Counter(statistic.reason for statistic in statistics if statistic.reason is not None)
    )
    if not values:
        return Statistic(
            None, 0, "too_few_questions", interval_reason="too_few_questions", left_out=left_out
        )
    mean = Statistic(float(np.mean(values)), len(values), left_out=left_out)
    width = 1 - lowest
    shares = (np.array(values) - lowest) / width
    sums = np.column_stack([shares, np.ones(len(values))])[None]
    draws = ClusterDraws(len(values), seed, resamples)
    ((estimate,),) = estimate_metrics(sums, [len(values)], [MEAN], draws)
    if estimate.low is None or estimate.high is None:
        return replace(mean, interval_reason="too_few_questions")
    low, high = lowest + width * estimate.low, lowest + width * estimate.high
    return replace(mean, low=low, high=high)


def _missing_reason(raters: int, items: int) -> Reason | None:
    """Why agreement is undefined for so few raters or items; None if it is defined."""
    if raters < 2:
        return "too_few_rankings"
    return "too_few_items" if items < 2 else None


def _rank_table(ranks: npt.ArrayLike) -> FloatArray:
    table = np.asarray(ranks, dtype=np.float64)
    if table.shape == (0,):
        table = table.reshape(0, 0)
    if table.ndim != 2:
        raise ValueError("ranks must be an array with one row per rater and one column per item")
    if not np.isfinite(table).all():
        raise ValueError("ranks must be finite; leave out raters who did not rank everything")
    return table


def _pair_signs(table: FloatArray) -> npt.NDArray[np.int8]:
    """sign(rank of i - rank of k) for every rater and items i, k: shape (m, n, n)."""
    ahead = table[:, :, None] > table[:, None, :]
    return ahead.astype(np.int8) - ahead.transpose(0, 2, 1).astype(np.int8)


def _pairwise_tau_b(table: FloatArray) -> FloatArray:
    """tau-b of each pair of raters, shape (m(m-1)/2,), NaN where a rater tied everything.

    tau-b is the cosine of the vectors of pair signs.
    """
    raters, items = table.shape
    signs = _pair_signs(table)[:, *np.triu_indices(items, 1)].astype(np.float64)
    products = signs @ signs.T
    untied = products.diagonal()
    one, other = np.triu_indices(raters, 1)
    scale = np.sqrt(untied[one] * untied[other])
    values = np.full(scale.shape, np.nan)
    np.divide(products[one, other], scale, out=values, where=scale > 0)
    return values
