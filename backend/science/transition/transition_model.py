"""Transition probabilities of random walks over a graph's links: P1 and P_k, without matrices.

With M_ij the number of links between entities i and j (or the sum of their weights), d_i their sum
over j, and k hops:

    P1[i, j] = M_ij / d_i          a row of an entity without links: itself, or 1 / V everywhere
    P_k      = sum over h = 1..k of a_h P1^h,    a_h = h / (1 + ... + k)

`direction=both` counts an edge from i to j in M_ij and in M_ji, a self-loop once; `out` counts it
in M_ij. Parallel edges count each. Source: SerenQA, section 3.1; rns.md settles what it leaves
open.

A model holds one float64 per entity, and reads the graph's own arrays, which may be memory maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.parallel import Part, run_in_threads, split_by_weight, split_evenly
from backend.science.adjacency import Adjacency, EdgeIds
from backend.science.bidirectional_csr import read_only
from backend.science.transition.kernels import (
    CsrSide,
    Floats,
    SelfLinks,
    Weights,
    pull_step,
    sum_rows,
    sum_weights,
)
from backend.science.transition.parameters import (
    BadParameters,
    Parameters,
    UnknownEntity,
)
from backend.science.transition.simd import Block

CHUNK_SIZE = 1 << 22
MAX_TOTAL = 1e100
NO_EDGES: EdgeIds = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class TransitionModel:
    """Create with `of`. inverse_degrees [V] is 1 / d, and 1 for an entity without links;
    `teleporting`, for dangling=uniform, are the entities without links.
    """

    parameters: Parameters
    forward: CsrSide
    reverse: CsrSide
    weights: Weights | None
    inverse_degrees: Floats
    self_links: SelfLinks
    teleporting: NDArray[np.int64]
    parts: Sequence[Part] = field(repr=False)

    @classmethod
    def of(
        cls,
        forward: Adjacency,
        reverse: Adjacency,
        parameters: Parameters | None = None,
        *,
        weights: NDArray[np.float64] | NDArray[np.float32] | None = None,
        stop: CancellationToken | None = None,
    ) -> TransitionModel:
        """weights [E], positive, in the order of the forward side, if `weighted` is set.

        Raises BadParameters; ValueError if the sides do not belong to one graph.
        """
        options = parameters or Parameters()
        check_sides(forward, reverse, options.weighted)
        along, against = csr_side(forward), csr_side(reverse)
        edge_weights = checked_weights(weights, options, forward.edge_count)
        parts = split_by_weight(*(side.offsets for side in incoming_sides(options, along, against)))
        totals, loops = sum_links(options, along, against, edge_weights, parts, stop)
        dangling = np.flatnonzero(totals == 0)
        stays = options.dangling == "self"
        if options.direction == "both":
            totals -= loops
        own = build_self_links(
            loops if options.direction == "both" else None, dangling if stays else None
        )
        totals[dangling] = 1
        lost = dangling[:0] if stays else dangling
        check_totals(totals)
        inverse = np.reciprocal(totals, out=totals)
        return cls(options, along, against, edge_weights, inverse, own, lost, parts)

    @property
    def entity_count(self) -> int:
        return len(self.inverse_degrees)

    @property
    def entry_count(self) -> int:
        """Entries that one step over all entities reads."""
        sides = incoming_sides(self.parameters, self.forward, self.reverse)
        return sum(len(side.neighbours) for side in sides)

    def step(self, x: Floats) -> Floats:
        """x P1 as float64 [V], for x [V]: the distribution after one step."""
        shares = np.asarray(x, np.float64) * self.inverse_degrees
        output = np.empty_like(shares)
        self.pull_into(output, shares)
        return output

    def pull_into(
        self,
        out: Block,
        shares: Block,
        *,
        added: Floats | None = None,
        factor: float = 0.0,
        share: bool = False,
        stop: CancellationToken | None = None,
    ) -> None:
        """One step over all entities: out = (shares * d) P1 + factor * added.

        shares, out   [V] or a block [V, c]; shares are the probability divided by its degree
        share         divide the result by d, as shares for the next step
        """
        base: Block = (self.teleported_mass(shares) / self.entity_count).astype(shares.dtype)
        back = self.forward if self.parameters.direction == "both" else None
        scale = self.inverse_degrees if share else None

        def work(first: int, last: int) -> None:
            links = self.reverse, back, self.weights, self.self_links
            pull_step(*links, shares, base, added, factor, scale, out, first, last)

        run_in_threads(work, self.parts, stop)

    def teleported_mass(self, shares: Block) -> Floats:
        """The total probability of teleporting entities, [1] or [1, c]: in float64, by parts."""
        result = np.zeros((1, *shares.shape[1:]), np.float64)
        parts = split_evenly(len(self.teleporting)) if len(self.teleporting) else []

        def work(first: int, last: int) -> Floats:
            return sum_rows(shares, self.teleporting, first, last)

        for part in run_in_threads(work, parts):
            result += part.reshape(result.shape)
        return result

    def check_entities(self, entities: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Valid entity numbers for compiled code. Raises UnknownEntity."""
        result = np.asarray(entities)
        if result.ndim != 1 or (result.size and result.dtype.kind not in "iu"):
            raise TypeError("entities are named by a list of whole numbers")
        wrong = result[(result < 0) | (result >= self.entity_count)]
        if wrong.size:
            raise UnknownEntity(f"there is no entity {wrong[0]} among {self.entity_count}")
        return result.astype(np.int64)

    @property
    def teleport_additions(self) -> int:
        """The most additions behind one number of `teleported_mass`."""
        parts = split_evenly(len(self.teleporting)) if len(self.teleporting) else []
        return len(parts) + max((last - first for first, last in parts), default=0)

    def keeps_itself(self, entity: int) -> bool:
        """Whether an entity has no links and is its own successor."""
        if self.parameters.dangling != "self":
            return False
        sides = [self.forward.offsets]
        if self.parameters.direction == "both":
            sides.append(self.reverse.offsets)
        return all(side[entity] == side[entity + 1] for side in sides)


