"""Questions for a graph without any, by their candidates alone: as many as SerenQA has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.serendipity.scoring import Asked
from backend.graphs.snapshots.opening import Snapshot
from tests.bench.synthetic import SEED

QUESTIONS = 1529
MEAN = 4.04
FEWEST, MOST = 2, 25


def questions_of(snapshot: Snapshot, count: int) -> list[Asked]:
    """Candidates as an edge leads to them: the more links, the likelier, as answers are."""
    chance = np.random.default_rng(SEED)
    targets = snapshot.forward.neighbours
    drawn = [distinct(targets, size, chance) for size in sizes(count, chance).tolist()]
    return [asked(snapshot, f"q{number}", one) for number, one in enumerate(drawn)]


def sizes(count: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """At least two each, few with many, and together as many as the mean says."""
    found = np.minimum(FEWEST - 1 + chance.geometric(1 / (MEAN - FEWEST + 1), count), MOST)
    wanted = round(MEAN * count)
    while total := int(wanted - found.sum()):
        place = int(chance.integers(count))
        if FEWEST <= found[place] + np.sign(total) <= MOST:
            found[place] += np.sign(total)
    return found


def distinct(targets: NDArray[np.int32], size: int, chance: np.random.Generator) -> tuple[int, ...]:
    found: set[int] = set()
    while len(found) < size:
        found.add(int(targets[chance.integers(len(targets))]))
    return tuple(found)


def asked(snapshot: Snapshot, name: str, entities: tuple[int, ...]) -> Asked:
    ordered = sorted(entities, key=lambda number: snapshot.entity(number).id)
    return Asked(name, tuple(range(len(ordered))), tuple(ordered))
