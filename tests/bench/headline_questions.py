"""Questions for a graph without any, by their candidates alone: as many as SerenQA has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.rns.question_scoring import LinkedQuestion
from backend.graphs.snapshots.snapshot import Snapshot
from tests.bench.synthetic import SEED

QUESTIONS = 1529
MEAN = 4.04
FEWEST, MOST = 2, 25


def questions_of(snapshot: Snapshot, count: int) -> list[LinkedQuestion]:
    """Candidates as an edge leads to them: the more links, the likelier, as answers are."""
    rng = np.random.default_rng(SEED)
    targets = snapshot.forward.neighbours
    drawn = [distinct(targets, size, rng) for size in sizes(count, rng).tolist()]
    return [linked_question(snapshot, f"q{number}", one) for number, one in enumerate(drawn)]


def sizes(count: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """At least two each, few with many, and together as many as the mean says."""
    result = np.minimum(FEWEST - 1 + chance.geometric(1 / (MEAN - FEWEST + 1), count), MOST)
    expected = round(MEAN * count)
    while total := int(expected - result.sum()):
        place = int(chance.integers(count))
        if FEWEST <= result[place] + np.sign(total) <= MOST:
            result[place] += np.sign(total)
    return result


def distinct(targets: NDArray[np.int32], size: int, chance: np.random.Generator) -> tuple[int, ...]:
    result: set[int] = set()
    while len(result) < size:
        result.add(int(targets[chance.integers(len(targets))]))
    return tuple(result)


def linked_question(snapshot: Snapshot, name: str, entities: tuple[int, ...]) -> LinkedQuestion:
    ordered = sorted(entities, key=lambda number: snapshot.entity(number).id)
    return LinkedQuestion(name, tuple(range(len(ordered))), tuple(ordered))
