"""Pooling: the unjudged answers that entries rank high, the order of judging them, and bounds.

An entry is one list of answers for each item, best first. A label is a judgement of one answer to
one item, true or false; an answer without a label counts as false in every metric. The idea of a
pool is that of TREC; why sparse labels change the order of a board: arXiv 2205.04105.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

IntArray = npt.NDArray[np.int64]
RankArray = npt.NDArray[np.int8]  # pools have millions of answers
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

MAX_DEPTH = 100
NO_ANSWER = -1
UNRANKED = -1
LARGEST_CHANCE = 0.98  # nothing that is unjudged is certain
LEAST_AGREED = 50  # answers whose share of labels is taken as that of all true answers


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


def answer_chances(pool: AnswerPool, listed: AnswerPool, true_labels: IntArray) -> FloatArray:
    """The chance of each pooled answer to be true, shape (P,), by the labels that there are.

    With s_r = (true at rank r + 1) ÷ (answers at rank r + 2) over all entries, made to fall with
    the rank, the agreement on an answer is 1 - Π (1 - s_r) over the entries that have it at a rank
    r. The share of labelled answers as a function of the agreement that never falls (isotonic
    regression) lacks the true answers without a label. What entries agree on most is taken as true,
    so the share is divided by that of the first hundredth. Without any label the chance is the
    agreement.

    listed: the answers of the entries that `pool_answers` finds without labels.
    """
    is_true = _contains_pairs(true_labels, listed)
    falling = _shares_of_ranks(listed, is_true)
    agreement = _agreement(pool, falling)
    if not is_true.any() or not len(agreement):
        return agreement
    return _calibrate(agreement, _agreement(listed, falling), is_true)


def _shares_of_ranks(listed: AnswerPool, is_true: BoolArray) -> FloatArray:
    """Smoothed shares of true answers at each rank, which fall."""
    at_rank, true_at_rank = (
        np.bincount(ranks[ranks >= 0], minlength=MAX_DEPTH)
        for ranks in (listed.ranks, listed.ranks[is_true])
    )
    falling: FloatArray = np.minimum.accumulate((true_at_rank + 1) / (at_rank + 2))
    return falling


def _agreement(pool: AnswerPool, falling: FloatArray) -> FloatArray:
    misses = np.ones(len(pool.items))
    for ranks in pool.ranks.T:  # a column at a time: pools have millions of answers
        misses *= np.where(ranks >= 0, 1 - falling[ranks], 1.0)
    return 1 - misses


def _calibrate(agreement: FloatArray, known: FloatArray, is_true: BoolArray) -> FloatArray:
    """known, is_true: of all listed answers, those of `agreement` among them."""
    levels, at, counts = np.unique(known, return_inverse=True, return_counts=True)
    trues = np.bincount(at, weights=is_true)
    fit = isotonic_regression(trues / counts, weights=counts)
    starts = fit.blocks[:-1]
    block = np.searchsorted(starts, np.searchsorted(levels, agreement), side="right") - 1
    hits, sizes = np.add.reduceat(trues, starts), np.add.reduceat(counts, starts)
    shares = (hits[block] + agreement) / (sizes[block] + 1)  # the agreement orders equal shares
    first = max(LEAST_AGREED, len(known) // 100)
    agreed = is_true[known >= np.partition(known, -min(first, len(known)))[-min(first, len(known))]]
    labelled = (agreed.sum() + 1) / (len(agreed) + 2)
    chances: FloatArray = np.minimum(shares / labelled, LARGEST_CHANCE)
    return chances


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
    own = _contains_pairs(listed, pool)
    return own, ~own


def _contains_pairs(pairs: IntArray, pool: AnswerPool) -> BoolArray:
    """(P,) whether each answer is among the pairs of an item and an answer."""
    width = int(max(pool.answers.max(initial=0), pairs[:, 1].max(initial=0))) + 1
    known = np.unique(pairs[:, 0] * width + pairs[:, 1])
    return _contains(known, pool.items * width + pool.answers)


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
