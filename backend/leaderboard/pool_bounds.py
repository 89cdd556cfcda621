"""What the main metric of an entry can still be: bounds over unjudged answers of its pool."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Self

from backend.accounts.models import User
from backend.evaluation.answer_pools import find_pool
from backend.evaluation.models import EntryJudgement
from backend.evaluation.visibility import shows_pool_figures
from backend.leaderboard.models import Standing

TOLERANCE = 1e-9


@dataclass(frozen=True)
class PoolBounds:
    """judged: judged@k, a share; null for an entry without answers. low, high: in the unit of the
    main metric."""

    judged: float | None
    low: float
    high: float


@dataclass(frozen=True)
class BoardBounds:
    """By submission, as the board was last pooled."""

    judgements: Mapping[uuid.UUID, EntryJudgement]

    @classmethod
    def of(cls, standing: Standing, reader: User | None = None) -> Self:
        """Empty where nothing is pooled, or the figures would reveal answers to the reader.

        Without a reader, what everybody may read.
        """
        is_shown = shows_pool_figures(reader, standing.release, standing.split)
        pool = find_pool(standing.release, standing.split) if is_shown else None
        rows = [] if pool is None else pool.judgements.all()
        return cls({one.submission_id: one for one in rows})

    def find(self, submission: uuid.UUID, value: float) -> PoolBounds | None:
        """None for an entry that is not pooled, or whose pool is of another value than this one."""
        one = self.judgements.get(submission)
        if one is None or not isclose(one.value, value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            return None
        return PoolBounds(one.judged, one.low, one.high)
