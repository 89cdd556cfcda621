"""Compiled: joining the first steps of paths with their last ones, directly or over one edge."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.ends import Ends, Ints, may_hold, place_of
from backend.science.links import Bytes, Links, degree, degree_along, edge_at, first_of
from backend.science.pages import lower
from backend.science.tallies import FOUND, HIDDEN, KEPT, WORK, Tally, count_kind, offer

PROBABILITY, PENALTY = 0, 1
ANY = -1
SEARCHES = 24  # about how many entries can be looked through while one is searched for
Types = NDArray[np.uint8] | NDArray[np.uint16]


class Rules(NamedTuple):
    """allowed uint8 [3, 2 x relations], by step and code; kinds int64 [2], the types wanted
    between the ends or ANY; types [V]; symmetric uint8 [relations]; hub, the greatest degree that
    is not hidden; work, the most entries and paths to look at; order; damping."""

    allowed: Bytes
    kinds: NDArray[np.int64]
    types: Types
    symmetric: Bytes
    hub: int
    work: int
    order: int
    damping: float


@compiled
def join_none(
    links: Links, rules: Rules, left: Ends, right: Ends, targets: Ints, tally: Tally, stop: Bytes
) -> None:
    """Paths of one step: first steps that end in a target."""
    for t in range(len(targets)):
        u = place_of(left.distinct, targets[t])
        if u < 0:
            continue
        for i in range(left.starts[u], left.starts[u + 1]):
            if is_over(rules, tally, stop):
                return
            record(links, rules, left, right, i, -1, -1, -1, 1, False, tally)


@compiled
def join_ends(
    links: Links, rules: Rules, left: Ends, right: Ends, tally: Tally, stop: Bytes
) -> None:
    """Paths of two steps: first and last steps that meet in an entity."""
    u, v = len(left.distinct) - 1, len(right.distinct) - 1
    while u >= 0 and v >= 0:
        if left.distinct[u] > right.distinct[v]:
            u -= 1
        elif left.distinct[u] < right.distinct[v]:
            v -= 1
        else:
            if is_over(rules, tally, stop):
                return
            if rules.kinds[0] == ANY or rules.types[left.distinct[u]] == rules.kinds[0]:
                combine(links, rules, left, right, u, v, -1, -1, tally, stop)
            u -= 1
            v -= 1


@compiled
def join_rows(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    backwards: bool,
    tally: Tally,
    stop: Bytes,
) -> None:
    """Paths of three steps: the rows of one end's entities, looked through for the other's.

    Backwards, the rows are those of the right end. Entities of a small degree come first, for
    they have the greater numbers: a search that ends early has looked at what says most.
    """
    near, far = (right, left) if backwards else (left, right)
    for back in range(len(near.distinct)):
        at = len(near.distinct) - 1 - back
        if is_over(rules, tally, stop):
            return
        wanted = rules.kinds[1 if backwards else 0]
        if wanted != ANY and rules.types[near.distinct[at]] != wanted:
            continue
        row = degree(links, near.distinct[at])
        runs = min(row, len(rules.symmetric) * 2)
        if row > SEARCHES * runs * len(far.distinct):
            search_row(links, rules, left, right, at, backwards, tally, stop)
        else:
            scan_row(links, rules, left, right, at, backwards, tally, stop)


@compiled
def scan_row(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    at: int,
    backwards: bool,
    tally: Tally,
    stop: Bytes,
) -> None:
    """Look at every entry of an entity for one that the other end has."""
    near, far = (right, left) if backwards else (left, right)
    number = near.distinct[at]
    for way in range(2):
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        relations = links.out_relations if way == 0 else links.in_relations
        first, last = first_of(links, number, way), first_of(links, number + 1, way)
        tally.counts[WORK] += last - first
        for place in range(first, last):
            if not may_hold(far.filter, neighbours[place]):
                continue
            code = (int(relations[place]) * 2 + way) ^ int(backwards)
            other = place_of(far.distinct, neighbours[place])
            if other < 0 or not rules.allowed[1, code]:
                continue
            edge = edge_at(links, way, place)
            meet(links, rules, left, right, at, other, backwards, code, edge, tally, stop)


@compiled
def search_row(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    at: int,
    backwards: bool,
    tally: Tally,
    stop: Bytes,
) -> None:
    """The same for an entity of many entries, by searching them for each of the other end's."""
    near, far = (right, left) if backwards else (left, right)
    number = near.distinct[at]
    for way in range(2):
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        relations = links.out_relations if way == 0 else links.in_relations
        first, last = first_of(links, number, way), first_of(links, number + 1, way)
        while first < last:
            relation = int(relations[first])
            end = lower(relations, first, last, relation + 1)
            code = (relation * 2 + way) ^ int(backwards)
            if rules.allowed[1, code]:
                tally.counts[WORK] += len(far.distinct)
                for other in range(len(far.distinct)):
                    first = lower(neighbours, first, end, far.distinct[other])
                    while first < end and neighbours[first] == far.distinct[other]:
                        edge = edge_at(links, way, first)
                        meet(
                            links, rules, left, right, at, other, backwards, code, edge, tally, stop
                        )
                        first += 1
            first = end


