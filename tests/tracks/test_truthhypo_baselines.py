"""Baselines of TruthHypo beside networkx and beside what can be counted by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from backend.tracks.baseline_tasks import BaselineTask, Links, NoGraph, Numbers
from backend.tracks.metrics import Floats
from backend.tracks.pair_scores import adamic_adar, count_common_neighbours, degree_product
from backend.tracks.registry import load_baselines, load_tracks
from backend.tracks.truthhypo.baselines import BASELINES, best_threshold
from backend.tracks.truthhypo.track import NO_RELATION, LabelPrediction, PairAnswer, PairItem
from tests.tracks.baseline_graphs import MemoryGraph, random_links

LABELS = ("inhibits", NO_RELATION, "treats")
Task = BaselineTask[PairItem, PairAnswer]
EDGES = (
    *((0, "treats", other) for other in (4, 5, 6)),
    *((1, "inhibits", other) for other in (4, 5)),
    *((2, "treats", other) for other in (4, 5, 6, 7)),
    (3, "inhibits", 7),
)


def pair(x: int, y: int, type_: str = "Drug & Protein") -> PairItem:
    return PairItem(str(x), str(y), "Drug", "Protein", type_, "?", LABELS)


def task(
    items: Sequence[PairItem], dev: Sequence[tuple[PairItem, str]] = (), seed: int = 0
) -> Task:
    dev_items = [item for item, _ in dev]
    answers = [PairAnswer(label) for _, label in dev]
    graph = MemoryGraph(8, EDGES)
    return BaselineTask(items, [*items, *dev_items], dev_items, answers, graph, seed)


def labels(name: str, given: Task) -> list[str]:
    predictions: list[LabelPrediction] = list(BASELINES[name](given))
    assert [(one.x_id, one.y_id) for one in predictions] == [
        (item.x_id, item.y_id) for item in given.items
    ]
    return [one.label for one in predictions]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("score", "oracle"),
    [
        (adamic_adar, nx.adamic_adar_index),
        (degree_product, nx.preferential_attachment),
        (
            count_common_neighbours,
            lambda graph, pairs: [
                (one, other, len(list(nx.common_neighbors(graph, one, other))))
                for one, other in pairs
            ],
        ),
    ],
)
def test_scores_of_pairs_are_those_of_networkx(
    score: Callable[[Links, Numbers], Floats],
    oracle: Callable[..., Iterable[tuple[int, int, float]]],
    seed: int,
) -> None:
    links, graph = random_links(25, seed)
    pairs = list(combinations(range(25), 2))
    expected = [value for _, _, value in oracle(graph, pairs)]
    assert score(links, np.array(pairs)) == pytest.approx(expected)


def test_every_track_has_the_baselines_that_it_declares() -> None:
    for track in load_tracks().values():
        assert tuple(load_baselines(track)) == (*track.baselines, *track.further_baselines)


def test_the_majority_is_counted_over_the_dev_split() -> None:
    other = pair(3, 6, "Drug & Disease")
    dev = [(pair(0, 4), "treats"), (pair(0, 5), NO_RELATION), (pair(0, 6), NO_RELATION)]
    given = task([pair(1, 4), other], [*dev, (replace(other, x_id="2"), "inhibits")])
    assert labels("majority-label", given) == [NO_RELATION, NO_RELATION]
    assert labels("majority-label-by-type", given) == [NO_RELATION, "inhibits"]


def test_without_a_dev_split_the_majority_is_of_what_items_allow() -> None:
    items = [pair(0, 4), replace(pair(0, 5), labels=("treats",))]
    assert labels("majority-label", task(items)) == ["treats", "treats"]


def test_random_labels_depend_on_the_seed_alone() -> None:
    items = [pair(x, y) for x in range(4) for y in range(4, 8)]
    first = labels("random", task(items, seed=1))
    assert labels("random", task(items, seed=1)) == first
    assert labels("random", task(items, seed=2)) != first
    assert set(first) == set(LABELS)


@pytest.mark.parametrize("seed", range(20))
def test_no_threshold_is_better_than_the_chosen_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(4, size=12).astype(np.float64)
    is_link = rng.random(12) < 0.5

    def accuracy(threshold: float) -> float:
        return float(((scores >= threshold) == is_link).mean())

    chosen = best_threshold(scores, is_link)
    others = [-1.0, *np.arange(0, 4, 0.5).tolist(), np.inf]
    assert accuracy(chosen) == max(map(accuracy, others))


def test_a_link_needs_the_threshold_of_its_type_and_gets_its_likeliest_relation() -> None:
    # Without the edges of the pairs, 0 shares 5 and 6 with 2, and 3 shares 7 with 2.
    dev = [(pair(0, 2), "treats"), (pair(3, 0), NO_RELATION)]
    given = task([pair(0, 1), pair(3, 2), pair(1, 3)], dev)
    assert labels("common-neighbours", given) == ["treats", NO_RELATION, NO_RELATION]


def test_no_baseline_sees_an_edge_of_a_pair() -> None:
    items = [pair(x, y) for x in range(4) for y in range(4, 8)]
    given = task(items, [(pair(0, 4), "treats"), (pair(3, 4), NO_RELATION)])
    blind = replace(given, graph=MemoryGraph(8))
    for name in ("common-neighbours", "adamic-adar", "degree-product"):
        assert labels(name, given) == labels(name, blind)


def test_a_pair_of_an_unknown_entity_has_the_score_zero() -> None:
    dev = [(pair(0, 2), "treats"), (pair(3, 0), NO_RELATION)]
    assert labels("degree-product", task([pair(0, 99)], dev)) == [NO_RELATION]


def test_propagation_scores_by_the_cosine() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1], [0, -1]] + [[0, 0]] * 4, np.float32)
    dev = [(pair(0, 1), "treats"), (pair(0, 2), NO_RELATION)]
    given = task([pair(1, 2), pair(2, 3), pair(0, 1)], dev)
    with_vectors = replace(given, graph=MemoryGraph(8, EDGES, vectors=vectors))
    assert [label == NO_RELATION for label in labels("propagation", with_vectors)] == [
        False,
        True,
        False,
    ]


def test_links_need_a_graph() -> None:
    with pytest.raises(NoGraph):
        labels("adamic-adar", replace(task([pair(0, 4)]), graph=None))
