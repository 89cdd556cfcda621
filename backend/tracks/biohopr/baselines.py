"""Baselines of BioHopR: the query entity by its name in the graph, and what is connected with it.

Several entities of one name are all looked up, and their answers merged in their order. An entity
that the graph does not name, or that reaches nothing, has no answer.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from backend.tracks.baseline_tasks import Baseline, BaselineGraph, BaselineTask
from backend.tracks.biohopr.matching import drop_repetitions
from backend.tracks.biohopr.rows import (
    MOST_ANSWERS,
    SINGLE,
    HopAnswer,
    HopItem,
    NamesPrediction,
)

Task = BaselineTask[HopItem, HopAnswer]
MOST_ENTITIES = 10  # of one name


def look_up(*, by_relation: bool) -> Baseline[HopItem, HopAnswer, NamesPrediction]:
    def predict(task: Task) -> Iterator[NamesPrediction]:
        graph = task.graph_or_raise()
        for item in task.items:
            names = find_answers(graph, item, by_relation=by_relation)
            yield NamesPrediction(item.question_id, names)

    return predict


def find_answers(graph: BaselineGraph, item: HopItem, *, by_relation: bool) -> list[str]:
    """The first alone where one answer is to be given."""
    named = graph.named.find_by_name(item.query_name)[:MOST_ENTITIES]
    lists = [
        graph.names_of(graph.reach(one, item.metapath, by_relation=by_relation)[:MOST_ANSWERS])
        for one in named
    ]
    merged = [name for row in zip_longest(*lists) for name in row if name]
    names = drop_repetitions(merged)[:MOST_ANSWERS]
    return names[:1] if item.form == SINGLE else names


BASELINES: Mapping[str, Baseline[HopItem, HopAnswer, NamesPrediction]] = {
    "name-lookup": look_up(by_relation=False),
    "name-lookup-relation": look_up(by_relation=True),
}
