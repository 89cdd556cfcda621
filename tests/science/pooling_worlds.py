"""Boards over items with known truth, of which a tenth is labelled, and labels favour a family."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau

from backend.science.answer_pools import (
    AnswerPool,
    answer_chances,
    depth_order,
    favourable_verdicts,
    pool_answers,
)
from backend.science.judging_order import JudgingOrder, order_judging

ENTRIES, ITEMS, ANSWERS, DEPTH, TRUE = 12, 300, 200, 10, 8
LABELLED, VERDICTS = 0.1, 300
FAMILIES = 3
SHORTLIST = 5_000  # as `backend/evaluation/pool_computation.py` has it
Truth = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class BoardMetric(Protocol):
    """Of sums over items, as the tracks have it."""

    def components(self, lists: IntArray, true: Truth) -> FloatArray:
        """(entries, items, k)"""
        ...

    def if_true(self, before: FloatArray, pool: AnswerPool) -> FloatArray:
        """(answers, entries, k) components of the item of each pooled answer, if it is true.

        before: (answers, entries, k) while it is unjudged.
        """
        ...

    def value(self, sums: FloatArray, items: int) -> FloatArray:
        """(..., k) to (...)"""
        ...


class ReciprocalRank:
    """One over the rank of the first true answer, else 0; the mean over items."""

    def components(self, lists: IntArray, true: Truth) -> FloatArray:
        hits = true[np.arange(len(true))[None, :, None], lists]
        ranks: FloatArray = np.where(hits.any(axis=2), 1.0 / (hits.argmax(axis=2) + 1), 0.0)
        return ranks[:, :, None]

    def if_true(self, before: FloatArray, pool: AnswerPool) -> FloatArray:
        own = np.where(pool.is_ranked, 1.0 / (np.maximum(pool.ranks, 0) + 1.0), 0.0)
        higher: FloatArray = np.maximum(before, own[:, :, None])
        return higher

    def value(self, sums: FloatArray, items: int) -> FloatArray:
        mean: FloatArray = sums[..., 0] / items
        return mean


class MicroF1:
    """F1 of all answers of all items, which is no mean over items: 2 true ÷ (returned + gold)."""

    def components(self, lists: IntArray, true: Truth) -> FloatArray:
        hits = true[np.arange(len(true))[None, :, None], lists].sum(axis=2)
        gold = np.broadcast_to(true.sum(axis=1), hits.shape)
        return np.stack([hits, np.full(hits.shape, lists.shape[2]), gold], axis=2).astype(float)

    def if_true(self, before: FloatArray, pool: AnswerPool) -> FloatArray:
        after = before.copy()
        after[:, :, 0] += pool.is_ranked
        after[:, :, 2] += 1
        return after

    def value(self, sums: FloatArray, items: int) -> FloatArray:
        f1: FloatArray = 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])
        return f1


@dataclass(frozen=True)
class PoolingWorld:
    """truth, labels, refuted (judged false): (items, answers). lists: (entries, items, k)."""

    truth: Truth
    labels: Truth
    refuted: Truth
    lists: IntArray
    metric: BoardMetric

    @classmethod
    def draw(
        cls,
        seed: int,
        metric: BoardMetric | None = None,
        *,
        entries: int = ENTRIES,
        items: int = ITEMS,
    ) -> PoolingWorld:
        rng = np.random.default_rng(seed)
        truth = np.zeros((items, ANSWERS), dtype=np.bool_)
        for row in truth:
            row[rng.choice(ANSWERS, TRUE, replace=False)] = True
        families = rng.normal(size=(FAMILIES, items, ANSWERS))
        lists = np.zeros((entries, items, DEPTH), dtype=np.int64)
        for entry, skill in enumerate(rng.uniform(1.0, 2.2, size=entries)):
            noise = 0.7 * families[entry % FAMILIES] + 0.7 * rng.normal(size=(items, ANSWERS))
            lists[entry] = np.argsort(-(skill * truth + noise), axis=1)[:, :DEPTH]
        every = np.argwhere(truth)
        weights = np.exp(families[0][truth])
        count = round(LABELLED * len(every))
        chosen = rng.choice(len(every), count, replace=False, p=weights / weights.sum())
        labels = np.zeros_like(truth)
        labels[tuple(every[chosen].T)] = True
        return cls(truth, labels, np.zeros_like(truth), lists, metric or ReciprocalRank())

    def pool(self, depth: int = DEPTH) -> AnswerPool:
        return pool_answers(self.lists[:, :, :depth], np.argwhere(self.labels | self.refuted))

    def settle(self, pool: AnswerPool) -> FloatArray:
        """The board once every pooled answer is judged."""
        return self.judge(pool, np.arange(len(pool.items))).board()

    def chances(self, pool: AnswerPool) -> FloatArray:
        listed = pool_answers(self.lists, np.zeros((0, 2), dtype=np.int64))
        return answer_chances(pool, listed, np.argwhere(self.labels))

    def gains(self, pool: AnswerPool) -> FloatArray:
        components = self.metric.components(self.lists, self.labels)
        sums, before = components.sum(axis=1), components[:, pool.items].swapaxes(0, 1)
        after = sums + self.metric.if_true(before, pool) - before
        gains: FloatArray = self._value(after) - self._value(sums)
        return gains

    def order(self, pool: AnswerPool) -> JudgingOrder:
        """Of the answers with the best ranks, as on a board."""
        first = depth_order(pool)[:SHORTLIST]
        chosen = pool.select(first)
        judging = order_judging(chosen, self.gains(chosen), self.chances(chosen), self.board())
        effects = np.zeros(len(pool.items))
        effects[first] = judging.effects
        return JudgingOrder(first[judging.order], effects)

    def judge(self, pool: AnswerPool, chosen: npt.NDArray[np.intp]) -> PoolingWorld:
        """With verdicts as the truth has them."""
        rows, columns = pool.items[chosen], pool.answers[chosen]
        labels, refuted = self.labels.copy(), self.refuted.copy()
        labels[rows, columns] = self.truth[rows, columns]
        refuted[rows, columns] = ~self.truth[rows, columns]
        return replace(self, labels=labels, refuted=refuted)

    def board(self) -> FloatArray:
        return self._board(self.lists, self.labels)

    def true_board(self) -> FloatArray:
        return self._board(self.lists, self.truth)

    def tau(self) -> float:
        return float(kendalltau(self.board(), self.true_board()).statistic)

    def bounds(self, pool: AnswerPool, entry: int) -> tuple[float, float]:
        answers = self.lists[entry]
        every = np.arange(len(answers))
        listed = np.column_stack([np.repeat(every, answers.shape[1]), answers.ravel()])
        high, low = (
            self._with_verdicts(pool, true, entry) for true in favourable_verdicts(pool, listed)
        )
        return low, high

    def _with_verdicts(self, pool: AnswerPool, is_true: npt.NDArray[np.bool_], entry: int) -> float:
        labels = self.labels.copy()
        labels[pool.items[is_true], pool.answers[is_true]] = True
        return float(self._board(self.lists[entry : entry + 1], labels)[0])

    def _board(self, lists: IntArray, true: Truth) -> FloatArray:
        return self._value(self.metric.components(lists, true).sum(axis=1))

    def _value(self, sums: FloatArray) -> FloatArray:
        return self.metric.value(sums, len(self.truth))


@dataclass(frozen=True)
class PoolingRun:
    """A world after the same number of verdicts by effect and at random: tau to the true board.

    outside: how many bounds of entries, before and after the verdicts by effect, do not hold the
    value of the board that all verdicts lead to.
    """

    by_effect: float
    at_random: float
    outside: int

    @property
    def is_nearer(self) -> bool:
        return self.by_effect > self.at_random


def run_world(seed: int, metric: BoardMetric | None = None) -> PoolingRun:
    world = PoolingWorld.draw(seed, metric)
    pool = world.pool()
    judged = world.judge(pool, world.order(pool).order[:VERDICTS])
    drawn = np.random.default_rng([seed, 1]).permutation(len(pool.items))[:VERDICTS]
    settled = world.settle(pool)
    limits = [
        one.bounds(left, entry)
        for one, left in ((world, pool), (judged, judged.pool()))
        for entry in range(ENTRIES)
    ]
    outside = sum(
        not low <= value <= high for (low, high), value in zip(limits, [*settled] * 2, strict=True)
    )
    return PoolingRun(judged.tau(), world.judge(pool, drawn).tau(), outside)
