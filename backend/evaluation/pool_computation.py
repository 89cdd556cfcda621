"""The pool of a board: unjudged answers in the order of judging, judged@k and bounds of entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.evaluation.answer_entities import AnswerText
from backend.evaluation.models import Submission
from backend.evaluation.pooled_entries import PooledEntries
from backend.evaluation.scoring import ScoredSplit
from backend.science.answer_pools import (
    AnswerPool,
    answer_chances,
    depth_order,
    favourable_verdicts,
    judged_shares,
    pool_answers,
)
from backend.science.judging_order import order_judging
from backend.tracks.metrics import EvaluatedMetric, Floats

# Those with the best ranks, whose effects are computed. It bounds time: each is scored once for
# each entry.
SHORTLIST = 5_000
ROWS_AT_ONCE = 2_000


@dataclass(frozen=True)
class JudgingRow:
    """An answer to judge. ranks: by the place of the entry, from 1."""

    item_id: int
    answer: AnswerText
    chance: float
    effect: float
    ranks: Mapping[int, int]


@dataclass(frozen=True)
class JudgedEntry:
    """judged: None where the entry has no answer. low, high: in the unit of the main metric."""

    submission: Submission
    judged: float | None
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ComputedPool:
    """answers: distinct ones among the first `depth` of any entry. rows: the first to judge."""

    depth: int
    answers: int
    unjudged: int
    rows: Sequence[JudgingRow]
    entries: Sequence[JudgedEntry]


def compute_pool(
    against: ScoredSplit, submissions: Sequence[Submission], depth: int
) -> ComputedPool:
    """submissions: the best first. Those with too many answers to hold are left out.

    Raises PlatformFault if a stored file of predictions is lost or damaged.
    """
    entries = PooledEntries.load(against, submissions)
    if not entries.submissions:
        return ComputedPool(depth, 0, 0, (), ())
    lists = entries.ranked_lists(depth)
    true, judged = entries.labels()
    listed, pool = pool_answers(lists, judged[:0]), pool_answers(lists, judged)
    values = BoardValues.of(entries)
    shortlist = pool.select(depth_order(pool)[:SHORTLIST])
    chances = answer_chances(shortlist, listed, true)
    judging = order_judging(shortlist, values.gains(shortlist), chances, values.values)
    shares = judged_shares(lists, judged)
    return ComputedPool(
        depth=depth,
        answers=len(listed.items),
        unjudged=len(pool.items),
        rows=[
            JudgingRow(
                entries.item_ids[int(shortlist.items[at])],
                entries.numbers.texts[int(shortlist.answers[at])],
                float(chances[at]),
                float(judging.effects[at]),
                {
                    entry: rank + 1
                    for entry, rank in enumerate(shortlist.ranks[at].tolist())
                    if rank >= 0
                },
            )
            for at in judging.order.tolist()
        ],
        entries=[
            JudgedEntry(
                submission,
                None if np.isnan(shares[entry]) else float(shares[entry]),
                values.value(entry),
                *values.bounds(pool, entry),
            )
            for entry, submission in enumerate(entries.submissions)
        ],
    )


@dataclass(frozen=True)
class BoardValues:
    """The main metric of entries by the labels of now, and with more true answers.

    components: (entries, items, k).
    """

    entries: PooledEntries
    components: Floats

    @classmethod
    def of(cls, entries: PooledEntries) -> "BoardValues":
        every = np.arange(len(entries.items))
        count = len(entries.submissions)
        return cls(entries, np.stack([entries.score(one, every, {}) for one in range(count)]))

    @cached_property
    def values(self) -> Floats:
        values: Floats = np.asarray(self._metric.value(self._sums))
        return values

    def value(self, entry: int) -> float:
        return float(self.values[entry])

    def gains(self, pool: AnswerPool) -> Floats:
        """(answers, entries) change of the metric on the board if the answer is true."""
        gains = np.zeros((len(pool.items), len(self.components)))
        for start in range(0, len(pool.items), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            places = pool.items[part]
            added = {row: [number] for row, number in enumerate(pool.answers[part].tolist())}
            for entry, before in enumerate(self.components):
                after = self.entries.score(entry, places, added)
                sums = self._sums[entry] + (after - before[places])
                gains[part, entry] = self._metric.value(sums) - self.values[entry]
        return gains

    def bounds(self, pool: AnswerPool, entry: int) -> tuple[float, float]:
        """Of an entry: its own answers false and those of others true, and the reverse."""
        verdicts = favourable_verdicts(pool, self.entries.listed_answers(entry))
        high, low = (self._with_true(entry, pool, is_true) for is_true in verdicts)
        return (low, high) if self._metric.direction != "lower" else (high, low)

    def _with_true(self, entry: int, pool: AnswerPool, is_true: NDArray[np.bool_]) -> float:
        places, rows = np.unique(pool.items[is_true], return_inverse=True)
        added: dict[int, list[int]] = {}
        for row, number in zip(rows.tolist(), pool.answers[is_true].tolist(), strict=True):
            added.setdefault(row, []).append(number)
        change = self.entries.score(entry, places, added) - self.components[entry][places]
        value = float(self._metric.value(self._sums[entry] + change.sum(axis=0)))
        return min(max(value, 0.0), self._metric.scale)  # sums of fractions are rounded

    @property
    def _metric(self) -> EvaluatedMetric:
        track = self.entries.track
        return track.get_metric(track.main_metric)

    @cached_property
    def _sums(self) -> Floats:
        sums: Floats = self.components.sum(axis=1)
        return sums
