"""Whole rows of P_k, many at a time.

With e_s the row that is 1 at the source s, the row of P_k is, from the inside out,

    (((a_k e_s) P1 + a_(k-1) e_s) P1 + ... + a_1 e_s) P1

so that k steps need two blocks and no third one for their sum. The first step is the source's own
row, written entry by entry; each other one is a product over all links for all sources at once.

A block's rows fill one line of the cache: 8 columns of float64 or 16 of float32. Everything is
non-negative and sums are of float64, so that every entry is known to a small share of itself
(`row_error`): with float32 that is below 1e-6, whatever the size of the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from backend.science.stopping import Stop
from backend.science.transition.entries import leaving
from backend.science.transition.lanes import LINE, Block, aligned
from backend.science.transition.parameters import Precision

if TYPE_CHECKING:
    from backend.science.transition.model import TransitionModel

Longs = NDArray[np.int64]
ROUNDINGS = 4  # of an entry to the block's precision in one hop, at most


def columns_of(precision: Precision) -> int:
    """Rows of P_k that are made at once."""
    return LINE // np.dtype(precision).itemsize


def row_error(model: TransitionModel, precision: Precision) -> float:
    """The most that an entry of a whole row can be wrong by, as a share of itself.

    In each hop an entry is rounded to the block's precision at most four times, after as many
    additions of float64 as it has links, where a self-loop may weigh thrice, or as there are
    entities whose chance goes anywhere. Smaller than that is only what underflows: probabilities
    below 1e-38 in float32.
    """
    sides = (model.forward.offsets, model.reverse.offsets)
    most = sum(int(np.diff(side).max(initial=0)) for side in sides)
    stored, summed = (float(np.finfo(kind).eps) / 2 for kind in (precision, "float64"))
    per_hop = ROUNDINGS * stored + (3 * (most + 8) + model.lost_additions) * summed
    return float(np.expm1(model.parameters.hops * np.log1p(per_hop)))


def whole_rows(
    model: TransitionModel, sources: Longs, precision: Precision, stop: Stop | None
) -> Iterator[tuple[Longs, Block]]:
    """Yields (sources of the block [c], block [V, c]): block[:, n] is the row of its n-th source.

    c is at most 8 in float64 and 16 in float32. All blocks are views of the same memory, 64 bytes
    for each entity: whoever wants to keep one copies it before asking for the next. Raises Stopped.
    """
    wide = columns_of(precision)
    kind = np.dtype(precision).type
    spaces: list[Block] = [aligned(model.entity_count, wide, kind) for _ in range(2)]
    for first in range(0, len(sources), wide):
        some = sources[first : first + wide]
        yield some, rows_of(model, some, spaces, stop)[:, : len(some)]


def rows_of(
    model: TransitionModel, sources: Longs, spaces: list[Block], stop: Stop | None
) -> Block:
    """The block of these sources, in one of the two spaces."""
    now, then = spaces
    alphas = model.parameters.alphas
    first_step(model, sources, now, shared=len(alphas) > 1)
    for hop in range(len(alphas) - 1, 0, -1):
        add_sources(model, sources, now, alphas[hop - 1])
        model.pull_into(then, now, share=hop > 1, stop=stop)
        now, then = then, now
    return now


def first_step(model: TransitionModel, sources: Longs, block: Block, *, shared: bool) -> None:
    """block = the first step from each source; shared: divided by the degrees, for the next."""
    most = model.parameters.alphas[-1]
    lost = np.isin(sources, model.lost)
    block[:] = 0
    for column, source in enumerate(sources.tolist()):
        if lost[column]:
            block[:, column] = most / model.entity_count * (model.inverse if shared else 1)
        else:
            there, weights = leaving(model, source)
            chances = most * weights * model.inverse[source]
            block[there, column] = chances * model.inverse[there] if shared else chances


def add_sources(model: TransitionModel, sources: Longs, block: Block, alpha: float) -> None:
    """What starts at the sources with this hop, as shares."""
    columns = np.arange(len(sources))
    block[sources, columns] += (alpha * model.inverse[sources]).astype(block.dtype)
