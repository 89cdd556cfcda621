"""Guided exploration: a language model chooses relations and nodes of a beam search.

One item needs many dependent requests, which `guided_search` makes of the answers so far; the task
here names the prompts of its steps, and cannot be requested at once.
"""

from collections.abc import Sequence
from typing import NoReturn

from backend.tracks.model_tasks import AnyModelTask, ContextKind, Message, ModelTask, TaskContext
from backend.tracks.serenqa_exploration.guided_state import GuidedSettings
from backend.tracks.serenqa_exploration.step_prompts import TASKS
from backend.tracks.serenqa_exploration.step_tasks import RelationChoice, RelationNames
from backend.tracks.serenqa_exploration.track import LeavesPrediction
from backend.tracks.serenqa_roots import RootItem


class GuidedExploration(ModelTask[RootItem, RelationNames, LeavesPrediction]):
    """prompt: of its first request."""

    name = "serenqa-exploration-guided"
    track = "serenqa-exploration"
    title = "Guided exploration"
    needs = frozenset({ContextKind.WALKED_GRAPH})
    output_schema = RelationNames
    prompt = RelationChoice.prompt

    @property
    def steps(self) -> Sequence[AnyModelTask]:
        return [*TASKS.values()]

    def messages(self, item: RootItem, context: TaskContext) -> Sequence[Message]:
        self._refuse()

    def predict(
        self, item: RootItem, output: RelationNames, context: TaskContext
    ) -> LeavesPrediction:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise NotImplementedError("The steps of this task are requested one by one.")


def most_requests(settings: GuidedSettings) -> int:
    """Of one root: relations of the root and of each node of a full frontier; nodes, description,
    decision and summary of each level."""
    return 1 + (settings.depth - 1) * settings.width + 4 * settings.depth


MODEL_TASKS = [GuidedExploration()]
