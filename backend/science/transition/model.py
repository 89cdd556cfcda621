"""How chance walks over a graph's links: P1 and P_k, never made as matrices.

With M_ij the number of links between entities i and j (or the sum of their weights), d_i their sum
over j, and k hops:

    P1[i, j] = M_ij / d_i          a row of an entity without links: itself, or 1 / V everywhere
    P_k      = sum over h = 1..k of a_h P1^h,    a_h = h / (1 + ... + k)

`direction=both` counts an edge from i to j in M_ij and in M_ji, a self-loop once; `out` counts it
in M_ij. Parallel edges count each. SerenQA, section 3.1; rns.md settles what it leaves open.

A model holds one float64 per entity, and reads the graph's own arrays, which may be memory maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency, EdgeIds
from backend.science.checkpoint import Checkpoint
from backend.science.links import unwritable
from backend.science.stopping import Stop
from backend.science.threads import Part, even_parts, in_threads, weighed_parts
from backend.science.transition.among import transitions_among
from backend.science.transition.kernels import Floats, Own, Side, Weights, pull, sum_rows, weigh
from backend.science.transition.lanes import Block
from backend.science.transition.marginal import Marginal, Progress, solve_marginal
from backend.science.transition.parameters import (
    BadParameters,
    Parameters,
    Precision,
    UnknownEntity,
)
from backend.science.transition.rows import whole_rows

STEP = 1 << 22
LARGEST = 1e100
NO_EDGES: EdgeIds = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class TransitionModel:
    """Make one through `of`. The fields are for the kernels: inverse [V] is 1 / d, and 1 for an
    entity without links; `lost`, of dangling=uniform, are the entities without links."""

    parameters: Parameters
    forward: Side
    reverse: Side
    weights: Weights | None
    inverse: Floats
    own: Own
    lost: NDArray[np.int64]
    parts: Sequence[Part] = field(repr=False)

    @classmethod
    def of(
        cls,
        forward: Adjacency,
        reverse: Adjacency,
        parameters: Parameters | None = None,
        *,
        weights: NDArray[np.float64] | NDArray[np.float32] | None = None,
        stop: Stop | None = None,
    ) -> TransitionModel:
        """weights [E], above zero, in the order of the forward side, where `weighted` asks for
        them. Raises BadParameters; ValueError when the sides are not those of one graph."""
        asked = parameters or Parameters()
        check_sides(forward, reverse, asked.weighted)
        along, against = side_of(forward), side_of(reverse)
        held = checked_weights(weights, asked, forward.edge_count)
        parts = weighed_parts(*(side.offsets for side in sides_of(asked, along, against)))
        totals, loops = measured(asked, along, against, held, parts, stop)
        dangling = np.flatnonzero(totals == 0)
        stays = asked.dangling == "self"
        if asked.direction == "both":
            totals -= loops
        own = own_of(loops if asked.direction == "both" else None, dangling if stays else None)
        totals[dangling] = 1
        lost = dangling[:0] if stays else dangling
        check_totals(totals)
        inverse = np.reciprocal(totals, out=totals)
        return cls(asked, along, against, held, inverse, own, lost, parts)

    @property
    def entity_count(self) -> int:
        return len(self.inverse)

    @property
    def entry_count(self) -> int:
        """Entries that one step over all entities reads."""
        sides = sides_of(self.parameters, self.forward, self.reverse)
        return sum(len(side.neighbours) for side in sides)

    def step(self, x: Floats) -> Floats:
        """x P1 as float64 [V], for x [V]: where chance is after one more step."""
        shares = np.asarray(x, np.float64) * self.inverse
        made = np.empty_like(shares)
        self.pull_into(made, shares)
        return made

    def pull_into(
        self,
        made: Block,
        shares: Block,
        *,
        added: Floats | None = None,
        factor: float = 0.0,
        share: bool = False,
        stop: Stop | None = None,
    ) -> None:
        """One step over all entities: made = (shares * d) P1 + factor * added.

        shares, made  [V] or a block [V, c]; shares are what an entity gives to each of its links
        share         leave what was made as shares, divided by d, for the next step
        """
        base: Block = (self.lost_of(shares) / self.entity_count).astype(shares.dtype)
        back = self.forward if self.parameters.direction == "both" else None
        scale = self.inverse if share else None

        def work(first: int, last: int) -> None:
            links = self.reverse, back, self.weights, self.own
            pull(*links, shares, base, added, factor, scale, made, first, last)

        in_threads(work, self.parts, stop)

    def lost_of(self, shares: Block) -> Floats:
        """The sum over entities whose chance goes anywhere, [1] or [1, c]: in float64, by parts."""
        found = np.zeros((1, *shares.shape[1:]), np.float64)
        parts = even_parts(len(self.lost)) if len(self.lost) else []

        def work(first: int, last: int) -> Floats:
            return sum_rows(shares, self.lost, first, last)

        for part in in_threads(work, parts):
            found += part.reshape(found.shape)
        return found

    def rows(
        self,
        sources: Sequence[int] | NDArray[np.int64],
        *,
        precision: Precision | None = None,
        stop: Stop | None = None,
    ) -> Iterator[tuple[NDArray[np.int64], Block]]:
        """Whole rows of P_k, as the columns of blocks: see `whole_rows`.

        precision: another than the model's, to take anew in float64 what float32 leaves open
        """
        asked = precision or self.parameters.precision
        return whole_rows(self, self.checked(sources), asked, stop)

    def block(
        self, candidates: Sequence[int] | NDArray[np.int64], *, stop: Stop | None = None
    ) -> Floats:
        """P_k(j | i) for i and j among the candidates, float64 [n, n]: see `transitions_among`."""
        return transitions_among(self, self.checked(candidates), stop)

    def marginal(
        self,
        *,
        tolerance: float = 1e-9,
        progress: Progress | None = None,
        stop: Stop | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> Marginal:
        """The chance of every entity, float64 [V]: see `solve_marginal`."""
        return solve_marginal(self, tolerance, progress, stop, checkpoint)

    def checked(self, entities: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers that compiled code may trust. Raises UnknownEntity."""
        found = np.asarray(entities)
        if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
            raise TypeError("entities are named by a list of whole numbers")
        wrong = found[(found < 0) | (found >= self.entity_count)]
        if wrong.size:
            raise UnknownEntity(f"there is no entity {wrong[0]} among {self.entity_count}")
        return found.astype(np.int64)

    @property
    def lost_additions(self) -> int:
        """The most additions behind one number of `lost_of`."""
        parts = even_parts(len(self.lost)) if len(self.lost) else []
        return len(parts) + max((last - first for first, last in parts), default=0)

    def stays(self, entity: int) -> bool:
        """Whether it has no links and is left with itself."""
        if self.parameters.dangling != "self":
            return False
        sides = [self.forward.offsets]
        if self.parameters.direction == "both":
            sides.append(self.reverse.offsets)
        return all(side[entity] == side[entity + 1] for side in sides)


