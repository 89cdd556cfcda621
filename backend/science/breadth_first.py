"""Entities within a few steps of one, each with the first shortest path that is found.

Edges are walked both ways. Entries are read in their order, those along the edge first, so that the
same graph gives the same paths.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.bidirectional_csr import BidirectionalCsr, Longs, first_entry

UNREACHED = -1


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`reached`: entities in the order of their depth, the root first.

    depths int8 [V], UNREACHED beyond; parents int32 [V] and codes int64 [V]: the entity before and
    the code of the step from it (2 x relation + 1 against the edge).
    """

    reached: Longs
    depths: NDArray[np.int8]
    parents: NDArray[np.int32]
    codes: Longs

    def path_to(self, entity: int) -> tuple[list[int], list[int]]:
        """Entities from the root on, and the codes between them. Raises KeyError if unreached."""
        if self.depths[entity] == UNREACHED:
            raise KeyError(entity)
        entities, codes = [entity], list[int]()
        while self.depths[entities[-1]]:
            codes.append(int(self.codes[entities[-1]]))
            entities.append(int(self.parents[entities[-1]]))
        return entities[::-1], codes[::-1]


def find_surroundings(links: BidirectionalCsr, root: int, steps: int) -> Surroundings:
    """Raises IndexError for an unknown root, ValueError unless steps are from 0 to 100."""
    count = len(links.out_offsets) - 1
    if not 0 <= root < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    if not 0 <= steps <= 100:
        raise ValueError("steps must be from 0 to 100")
    depths = np.full(count, UNREACHED, np.int8)
    parents, codes = np.empty(count, np.int32), np.empty(count, np.int64)
    reached = np.empty(count, np.int64)
    size = walk_levels(links, root, steps, depths, parents, codes, reached)
    return Surroundings(reached[:size].copy(), depths, parents, codes)


@jit_compile
def walk_levels(
    links: BidirectionalCsr,
    root: int,
    steps: int,
    depths: NDArray[np.int8],
    parents: NDArray[np.int32],
    codes: Longs,
    reached: Longs,
) -> int:
    reached[0], depths[root], size, first = root, 0, 1, 0
    for depth in range(1, steps + 1):
        last = size
        for place in range(first, last):
            entity = reached[place]
            for way in range(2):
                neighbours = links.out_neighbours if way == 0 else links.in_neighbours
                relations = links.out_relations if way == 0 else links.in_relations
                end = first_entry(links, entity + 1, way)
                for entry in range(first_entry(links, entity, way), end):
                    other = neighbours[entry]
                    if depths[other] < 0:
                        depths[other] = depth
                        parents[other] = entity
                        codes[other] = 2 * np.int64(relations[entry]) + way
                        reached[size] = other
                        size += 1
        first = last
    return size
