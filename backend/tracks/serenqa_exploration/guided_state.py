"""The state of one guided exploration: all that a worker needs to go on, as JSON with a digest."""

import json
from collections.abc import Collection, Sequence
from dataclasses import field
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any, Literal, Protocol

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from backend.tracks.serenqa_exploration.track import MOST_AT_LEVEL
from backend.tracks.serenqa_roots import LEVELS

FROZEN = ConfigDict(extra="forbid")
MOST_EDGES_OF_NODE = 100


class Phase(StrEnum):
    """What is requested next of a level."""

    RELATIONS = "relations"
    NODES = "nodes"
    DESCRIPTION = "description"
    DECISION = "decision"
    SUMMARIES = "summaries"
    ENDED = "ended"


class Ending(StrEnum):
    """Why no further level was begun."""

    UNKNOWN_ROOT = "unknown_root"
    NO_RELATIONS = "no_relations"  # no frontier node has an edge
    NO_RELATION_CHOSEN = "no_relation_chosen"
    NO_EDGES = "no_edges"  # all edges of the chosen relations lead to visited nodes
    NO_NODE_CHOSEN = "no_node_chosen"
    MODEL_STOPPED = "model_stopped"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True, config=FROZEN)
class GuidedSettings:
    """The beam of Algorithm 3. The paper prints n = 30 and h = 3; m = 5 and k = 10 are ours.

    relations (m): of a frontier node, at most. edges (k): of a frontier node that are offered.
    width (n): nodes that a level may choose. depth (h): levels. summaries: whether descriptions of
    earlier levels are in later prompts. seed: of the draws where no edge has a weight.
    """

    relations: Annotated[int, Field(ge=1, le=100)] = 5
    edges: Annotated[int, Field(ge=1, le=MOST_EDGES_OF_NODE)] = 10
    width: Annotated[int, Field(ge=1, le=MOST_AT_LEVEL)] = MOST_AT_LEVEL
    depth: Annotated[int, Field(ge=1, le=LEVELS)] = LEVELS
    summaries: bool = True
    seed: Annotated[int, Field(ge=0)] = 0


@dataclass(frozen=True, slots=True, config=FROZEN)
class GraphNode:
    number: int
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True, config=FROZEN)
class RelationOffer:
    """phrases: in the directions in which the node has edges. edges: of it, both ways."""

    name: str
    phrases: tuple[str, ...]
    edges: int


@dataclass(frozen=True, slots=True, config=FROZEN)
class GuidedEdge:
    """A step from `source` to `target`, walked along the edge or against it as the phrase has it.

    weight: None for an edge without a score. prognosis: 1 favourable, -1 unfavourable, else 0.
    """

    source: int
    relation: str
    phrase: str
    target: int
    weight: float | None = None
    prognosis: Literal[-1, 0, 1] = 0


class GuidedGraph(Protocol):
    """The graph of a release that the exploration walks; entities have numbers."""

    def node(self, number: int) -> GraphNode: ...

    def relations(self, number: int) -> Sequence[RelationOffer]:
        """Those of the entity's edges, in the order of the graph."""

    def best_edges(
        self,
        number: int,
        relations: Sequence[str],
        *,
        visited: Collection[int],
        most: int,
        seed: Sequence[int],
    ) -> Sequence[GuidedEdge]:
        """At most so many edges of these relations to nodes that were not visited: the strongest,
        best first, or, where none has a weight, drawn ones."""


@dataclass(frozen=True, slots=True, config=FROZEN)
class RelationStep:
    """What a frontier node was offered, and what the model chose of it.

    fault: why the answer could not be read; then nothing is chosen.
    """

    node: int
    offered: tuple[RelationOffer, ...]
    chosen: tuple[str, ...] = ()
    reason: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, config=FROZEN)
class LevelRecord:
    """One level: relations by frontier node, edges that were offered, nodes that were chosen.

    goes_on: the model's decision after the level; None where it was not requested. An answer that
    cannot be read leaves a fault: no node is chosen, the description is empty, a decision is yes.
    """

    frontier: tuple[int, ...]
    relations: tuple[RelationStep, ...] = ()
    edges: tuple[GuidedEdge, ...] = ()
    chosen: tuple[int, ...] = ()
    reason: str = ""
    description: str = ""
    goes_on: bool | None = None
    decision_reason: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, config=FROZEN)
class NodePath:
    """The first path to a chosen node: edges from the root on."""

    node: int
    edges: tuple[GuidedEdge, ...]


@dataclass(frozen=True, slots=True, config=FROZEN)
class Summary:
    level: int
    text: str
    fault: str = ""


@dataclass(frozen=True, slots=True, config=FROZEN)
class GuidedState:
    """level: the one that is worked on, from 1. reached: the last level with chosen nodes.

    visited: in the order of the first visit, the root first. nodes: all that were offered or
    visited, by number. levels: the last one is incomplete unless the phase is past it.
    """

    root: str
    level: int = 1
    phase: Phase = Phase.RELATIONS
    reached: int = 0
    visited: tuple[int, ...] = ()
    nodes: tuple[GraphNode, ...] = ()
    paths: tuple[NodePath, ...] = ()
    levels: tuple[LevelRecord, ...] = ()
    summaries: tuple[Summary, ...] = ()
    ending: Ending | None = None
    version: int = field(default=1)

    @property
    def record(self) -> LevelRecord:
        return self.levels[-1]

    @property
    def has_ended(self) -> bool:
        return self.phase == Phase.ENDED

    def paths_of(self, depth: int) -> list[NodePath]:
        return [one for one in self.paths if len(one.edges) == depth]

    def to_payload(self) -> dict[str, Any]:
        """What JSON can hold."""
        payload: dict[str, Any] = ADAPTER.dump_python(self, mode="json")
        return payload

    def to_json(self) -> bytes:
        """Equal states give equal bytes."""
        return json.dumps(self.to_payload(), ensure_ascii=False, sort_keys=True).encode()

    @property
    def digest(self) -> str:
        return sha256(self.to_json()).hexdigest()


ADAPTER = TypeAdapter(GuidedState)


def read_state(value: object) -> GuidedState:
    """Raises pydantic's ValidationError."""
    return ADAPTER.validate_python(value)
