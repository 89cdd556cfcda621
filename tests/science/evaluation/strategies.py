"""Random boards for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from backend.science.evaluation.metrics import FloatArray


@st.composite
def boards(
    draw: st.DrawFn, *, entries: tuple[int, int] = (2, 6), clusters: tuple[int, int] = (50, 70)
) -> FloatArray:
    """Cluster sums (E, C, 2) for a mean of halves, thirds or 0/1 over one to three items."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    shape = (draw(st.integers(*entries)), draw(st.integers(*clusters)))
    items = np.broadcast_to(rng.integers(1, 4, shape[1]), shape)
    steps = draw(st.sampled_from([1, 2, 3]))
    values = rng.binomial(items * steps, rng.uniform(0.2, 0.8, (shape[0], 1))) / steps
    return np.stack([values, items.astype(np.float64)], axis=-1)
