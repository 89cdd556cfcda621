"""Baseline of the reasoning track: a sentence for each path that a walk with restarts finds."""

from collections.abc import Iterator, Mapping, Sequence

from backend.tracks.baseline_tasks import Baseline, BaselineTask
from backend.tracks.serenqa_reasoning.track import (
    MOST_CHARACTERS,
    PathsAnswer,
    SummariesPrediction,
)
from backend.tracks.serenqa_roots import LEVELS, RootItem
from backend.tracks.serenqa_walks import LeafPath, rank_by_walks


def predict_by_template(
    task: BaselineTask[RootItem, PathsAnswer],
) -> Iterator[SummariesPrediction]:
    for item, leaves in rank_by_walks(task):
        texts = tuple(write_summary(leaves, level) for level in range(1, LEVELS + 1))
        yield SummariesPrediction(item.qid, item.partition, item.root, texts)


def write_summary(leaves: Sequence[LeafPath], level: int) -> str:
    """The paths of one depth, as many whole sentences as fit."""
    text = ""
    for leaf in leaves:
        if leaf.depth == level:
            sentence = f"{' '.join(leaf.path)}."
            longer = f"{text} {sentence}".lstrip()
            if len(longer) > MOST_CHARACTERS:
                break
            text = longer
    return text


BASELINES: Mapping[str, Baseline[RootItem, PathsAnswer, SummariesPrediction]] = {
    "path-template": predict_by_template,
}
