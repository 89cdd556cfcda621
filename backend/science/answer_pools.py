"""Pooling: the unjudged answers that entries rank high, the order of judging them, and bounds.

An entry is one list of answers for each item, best first. A label is a judgement of one answer to
one item, true or false; an answer without a label counts as false in every metric. The idea of a
pool is that of TREC; why sparse labels change the order of a board: arXiv 2205.04105.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
RankArray = npt.NDArray[np.int8]  # pools have millions of answers
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

MAX_DEPTH = 100
NO_ANSWER = -1
UNRANKED = -1
LEAST_VARIANCE = 1e-24


@dataclass(frozen=True)
class AnswerPool:
    """The P distinct unjudged answers to Q items that any of E entries has among its first k.

    items, answers: (P,) in ascending order. ranks: (P, E) from 0, UNRANKED where the entry does
    not have the answer among its first k.
    """

    items: IntArray
    answers: IntArray
    ranks: RankArray

    @property
    def is_ranked(self) -> BoolArray:
        """(P, E) whether the entry has the answer among its first k."""
        return self.ranks >= 0

    def best_ranks(self) -> RankArray:
        """(P,) over the entries."""
        beyond = np.int8(MAX_DEPTH)
        ranks = np.where(self.is_ranked, self.ranks, beyond)
        best: RankArray = ranks.min(axis=1, initial=beyond)
        return best

    def select(self, chosen: npt.NDArray[np.intp] | BoolArray) -> AnswerPool:
        return AnswerPool(self.items[chosen], self.answers[chosen], self.ranks[chosen])


def pool_answers(lists: IntArray, labels: IntArray) -> AnswerPool:
    """The pool of the first k answers of each entry, without those that have a label.

    lists: (E, Q, k) answers numbered from 0, best first, NO_ANSWER after the end of a list. A
        repeated answer has its first rank. Raises ValueError for k above MAX_DEPTH.
    labels: (n, 2) item and answer; of an item that is not listed, it changes nothing.
    """
    entries, _, depth = lists.shape
    if depth > MAX_DEPTH:
        raise ValueError(f"a pool has at most the first {MAX_DEPTH} answers")
    width = int(max(lists.max(initial=0), labels[:, 1].max(initial=0))) + 1
    codes = _codes(lists, width)
    known = np.unique(labels[:, 0] * width + labels[:, 1])
    listed = np.unique(codes[codes >= 0])
    pooled = listed[~_contains(known, listed)]
    ranks = np.full((len(pooled), entries), UNRANKED, dtype=np.int8)
    for entry in range(entries):
        # From the last rank to the first, so that the first one of a repeated answer stays.
        for rank in reversed(range(depth)):
            column = codes[entry, :, rank]
            codes_at_rank = column[(column >= 0) & _contains(pooled, column)]
            ranks[np.searchsorted(pooled, codes_at_rank), entry] = rank
    return AnswerPool(pooled // width, pooled % width, ranks)


def judged_shares(lists: IntArray, labels: IntArray) -> FloatArray:
    """Judged@k of each entry, shape (E,): labelled answers ÷ answers among the first k.

    Per item, then the mean over the items that have an answer in the list; NaN where none has.
    lists, labels: as of `pool_answers`; an answer is not repeated.
    """
    width = int(max(lists.max(initial=0), labels[:, 1].max(initial=0))) + 1
    codes = _codes(lists, width)
    is_listed = codes >= 0
    is_judged = is_listed & _contains(np.unique(labels[:, 0] * width + labels[:, 1]), codes)
    listed = is_listed.sum(axis=2)
    shares = is_judged.sum(axis=2) / np.maximum(listed, 1)
    answered = (listed > 0).sum(axis=1)
    means: FloatArray = np.where(answered > 0, shares.sum(axis=1) / np.maximum(answered, 1), np.nan)
    return means


def answer_chances(pool: AnswerPool, lists: IntArray, true_labels: IntArray) -> FloatArray:
    """The chance of each pooled answer to be true, shape (P,), by the labels that there are.

    With s_r = (true at rank r + 1) ÷ (answers at rank r + 2) over all entries, made to fall with
    the rank, it is 1 - Π (1 - s_r) over the entries that have the answer at a rank r. Few labels
    make all chances small: they order answers and are no estimates of a share.
    """
    if not len(pool.items):
        return np.zeros(0)
    width = int(max(lists.max(initial=0), true_labels[:, 1].max(initial=0))) + 1
    codes = _codes(lists, width)
    is_true = _contains(np.unique(true_labels[:, 0] * width + true_labels[:, 1]), codes)
    listed = (codes >= 0).sum(axis=(0, 1))
    shares = ((is_true & (codes >= 0)).sum(axis=(0, 1)) + 1) / (listed + 2)
    falling = np.minimum.accumulate(shares)
    misses = np.where(pool.is_ranked, 1 - falling[pool.ranks], 1.0)
    chances: FloatArray = 1 - misses.prod(axis=1)
    return chances


def judging_effects(gains: FloatArray, chances: FloatArray, values: FloatArray) -> FloatArray:
    """Expected changes of the order of the board by one verdict on each answer, shape (P,).

    gains: (P, E) change g of the metric of each entry if the answer is true, all else unjudged.
    chances: (P,) of the answers to be true. values: (E,) the metric with the labels of now.

    The difference D of two entries once all is judged has about the mean m = Δ(values + Σ p g)
    and the variance s² = Σ p (1 - p) Δg². A verdict moves D by Δg with the chance p, and entries
    exchange places where D is near 0: the effect is p Σ |Δg| φ(m / s) / s over the pairs, with the
    normal density φ. So what separates entries that are level comes first. Pairs that no answer
    separates add nothing.
    """
    effects = np.zeros(len(chances))
    expected = values + chances @ gains
    spread = chances * (1 - chances)
    for one, other in combinations(range(len(values)), 2):
        difference = gains[:, one] - gains[:, other]
        # Not by BLAS, whose threads wait for each other above 10,000 answers on a busy machine.
        variance = float(np.einsum("i,i,i", spread, difference, difference))
        if variance <= LEAST_VARIANCE:
            continue
        mean = float(expected[one] - expected[other])
        density = np.exp(-(mean**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        effects += density * np.abs(difference)
    return chances * effects


def judging_order(pool: AnswerPool, effects: FloatArray) -> npt.NDArray[np.intp]:
    """Largest effect first; of equal ones the best rank, then that which more entries have, then
    the order of the pool."""
    votes = pool.is_ranked.sum(axis=1)
    return np.lexsort((-votes, pool.best_ranks(), -effects))


def depth_order(pool: AnswerPool) -> npt.NDArray[np.intp]:
    """Best rank first, of equal ones that which more entries have, then the order of the pool."""
    return np.lexsort((-pool.is_ranked.sum(axis=1), pool.best_ranks()))


def favourable_verdicts(pool: AnswerPool, listed: IntArray) -> tuple[BoolArray, BoolArray]:
    """The verdicts of the bounds of an entry, each (P,) whether the answer is true.

    For the upper bound the pooled answers that the entry has are true and those of others alone
    false; for the lower bound the reverse.

    listed: (n, 2) item and answer of all that is scored of the entry, also below the first k: an
        answer that another entry brings into the pool can be its own further down.
    """
    width = int(max(pool.answers.max(initial=0), listed[:, 1].max(initial=0))) + 1
    known = np.unique(listed[:, 0] * width + listed[:, 1])
    own = _contains(known, pool.items * width + pool.answers)
    return own, ~own


def _codes(lists: IntArray, width: int) -> IntArray:
    """One number for each item and answer, NO_ANSWER where there is none."""
    items = np.arange(lists.shape[1], dtype=np.int64)[None, :, None]
    codes: IntArray = np.where(lists >= 0, items * width + lists, NO_ANSWER)
    return codes


def _contains(ordered: IntArray, values: IntArray) -> BoolArray:
    """Whether each value is among those of an ascending array."""
    if not len(ordered):
        return np.zeros(values.shape, dtype=np.bool_)
    at = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    is_contained: BoolArray = ordered[at] == values
    return is_contained
