"""P_k(j | i) among a few candidates, without whole rows.

Three hops from i to j are a first link (i, u), a middle one (u, v) and a last one (v, j). The first
and the last links of all candidates are put into two tables, and the rows of all u are scanned once
for a v of the other table, tested with one bit per entity. The cost is at most the number of links
of the distinct neighbours, whatever the number of candidates; one and two hops come at no extra
cost. With more than three hops, or with dangling=uniform and entities without links, whole rows are
computed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads, split_by_weight
from backend.science.bidirectional_csr import Bytes
from backend.science.transition.kernels import CsrSide, Weights, edge_index
from backend.science.transition.neighbour_lists import (
    Floats,
    Longs,
    NeighbourTable,
    build_table,
    linked_neighbours,
)
from backend.science.transition.rows import transition_rows
from backend.science.transition.simd import Row
from backend.science.transition.transition_model import TransitionModel

MAX_LINK_HOPS = 3
MAX_PARTIAL_SUMS = 1 << 23  # limit of the total size of the partial sums of all parts


def pairwise_transitions(
    model: TransitionModel,
    candidates: Sequence[int] | Longs,
    *,
    stop: CancellationToken | None = None,
) -> Floats:
    """P_k(j | i) of candidates i and j, float64 [n, n], in their order; they may repeat.

    Raises UnknownEntity and Cancelled.
    """
    distinct, places = np.unique(model.check_entities(candidates), return_inverse=True)
    if not len(distinct):
        return np.empty((0, 0))
    if model.parameters.hops > MAX_LINK_HOPS or len(model.teleporting):
        result = from_whole_rows(model, distinct, stop)
    else:
        result = from_links(model, distinct, stop)
    return result[np.ix_(places, places)]


def from_whole_rows(
    model: TransitionModel, candidates: Longs, stop: CancellationToken | None
) -> Floats:
    result = np.empty((len(candidates), len(candidates)))
    done = 0
    for sources, block in transition_rows(model, candidates, precision="float64", stop=stop):
        result[done : done + len(sources)] = block[candidates].T
        done += len(sources)
    return result


def from_links(model: TransitionModel, candidates: Longs, stop: CancellationToken | None) -> Floats:
    """Sums over the links of each candidate; each row is then divided by the degree."""
    alphas = (*model.parameters.alphas, 0.0, 0.0)[:MAX_LINK_HOPS]
    out = [linked_neighbours(model, one) for one in candidates.tolist()]
    result = alphas[0] * one_hop(out, candidates)
    if alphas[1]:
        firsts = lasts = build_table(out)
        if model.parameters.direction == "out":
            into = [linked_neighbours(model, one, incoming=True) for one in candidates.tolist()]
            lasts = build_table(into)
        ends = last_links(lasts, model.entity_count)
        result += sum_over_middles(model, firsts, ends, len(candidates), alphas[1:], stop)
    return result * model.inverse_degrees[candidates][:, None]


def one_hop(out: list[tuple[Longs, Floats]], candidates: Longs) -> Floats:
    """M[i, j] among the candidates."""
    result = np.zeros((len(candidates), len(candidates)))
    for row, (neighbours, weights) in zip(result, out, strict=True):
        if len(neighbours):
            places = np.minimum(np.searchsorted(neighbours, candidates), len(neighbours) - 1)
            row[:] = np.where(neighbours[places] == candidates, weights[places], 0)
    return result


class LastLinks(NamedTuple):
    """Last links: places [V] is one plus an entity's index in the table, or 0; marks has a bit for
    every entity; starts, owners and weights are those of the table.
    """

    places: NDArray[np.int32]
    marks: Bytes
    starts: Longs
    owners: Longs
    weights: Floats


def last_links(table: NeighbourTable, entity_count: int) -> LastLinks:
    places = np.zeros(entity_count, np.int32)
    places[table.entities] = np.arange(1, len(table.entities) + 1)
    marks = np.packbits(places > 0, bitorder="little")
    return LastLinks(places, marks, table.starts, table.owners, table.weights)


def sum_over_middles(
    model: TransitionModel,
    firsts: NeighbourTable,
    lasts: LastLinks,
    count: int,
    alphas: tuple[float, ...],
    stop: CancellationToken | None,
) -> Floats:
    """Two and three hops, from the tables of first and last links."""
    back = model.reverse if model.parameters.direction == "both" else None
    two, three = alphas

    def work(first: int, last: int) -> Floats:
        result = np.zeros((count, count))
        links = model.forward, back, model.weights, model.inverse_degrees
        scan_middles(*links, firsts, lasts, two, three, result, first, last)
        return result

    starts = middle_offsets(firsts, (model.forward, back) if three else ())
    parts = split_by_weight(starts, max_parts=max(1, MAX_PARTIAL_SUMS // count**2))
    result: Floats = np.sum(run_in_threads(work, parts, stop), axis=0)
    return result


def middle_offsets(firsts: NeighbourTable, sides: tuple[CsrSide | None, ...]) -> Longs:
    """Offsets of the middle links, by first link."""
    result = np.zeros(len(firsts.entities) + 1, np.int64)
    for side in sides:
        if side is not None:
            result[1:] += side.offsets[firsts.entities + 1] - side.offsets[firsts.entities]
    return np.cumsum(result)


@jit_compile
def scan_middles(
    forward: CsrSide,
    back: CsrSide | None,
    weights: Weights | None,
    inverse: Floats,
    firsts: NeighbourTable,
    lasts: LastLinks,
    two: float,
    three: float,
    result: Floats,
    first: int,
    last: int,
) -> None:
    """Add to out[i, j] the paths from i over the entities first to last - 1 of `firsts`."""
    middle = np.zeros(result.shape[1])
    for number in range(first, last):
        entity = firsts.entities[number]
        middle[:] = 0
        hits = add_last_links(lasts, entity, two, middle)
        if three > 0:
            scale = three
            links = forward.offsets[entity + 1] - forward.offsets[entity]
            hits += scan_row(forward, weights, inverse, lasts, entity, -1, scale, middle)
            if back is not None:
                links += back.offsets[entity + 1] - back.offsets[entity]
                hits += scan_row(back, weights, inverse, lasts, entity, entity, scale, middle)
            if links == 0:  # the walk stays at this entity
                hits += add_last_links(lasts, entity, scale * inverse[entity], middle)
        if hits:
            for at in range(firsts.starts[number], firsts.starts[number + 1]):
                share = firsts.weights[at] * inverse[entity]
                for candidate in range(len(middle)):
                    result[firsts.owners[at], candidate] += share * middle[candidate]


@jit_compile
def scan_row(
    side: CsrSide,
    weights: Weights | None,
    inverse: Floats,
    lasts: LastLinks,
    entity: int,
    left_out: int,
    scale: float,
    middle: Floats,
) -> int:
    """Scan an entity's row for entities that have a last link, and add their shares."""
    hits = 0
    for place in range(np.uint64(side.offsets[entity]), np.uint64(side.offsets[entity + 1])):
        neighbours = np.uint32(side.neighbours[place])
        if not lasts.marks[neighbours >> 3] >> (neighbours & 7) & 1 or neighbours == left_out:
            continue
        weight = scale * inverse[neighbours]
        if weights is not None:
            weight *= weights[edge_index(side, place)]
        hits += add_last_links(lasts, neighbours, weight, middle)
    return hits


@jit_compile
def add_last_links(lasts: LastLinks, entity: Row, weight: float, middle: Floats) -> int:
    """Add the last links of an entity, if it has any."""
    at = lasts.places[entity] - 1
    if at < 0:
        return 0
    for place in range(lasts.starts[at], lasts.starts[at + 1]):
        middle[lasts.owners[place]] += weight * lasts.weights[place]
    return 1
