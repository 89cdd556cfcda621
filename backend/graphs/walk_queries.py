from dataclasses import dataclass

import numpy as np

from backend.graphs.edge_phrases import EntityRef, ExplainedStep, entity_ref, explain_step
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.view_csr import csr_of_view
from backend.runtime.cancellation import CancellationToken
from backend.science.random_walks import RETURN_EDGE, random_walks

MAX_STEPS = 1000
SEED_LIMIT = 2**53  # JavaScript represents integers below this exactly


@dataclass(frozen=True, slots=True)
class WalkStep:
    """The entity that a step reached; `step` is None for a return to the start."""

    step: ExplainedStep | None
    entity: EntityRef


@dataclass(frozen=True, slots=True)
class Walk:
    """`ended` is true if the walk reached an entity without links before its last step."""

    start: EntityRef
    steps: tuple[WalkStep, ...]
    ended: bool


def walk_randomly(
    view: GraphView, number: int, steps: int, *, seed: int, restart: float, stop: CancellationToken
) -> Walk:
    """The same seed gives the same walk. Raises IndexError for an unknown entity number."""
    sides = csr_of_view(view)
    starts = np.array(sides.to_csr_numbers([number]), np.int64)
    walks = random_walks(
        sides.links,
        starts,
        steps,
        seed=seed,
        restart=restart,
        stop=stop,
    )
    length = walks.length(0)
    entities = [sides.to_view_number(one) for one in walks.entities[0].tolist()]
    walked = []
    for step in range(length):
        edge, code = int(walks.edges[0, step]), int(walks.codes[0, step])
        explained = None if edge == RETURN_EDGE else explain_step(view, edge, forward=not code & 1)
        walked.append(WalkStep(explained, entity_ref(view, entities[step + 1])))
    return Walk(entity_ref(view, number), tuple(walked), length < steps)
