"""Stationary probabilities of walks that return to their start (personalised PageRank).

    p = r e_s + (1 - r) P1^T p

with the start s and the probability r of a return. The iteration contracts L1 distances by 1 - r,
so after a step of size d the error is at most d (1 - r) / r. An entity without links stays where it
is (`dangling=self`) or goes anywhere. Several starts are computed at once.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.transition.kernels import Floats
from backend.science.transition.parameters import BadParameters
from backend.science.transition.rows import Longs, block_columns
from backend.science.transition.simd import Block, aligned_zeros
from backend.science.transition.transition_model import TransitionModel


def restart_probabilities(
    model: TransitionModel,
    starts: Sequence[int] | Longs,
    *,
    restart: float = 0.15,
    tolerance: float = 1e-6,
    stop: CancellationToken | None = None,
) -> Iterator[tuple[int, Floats]]:
    """Yields (start, p [V]) in the order given; each p has an L1 error of at most the tolerance.

    Raises UnknownEntity, BadParameters unless restart and tolerance are between 0 and 1, and
    Cancelled.
    """
    if not (0 < restart < 1 and 0 < tolerance < 1):
        raise BadParameters("restart and tolerance must be between 0 and 1")
    numbers = model.check_entities(starts)
    columns = block_columns("float64")
    for first in range(0, len(numbers), columns):
        part = numbers[first : first + columns]
        block = solve_block(model, part, restart, tolerance, stop)
        for place, start in enumerate(part.tolist()):
            yield start, np.ascontiguousarray(block[:, place])


def solve_block(
    model: TransitionModel,
    starts: Longs,
    restart: float,
    tolerance: float,
    stop: CancellationToken | None,
) -> Block:
    shape = model.entity_count, block_columns("float64")
    old, new, shares = (aligned_zeros(*shape, np.float64) for _ in range(3))
    places = np.arange(len(starts))
    old[starts, places] = 1.0
    while True:
        np.multiply(old, (1 - restart) * model.inverse_degrees[:, None], out=shares)
        model.pull_into(new, shares, stop=stop)
        new[starts, places] += restart
        np.subtract(new, old, out=shares)
        step = float(np.abs(shares, out=shares).sum(axis=0).max())
        old, new = new, old
        if step * (1 - restart) / restart <= tolerance:
            return old
