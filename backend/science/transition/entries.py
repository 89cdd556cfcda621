"""The links of single entities, each neighbour once, with what leads there added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from backend.science.transition.kernels import Side
    from backend.science.transition.model import TransitionModel

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class Table(NamedTuple):
    """Neighbours of several owners: entities [U] rising; entity n's owners, and what its links
    with them weigh, are at starts[n] to starts[n + 1]."""

    entities: Longs
    starts: Longs
    owners: Longs
    weights: Floats


def leaving(model: TransitionModel, entity: int) -> tuple[Longs, Floats]:
    """Where one can go from an entity, in rising order, and M[entity, there]."""
    sides = [model.forward]
    if model.parameters.direction == "both":
        sides.append(model.reverse)
    return merged(model, entity, sides)


def arriving(model: TransitionModel, entity: int) -> tuple[Longs, Floats]:
    """From where one can come to an entity, in rising order, and M[there, entity]."""
    sides = [model.reverse]
    if model.parameters.direction == "both":
        sides.append(model.forward)
    return merged(model, entity, sides)


def merged(model: TransitionModel, entity: int, sides: list[Side]) -> tuple[Longs, Floats]:
    found = [row_of(model, side, entity, without_self=n > 0) for n, side in enumerate(sides)]
    if model.stays(entity):
        found.append((np.array([entity]), np.ones(1)))
    neighbours = np.concatenate([one for one, _ in found])
    weights = np.concatenate([one for _, one in found])
    distinct, places = np.unique(neighbours, return_inverse=True)
    summed = np.bincount(places, weights, len(distinct))
    return distinct.astype(np.int64), summed.astype(np.float64)


def row_of(
    model: TransitionModel, side: Side, entity: int, *, without_self: bool
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
        kept = neighbours != entity
        return neighbours[kept], weights[kept]
    return neighbours, weights


def table_of(lists: list[tuple[Longs, Floats]]) -> Table:
    """One table of the lists of owners 0, 1, ..."""
    entities = np.concatenate([one for one, _ in lists])
    weights = np.concatenate([one for _, one in lists])
    owners = np.repeat(np.arange(len(lists)), [len(one) for one, _ in lists])
    order = np.argsort(entities, kind="stable")
    distinct, starts = np.unique(entities[order], return_index=True)
    ends = np.append(starts, len(entities)).astype(np.int64)
    return Table(distinct, ends, owners[order], weights[order])
