"""Baselines of TruthHypo: constant labels, and links predicted from a graph.

A link is predicted where the score of a pair reaches the threshold with the best link accuracy on
the dev split's pairs of the relation type. Of the link labels of an item, the one is chosen of
which x is the source and y the target of most edges in the graph, by their product.
Without a dev split the threshold is the median score of all pairs of the type, and the majority is
counted over the labels that items allow. Answers of a test split are never read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from backend.tracks.baseline_tasks import Baseline, BaselineGraph, BaselineTask, Numbers
from backend.tracks.metrics import Floats
from backend.tracks.pair_scores import PAIR_SCORES, PairScore, ScoreRun
from backend.tracks.truthhypo.track import NO_RELATION, LabelPrediction, PairAnswer, PairItem

Task = BaselineTask[PairItem, PairAnswer]
RelationDegrees = Mapping[str, tuple[Numbers, Numbers]]


def predict_random(task: Task) -> Iterator[LabelPrediction]:
    rng = np.random.default_rng(task.seed)
    for item in task.items:
        yield predict(item, item.labels[int(rng.integers(len(item.labels)))])


def predict_majority(task: Task) -> Iterator[LabelPrediction]:
    """The commonest label that the item allows."""
    counts = count_labels(task)
    for item in task.items:
        yield predict(item, commonest(item.labels, counts))


def predict_majority_by_type(task: Task) -> Iterator[LabelPrediction]:
    types = {item.rel_type for item in task.items}
    counts = {name: count_labels(task, name) for name in types}
    for item in task.items:
        yield predict(item, commonest(item.labels, counts[item.rel_type]))


def count_labels(task: Task, relation_type: str | None = None) -> Counter[str]:
    """Of the dev split, or of what items allow if there is none, of one relation type or all."""
    if task.dev_items:
        pairs = zip(task.dev_items, task.dev_answers, strict=True)
        labels = [(item.rel_type, answer.label) for item, answer in pairs]
    else:
        labels = [(item.rel_type, label) for item in task.items for label in item.labels]
    return Counter(label for type_, label in labels if relation_type in (None, type_))


def commonest(labels: Sequence[str], counts: Counter[str]) -> str:
    """The first in alphabetical order of equally frequent ones."""
    return min(labels, key=lambda label: (-counts[label], label))


def predict(item: PairItem, label: str) -> LabelPrediction:
    return LabelPrediction(item.x_id, item.y_id, label)


@dataclass(frozen=True)
class PairNumbers:
    """All pairs of the release, and the numbers of their entities [n, 2], -1 for unknown ones.

    No baseline sees an edge between the entities of a pair.
    """

    graph: BaselineGraph
    items: Sequence[PairItem]
    numbers: Numbers

    @classmethod
    def of(cls, task: Task) -> Self:
        graph, items = task.graph_or_raise(), list(dict.fromkeys(task.all_items))
        numbers = [[graph.find_number(id_) for id_ in (item.x_id, item.y_id)] for item in items]
        return cls(graph, items, np.array(numbers, dtype=np.int64).reshape(-1, 2))

    @cached_property
    def is_known(self) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = self.numbers.min(axis=1) >= 0
        return result

    @cached_property
    def known(self) -> Numbers:
        return self.numbers[self.is_known]

    def likeliest_labels(self) -> dict[PairItem, str]:
        names = sorted({label for item in self.items for label in item.labels} - {NO_RELATION})
        degrees = {name: self.graph.relation_degrees(name, self.known) for name in names}
        return {
            item: likeliest_label(item, x, y, degrees)
            for item, (x, y) in zip(self.items, self.numbers.tolist(), strict=True)
        }


def link_prediction(pair_score: PairScore) -> Baseline[PairItem, PairAnswer, LabelPrediction]:
    """Links where the score reaches the threshold of the type, each with its likeliest label."""

    def predict_links(task: Task) -> Iterator[LabelPrediction]:
        pairs = PairNumbers.of(task)
        scores = np.zeros(len(pairs.items))
        run = ScoreRun(task.seed, task.checkpoint, task.stop)
        scores[pairs.is_known] = pair_score(pairs.graph, pairs.known, pairs.known, run)
        of_item = dict(zip(pairs.items, scores.tolist(), strict=True))
        thresholds = choose_thresholds(task, of_item)
        labels = pairs.likeliest_labels()
        for item in task.items:
            is_link = of_item[item] >= thresholds[item.rel_type]
            yield predict(item, labels[item] if is_link else NO_RELATION)

    return predict_links


def choose_thresholds(task: Task, scores: Mapping[PairItem, float]) -> dict[str, float]:
    """By relation type."""
    result = {}
    for name in {item.rel_type for item in task.items}:
        dev = [
            (scores[item], answer.label != NO_RELATION)
            for item, answer in zip(task.dev_items, task.dev_answers, strict=True)
            if item.rel_type == name
        ]
        if dev:
            result[name] = best_threshold(
                np.array([score for score, _ in dev]), np.array([is_link for _, is_link in dev])
            )
        else:
            of_type = [score for item, score in scores.items() if item.rel_type == name]
            result[name] = float(np.median(of_type))
    return result


def best_threshold(scores: Floats, is_link: NDArray[np.bool_]) -> float:
    """The score from which on a link is predicted, of the highest accuracy; the lowest of equals.

    In the middle between two scores, or infinite where it is best to predict all links or none.
    """
    levels = np.unique(scores)
    choices = [-np.inf, *((levels[1:] + levels[:-1]) / 2).tolist(), np.inf]
    right = [int(((scores >= choice) == is_link).sum()) for choice in choices]
    return float(choices[int(np.argmax(right))])


def likeliest_label(item: PairItem, x: int, y: int, degrees: RelationDegrees) -> str:
    """The relation r of the highest (out_r(x) + 1) · (in_r(y) + 1); the first of equals."""
    links = sorted(set(item.labels) - {NO_RELATION})

    def weigh(label: str) -> int:
        outgoing, incoming = degrees[label]
        return int((outgoing[x] + 1 if x >= 0 else 1) * (incoming[y] + 1 if y >= 0 else 1))

    return max(links, key=weigh) if links else NO_RELATION


BASELINES: Mapping[str, Baseline[PairItem, PairAnswer, LabelPrediction]] = {
    "random": predict_random,
    "majority-label": predict_majority,
    "majority-label-by-type": predict_majority_by_type,
    **{name: link_prediction(score) for name, score in PAIR_SCORES.items()},
}
