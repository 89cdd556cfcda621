"""Boards over items with known truth, of which a tenth is labelled, and labels favour a family."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau

from backend.science.answer_pools import (
    AnswerPool,
    answer_chances,
    favourable_verdicts,
    judging_effects,
    judging_order,
    pool_answers,
)

ENTRIES, ITEMS, ANSWERS, DEPTH, TRUE = 12, 300, 200, 10, 8
LABELLED, VERDICTS = 0.1, 300
FAMILIES = 3
Truth = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PoolingWorld:
    """truth, labels, refuted (judged false): (items, answers). lists: (entries, items, k)."""

    truth: Truth
    labels: Truth
    refuted: Truth
    lists: IntArray

    @classmethod
    def draw(cls, seed: int) -> PoolingWorld:
        rng = np.random.default_rng(seed)
        truth = np.zeros((ITEMS, ANSWERS), dtype=np.bool_)
        for row in truth:
            row[rng.choice(ANSWERS, TRUE, replace=False)] = True
        families = rng.normal(size=(FAMILIES, ITEMS, ANSWERS))
        lists = np.zeros((ENTRIES, ITEMS, DEPTH), dtype=np.int64)
        for entry, skill in enumerate(rng.uniform(1.0, 2.2, size=ENTRIES)):
            noise = 0.7 * families[entry % FAMILIES] + 0.7 * rng.normal(size=(ITEMS, ANSWERS))
            lists[entry] = np.argsort(-(skill * truth + noise), axis=1)[:, :DEPTH]
        every = np.argwhere(truth)
        weights = np.exp(families[0][truth])
        count = round(LABELLED * len(every))
        chosen = rng.choice(len(every), count, replace=False, p=weights / weights.sum())
        labels = np.zeros_like(truth)
        labels[tuple(every[chosen].T)] = True
        return cls(truth, labels, np.zeros_like(truth), lists)

    def pool(self, depth: int = DEPTH) -> AnswerPool:
        return pool_answers(self.lists[:, :, :depth], np.argwhere(self.labels | self.refuted))

    def settle(self, pool: AnswerPool) -> FloatArray:
        """The board once every pooled answer is judged."""
        return self.judge(pool, np.arange(len(pool.items))).board()

    def order(self, pool: AnswerPool) -> npt.NDArray[np.intp]:
        labels = np.argwhere(self.labels)
        chances = answer_chances(pool, self.lists, labels)
        before = reciprocal_ranks(self.lists, self.labels)
        if_true = np.where(pool.is_ranked, 1.0 / (np.maximum(pool.ranks, 0) + 1.0), 0.0)
        gains = np.maximum(if_true - before[:, pool.items].T, 0) / ITEMS
        effects = judging_effects(gains, chances, before.mean(axis=1))
        return judging_order(pool, effects)

    def judge(self, pool: AnswerPool, chosen: npt.NDArray[np.intp]) -> PoolingWorld:
        """With verdicts as the truth has them."""
        rows, columns = pool.items[chosen], pool.answers[chosen]
        labels, refuted = self.labels.copy(), self.refuted.copy()
        labels[rows, columns] = self.truth[rows, columns]
        refuted[rows, columns] = ~self.truth[rows, columns]
        return PoolingWorld(self.truth, labels, refuted, self.lists)

    def board(self) -> FloatArray:
        return board_of(self.lists, self.labels)

    def true_board(self) -> FloatArray:
        return board_of(self.lists, self.truth)

    def tau(self) -> float:
        return float(kendalltau(self.board(), self.true_board()).statistic)

    def bounds(self, pool: AnswerPool, entry: int) -> tuple[float, float]:
        answers = self.lists[entry]
        listed = np.column_stack([np.repeat(np.arange(ITEMS), answers.shape[1]), answers.ravel()])
        high, low = (
            self._with_verdicts(pool, true)[entry] for true in favourable_verdicts(pool, listed)
        )
        return float(low), float(high)

    def _with_verdicts(self, pool: AnswerPool, is_true: npt.NDArray[np.bool_]) -> FloatArray:
        labels = self.labels.copy()
        labels[pool.items[is_true], pool.answers[is_true]] = True
        return board_of(self.lists, labels)


def reciprocal_ranks(lists: IntArray, true: Truth) -> FloatArray:
    """(entries, items) one over the rank of the first true answer among the first k, else 0."""
    hits = true[np.arange(len(true))[None, :, None], lists]
    values: FloatArray = np.where(hits.any(axis=2), 1.0 / (hits.argmax(axis=2) + 1), 0.0)
    return values


def board_of(lists: IntArray, true: Truth) -> FloatArray:
    means: FloatArray = reciprocal_ranks(lists, true).mean(axis=1)
    return means


def taus(seed: int) -> tuple[float, float]:
    """To the true board, after the same number of verdicts: by effect, and at random."""
    world = PoolingWorld.draw(seed)
    pool = world.pool()
    by_effect = world.judge(pool, world.order(pool)[:VERDICTS])
    drawn = np.random.default_rng([seed, 1]).permutation(len(pool.items))[:VERDICTS]
    return by_effect.tau(), world.judge(pool, drawn).tau()
