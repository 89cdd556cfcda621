"""Compiled joins of first and last steps of paths, directly or over one edge."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import lower_bound
from backend.science.bidirectional_csr import (
    BidirectionalCsr,
    Bytes,
    degree,
    edge_at,
    first_entry,
    is_admitted,
    relation_degree,
    row_length,
)
from backend.science.half_paths import HalfPaths, Ints, find_node, may_hold
from backend.science.path_accumulator import (
    HIDDEN,
    STORED,
    TOTAL,
    WORK,
    PathAccumulator,
    count_kind,
    offer_path,
)

PROBABILITY, PENALTY = 0, 1
ANY_TYPE = -1
SEARCH_RATIO = 24  # entries scanned in the time of one binary search
Types = NDArray[np.uint8] | NDArray[np.uint16]


class SearchRules(NamedTuple):
    """allowed uint8 [3, 2 x relations], by step and code; kinds int64 [2], the types required
    between the ends or ANY_TYPE; types [V]; symmetric uint8 [relations]; max_degree, the greatest
    degree that is not hidden; max_work, the most entries and paths to examine; order; damping.
    """

    allowed: Bytes
    kinds: NDArray[np.int64]
    types: Types
    symmetric: Bytes
    max_degree: int
    max_work: int
    order: int
    damping: float


@jit_compile
def join_none(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    targets: Ints,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Paths of one step: first steps that end in a target."""
    for t in range(len(targets)):
        u = find_node(left.distinct, targets[t])
        if u < 0:
            continue
        for i in range(left.starts[u], left.starts[u + 1]):
            if is_over(rules, tally, stop):
                return
            record(links, rules, left, right, i, -1, -1, -1, 1, False, tally)


