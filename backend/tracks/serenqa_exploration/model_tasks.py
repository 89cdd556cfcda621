"""Guided exploration: a language model chooses relations and nodes of a beam search.

One item needs many dependent requests, which `guided_search` makes of the answers so far.
"""

from backend.tracks.model_tasks import ContextKind, StepwiseTask
from backend.tracks.serenqa_exploration.guided_search import to_prediction
from backend.tracks.serenqa_exploration.guided_state import GuidedSettings, GuidedState
from backend.tracks.serenqa_exploration.step_prompts import TASKS
from backend.tracks.serenqa_exploration.step_tasks import RelationChoice
from backend.tracks.serenqa_exploration.track import LeavesPrediction
from backend.tracks.serenqa_roots import RootItem


class GuidedTask(StepwiseTask[RootItem]):
    """What is predicted of the exploration differs between tracks."""

    needs = frozenset({ContextKind.WALKED_GRAPH})
    prompt = RelationChoice.prompt
    steps = (*TASKS.values(),)


class GuidedExploration(GuidedTask):
    name = "serenqa-exploration-guided"
    track = "serenqa-exploration"
    title = "Guided exploration"

    def predict(self, item: RootItem, state: GuidedState) -> LeavesPrediction:
        return to_prediction(item, state)


def most_requests(settings: GuidedSettings) -> int:
    """Of one root: relations of the root and of each node of a full frontier; nodes, description,
    decision and summary of each level."""
    return 1 + (settings.depth - 1) * settings.width + 4 * settings.depth


MODEL_TASKS = [GuidedExploration()]
