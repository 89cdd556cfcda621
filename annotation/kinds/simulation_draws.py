"""What simulated answers of every study kind draw."""

import hashlib
from math import log

import numpy as np


def seed_number(text: str) -> int:
    """The same on every machine."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def draw_active_ms(
    rng: np.random.Generator, median_s: float, sigma: float, *, limits_s: tuple[float, float]
) -> int:
    """Active time in ms: lognormal, within limits."""
    low, high = limits_s
    return round(1000 * min(max(float(rng.lognormal(log(median_s), sigma)), low), high))
