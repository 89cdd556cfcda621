"""The graph of a release as a guided exploration walks it: the masked one where it needs that."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from backend.evaluation.runs.context_request import ContextRequest, ContextSource, missing_graph
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.entity_lookup import find_entity
from backend.graphs.scored_neighbours import ScoredNeighbour, find_best_neighbours
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.model_tasks import TaskContext
from backend.tracks.serenqa_exploration.guided_state import GraphNode, GuidedEdge, RelationOffer


class WalkedGraph(ContextSource):
    """The exploration reads the graph itself, step by step."""

    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        if request.cutoff is not None:
            return "The release has a cut-off, which this task cannot observe."
        return missing_graph(request)

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        return context


class SnapshotWalk:
    """Implements GuidedGraph. is_scored: whether edges have weights and signs of prognosis."""

    def __init__(self, snapshot: Snapshot, *, is_scored: bool = True) -> None:
        self.snapshot, self.is_scored = snapshot, is_scored

    @cached_property
    def relation_numbers(self) -> Mapping[str, int]:
        return {one.name: one.number for one in self.snapshot.relations}

    def find_number(self, identifier: str) -> int:
        """-1 for an entity that the graph lacks."""
        number = find_entity(self.snapshot, identifier)
        return -1 if number is None else number

    def node(self, number: int) -> GraphNode:
        entity = self.snapshot.entity_summary(number)
        return GraphNode(number, entity.id, entity.name, entity.type)

    def relations(self, number: int) -> list[RelationOffer]:
        counts, phrases = dict[int, int](), dict[int, dict[str, None]]()
        for one in sorted(
            self.snapshot.degrees(number), key=lambda one: (one.relation, not one.outgoing)
        ):
            phrase = relation_phrase(self.snapshot, one.relation, forward=one.outgoing)
            counts[one.relation] = counts.get(one.relation, 0) + one.count
            phrases.setdefault(one.relation, {})[phrase] = None
        return [
            RelationOffer(self.snapshot.relations[number].name, tuple(phrases[number]), count)
            for number, count in counts.items()
        ]

    def best_edges(
        self,
        number: int,
        relations: Sequence[str],
        *,
        visited: Collection[int],
        most: int,
        seed: Sequence[int],
    ) -> list[GuidedEdge]:
        numbers = [self.relation_numbers[name] for name in relations]
        best = find_best_neighbours(
            self.snapshot,
            number,
            numbers,
            most=most,
            excluded=visited,
            seed=seed,
            is_scored=self.is_scored,
        )
        return [self._edge(number, one) for one in best]

    def _edge(self, source: int, one: ScoredNeighbour) -> GuidedEdge:
        return GuidedEdge(
            source,
            self.snapshot.relations[one.relation].name,
            relation_phrase(self.snapshot, one.relation, forward=one.forward),
            one.neighbour,
            one.weight,
            self._prognosis(one),
        )

    def _prognosis(self, one: ScoredNeighbour) -> Literal[-1, 0, 1]:
        if not self.is_scored or not one.prognosis:
            return 0
        return 1 if one.prognosis > 0 else -1
