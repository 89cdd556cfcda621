import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.science.adjacency import lower_bound
from backend.science.bidirectional_csr import BidirectionalCsr, Bytes, Longs, edge_at
from backend.science.half_paths import Ints, Words, build_filter, find_node, may_hold

MAX_BINARY_SEARCHES = 24


def induced_edges(
    links: BidirectionalCsr,
    numbers: Ints,
    allowed: Bytes,
    *,
    limit: int,
    stop: CancellationToken | None = None,
) -> tuple[Longs, int]:
    """The first `limit` edges, by source, with both ends in the set, and their total number.

    numbers int32 [n], ascending; allowed uint8 [relations]. Self-loops and parallel edges count.
    Each edge is found once, in its source's row: O(sum of out-degrees), or for a long row O(n x
    relations x log). Raises IndexError for an unknown entity. A cancelled run omits entities.
    """
    count = len(links.out_offsets) - 1
    if len(numbers) and not 0 <= numbers[0] <= numbers[-1] < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    result = np.empty(limit, np.int64)
    total = gather(
        links, numbers, build_filter(numbers), allowed, result, (stop or CancellationToken()).flag
    )
    return result[: min(total, limit)], total


@jit_compile
def gather(
    links: BidirectionalCsr, numbers: Ints, words: Words, allowed: Bytes, out: Longs, stop: Bytes
) -> int:
    total = 0
    for number in numbers:
        if stop[0]:
            break
        row = links.out_offsets[number + 1] - links.out_offsets[number]
        if row > MAX_BINARY_SEARCHES * min(row, len(allowed)) * len(numbers):
            total = search_out(links, number, numbers, allowed, out, total)
        else:
            total = scan_out(links, number, numbers, words, allowed, out, total)
    return total


@jit_compile
def scan_out(
    links: BidirectionalCsr,
    number: int,
    numbers: Ints,
    words: Words,
    allowed: Bytes,
    out: Longs,
    total: int,
) -> int:
    for place in range(links.out_offsets[number], links.out_offsets[number + 1]):
        end = links.out_neighbours[place]
        if may_hold(words, end) and allowed[links.out_relations[place]]:
            if find_node(numbers, end) < 0:
                continue
            if total < len(out):
                out[total] = edge_at(links, 0, place)
            total += 1
    return total


@jit_compile
def search_out(
    links: BidirectionalCsr, number: int, numbers: Ints, allowed: Bytes, out: Longs, total: int
) -> int:
    first, last = links.out_offsets[number], links.out_offsets[number + 1]
    while first < last:
        relation = int(links.out_relations[first])
        end = lower_bound(links.out_relations, first, last, relation + 1)
        if allowed[relation]:
            for target in numbers:
                first = lower_bound(links.out_neighbours, first, end, target)
                while first < end and links.out_neighbours[first] == target:
                    if total < len(out):
                        out[total] = edge_at(links, 0, first)
                    total += 1
                    first += 1
        first = end
    return total
