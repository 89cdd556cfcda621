"""R, N, S and RNS of two sets, which need not be exhaustive, from the parts of the product."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backend.science.rns.candidates import Candidates, Floats, Longs, NoveltyForm, check_sets
from backend.science.rns.jensen_shannon import SplitSurprises, split_surprises
from backend.science.rns.measures import EQUAL_WEIGHTS, RnsScore, Weights, score_given_splits


def jensen_shannon(serendipity: Floats, existing: Floats) -> float:
    """S of two mean rows, float64 [V] each; symmetric, 0 for equal rows, 1 for disjoint ones."""
    rows = np.stack([serendipity, existing], axis=1).astype(np.float64)
    return float(split_surprises(rows, np.zeros((1, 1), np.int64)).values[0])


def subset(candidates: Candidates, numbers: Sequence[int]) -> Candidates:
    """Only these candidates, in this order."""
    chosen = np.array(numbers, np.int64)
    return Candidates(
        candidates.transition[np.ix_(chosen, chosen)],
        candidates.marginal[chosen],
        candidates.vectors[chosen],
        candidates.has_embedding[chosen],
    )


def relevance(candidates: Candidates, existing: Sequence[int], serendipity: Sequence[int]) -> float:
    """R = - mean of d(i, j) over i in A_s and j in A_e. From -1 (opposite) to 0 (equal)."""
    known, new = check_sets(candidates.count, existing, serendipity)
    return -float(candidates.distances[np.ix_(new, known)].mean())


def mutual_information(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    novelty: NoveltyForm = "printed",
) -> float:
    """MI in bits: the sum of P(i) P(j | i) log2(P(j | i) / P(j)) over i in A_e and j in A_s.

    `conditional` divides by P(A_e), the sum of P(i) over A_e. Over subsets MI may be negative.
    """
    known, new = check_sets(candidates.count, existing, serendipity)
    result = float(candidates.information[np.ix_(known, new)].sum())
    if novelty == "conditional":
        return result / float(candidates.marginal[known].sum())
    return result


def novelty(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    form: NoveltyForm = "printed",
) -> float:
    """N = 1 - MI. In the printed form it is almost constant, since P(i) is of the order of 1/V."""
    return 1 - mutual_information(candidates, existing, serendipity, form)


def leading_split(size: int) -> Longs:
    """The split whose serendipity set is the first `size` candidates."""
    return np.arange(size, dtype=np.int64)[None, :]


def score_sets(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    weights: Weights = EQUAL_WEIGHTS,
    *,
    novelty: NoveltyForm = "printed",
    surprise: float | None = None,
    error: float = 0.0,
) -> RnsScore:
    """RNS of two sets of candidates, which need not be exhaustive.

    `surprise` is S from the means of whole rows, with the error bound `error`; by default S among
    the candidates of both sets. Raises what `check_sets` raises.
    """
    check_sets(candidates.count, existing, serendipity)
    chosen = subset(candidates, [*serendipity, *existing])
    split = leading_split(len(serendipity))
    given = None if surprise is None else SplitSurprises(split, np.array([surprise]), error)
    measured = score_given_splits(chosen, split, novelty=novelty, surprises=given)
    unembedded = tuple(one for one in candidates.unembedded if one in {*serendipity, *existing})
    return measured.score_of(0, weights, unembedded)