def incoming_sides(
    parameters: Parameters, forward: CsrSide, reverse: CsrSide
) -> tuple[CsrSide, ...]:
    """The sides over which an entity receives probability."""
    return (reverse, forward) if parameters.direction == "both" else (reverse,)


def csr_side(adjacency: Adjacency) -> CsrSide:
    edges: EdgeIds = NO_EDGES if adjacency.edges is None else adjacency.edges
    return CsrSide(read_only(adjacency.offsets), read_only(adjacency.neighbours), read_only(edges))


def check_sides(forward: Adjacency, reverse: Adjacency, weighted: bool) -> None:
    same = forward.entity_count == reverse.entity_count
    if not same or forward.edge_count != reverse.edge_count:
        raise ValueError("the reverse side must have the forward side's entities and edges")
    if not forward.entity_count:
        raise BadParameters("a graph without entities has no transition model")
    if weighted and reverse.edges is None:
        raise ValueError("weights need the number of each edge on the reverse side")


def checked_weights(
    weights: NDArray[np.float64] | NDArray[np.float32] | None, parameters: Parameters, count: int
) -> Weights | None:
    if (weights is None) == parameters.weighted:
        raise BadParameters("weights must be given if and only if `weighted` is set")
    if weights is None:
        return None
    if weights.shape != (count,) or weights.dtype not in (np.float64, np.float32):
        raise BadParameters(f"weights must be {count} floating-point numbers, one per edge")
    for first in range(0, count, CHUNK_SIZE):
        part = weights[first : first + CHUNK_SIZE]
        if not (np.isfinite(part) & (part > 0)).all():
            raise BadParameters("a weight must be finite and positive")
    return read_only(weights)


def check_totals(totals: Floats) -> None:
    """Outside these limits, shares of probability overflow or underflow."""
    if not 1 / MAX_TOTAL < totals.min() <= totals.max() < MAX_TOTAL:
        raise BadParameters(
            f"the weights of an entity must sum to 1/{MAX_TOTAL:g} to {MAX_TOTAL:g}"
        )


def sum_links(
    parameters: Parameters,
    forward: CsrSide,
    reverse: CsrSide,
    weights: Weights | None,
    parts: Sequence[Part],
    stop: CancellationToken | None,
) -> tuple[Floats, Floats]:
    """Per entity, the weight of its links, and of its self-loops on the forward side.

    Walked both ways, a self-loop is in both sides' totals; the loops are subtracted once.
    """
    count = len(forward.offsets) - 1
    totals, loops, unused = np.zeros(count), np.zeros(count), np.zeros(count)
    both = parameters.direction == "both"

    def work(first: int, last: int) -> None:
        sum_weights(forward, weights, totals, loops, first, last)
        if both:
            sum_weights(reverse, weights, totals, unused, first, last)

    run_in_threads(work, parts, stop)
    return totals, loops


def build_self_links(loops: Floats | None, staying: NDArray[np.int64] | None) -> SelfLinks:
    """Self-loops are in both sides' entries and count once; a dangling entity links to itself."""
    minus = np.flatnonzero(loops) if loops is not None else np.empty(0, np.int64)
    plus = staying if staying is not None else np.empty(0, np.int64)
    entities = np.concatenate([minus, plus])
    taken = -loops[minus] if loops is not None else np.empty(0)
    weights = np.concatenate([taken, np.ones(len(plus))])
    order = np.argsort(entities, kind="stable")
    return SelfLinks(entities[order], weights[order])
