"""What the baselines of SerenQA's tracks share: leaves around a root, and the paths to them.

Leaves have the type of the root, lie one to three steps away and are not in the existing set, which
the items of a question and partition name. Other partitions' items are not read: their roots would
give serendipitous answers away.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.science.breadth_first import Surroundings, find_surroundings
from backend.science.transition.restarts import restart_probabilities
from backend.tracks.baseline_tasks import BaselineGraph, BaselineTask
from backend.tracks.item_table import Answer
from backend.tracks.metrics import Floats
from backend.tracks.serenqa_roots import LEVELS, RootItem

MOST_LEAVES = 30


@dataclass(frozen=True)
class LeafPath:
    """path: entity, relation, entity … from the root, entities by identifier."""

    id: str
    type: str
    path: tuple[str, ...]

    @property
    def depth(self) -> int:
        return len(self.path) // 2


class RootTask:
    """The roots of a task's items as numbers of the graph."""

    def __init__(self, task: BaselineTask[RootItem, Answer]) -> None:
        self.graph: BaselineGraph = task.graph_or_raise()
        self._numbers: dict[str, int] = {}
        self._existing = defaultdict[tuple[str, str], set[int]](set)
        for item in task.all_items:
            if (number := self.find(item)) >= 0:
                self._existing[item.qid, item.partition].add(number)

    def find(self, item: RootItem) -> int:
        """-1 for a root that the graph does not have."""
        if item.root not in self._numbers:
            self._numbers[item.root] = self.graph.find_number(item.root)
        return self._numbers[item.root]

    def existing(self, item: RootItem) -> list[int]:
        return sorted(self._existing[item.qid, item.partition])

    def by_root(self, items: Sequence[RootItem]) -> dict[int, list[RootItem]]:
        """Items by the number of their root, those that the graph lacks under -1."""
        result = defaultdict[int, list[RootItem]](list)
        for item in items:
            result[self.find(item)].append(item)
        return dict(result)

    def leaves(
        self, item: RootItem, around: Surroundings, scores: NDArray[np.float64 | np.int64]
    ) -> list[LeafPath]:
        """The eligible entities of the highest scores, the lowest number of equals first."""
        root = int(around.reached[0])
        entities = np.sort(around.reached[1:])
        entities = entities[self.graph.types[entities] == self.graph.types[root]]
        entities = entities[~np.isin(entities, self.existing(item))]
        best = np.argsort(-scores[entities], kind="stable")[:MOST_LEAVES]
        return [
            describe_leaf(self.graph, item.root, *around.path_to(number))
            for number in entities[best].tolist()
        ]


def describe_leaf(
    graph: BaselineGraph, root: str, entities: Sequence[int], codes: Sequence[int]
) -> LeafPath:
    """root: as the item names it."""
    ids = [root, *map(graph.identifier, entities[1:])]
    path = [ids[0]]
    for code, id_ in zip(codes, ids[1:], strict=True):
        path += [graph.relation_names[code >> 1], id_]
    return LeafPath(ids[-1], graph.type_name(entities[-1]), tuple(path))


def rank_by_walks(
    task: BaselineTask[RootItem, Answer],
) -> Iterator[tuple[RootItem, list[LeafPath]]]:
    """Leaves by the probability of a walk that returns to the root."""
    roots = RootTask(task)
    by_root = roots.by_root(task.items)
    yield from ((item, []) for item in by_root.pop(-1, ()))
    if not by_root:
        return
    model = roots.graph.transition_model
    for root, probabilities in restart_probabilities(model, [*by_root]):
        around = find_surroundings(roots.graph.steps, root, LEVELS)
        for item in by_root[root]:
            yield item, roots.leaves(item, around, probabilities)


def rank_by_degree(
    task: BaselineTask[RootItem, Answer],
) -> Iterator[tuple[RootItem, list[LeafPath]]]:
    roots = RootTask(task)
    by_root = roots.by_root(task.items)
    yield from ((item, []) for item in by_root.pop(-1, ()))
    degrees = count_edges(roots.graph)
    for root, items in by_root.items():
        around = find_surroundings(roots.graph.steps, root, LEVELS)
        for item in items:
            yield item, roots.leaves(item, around, degrees)


def count_edges(graph: BaselineGraph) -> Floats:
    """Of each entity, in both directions."""
    steps = graph.steps
    return np.asarray(np.diff(steps.out_offsets) + np.diff(steps.in_offsets), np.float64)
