"""Summaries of a guided exploration: one of the paths of each level that it reached.

The exploration is that of the track `serenqa-exploration`, with its prompts and settings.
"""

from backend.tracks.serenqa_exploration.guided_state import GuidedState
from backend.tracks.serenqa_exploration.model_tasks import GuidedTask
from backend.tracks.serenqa_reasoning.track import SummariesPrediction
from backend.tracks.serenqa_roots import LEVELS, RootItem


class GuidedSummaries(GuidedTask):
    name = "serenqa-reasoning-guided"
    track = "serenqa-reasoning"
    title = "Summaries of a guided exploration"

    def predict(self, item: RootItem, state: GuidedState) -> SummariesPrediction:
        """The text of a level that was not reached, or not summarized, is empty."""
        texts = {one.level: one.text for one in state.summaries}
        summaries = tuple(texts.get(level, "") for level in range(1, LEVELS + 1))
        return SummariesPrediction(item.qid, item.partition, item.root, summaries)


MODEL_TASKS = [GuidedSummaries()]
