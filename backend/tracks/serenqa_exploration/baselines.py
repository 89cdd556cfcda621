"""Baselines of the exploration track: leaves by degree, by a walk with restarts, by an RNS beam."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from backend.science.rns.added_candidates import score_added
from backend.tracks.baseline_tasks import Baseline, BaselineGraph, BaselineTask
from backend.tracks.serenqa_exploration.track import Leaf, LeavesPrediction, SetAnswer
from backend.tracks.serenqa_roots import LEVELS, RootItem
from backend.tracks.serenqa_walks import (
    MOST_LEAVES,
    LeafPath,
    RootTask,
    describe_leaf,
    rank_by_degree,
    rank_by_walks,
)

EDGES_OF_NODE = 10
WIDTH = 30
Task = BaselineTask[RootItem, SetAnswer]


def predict(item: RootItem, leaves: Iterable[LeafPath]) -> LeavesPrediction:
    result = tuple(Leaf(one.id, one.type, one.path) for one in leaves)
    return LeavesPrediction(item.qid, item.partition, item.root, result)


def predict_by_degree(task: Task) -> Iterator[LeavesPrediction]:
    return (predict(item, leaves) for item, leaves in rank_by_degree(task))


def predict_by_walk(task: Task) -> Iterator[LeavesPrediction]:
    return (predict(item, leaves) for item, leaves in rank_by_walks(task))


def predict_by_rns(task: Task) -> Iterator[LeavesPrediction]:
    """metrics.md's reading of Algorithm 3 without a model: RNS chooses instead."""
    roots = RootTask(task)
    for item in task.items:
        if (root := roots.find(item)) < 0:
            yield predict(item, ())
            continue
        key = crc32(f"{item.qid} {item.partition} {item.root}".encode())
        beam = Beam(
            roots.graph, root, roots.existing(item), np.random.default_rng([task.seed, key])
        )
        numbers = beam.best_leaves()
        paths = (beam.path_to(number) for number in numbers)
        yield predict(item, (describe_leaf(roots.graph, item.root, *path) for path in paths))


@dataclass(frozen=True, slots=True)
class BeamNode:
    """How an entity was reached first, and its RNS against the existing set."""

    parent: int
    code: int
    score: float


class Beam:
    """Up to WIDTH entities a level, from EDGES_OF_NODE edges drawn of each of the level before."""

    def __init__(
        self, graph: BaselineGraph, root: int, existing: Sequence[int], rng: np.random.Generator
    ) -> None:
        self._graph, self._root, self._existing, self._rng = graph, root, existing, rng
        self.nodes: dict[int, BeamNode] = {}
        self._visited = {root, *existing}
        frontier = [root]
        for _ in range(LEVELS):
            frontier = self._next_level(frontier)

    def _next_level(self, frontier: Sequence[int]) -> list[int]:
        reached: dict[int, tuple[int, int]] = {}
        for node in frontier:
            for entity, code in self._draw_steps(node):
                reached.setdefault(entity, (node, code))
        if not reached:
            return []
        entities = sorted(reached)
        candidates = self._graph.rns_candidates(self._existing, entities)
        scores = score_added(candidates, len(self._existing))
        best = np.argsort(-scores, kind="stable")[:WIDTH].tolist()
        for at in best:
            self.nodes[entities[at]] = BeamNode(*reached[entities[at]], float(scores[at]))
        self._visited.update(entities[at] for at in best)
        return [entities[at] for at in best]

    def _draw_steps(self, node: int) -> list[tuple[int, int]]:
        """Edges to entities that were not visited, walked both ways."""
        neighbours, codes = steps_of(self._graph, node)
        is_new = [entity not in self._visited for entity in neighbours.tolist()]
        neighbours, codes = neighbours[is_new], codes[is_new]
        size = min(EDGES_OF_NODE, len(neighbours))
        drawn = np.sort(self._rng.permutation(len(neighbours))[:size]).tolist()
        return [(int(neighbours[at]), int(codes[at])) for at in drawn]

    def best_leaves(self) -> list[int]:
        """Entities of the beam that have the type of the root, by score."""
        types = self._graph.types
        own = [number for number in self.nodes if types[number] == types[self._root]]
        return sorted(own, key=lambda number: (-self.nodes[number].score, number))[:MOST_LEAVES]

    def path_to(self, number: int) -> tuple[list[int], list[int]]:
        entities, codes = [number], list[int]()
        while entities[-1] != self._root:
            node = self.nodes[entities[-1]]
            entities.append(node.parent)
            codes.append(node.code)
        return entities[::-1], codes[::-1]


def steps_of(graph: BaselineGraph, node: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Neighbours of a node and the codes of the steps to them, those along the edge first."""
    links = graph.steps
    out = slice(int(links.out_offsets[node]), int(links.out_offsets[node + 1]))
    into = slice(int(links.in_offsets[node]), int(links.in_offsets[node + 1]))
    along = 2 * links.out_relations[out].astype(np.int64)
    against = 2 * links.in_relations[into].astype(np.int64) + 1
    neighbours = np.concatenate([links.out_neighbours[out], links.in_neighbours[into]])
    return neighbours.astype(np.int64), np.concatenate([along, against])


BASELINES: Mapping[str, Baseline[RootItem, SetAnswer, LeavesPrediction]] = {
    "degree": predict_by_degree,
    "random-walk": predict_by_walk,
    "rns-beam": predict_by_rns,
}
