"""Baselines of Dyport: pairs in the order of a score of the training graph, or of chance.

An entity that the graph does not have makes a score of 0.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from backend.tracks.baseline_tasks import Baseline, BaselineTask
from backend.tracks.dyport.rows import LinkAnswer, LinkItem, ScorePrediction
from backend.tracks.pair_scores import PAIR_SCORES, PairScore, ScoreRun
from backend.tracks.trained_scores import TRAINED_SCORES, UNTYPED_SCORES

Task = BaselineTask[LinkItem, LinkAnswer]
PairBaseline = Baseline[LinkItem, LinkAnswer, ScorePrediction]


def predict_random(task: Task) -> Iterator[ScorePrediction]:
    scores = np.random.default_rng(task.seed).random(len(task.items))
    for item, score in zip(task.items, scores.tolist(), strict=True):
        yield ScorePrediction(item.id, score)


def by_score(pair_score: PairScore) -> PairBaseline:
    def predict(task: Task) -> Iterator[ScorePrediction]:
        if pair_score not in task.scores:
            task.scores[pair_score] = score_all(pair_score, task)
        scores = task.scores[pair_score]
        lowest = min([0.0, *scores.values()])  # of a pair with an entity that the graph lacks
        for item in task.items:
            yield ScorePrediction(item.id, scores.get(item.id, lowest))

    return predict


def score_all(pair_score: PairScore, task: Task) -> dict[str, float]:
    """By item, where the graph has both entities. None sees an edge between those of any pair."""
    graph = task.graph_or_raise()
    numbers = {
        item.id: (graph.find_number(item.subject), graph.find_number(item.object))
        for item in task.all_items
    }
    known = {id_: pair for id_, pair in numbers.items() if min(pair) >= 0}
    pairs = np.array([*known.values()], dtype=np.int64).reshape(-1, 2)
    hidden = np.array(sorted({*known.values()}), dtype=np.int64).reshape(-1, 2)
    run = ScoreRun(task.seed, task.checkpoint, task.stop)
    scores: list[float] = pair_score(graph, pairs, hidden, run).tolist()
    return dict(zip(known, map(float, scores), strict=True))


SCORES: Mapping[str, PairScore] = {**PAIR_SCORES, **TRAINED_SCORES, **UNTYPED_SCORES}
BASELINES: Mapping[str, PairBaseline] = {
    "random": predict_random,
    **{name: by_score(score) for name, score in SCORES.items()},
}
