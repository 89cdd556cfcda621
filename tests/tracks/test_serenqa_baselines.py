"""Baselines of SerenQA's tracks on a graph in memory, beside networkx and what counts by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest

from backend.tracks.baseline_tasks import BaselineTask, NoGraph
from backend.tracks.registry import load_baselines, load_tracks
from backend.tracks.serenqa_exploration.track import LeavesPrediction
from backend.tracks.serenqa_reasoning.baselines import write_summary
from backend.tracks.serenqa_roots import RootItem
from backend.tracks.serenqa_walks import LeafPath
from tests.tracks.baseline_graphs import MemoryGraph
from tests.tracks.releases import Release

EXPLORATION = load_tracks()["serenqa-exploration"]
NAMES = EXPLORATION.baselines
# 0 and 1 are roots; drugs but 4 and 8, which are genes. 9 is four steps from 0, 10 is on its own.
TYPES = ["Drug"] * 4 + ["Gene"] + ["Drug"] * 3 + ["Gene"] + ["Drug"] * 2
EDGES = (
    *((0, "binds", other) for other in (4, 2)),
    *((other, "binds", 4) for other in (1, 2, 3)),
    (5, "treats", 3),
    (3, "treats", 6),
    (5, "treats", 7),
    (7, "binds", 8),
    (8, "binds", 9),
)
GRAPH = MemoryGraph(11, EDGES, type_names=TYPES)


def item(root: int, qid: str = "1", partition: Any = "rns") -> RootItem:
    return RootItem(qid, partition, str(root), "Which drugs?")


def task(*items: RootItem, graph: MemoryGraph = GRAPH, seed: int = 0) -> BaselineTask[Any, Any]:
    return BaselineTask(items, items, [], [], graph, seed)


def predict(name: str, given: BaselineTask[Any, Any]) -> dict[RootItem, LeavesPrediction]:
    rows: list[LeavesPrediction] = list(load_baselines(EXPLORATION)[name](given))
    by_key = {(one.qid, one.partition, one.root): one for one in rows}
    assert len(by_key) == len(rows) == len(given.items)
    return {one: by_key[one.qid, one.partition, one.root] for one in given.items}


def ids(prediction: LeavesPrediction) -> list[str]:
    return [leaf.id for leaf in prediction.leaves]


@pytest.mark.parametrize("name", NAMES)
def test_predictions_are_valid_and_their_paths_are_of_the_graph(name: str) -> None:
    roots = [item(0), item(1), item(0, "2", "expert"), item(10)]
    result = predict(name, task(*roots))
    table = EXPLORATION.index_items(roots, None, lambda id_: {TYPES[int(id_)]: id_})
    positions = np.arange(len(roots))
    assert list(EXPLORATION.find_faults(table, positions, [result[one] for one in roots])) == []
    edges = set(GRAPH.edges)
    for prediction in result.values():
        for leaf in prediction.leaves:
            numbers = [*map(int, leaf.path[::2])]
            steps = zip(numbers, leaf.path[1::2], numbers[1:], strict=False)
            assert all((a, r, b) in edges or (b, r, a) in edges for a, r, b in steps)
    assert result[roots[3]].leaves == ()


@pytest.mark.parametrize("name", NAMES)
def test_leaves_have_the_roots_type_are_near_and_no_known_answers(name: str) -> None:
    zero, one = item(0), item(1)
    result = predict(name, task(zero, one))
    assert set(ids(result[zero])) <= {"2", "3", "5", "6"}
    assert "1" not in ids(result[zero]) and "0" not in ids(result[one])


@pytest.mark.parametrize("name", NAMES)
def test_roots_of_other_questions_and_partitions_hide_nothing(name: str) -> None:
    alone = predict(name, task(item(0)))[item(0)]
    beside = task(item(0), item(2, partition="expert"), item(2, "2"))
    assert predict(name, beside)[item(0)] == alone


@pytest.mark.parametrize("name", NAMES)
def test_a_root_that_the_graph_lacks_has_no_leaves(name: str) -> None:
    assert predict(name, task(item(99)))[item(99)].leaves == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_is_needed(name: str) -> None:
    with pytest.raises(NoGraph):
        predict(name, replace(task(item(0)), graph=None))


def test_degrees_order_the_leaves_and_the_lowest_number_is_first_among_equals() -> None:
    assert ids(predict("degree", task(item(0)))[item(0)]) == ["3", "2", "5", "1", "6"]


def test_walks_order_the_leaves_as_networkx_does() -> None:
    whole: nx.Graph[int] = nx.MultiGraph([(a, b) for a, _, b in EDGES])
    ranks = nx.pagerank(whole, alpha=0.85, personalization={0: 1}, tol=1e-12, max_iter=1_000)
    near = [number for number in (1, 2, 3, 5, 6) if number in ranks]
    expected = [str(number) for number in sorted(near, key=lambda one: -ranks[one])]
    assert ids(predict("random-walk", task(item(0)))[item(0)]) == expected


def test_the_seed_decides_the_beam_where_a_node_has_many_edges() -> None:
    edges = [(0, "r", other) for other in range(1, 200)]
    graph = MemoryGraph(200, edges, type_names=["Drug"] * 200)
    first, again, other = (
        ids(predict("rns-beam", task(item(0), graph=graph, seed=seed))[item(0)])
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(first) == 10


def test_the_template_names_both_ends_of_every_path_that_is_found() -> None:
    track = load_tracks()["serenqa-reasoning"]
    (prediction,) = load_baselines(track)["path-template"](task(item(0)))
    assert prediction.summaries[0] == "0 binds 2."
    assert "0 binds 4 binds 1." in prediction.summaries[1]
    assert "0 binds 4 binds 3 treats 5." in prediction.summaries[2]
    assert (
        Release(track, [item(0)], [])
        .check(track.prediction_list.dump_json([prediction]), "rows.json")
        .is_valid
    )


def leaves(count: int, length: int) -> Sequence[LeafPath]:
    return [LeafPath(str(at), "Drug", ("0", "r" * length, str(at))) for at in range(count)]


def test_a_text_that_would_be_too_long_ends_after_a_whole_sentence() -> None:
    text = write_summary(leaves(30, 900), 1)
    assert 9_000 < len(text) <= 10_000
    assert text.endswith(".") and text.count(".") == 11
    assert write_summary(leaves(2, 20_000), 1) == ""