@compiled
def meet(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    at: int,
    other: int,
    backwards: bool,
    code: int,
    edge: int,
    tally: Tally,
    stop: Bytes,
) -> None:
    """An edge leads from an entity of one end to one of the other's."""
    u, v = (other, at) if backwards else (at, other)
    a, b = left.distinct[u], right.distinct[v]
    if a == b:
        return
    wanted = rules.kinds[0 if backwards else 1]
    if wanted != ANY and rules.types[a if backwards else b] != wanted:
        return
    combine(links, rules, left, right, u, v, code, edge, tally, stop)


@compiled
def combine(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    u: int,
    v: int,
    code: int,
    edge: int,
    tally: Tally,
    stop: Bytes,
) -> None:
    """Every first step into one entity with every last step out of another, or out of itself."""
    a, b = left.distinct[u], right.distinct[v]
    hidden = degree(links, a) > rules.hub or degree(links, b) > rules.hub
    hops = 2 if code < 0 else 3
    for i in range(left.starts[u], left.starts[u + 1]):
        if hops == 3 and left.owners[i] == b:
            continue
        if is_over(rules, tally, stop):
            return
        for j in range(right.starts[v], right.starts[v + 1]):
            if right.owners[j] != left.owners[i] and (hops == 2 or right.owners[j] != a):
                record(links, rules, left, right, i, j, code, edge, hops, hidden, tally)


@compiled
def is_over(rules: Rules, tally: Tally, stop: Bytes) -> bool:
    return bool(stop[0] != 0 or tally.counts[WORK] >= rules.work)


@compiled
def record(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    i: int,
    j: int,
    code: int,
    edge: int,
    hops: int,
    hidden: bool,
    tally: Tally,
) -> None:
    """Count one path, and keep it if it is among the best."""
    tally.counts[WORK] += 1
    tally.counts[HIDDEN if hidden else FOUND] += 1
    steps = step_key(rules, left.codes[i])
    types = int(rules.types[left.owners[i]]) << 16 | int(rules.types[left.nodes[i]])
    if hops == 3:
        steps = steps << 18 | step_key(rules, code)
        types = types << 16 | int(rules.types[right.nodes[j]])
    if hops >= 2:
        steps = steps << 18 | step_key(rules, right.codes[j])
        types = types << 16 | int(rules.types[right.owners[j]])
    count_kind(tally, steps, types, hidden)
    if not hidden and len(tally.weights):
        weight = weight_of(links, rules, left, right, i, j, code, hops)
        if tally.counts[KEPT] == len(tally.weights) and weight < tally.weights[0]:
            return
        offer(tally, left, right, weight, np.array([hops, i, j, code, edge], np.int64))


@compiled
def step_key(rules: Rules, code: int) -> int:
    """One more than a step's code, the same for both ways of a symmetric relation."""
    return code + 1 - (code & 1 if rules.symmetric[code >> 1] else 0)


@compiled
def weight_of(
    links: Links, rules: Rules, left: Ends, right: Ends, i: int, j: int, code: int, hops: int
) -> float:
    """The product of the steps' factors, always from the first to the last."""
    if np.isnan(left.factors[i]):
        step = left.owners[i], left.codes[i], left.nodes[i]
        left.factors[i] = factor(links, rules, *step)
    weight = float(left.factors[i])
    if hops == 3:
        weight *= factor(links, rules, left.nodes[i], code, right.nodes[j])
    if hops >= 2:
        if np.isnan(right.factors[j]):
            right.factors[j] = factor(links, rules, right.nodes[j], right.codes[j], right.owners[j])
        weight *= right.factors[j]
    return weight


@compiled
def factor(links: Links, rules: Rules, start: int, code: int, end: int) -> float:
    """1 / degree of the entity that a step leaves, or its two degrees along it, dampened."""
    if rules.order == PROBABILITY:
        return 1 / degree(links, start)
    leaving = degree_along(links, rules.symmetric, start, code)
    entering = degree_along(links, rules.symmetric, end, code ^ 1)
    return float((float(leaving) * entering) ** -rules.damping)
