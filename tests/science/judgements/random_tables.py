"""Random tables with ties and gaps, and judgements as lists for the slow definitions."""

from __future__ import annotations

import numpy as np
import pytest

from backend.science.judgements.tables import FloatArray

TABLES = 200


def random_table(seed: int, *, gaps: float | None = None) -> FloatArray:
    """Two to six raters, 5 to 20 items, two to five categories, up to 40% gaps, some signal."""
    rng = np.random.default_rng(seed)
    raters, items, categories = rng.integers([2, 5, 2], [7, 21, 6])
    truth = rng.integers(1, categories + 1, items)
    noise = rng.integers(1, categories + 1, (raters, items))
    values = np.where(rng.random(noise.shape) < rng.uniform(0, 0.9), truth, noise).astype(float)
    share = rng.uniform(0, 0.4) if gaps is None else gaps
    values[rng.random(noise.shape) < share] = np.nan
    values[0, :2], values[1, :2] = [1, 2], [1, 1]  # overlap and two categories, always
    return values


def same(value: float | None, other: float) -> bool:
    return value is not None and value == pytest.approx(other, rel=1e-9, abs=1e-11)
