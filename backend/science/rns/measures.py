"""R, N, S and their weighted sum RNS, of one split or of many at once (SerenQA §2.2, §3.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.science.rns.candidates import Candidates, Floats, Longs, Novelty, check_sets
from backend.science.rns.cuts import add_cuts
from backend.science.rns.divergence import Surprises, check_splits, split_surprises
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange, WeightsOffSimplex

SUM_ERROR = 1e-9  # how far from 1 three weights may add up, as three rounded numbers do


@dataclass(frozen=True)
class Weights:
    """alpha, beta and gamma: at least 0, and 1 together (to 1e-9). Raises WeightsOffSimplex."""

    relevance: float = 1 / 3
    novelty: float = 1 / 3
    surprise: float = 1 / 3

    def __post_init__(self) -> None:
        for name, value in zip(("relevance", "novelty", "surprise"), self.values, strict=True):
            if not math.isfinite(value) or value < 0:
                raise WeightsOffSimplex(name, f"A weight is 0 or more, and this is {value}.")
        if abs(sum(self.values) - 1) > SUM_ERROR:
            raise WeightsOffSimplex("weights", f"They add up to {sum(self.values)} instead of 1.")

    @property
    def values(self) -> tuple[float, float, float]:
        return self.relevance, self.novelty, self.surprise


EQUAL = Weights()


@dataclass(frozen=True)
class Score:
    """RNS of one split and what it is made of.

    relevance R is from -1 to 0, surprise S from 0 to 1, novelty N = 1 - mutual_information.
    error: how far S may be from the exact number. unembedded: candidates that counted as
    orthogonal to all.
    """

    relevance: float
    novelty: float
    mutual_information: float
    surprise: float
    total: float
    error: float
    unembedded: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Measured:
    """m splits of n candidates in lexicographic order, each with its R, N and S, float64 [m].

    splits int64 [m, b]: the serendipity sets, each rising. error: how far each S may be off.
    """

    count: int
    splits: Longs
    relevance: Floats
    mutual_information: Floats
    surprise: Floats
    error: float

    @property
    def novelty(self) -> Floats:
        return 1 - self.mutual_information

    @property
    def parts(self) -> Floats:
        """R, N and S as columns, float64 [m, 3]."""
        return np.stack([self.relevance, self.novelty, self.surprise], axis=1)

    def totals(self, weights: Weights) -> Floats:
        """RNS of each split, float64 [m]."""
        alpha, beta, gamma = weights.values
        return alpha * self.relevance + beta * self.novelty + gamma * self.surprise

    def score(self, place: int, weights: Weights, unembedded: tuple[int, ...] = ()) -> Score:
        """What one split's RNS is made of."""
        information = float(self.mutual_information[place])
        return Score(
            relevance=float(self.relevance[place]),
            novelty=1 - information,
            mutual_information=information,
            surprise=float(self.surprise[place]),
            total=float(self.totals(weights)[place]),
            error=self.error,
            unembedded=unembedded,
        )


def relevance(candidates: Candidates, existing: Sequence[int], serendipity: Sequence[int]) -> float:
    """R = - mean of d(i, j) over i in A_s and j in A_e. From -1 (opposite) to 0 (alike)."""
    known, new = check_sets(candidates.count, existing, serendipity)
    return -float(candidates.distances[np.ix_(new, known)].mean())


def mutual_information(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    novelty: Novelty = "printed",
) -> float:
    """MI in bits: the sum of P(i) P(j | i) log2(P(j | i) / P(j)) over i in A_e and j in A_s.

    `conditional` divides by P(A_e), the sum of P(i) over A_e. Over subsets MI may be negative.
    """
    known, new = check_sets(candidates.count, existing, serendipity)
    found = float(candidates.information[np.ix_(known, new)].sum())
    if novelty == "conditional":
        return found / float(candidates.marginal[known].sum())
    return found


def novelty(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    form: Novelty = "printed",
) -> float:
    """N = 1 - MI. As printed it is almost constant, since P(i) is of the order of 1/V."""
    return 1 - mutual_information(candidates, existing, serendipity, form)


def surprise_among(
    candidates: Candidates, existing: Sequence[int], serendipity: Sequence[int]
) -> float:
    """S with support=candidates: the rows are restricted to both sets and renormalised."""
    check_sets(candidates.count, existing, serendipity)
    chosen = candidates.subset([*serendipity, *existing])
    return float(surprises_among(chosen, all_first(len(serendipity))).values[0])


def surprises_among(candidates: Candidates, splits: Longs) -> Surprises:
    """S with support=candidates of splits of all candidates."""
    return split_surprises(candidates.rows_among.T, splits, entry_error=0.0)


def all_first(size: int) -> Longs:
    """The one split whose serendipity set is the first candidates."""
    return np.arange(size, dtype=np.int64)[None, :]


def measure_splits(
    candidates: Candidates,
    splits: Longs,
    *,
    novelty: Novelty = "printed",
    surprises: Surprises | None = None,
) -> Measured:
    """R, N and S of some splits of all candidates; S among the candidates unless it is given."""
    found = surprises_among(candidates, splits) if surprises is None else surprises
    if not np.array_equal(found.splits, splits):
        raise InvalidNumbers("surprises", "They are of other splits.")
    count, size = candidates.count, splits.shape[1]
    check_splits(splits, count)
    sums = np.zeros((len(splits), 3))
    add_cuts(candidates.distances, candidates.information, candidates.marginal, splits, sums)
    cut, information, mass = np.ascontiguousarray(sums.T)
    if novelty == "conditional":
        information /= mass
    relevance = -cut / (size * (count - size))
    return Measured(count, splits, relevance, information, found.values, found.error)


def score(
    candidates: Candidates,
    existing: Sequence[int],
    serendipity: Sequence[int],
    weights: Weights = EQUAL,
    *,
    novelty: Novelty = "printed",
    surprise: float | None = None,
    error: float = 0.0,
) -> Score:
    """RNS of two sets of candidates, which need not be all of them.

    `surprise` is S from the means of whole rows, right to `error`; without it S is among the
    candidates of both sets. Raises what `check_sets` raises.
    """
    check_sets(candidates.count, existing, serendipity)
    chosen = candidates.subset([*serendipity, *existing])
    split = all_first(len(serendipity))
    given = None if surprise is None else Surprises(split, np.array([surprise]), error)
    measured = measure_splits(chosen, split, novelty=novelty, surprises=given)
    kept = tuple(one for one in candidates.unembedded if one in {*serendipity, *existing})
    return measured.score(0, weights, kept)


def candidate_bars(
    candidates: Candidates, *, novelty: Novelty = "printed", surprises: Surprises | None = None
) -> Measured:
    """A candidate's bar is RNS(A without c, {c}): the n splits of one candidate each."""
    if candidates.count < 2:
        raise SizeOutOfRange("candidates", "Two candidates or more can be split.")
    splits = np.arange(candidates.count, dtype=np.int64)[:, None]
    return measure_splits(candidates, splits, novelty=novelty, surprises=surprises)
