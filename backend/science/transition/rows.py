"""Whole rows of P_k, several at a time.

With e_s the row that is 1 at the source s, the row of P_k is, from the inside out,

    (((a_k e_s) P1 + a_(k-1) e_s) P1 + ... + a_1 e_s) P1

so k steps need two blocks and no third one for their sum. The first step is the source's own row,
written entry by entry; each other step is a product over all links for all sources at once.

A block's rows fill one cache line: 8 columns of float64 or 16 of float32. All terms are
non-negative and sums are float64, so every entry has a small relative error (`row_error_bound`):
with float32 below 1e-6, whatever the size of the graph.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.science.transition.neighbour_lists import linked_neighbours
from backend.science.transition.parameters import Precision
from backend.science.transition.simd import LINE, Block, aligned_zeros
from backend.science.transition.transition_model import TransitionModel

Longs = NDArray[np.int64]
ROUNDINGS_PER_STEP = 4  # roundings of an entry to the block's precision per hop, at most


def block_columns(precision: Precision) -> int:
    """Number of rows of P_k computed at once."""
    return LINE // np.dtype(precision).itemsize


def row_error_bound(model: TransitionModel, precision: Precision) -> float:
    """Bound on the relative error of an entry of a whole row.

    In each hop an entry is rounded to the block's precision at most four times, after as many
    float64 additions as it has links, where a self-loop may count three times, or as there are
    teleporting entities. Only underflow is excluded: probabilities below 1e-38 in float32.
    """
    sides = (model.forward.offsets, model.reverse.offsets)
    most = sum(int(np.diff(side).max(initial=0)) for side in sides)
    stored, summed = (float(np.finfo(kind).eps) / 2 for kind in (precision, "float64"))
    per_hop = ROUNDINGS_PER_STEP * stored + (3 * (most + 8) + model.teleport_additions) * summed
    return float(np.expm1(model.parameters.hops * np.log1p(per_hop)))


def transition_rows(
    model: TransitionModel,
    sources: Sequence[int] | Longs,
    *,
    precision: Precision | None = None,
    stop: CancellationToken | None = None,
) -> Iterator[tuple[Longs, Block]]:
    """Yields (sources of the block [c], block [V, c]): block[:, n] is the row of its n-th source.

    precision: by default the model's. c is at most 8 in float64 and 16 in float32. All blocks are
    views of the same memory, 64 bytes per entity: copy a block to use it after the next one. Raises
    UnknownEntity and Cancelled.
    """
    entities = model.check_entities(sources)
    dtype = precision or model.parameters.precision
    width = block_columns(dtype)
    kind = np.dtype(dtype).type
    spaces: list[Block] = [aligned_zeros(model.entity_count, width, kind) for _ in range(2)]
    for first in range(0, len(entities), width):
        some = entities[first : first + width]
        yield some, compute_rows(model, some, spaces, stop)[:, : len(some)]


def compute_rows(
    model: TransitionModel, sources: Longs, spaces: list[Block], stop: CancellationToken | None
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
    lost = np.isin(sources, model.teleporting)
    block[:] = 0
    for column, source in enumerate(sources.tolist()):
        if lost[column]:
            block[:, column] = most / model.entity_count * (model.inverse_degrees if shared else 1)
        else:
            neighbours, weights = linked_neighbours(model, source)
            options = most * weights * model.inverse_degrees[source]
            block[neighbours, column] = (
                options * model.inverse_degrees[neighbours] if shared else options
            )


def add_sources(model: TransitionModel, sources: Longs, block: Block, alpha: float) -> None:
    """Add the probability that starts at the sources at this hop, as shares."""
    columns = np.arange(len(sources))
    block[sources, columns] += (alpha * model.inverse_degrees[sources]).astype(block.dtype)