def sides_of(parameters: Parameters, forward: Side, reverse: Side) -> tuple[Side, ...]:
    """The sides over which something arrives at an entity."""
    return (reverse, forward) if parameters.direction == "both" else (reverse,)


def side_of(adjacency: Adjacency) -> Side:
    edges: EdgeIds = NO_EDGES if adjacency.edges is None else adjacency.edges
    return Side(unwritable(adjacency.offsets), unwritable(adjacency.neighbours), unwritable(edges))


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
        raise BadParameters("weights are given exactly where `weighted` asks for them")
    if weights is None:
        return None
    if weights.shape != (count,) or weights.dtype not in (np.float64, np.float32):
        raise BadParameters(f"weights are {count} floating-point numbers, one for each edge")
    for first in range(0, count, STEP):
        part = weights[first : first + STEP]
        if not (np.isfinite(part) & (part > 0)).all():
            raise BadParameters("a weight is a finite number above zero")
    return unwritable(weights)


def check_totals(totals: Floats) -> None:
    """Beyond these, shares of chance overflow, or are too small for a number."""
    if not 1 / LARGEST < totals.min() <= totals.max() < LARGEST:
        raise BadParameters(f"the weights of an entity add up to 1/{LARGEST:g} to {LARGEST:g}")


def measured(
    parameters: Parameters,
    forward: Side,
    reverse: Side,
    weights: Weights | None,
    parts: Sequence[Part],
    stop: Stop | None,
) -> tuple[Floats, Floats]:
    """Of every entity, what its links weigh and what its self-loops weigh on the forward side.

    Walked both ways, a self-loop is in both sides' totals: the loops say what to take away.
    """
    count = len(forward.offsets) - 1
    totals, loops, unused = np.zeros(count), np.zeros(count), np.zeros(count)
    both = parameters.direction == "both"

    def work(first: int, last: int) -> None:
        weigh(forward, weights, totals, loops, first, last)
        if both:
            weigh(reverse, weights, totals, unused, first, last)

    in_threads(work, parts, stop)
    return totals, loops


def own_of(loops: Floats | None, staying: NDArray[np.int64] | None) -> Own:
    """Self-loops are in both sides' entries and count once; who stays has a link with itself."""
    minus = np.flatnonzero(loops) if loops is not None else np.empty(0, np.int64)
    plus = staying if staying is not None else np.empty(0, np.int64)
    entities = np.concatenate([minus, plus])
    taken = -loops[minus] if loops is not None else np.empty(0)
    weights = np.concatenate([taken, np.ones(len(plus))])
    order = np.argsort(entities, kind="stable")
    return Own(entities[order], weights[order])
