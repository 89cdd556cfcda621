"""R, N, S and their weighted sum RNS, of one split or of many (SerenQA §2.2, §3.1)."""

import math
from dataclasses import dataclass

import numpy as np

from backend.science.rns.candidates import Candidates, Floats, Longs, NoveltyForm
from backend.science.rns.cut_sums import add_cuts
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange, WeightsOffSimplex
from backend.science.rns.jensen_shannon import SplitSurprises, check_splits, split_surprises

WEIGHT_SUM_TOLERANCE = 1e-9  # tolerance of the sum, for rounded weights


@dataclass(frozen=True)
class Weights:
    """alpha, beta and gamma: at least 0, summing to 1 (to 1e-9). Raises WeightsOffSimplex."""

    relevance: float = 1 / 3
    novelty: float = 1 / 3
    surprise: float = 1 / 3

    def __post_init__(self) -> None:
        for name, value in zip(("relevance", "novelty", "surprise"), self.values, strict=True):
            if not math.isfinite(value) or value < 0:
                raise WeightsOffSimplex(name, f"A weight is 0 or more, and this is {value}.")
        if abs(sum(self.values) - 1) > WEIGHT_SUM_TOLERANCE:
            raise WeightsOffSimplex("weights", f"They add up to {sum(self.values)} instead of 1.")

    @property
    def values(self) -> tuple[float, float, float]:
        return self.relevance, self.novelty, self.surprise


EQUAL_WEIGHTS = Weights()


@dataclass(frozen=True)
class RnsScore:
    """RNS of one split and its components.

    relevance R is from -1 to 0, surprise S from 0 to 1, novelty N = 1 - mutual_information.
    error: bound on the error of S. unembedded: candidates without an embedding, treated as
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
class SplitScores:
    """R, N and S, float64 [m], of m splits of n candidates in lexicographic order.

    splits int64 [m, b]: the serendipity sets, each ascending. error: bound on the error of each S.
    """

    candidate_count: int
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

    def score_of(self, place: int, weights: Weights, unembedded: tuple[int, ...] = ()) -> RnsScore:
        """The components of one split's RNS."""
        information = float(self.mutual_information[place])
        return RnsScore(
            relevance=float(self.relevance[place]),
            novelty=1 - information,
            mutual_information=information,
            surprise=float(self.surprise[place]),
            total=float(self.totals(weights)[place]),
            error=self.error,
            unembedded=unembedded,
        )


def surprise_of_splits(candidates: Candidates, splits: Longs) -> SplitSurprises:
    """S with support=candidates of splits of all candidates."""
    return split_surprises(candidates.restricted_rows.T, splits, entry_error=0.0)


def score_given_splits(
    candidates: Candidates,
    splits: Longs,
    *,
    novelty: NoveltyForm = "printed",
    surprises: SplitSurprises | None = None,
) -> SplitScores:
    """R, N and S of splits of all candidates; S among the candidates unless given."""
    result = surprise_of_splits(candidates, splits) if surprises is None else surprises
    if not np.array_equal(result.splits, splits):
        raise InvalidNumbers("surprises", "They belong to other splits.")
    count, size = candidates.count, splits.shape[1]
    check_splits(splits, count)
    sums = np.zeros((len(splits), 3))
    add_cuts(candidates.distances, candidates.information, candidates.marginal, splits, sums)
    cut, information, mass = np.ascontiguousarray(sums.T)
    if novelty == "conditional":
        information /= mass
    relevance = -cut / (size * (count - size))
    return SplitScores(count, splits, relevance, information, result.values, result.error)


def score_singles(
    candidates: Candidates,
    *,
    novelty: NoveltyForm = "printed",
    surprises: SplitSurprises | None = None,
) -> SplitScores:
    """The n splits of one candidate each: RNS(A without c, {c})."""
    if candidates.count < 2:
        raise SizeOutOfRange("candidates", "Two candidates or more can be split.")
    splits = np.arange(candidates.count, dtype=np.int64)[:, None]
    return score_given_splits(candidates, splits, novelty=novelty, surprises=surprises)