@jit_compile
def join_ends(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Paths of two steps: first and last steps that share an entity."""
    u, v = len(left.distinct) - 1, len(right.distinct) - 1
    while u >= 0 and v >= 0:
        if left.distinct[u] > right.distinct[v]:
            u -= 1
        elif left.distinct[u] < right.distinct[v]:
            v -= 1
        else:
            if is_over(rules, tally, stop):
                return
            if rules.kinds[0] == ANY_TYPE or rules.types[left.distinct[u]] == rules.kinds[0]:
                combine(links, rules, left, right, u, v, -1, -1, tally, stop)
            u -= 1
            v -= 1


@jit_compile
def join_rows(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    backwards: bool,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Paths of three steps: scan the rows of one end's entities for those of the other end.

    `backwards` scans the rows of the right end. Entities of low degree come first (they have the
    greater numbers), so that a search that ends early has examined the most specific ones.
    """
    near, far = (right, left) if backwards else (left, right)
    for back in range(len(near.distinct)):
        at = len(near.distinct) - 1 - back
        if is_over(rules, tally, stop):
            return
        target = rules.kinds[1 if backwards else 0]
        if target != ANY_TYPE and rules.types[near.distinct[at]] != target:
            continue
        row = row_length(links, near.distinct[at])
        runs = min(row, len(rules.symmetric) * 2)
        if row > SEARCH_RATIO * runs * len(far.distinct):
            search_row(links, rules, left, right, at, backwards, tally, stop)
        else:
            scan_row(links, rules, left, right, at, backwards, tally, stop)


@jit_compile
def scan_row(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    at: int,
    backwards: bool,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Scan every entry of an entity for one in the other end."""
    near, far = (right, left) if backwards else (left, right)
    number = near.distinct[at]
    for way in range(2):
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        relations = links.out_relations if way == 0 else links.in_relations
        first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
        tally.counts[WORK] += last - first
        for place in range(first, last):
            if not may_hold(far.filter, neighbours[place]):
                continue
            code = (int(relations[place]) * 2 + way) ^ int(backwards)
            other = find_node(far.distinct, neighbours[place])
            if other < 0 or not rules.allowed[1, code]:
                continue
            edge = edge_at(links, way, place)
            if not is_admitted(links, edge):
                continue
            meet(links, rules, left, right, at, other, backwards, code, edge, tally, stop)


@jit_compile
def search_row(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    at: int,
    backwards: bool,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """As `scan_row`, for an entity of many entries: a binary search for each of the other end."""
    near, far = (right, left) if backwards else (left, right)
    number = near.distinct[at]
    for way in range(2):
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        relations = links.out_relations if way == 0 else links.in_relations
        first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
        while first < last:
            relation = int(relations[first])
            end = lower_bound(relations, first, last, relation + 1)
            code = (relation * 2 + way) ^ int(backwards)
            if rules.allowed[1, code]:
                tally.counts[WORK] += len(far.distinct)
                for other in range(len(far.distinct)):
                    first = lower_bound(neighbours, first, end, far.distinct[other])
                    while first < end and neighbours[first] == far.distinct[other]:
                        edge = edge_at(links, way, first)
                        first += 1
                        if not is_admitted(links, edge):
                            continue
                        meet(
                            links, rules, left, right, at, other, backwards, code, edge, tally, stop
                        )
            first = end


@jit_compile
def meet(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    at: int,
    other: int,
    backwards: bool,
    code: int,
    edge: int,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Combine over an edge from an entity of one end to one of the other."""
    u, v = (other, at) if backwards else (at, other)
    a, b = left.distinct[u], right.distinct[v]
    if a == b:
        return
    target = rules.kinds[0 if backwards else 1]
    if target != ANY_TYPE and rules.types[a if backwards else b] != target:
        return
    combine(links, rules, left, right, u, v, code, edge, tally, stop)


@jit_compile
def combine(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    u: int,
    v: int,
    code: int,
    edge: int,
    tally: PathAccumulator,
    stop: Bytes,
) -> None:
    """Every first step into one entity with every last step out of another, or out of the same."""
    a, b = left.distinct[u], right.distinct[v]
    hidden = degree(links, a) > rules.max_degree or degree(links, b) > rules.max_degree
    hops = 2 if code < 0 else 3
    for i in range(left.starts[u], left.starts[u + 1]):
        if hops == 3 and left.owners[i] == b:
            continue
        if is_over(rules, tally, stop):
            return
        for j in range(right.starts[v], right.starts[v + 1]):
            if right.owners[j] != left.owners[i] and (hops == 2 or right.owners[j] != a):
                record(links, rules, left, right, i, j, code, edge, hops, hidden, tally)


@jit_compile
def is_over(rules: SearchRules, tally: PathAccumulator, stop: Bytes) -> bool:
    return bool(stop[0] != 0 or tally.counts[WORK] >= rules.max_work)


@jit_compile
def record(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    i: int,
    j: int,
    code: int,
    edge: int,
    hops: int,
    hidden: bool,
    tally: PathAccumulator,
) -> None:
    """Count one path, and insert it if it is among the best."""
    tally.counts[WORK] += 1
    tally.counts[HIDDEN if hidden else TOTAL] += 1
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
        if tally.counts[STORED] == len(tally.weights) and weight < tally.weights[0]:
            return
        offer_path(tally, left, right, weight, np.array([hops, i, j, code, edge], np.int64))


@jit_compile
def step_key(rules: SearchRules, code: int) -> int:
    """Step code plus one; equal for both directions of a symmetric relation."""
    return code + 1 - (code & 1 if rules.symmetric[code >> 1] else 0)


@jit_compile
def weight_of(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    i: int,
    j: int,
    code: int,
    hops: int,
) -> float:
    """Product of the steps' factors, always from the first to the last."""
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


@jit_compile
def factor(links: BidirectionalCsr, rules: SearchRules, start: int, code: int, end: int) -> float:
    """1 / degree of the step's start, or its two relation degrees, damped."""
    if rules.order == PROBABILITY:
        return 1 / degree(links, start)
    leaving = relation_degree(links, rules.symmetric, start, code)
    entering = relation_degree(links, rules.symmetric, end, code ^ 1)
    return float((float(leaving) * entering) ** -rules.damping)
