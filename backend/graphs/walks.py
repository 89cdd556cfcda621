"""A random walk, step by step, as people read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backend.graphs.neighbourhood import EntityRef, ExplainedStep, entity_ref, explain
from backend.graphs.sides import sides_of
from backend.graphs.snapshots.view import GraphView
from backend.science.stopping import Stop
from backend.science.walks import RETURN, random_walks

MOST_STEPS = 1000
SEEDS = 2**53  # what JavaScript counts exactly


@dataclass(frozen=True, slots=True)
class WalkedStep:
    """Where a step led; without a step it was the return to the start."""

    step: ExplainedStep | None
    entity: EntityRef


@dataclass(frozen=True, slots=True)
class Walk:
    """Ended: at an entity without links, before all its steps."""

    start: EntityRef
    steps: tuple[WalkedStep, ...]
    ended: bool


def walk_from(
    view: GraphView, number: int, steps: int, *, seed: int, restart: float, stop: Stop
) -> Walk:
    """The same seed gives the same walk. Raises IndexError for an entity that is not there."""
    sides = sides_of(view)
    starts = np.array(sides.inside([number]), np.int64)
    walks = random_walks(sides.links, starts, steps, seed=seed, restart=restart, stop=stop)
    length = walks.length(0)
    entities = [sides.outside(one) for one in walks.entities[0].tolist()]
    walked = []
    for step in range(length):
        edge, code = int(walks.edges[0, step]), int(walks.codes[0, step])
        told = None if edge == RETURN else explain(view, edge, forward=not code & 1)
        walked.append(WalkedStep(told, entity_ref(view, entities[step + 1])))
    return Walk(entity_ref(view, number), tuple(walked), length < steps)
