"""P_k(j | i) among a few candidates, without whole rows.

Three hops from i to j are a first link (i, u), a middle one (u, v) and a last one (v, j). The first
and the last links of all candidates are put into two tables, and the rows of all u are looked
through once for a v of the other table, which a bit for every entity tells. So the work is at most
the links of the distinct neighbours, whatever the number of candidates; one and two hops come on
the way. With more than three hops, or where chance can go from an entity without links to anywhere,
whole rows are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.links import Bytes
from backend.science.stopping import Stop
from backend.science.threads import in_threads, weighed_parts
from backend.science.transition.entries import Floats, Longs, Table, arriving, leaving, table_of
from backend.science.transition.kernels import Side, Weights, edge_of
from backend.science.transition.lanes import Row
from backend.science.transition.rows import whole_rows

if TYPE_CHECKING:
    from backend.science.transition.model import TransitionModel

LONGEST = 3
HELD = 1 << 23  # numbers that the parts' own sums may take together


def transitions_among(
    model: TransitionModel, candidates: Longs, stop: Stop | None = None
) -> Floats:
    """float64 [n, n], in the candidates' order, which may name one twice. Raises Stopped."""
    distinct, places = np.unique(candidates, return_inverse=True)
    if not len(distinct):
        return np.empty((0, 0))
    if model.parameters.hops > LONGEST or len(model.lost):
        found = by_whole_rows(model, distinct, stop)
    else:
        found = by_links(model, distinct, stop)
    return found[np.ix_(places, places)]


def by_whole_rows(model: TransitionModel, candidates: Longs, stop: Stop | None) -> Floats:
    found = np.empty((len(candidates), len(candidates)))
    done = 0
    for sources, block in whole_rows(model, candidates, "float64", stop):
        found[done : done + len(sources)] = block[candidates].T
        done += len(sources)
    return found


def by_links(model: TransitionModel, candidates: Longs, stop: Stop | None) -> Floats:
    """Sums over what leaves each candidate; then, once, each row by its candidate's degree."""
    alphas = (*model.parameters.alphas, 0.0, 0.0)[:LONGEST]
    out = [leaving(model, one) for one in candidates.tolist()]
    found = alphas[0] * direct(out, candidates)
    if alphas[1]:
        firsts = lasts = table_of(out)
        if model.parameters.direction == "out":
            lasts = table_of([arriving(model, one) for one in candidates.tolist()])
        ends = lasts_of(lasts, model.entity_count)
        found += over_middles(model, firsts, ends, len(candidates), alphas[1:], stop)
    return found * model.inverse[candidates][:, None]


def direct(out: list[tuple[Longs, Floats]], candidates: Longs) -> Floats:
    """M[i, j] among the candidates."""
    found = np.zeros((len(candidates), len(candidates)))
    for row, (there, weights) in zip(found, out, strict=True):
        if len(there):
            places = np.minimum(np.searchsorted(there, candidates), len(there) - 1)
            row[:] = np.where(there[places] == candidates, weights[places], 0)
    return found


class Lasts(NamedTuple):
    """Last links: places [V] is one more than an entity's number in the table, or 0; marks has a
    bit for every entity; starts, owners and weights are the table's."""

    places: NDArray[np.int32]
    marks: Bytes
    starts: Longs
    owners: Longs
    weights: Floats


def lasts_of(table: Table, entity_count: int) -> Lasts:
    places = np.zeros(entity_count, np.int32)
    places[table.entities] = np.arange(1, len(table.entities) + 1)
    marks = np.packbits(places > 0, bitorder="little")
    return Lasts(places, marks, table.starts, table.owners, table.weights)


def over_middles(
    model: TransitionModel,
    firsts: Table,
    lasts: Lasts,
    count: int,
    alphas: tuple[float, ...],
    stop: Stop | None,
) -> Floats:
    """Two hops and three, from the tables of first and last links."""
    back = model.reverse if model.parameters.direction == "both" else None
    two, three = alphas

    def work(first: int, last: int) -> Floats:
        found = np.zeros((count, count))
        links = model.forward, back, model.weights, model.inverse
        scan_middles(*links, firsts, lasts, two, three, found, first, last)
        return found

    starts = starts_of_middles(firsts, (model.forward, back) if three else ())
    parts = weighed_parts(starts, most=max(1, HELD // count**2))
    found: Floats = np.sum(in_threads(work, parts, stop), axis=0)
    return found


def starts_of_middles(firsts: Table, sides: tuple[Side | None, ...]) -> Longs:
    """Offsets of the middle links, by first link."""
    found = np.zeros(len(firsts.entities) + 1, np.int64)
    for side in sides:
        if side is not None:
            found[1:] += side.offsets[firsts.entities + 1] - side.offsets[firsts.entities]
    return np.cumsum(found)


@compiled
def scan_middles(
    forward: Side,
    back: Side | None,
    weights: Weights | None,
    inverse: Floats,
    firsts: Table,
    lasts: Lasts,
    two: float,
    three: float,
    found: Floats,
    first: int,
    last: int,
) -> None:
    """Add to found[i, j] what goes from i over the entities first to last - 1 of `firsts`."""
    middle = np.zeros(found.shape[1])
    for number in range(first, last):
        entity = firsts.entities[number]
        middle[:] = 0
        hits = reach(lasts, entity, two, middle)
        if three > 0:
            scale = three
            links = forward.offsets[entity + 1] - forward.offsets[entity]
            hits += scan(forward, weights, inverse, lasts, entity, -1, scale, middle)
            if back is not None:
                links += back.offsets[entity + 1] - back.offsets[entity]
                hits += scan(back, weights, inverse, lasts, entity, entity, scale, middle)
            if links == 0:  # it stays where it is
                hits += reach(lasts, entity, scale * inverse[entity], middle)
        if hits:
            for at in range(firsts.starts[number], firsts.starts[number + 1]):
                share = firsts.weights[at] * inverse[entity]
                for candidate in range(len(middle)):
                    found[firsts.owners[at], candidate] += share * middle[candidate]


@compiled
def scan(
    side: Side,
    weights: Weights | None,
    inverse: Floats,
    lasts: Lasts,
    entity: int,
    left_out: int,
    scale: float,
    middle: Floats,
) -> int:
    """Look through an entity's row for those that have a last link, with their shares of it."""
    hits = 0
    for place in range(np.uint64(side.offsets[entity]), np.uint64(side.offsets[entity + 1])):
        there = np.uint32(side.neighbours[place])
        if not lasts.marks[there >> 3] >> (there & 7) & 1 or there == left_out:
            continue
        weight = scale * inverse[there]
        if weights is not None:
            weight *= weights[edge_of(side, place)]
        hits += reach(lasts, there, weight, middle)
    return hits


@compiled
def reach(lasts: Lasts, entity: Row, weight: float, middle: Floats) -> int:
    """Add what the last links out of an entity bring, if it has any."""
    at = lasts.places[entity] - 1
    if at < 0:
        return 0
    for place in range(lasts.starts[at], lasts.starts[at + 1]):
        middle[lasts.owners[place]] += weight * lasts.weights[place]
    return 1
