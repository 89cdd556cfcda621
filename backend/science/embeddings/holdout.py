"""Selection of held-out links for the evaluation of embeddings."""

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import Adjacency
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr, degree
from backend.science.embeddings.undirected_graph import Longs, Pairs

DEFAULT_SHARE = 0.05
MAX_PAIRS = 10_000  # pairs: gives an interval of about 0.01
DRAWS_PER_PAIR = 20  # draws per requested pair


def hold_out_edges(
    forward: Adjacency,
    reverse: Adjacency,
    *,
    seed: int,
    share: float = DEFAULT_SHARE,
    most: int = MAX_PAIRS,
) -> Pairs:
    """Pairs of entities to hold out, int64 [n, 2], in the order drawn: pass them as `without`.

    Edges are drawn uniformly; an edge is held out with all its parallel edges, in both directions
    and of every relation. Self-loops are not drawn, nor a pair that is the last link of one of its
    ends, so every linked entity keeps a link. n is the share of the edges, at most `most`, and
    fewer if the graph has too few such edges. Raises ValueError for a share outside 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError("a share must be from 0 to 1")
    links = bidirectional_csr(forward, reverse)
    size = min(int(share * forward.edge_count), most)
    rng = np.random.default_rng([seed, 0])
    drawn = rng.integers(0, max(forward.edge_count, 1), size * DRAWS_PER_PAIR)
    result = np.empty((size, 2), np.int64)
    return result[: select_spared(links, drawn, result)]


@jit_compile
def select_spared(links: BidirectionalCsr, drawn: Longs, out: Longs) -> int:
    """Fill `out` with the pairs of drawn edges that leave both ends another neighbour."""
    count, filled = len(links.out_offsets) - 1, 0
    taken = {-1}
    for edge in drawn:
        if filled == len(out):
            break
        source = int(np.searchsorted(links.out_offsets, edge, side="right")) - 1
        target = int(links.out_neighbours[edge])
        key = pair_key(source, target, count)
        if source == target or key in taken:
            continue
        taken.add(key)
        if has_other_link(links, source, taken) and has_other_link(links, target, taken):
            out[filled, 0], out[filled, 1] = source, target
            filled += 1
        else:
            taken.remove(key)
    return filled


@jit_compile
def pair_key(one: int, other: int, count: int) -> int:
    """A pair as one number, independent of order."""
    return min(one, other) * count + max(one, other)


@jit_compile
def has_other_link(links: BidirectionalCsr, entity: int, taken: set[int]) -> bool:
    """Whether a link to another entity remains."""
    count = len(links.out_offsets) - 1
    for way in range(2):
        offsets = links.out_offsets if way == 0 else links.in_offsets
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        for place in range(offsets[entity], offsets[entity + 1]):
            other = int(neighbours[place])
            if other != entity and pair_key(entity, other, count) not in taken:
                return True
    return False


def are_linked(links: BidirectionalCsr, ones: Longs, others: Longs) -> NDArray[np.bool_]:
    """Whether each pair is linked, bool [n]."""
    result = np.zeros(len(ones), np.bool_)
    mark_linked(links, ones, others, result)
    return result


@jit_compile
def mark_linked(
    links: BidirectionalCsr, ones: Longs, others: Longs, out: NDArray[np.bool_]
) -> None:
    for i in range(len(ones)):
        one, other = ones[i], others[i]
        if degree(links, other) < degree(links, one):
            one, other = other, one
        for way in range(2):
            offsets = links.out_offsets if way == 0 else links.in_offsets
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            for place in range(offsets[one], offsets[one + 1]):
                if neighbours[place] == other:
                    out[i] = True
                    break
