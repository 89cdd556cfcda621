"""P_k between a few entities and many that are added to them one at a time, on large graphs.

RNS of added entities reads P_k from the few to all, from each added one to the few, and from each
added one to itself. With M symmetric (direction=both) and x = M[c, :] / d, element by element:

    P_k(e | c) = P_k(c | e) d_e / d_c                      walks are reversible
    P1^2(c | c) = sum over u of M_cu x_u / d_c
    P1^3(c | c) = sum over u, v of x_u M_uv x_v / d_c      triangles and loops at c

so that whole rows are needed for the few alone. A triangle is found from the end of its far edge
that has fewer links: the scan of a neighbour costs at most about the root of twice the number of
edges, however many links it has. The cost of an added entity is the sum over its neighbours;
`pairwise_transitions` pays for all neighbours of all added entities times their number. Memory: 8
bytes for each entity and each of the few, up to `max_row_bytes`, and 4 (weighted: 8) for each edge.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.science.transition.kernels import CsrSide, Weights
from backend.science.transition.neighbour_lists import Floats, Longs, linked_neighbours
from backend.science.transition.pairwise import MAX_LINK_HOPS, pairwise_transitions
from backend.science.transition.rows import transition_rows
from backend.science.transition.simd import Block
from backend.science.transition.transition_model import TransitionModel

MAX_ROW_BYTES = 1 << 30


class LowerEnds(NamedTuple):
    """Each edge once, at its end with fewer links: the other ends of entity n are at offsets[n] to
    offsets[n + 1]; `edges` are their places on the forward side, empty without weights.
    """

    offsets: Longs
    others: NDArray[np.int32]
    edges: Longs


class AddedTransitions:
    """Transitions of one existing set, for any number of added entities.

    Raises UnknownEntity and Cancelled.
    """

    def __init__(
        self,
        model: TransitionModel,
        existing: Sequence[int],
        *,
        max_row_bytes: int = MAX_ROW_BYTES,
        stop: CancellationToken | None = None,
    ) -> None:
        self.model, self.existing, self._stop = model, tuple(existing), stop
        self._numbers = model.check_entities(np.array(existing, np.int64))
        self._keeps_rows = model.entity_count * len(existing) * 8 <= max_row_bytes
        parameters = model.parameters
        self._is_reversible = (
            parameters.direction == "both"
            and parameters.hops <= MAX_LINK_HOPS
            and not len(model.teleporting)
        )

    def among(self, added: Sequence[int] | Longs) -> Floats:
        """P_k(j | i) as float64 [n, n], the existing entities first; where i and j are two added
        entities it may be 0 instead.
        """
        added = self.model.check_entities(np.array(added, np.int64))
        both = np.concatenate([self._numbers, added])
        if not self._is_reversible:
            return pairwise_transitions(self.model, both, stop=self._stop)
        known = len(self._numbers)
        result = np.zeros((len(both), len(both)))
        result[:known] = self._rows_at(both)
        inverse = self.model.inverse_degrees
        back = inverse[added][:, None] / inverse[self._numbers]
        result[known:, :known] = result[:known, known:].T * back
        result[np.arange(known, len(both)), np.arange(known, len(both))] = self._returns(added)
        return result

    def _rows_at(self, entities: Longs) -> Floats:
        """The rows of the existing entities, at some columns."""
        if self._keeps_rows:
            return self._rows[:, entities]
        blocks = [block[entities].T for _, block in self._blocks()]
        return np.concatenate([np.empty((0, len(entities))), *blocks])

    @cached_property
    def _rows(self) -> Floats:
        result = np.empty((len(self._numbers), self.model.entity_count))
        done = 0
        for sources, block in self._blocks():
            result[done : done + len(sources)] = block.T
            done += len(sources)
        return result

    def _blocks(self) -> Iterator[tuple[Longs, Block]]:
        return transition_rows(self.model, self._numbers, precision="float64", stop=self._stop)

    def _returns(self, added: Longs) -> Floats:
        """P_k(c | c) of each."""
        model, shares = self.model, np.zeros(self.model.entity_count)
        alphas = (*model.parameters.alphas, 0.0, 0.0)[:MAX_LINK_HOPS]
        result = np.ones(len(added))
        for place, entity in enumerate(added.tolist()):
            if model.keeps_itself(entity):
                continue
            neighbours, links = linked_neighbours(model, entity)
            own = float(links[neighbours == entity].sum())
            shares[neighbours] = links * model.inverse_degrees[neighbours]
            two = float(links @ shares[neighbours])
            three = sum_triangles(self._lower_ends, model.weights, neighbours, shares)
            shares[neighbours] = 0
            total = alphas[0] * own + alphas[1] * two + alphas[2] * three
            result[place] = total * model.inverse_degrees[entity]
        return result

    @cached_property
    def _lower_ends(self) -> LowerEnds:
        model = self.model
        counts = np.diff(model.forward.offsets) + np.diff(model.reverse.offsets)
        starts = count_lower_ends(model.forward, counts)
        total = int(starts[-1])
        others = np.empty(total, np.int32)
        edges = np.empty(total if model.weights is not None else 0, np.int64)
        fill_lower_ends(model.forward, counts, starts[:-1].copy(), others, edges)
        return LowerEnds(starts, others, edges)


@jit_compile
def count_lower_ends(forward: CsrSide, counts: Longs) -> Longs:
    """Offsets of the edges by their end with fewer links, the lower number of two equal ones."""
    result = np.zeros(len(counts) + 1, np.int64)
    for source in range(len(counts)):
        for place in range(forward.offsets[source], forward.offsets[source + 1]):
            target = np.int64(forward.neighbours[place])
            is_lower = (counts[source], source) <= (counts[target], target)
            result[1 + (source if is_lower else target)] += 1
    return np.cumsum(result)


@jit_compile
def fill_lower_ends(
    forward: CsrSide, counts: Longs, free: Longs, others: NDArray[np.int32], edges: Longs
) -> None:
    """free: where the next edge of each entity is written."""
    for source in range(len(counts)):
        for place in range(forward.offsets[source], forward.offsets[source + 1]):
            target = np.int64(forward.neighbours[place])
            is_lower = (counts[source], source) <= (counts[target], target)
            low = source if is_lower else target
            others[free[low]] = target if is_lower else source
            if len(edges):
                edges[free[low]] = place
            free[low] += 1


@jit_compile
def sum_triangles(
    ends: LowerEnds, weights: Weights | None, neighbours: Longs, shares: Floats
) -> float:
    """The sum over u and v of x_u M_uv x_v; shares is x [V], 0 outside of the neighbours."""
    result = 0.0
    for entity in neighbours:
        total = 0.0
        for at in range(ends.offsets[entity], ends.offsets[entity + 1]):
            other = ends.others[at]
            share = shares[other]
            if share == 0:
                continue
            if weights is not None:
                share *= weights[ends.edges[at]]
            total += share if other == entity else 2 * share
        result += shares[entity] * total
    return result
