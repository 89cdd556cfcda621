"""Links of single entities, each neighbour once, with summed weights."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.transition.kernels import CsrSide
from backend.science.transition.transition_model import TransitionModel

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class NeighbourTable(NamedTuple):
    """Neighbours of several owners: entities [U] ascending; the owners of entity n, and the weights
    of its links with them, are at starts[n] to starts[n + 1].
    """

    entities: Longs
    starts: Longs
    owners: Longs
    weights: Floats


def linked_neighbours(
    model: TransitionModel, entity: int, *, incoming: bool = False
) -> tuple[Longs, Floats]:
    """Neighbours reachable from an entity, ascending, and M[entity, neighbour].

    incoming: neighbours from which it is reachable, and M[neighbour, entity].
    """
    sides = [model.reverse, model.forward] if incoming else [model.forward, model.reverse]
    if model.parameters.direction == "out":
        del sides[1]
    result = [side_row(model, side, entity, without_self=n > 0) for n, side in enumerate(sides)]
    if model.keeps_itself(entity):
        result.append((np.array([entity]), np.ones(1)))
    neighbours = np.concatenate([one for one, _ in result])
    weights = np.concatenate([one for _, one in result])
    distinct, places = np.unique(neighbours, return_inverse=True)
    summed = np.bincount(places, weights, len(distinct))
    return distinct.astype(np.int64), summed.astype(np.float64)


def side_row(
    model: TransitionModel, side: CsrSide, entity: int, *, without_self: bool
) -> tuple[Longs, Floats]:
    row = slice(side.offsets[entity], side.offsets[entity + 1])
    neighbours = side.neighbours[row].astype(np.int64)
    if model.weights is None:
        weights = np.ones(len(neighbours))
    elif not len(side.edges):
        weights = model.weights[row].astype(np.float64)
    else:
        weights = model.weights[side.edges[row]].astype(np.float64)
    if without_self:
        others = neighbours != entity
        return neighbours[others], weights[others]
    return neighbours, weights


def build_table(lists: list[tuple[Longs, Floats]]) -> NeighbourTable:
    """One table of the lists of owners 0, 1, ..."""
    entities = np.concatenate([one for one, _ in lists])
    weights = np.concatenate([one for _, one in lists])
    owners = np.repeat(np.arange(len(lists)), [len(one) for one, _ in lists])
    order = np.argsort(entities, kind="stable")
    distinct, starts = np.unique(entities[order], return_index=True)
    ends = np.append(starts, len(entities)).astype(np.int64)
    return NeighbourTable(distinct, ends, owners[order], weights[order])
