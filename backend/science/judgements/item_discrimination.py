"""Items on which abler raters agree less with the others: likely broken questions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from scipy.special import logit

from backend.science.judgements.study_level import LEVEL, adjust_over_study
from backend.science.judgements.tables import FloatArray
from backend.science.judgements.usual_discrimination import (
    ItemAgreement,
    estimate_slope,
    usual_tail,
)
from backend.science.optional_statistic import Statistic

EXACT_RATERS = 7
SAMPLED_PERMUTATIONS = 9_999
FLAG_LEVEL = 0.05
MIN_RATERS = 3
ABILITY_BOUNDS = (0.02, 0.98)
RELATIVE_ERROR = 1e-10


@dataclass(frozen=True)
class ItemDiscrimination:
    """correlation: n is the number of raters; p_value: one-sided, of a correlation this negative.

    adjusted: of discrimination below that of the other items, over the items and the checks of a
    study. flagged: negative with p at most 5% alone, and adjusted at most 5%.
    """

    correlation: Statistic
    p_value: float | None
    adjusted: float | None = None

    @property
    def is_negative(self) -> bool:
        return (self.correlation.value or 0) < 0 and (self.p_value or 1) <= FLAG_LEVEL

    @property
    def flagged(self) -> bool:
        return self.is_negative and (self.adjusted or 1) <= LEVEL


def item_discriminations(
    counts: FloatArray, posteriors: FloatArray, *, seed: int, keys: FloatArray | None = None
) -> list[ItemDiscrimination]:
    """Discrimination of each item of counts (raters, items, K), with posteriors (items, K).

    The correlation, over the item's raters, of agreement on the item with ability without the item:
    agreement is the share of the item's other judgements that gave the same category (its votes are
    not weighted by ability, or those of able raters would define the truth of a broken item), or
    whether the category is that of `keys` (items,), NaN for an item without a key. Ability is the
    mean posterior of a rater's answers to the other items. Their posteriors come from a fit to all
    items, such as Dawid and Skene's, on which a single item has little influence.

    p is the share of permutations of the agreements over the raters with a correlation at most as
    large: all of them for up to 7 raters, else 9,999 seeded ones and the observed one. That is of
    an item on which ability does not matter, and too demanding to find a broken one among many:
    with 17 raters the smallest p is about 5e-5, if abilities were known without error. So adjusted
    is of another hypothesis, that the item discriminates as the others do (`usual_tail`), for
    items with p at most 5%; other items count as tests with p = 1.

    n counts raters with a judgement on another item. Undefined: `too_few_raters` (fewer than 3),
    `all_tied` (agreement or ability is the same for all). Raises ValueError for keys of another
    length. Source: Lord and Novick, Statistical Theories of Mental Test Scores (1968), section 15.5
    (item-rest correlation); Phipson and Smyth, SAGMB 9 (2010), for the 1.
    """
    items = counts.shape[1]
    if keys is not None and np.shape(keys) != (items,):
        raise ValueError("keys are (items,)")
    rng = np.random.default_rng(seed)
    rated = _rate_items(counts, posteriors, np.full(items, np.nan) if keys is None else keys)
    result = [_discrimination(one.agreement, one.ability, rng) for one in rated]
    tested = [place for place, one in enumerate(result) if one.p_value is not None]
    slope = estimate_slope([rated[place].agreed for place in tested]) if tested else 0.0
    usual = [
        usual_tail(rated[place].agreed, slope, rng) if result[place].is_negative else 1.0
        for place in tested
    ]
    for place, adjusted in zip(tested, adjust_over_study(usual), strict=True):
        result[place] = replace(result[place], adjusted=adjusted)
    return result


@dataclass(frozen=True)
class _RatedItem:
    """agreement, ability: (raters of the item,). agreed: with the commonest category, or the key's,
    with the logits of the abilities."""

    agreement: FloatArray
    ability: FloatArray

    @property
    def agreed(self) -> ItemAgreement:
        is_high = self.agreement >= self.agreement.max(initial=0.0) - RELATIVE_ERROR
        return ItemAgreement(is_high, logit(np.clip(self.ability, *ABILITY_BOUNDS)))


def _rate_items(counts: FloatArray, posteriors: FloatArray, keys: FloatArray) -> list[_RatedItem]:
    answered = counts.sum(axis=2)
    right = np.einsum("ril,il->ri", counts, posteriors)
    rest = answered.sum(axis=1)[:, None] - answered
    ability = (right.sum(axis=1)[:, None] - right) / np.maximum(rest, 1)
    result = []
    for item, key in enumerate(keys):
        raters = np.flatnonzero((answered[:, item] > 0) & (rest[:, item] > 0))
        agreement = _agreement(counts[:, item], raters, float(key))
        result.append(_RatedItem(agreement, ability[raters, item]))
    return result


def _agreement(counts: FloatArray, raters: np.ndarray, key: float) -> FloatArray:
    """Agreement of the raters on an item with counts (all raters, K)."""
    own = counts[raters] / np.maximum(counts[raters].sum(axis=1, keepdims=True), 1)
    if not math.isnan(key):
        return np.asarray(own[:, int(key)])
    others = counts.sum(axis=0) - counts[raters]
    return np.asarray((own * others).sum(axis=1) / np.maximum(others.sum(axis=1), 1))


def _discrimination(
    agreement: FloatArray, ability: FloatArray, rng: np.random.Generator
) -> ItemDiscrimination:
    n = len(agreement)
    if n < MIN_RATERS:
        return ItemDiscrimination(Statistic(None, n, "too_few_raters"), None)
    one, other = agreement - agreement.mean(), ability - ability.mean()
    scale = math.sqrt(float(one @ one) * float(other @ other))
    if scale <= RELATIVE_ERROR:
        return ItemDiscrimination(Statistic(None, n, "all_tied"), None)
    observed = float(one @ other) / scale
    limit = observed * scale + RELATIVE_ERROR * scale
    if n <= EXACT_RATERS:
        orders = np.array(list(permutations(range(n))))
        p_value = float(np.mean(one[orders] @ other <= limit))
    else:
        orders = rng.permuted(np.tile(np.arange(n), (SAMPLED_PERMUTATIONS, 1)), axis=1)
        as_low = int(np.sum(one[orders] @ other <= limit))
        p_value = (1 + as_low) / (1 + SAMPLED_PERMUTATIONS)
    return ItemDiscrimination(Statistic(observed, n), p_value)
