"""Items whose known answer is likely wrong: able raters agree on another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from backend.science.chance_matches import matches_tail
from backend.science.judgements.study_level import LEVEL, adjust_over_study
from backend.science.judgements.tables import FloatArray

MIN_RATERS = 3
ABILITY_BOUNDS = (0.02, 0.98)


@dataclass(frozen=True)
class KeyTest:
    """agreement: share of the item's raters with the key's category. expected: their ability.

    adjusted: over the items with a key and the checks of a study.
    """

    item: int
    agreement: float
    expected: float
    n: int
    p_value: float
    is_majority_other: bool
    adjusted: float = 1.0

    @property
    def flagged(self) -> bool:
        return self.is_majority_other and self.adjusted <= LEVEL


def find_disputed_keys(
    counts: FloatArray, posteriors: FloatArray, keys: FloatArray
) -> list[KeyTest]:
    """Of each item with a key and three raters; counts (raters, items, K), posteriors
    (items, K), keys (items,) or NaN.

    If the key were right, a rater would give it with a probability of about the rater's ability:
    the mean posterior of the rater's answers to the other items, kept within 0.02 and 0.98. The
    number of raters who do has then the Poisson binomial distribution, and p is its lower tail. A
    hard item has a low agreement too, so another category must also have more votes than the key.
    """
    answered = counts.sum(axis=2)
    right = np.einsum("ril,il->ri", counts, posteriors)
    tests = []
    for item in np.flatnonzero(~np.isnan(keys)):
        key = int(keys[item])
        rest = answered.sum(axis=1) - answered[:, item]
        raters = np.flatnonzero((answered[:, item] > 0) & (rest > 0))
        if len(raters) < MIN_RATERS:
            continue
        ability = (right.sum(axis=1) - right[:, item])[raters] / rest[raters]
        chances = np.clip(ability, *ABILITY_BOUNDS)
        votes = counts[raters, item].sum(axis=0)
        p = matches_tail(1 - chances, len(raters) - int(votes[key]))
        is_other = bool(np.delete(votes, key).max(initial=0) > votes[key])
        share = float(votes[key] / len(raters))
        tests.append(KeyTest(int(item), share, float(chances.mean()), len(raters), p, is_other))
    adjusted = adjust_over_study([one.p_value for one in tests])
    return [replace(one, adjusted=p) for one, p in zip(tests, adjusted, strict=True)]
