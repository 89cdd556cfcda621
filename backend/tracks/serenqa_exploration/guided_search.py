"""SerenQA's Algorithm 3 as a state machine: requests of a phase, their answers, the next phase.

The reading of each line, and where it leaves the printed one, is in `track.md`. A worker reads
`next_requests`, gets an answer to each from wherever it likes, and passes all of them to `accept`.
Equal graphs, settings and answers give equal states, so a worker can go on from any stored state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

from backend.tracks.serenqa_exploration.guided_state import (
    Ending,
    GraphNode,
    GuidedEdge,
    GuidedGraph,
    GuidedSettings,
    GuidedState,
    LevelRecord,
    NodePath,
    Phase,
    RelationOffer,
    RelationStep,
    Summary,
)
from backend.tracks.serenqa_exploration.track import Leaf, LeavesPrediction
from backend.tracks.serenqa_roots import RootItem


@dataclass(frozen=True, slots=True)
class StepRequest:
    """key: within the exploration, such as `2.relations.0`. node: of the frontier, or the root.

    relations: that are offered for the node. edges: that are offered for the level.
    level: that the request is about. paths: to describe, to decide on or to summarize.
    """

    key: str
    phase: Phase
    level: int
    node: int
    relations: tuple[RelationOffer, ...] = ()
    edges: tuple[GuidedEdge, ...] = ()
    paths: tuple[NodePath, ...] = ()


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """What was read from the model's answer. chosen: names of relations, or identifiers of nodes,
    as the model wrote them. text: a description or summary. fault: why nothing could be read."""

    chosen: tuple[str, ...] = ()
    text: str = ""
    goes_on: bool = True
    reason: str = ""
    fault: str = ""


Answers = Mapping[str, StepAnswer]


def begin(graph: GuidedGraph, item: RootItem, root: int) -> GuidedState:
    """root: its number, negative where the graph lacks it."""
    if root < 0:
        return GuidedState(item.root, phase=Phase.ENDED, ending=Ending.UNKNOWN_ROOT)
    return GuidedState(
        item.root,
        visited=(root,),
        nodes=(graph.node(root),),
        levels=(LevelRecord((root,)),),
    )


@dataclass(frozen=True)
class GuidedSearch:
    """One step of an exploration from its state. item: gives the draws a seed of their own."""

    graph: GuidedGraph
    settings: GuidedSettings
    item: RootItem
    state: GuidedState

    @cached_property
    def nodes(self) -> Mapping[int, GraphNode]:
        return {one.number: one for one in self.state.nodes}

    def next_requests(self) -> Sequence[StepRequest]:
        """Of the phase; none where it needs no answer, or all has ended."""
        state, level = self.state, self.state.level
        match state.phase:
            case Phase.RELATIONS:
                return self._relation_requests()
            case Phase.NODES:
                return [self._request(Phase.NODES, level, edges=state.record.edges)]
            case Phase.DESCRIPTION:
                paths = tuple(state.paths_of(level))
                return [self._request(Phase.DESCRIPTION, level, paths=paths)]
            case Phase.DECISION:
                return [self._request(Phase.DECISION, level, paths=state.paths)]
            case Phase.SUMMARIES:
                return [
                    self._request(Phase.SUMMARIES, one, paths=tuple(state.paths_of(one)))
                    for one in range(1, state.reached + 1)
                ]
            case Phase.ENDED:
                return []

    def _request(
        self,
        phase: Phase,
        level: int,
        *,
        edges: tuple[GuidedEdge, ...] = (),
        paths: tuple[NodePath, ...] = (),
    ) -> StepRequest:
        root = self.state.visited[0]
        return StepRequest(f"{level}.{phase}", phase, level, root, (), edges, paths)

    def _relation_requests(self) -> list[StepRequest]:
        """Of the frontier nodes that have an edge."""
        level = self.state.level
        return [
            StepRequest(f"{level}.relations.{at}", Phase.RELATIONS, level, node, offered)
            for at, node in enumerate(self.state.record.frontier)
            if (offered := tuple(self.graph.relations(node)))
        ]

    def accept(self, answers: Answers) -> GuidedState:
        """The state after the phase. answers: to all of its requests, by their keys."""
        match self.state.phase:
            case Phase.RELATIONS:
                return self._accept_relations(answers)
            case Phase.NODES:
                return self._accept_nodes(self._only(answers))
            case Phase.DESCRIPTION:
                answer = self._only(answers)
                record = replace(self.state.record, description=answer.text)
                return self._go_to(Phase.DECISION, record, answer.fault)
            case Phase.DECISION:
                return self._accept_decision(self._only(answers))
            case Phase.SUMMARIES:
                return self._accept_summaries(answers)
            case Phase.ENDED:
                return self.state

    def _only(self, answers: Answers) -> StepAnswer:
        (request,) = self.next_requests()
        return answers[request.key]

    def _accept_relations(self, answers: Answers) -> GuidedState:
        steps = [
            choose_relations(request, answers[request.key], self.settings.relations)
            for request in self._relation_requests()
        ]
        edges = [edge for step in steps if step.chosen for edge in self._edges_of(step)]
        record = replace(self.state.record, relations=tuple(steps), edges=tuple(edges))
        nodes = {**self.nodes, **{edge.target: self.graph.node(edge.target) for edge in edges}}
        state = replace(
            self.state,
            levels=(*self.state.levels[:-1], record),
            nodes=tuple(nodes[number] for number in sorted(nodes)),
        )
        if edges:
            return replace(state, phase=Phase.NODES)
        return end(state, why_no_edges(steps))

    def _edges_of(self, step: RelationStep) -> Sequence[GuidedEdge]:
        key = f"{self.item.qid} {self.item.partition} {self.item.root}"
        seed = [self.settings.seed, self.state.level, crc32(key.encode()), step.node]
        return self.graph.best_edges(
            step.node,
            step.chosen,
            visited=self.state.visited,
            most=self.settings.edges,
            seed=seed,
        )

    def _accept_nodes(self, answer: StepAnswer) -> GuidedState:
        state = self.state
        names_chosen = self._chosen_nodes(answer.chosen)
        first = dict[int, GuidedEdge]()
        for edge in state.record.edges:
            if edge.target in names_chosen:
                first.setdefault(edge.target, edge)
        record = replace(
            state.record,
            chosen=tuple(first),
            reason=answer.reason,
            faults=with_fault(state.record, answer.fault),
        )
        levels = (*state.levels[:-1], record)
        if not first:
            return end(replace(state, levels=levels), Ending.NO_NODE_CHOSEN)
        before = {one.node: one.edges for one in state.paths}
        new = [NodePath(to, (*before.get(edge.source, ()), edge)) for to, edge in first.items()]
        return replace(
            state,
            phase=Phase.DESCRIPTION,
            reached=state.level,
            visited=(*state.visited, *first),
            paths=(*state.paths, *new),
            levels=levels,
        )

    def _chosen_nodes(self, written: Sequence[str]) -> frozenset[int]:
        """The first n that were offered; unknown and repeated ones are ignored."""
        by_id = {self.nodes[one.target].id: one.target for one in self.state.record.edges}
        known = dict.fromkeys(by_id[name] for name in written if name in by_id)
        return frozenset([*known][: self.settings.width])

    def _accept_decision(self, answer: StepAnswer) -> GuidedState:
        record = replace(self.state.record, goes_on=answer.goes_on, decision_reason=answer.reason)
        state = self._go_to(Phase.RELATIONS, record, answer.fault)
        if not answer.goes_on:
            return end(state, Ending.MODEL_STOPPED)
        if state.level == self.settings.depth:
            return end(state, Ending.DEPTH)
        following = LevelRecord(state.record.chosen)
        return replace(state, level=state.level + 1, levels=(*state.levels, following))

    def _go_to(self, phase: Phase, record: LevelRecord, fault: str) -> GuidedState:
        record = replace(record, faults=with_fault(record, fault))
        return replace(self.state, phase=phase, levels=(*self.state.levels[:-1], record))

    def _accept_summaries(self, answers: Answers) -> GuidedState:
        summaries = tuple(
            Summary(request.level, answers[request.key].text, answers[request.key].fault)
            for request in self.next_requests()
        )
        return replace(self.state, phase=Phase.ENDED, summaries=summaries)


def choose_relations(request: StepRequest, answer: StepAnswer, most: int) -> RelationStep:
    """The first m that were offered; unknown and repeated ones are ignored."""
    known = {one.name for one in request.relations}
    chosen = [*dict.fromkeys(name for name in answer.chosen if name in known)][:most]
    return RelationStep(request.node, request.relations, tuple(chosen), answer.reason, answer.fault)


def why_no_edges(steps: Sequence[RelationStep]) -> Ending:
    if not steps:
        return Ending.NO_RELATIONS
    is_any_chosen = any(step.chosen for step in steps)
    return Ending.NO_EDGES if is_any_chosen else Ending.NO_RELATION_CHOSEN


def with_fault(record: LevelRecord, fault: str) -> tuple[str, ...]:
    return (*record.faults, fault) if fault else record.faults


def end(state: GuidedState, ending: Ending) -> GuidedState:
    """No further level; those that were reached are summarized."""
    phase = Phase.SUMMARIES if state.reached else Phase.ENDED
    return replace(state, phase=phase, ending=ending)


def to_prediction(item: RootItem, state: GuidedState) -> LeavesPrediction:
    """Every chosen node is a leaf, with its first path; the root is spelled as the item has it."""
    nodes = {one.number: one for one in state.nodes}
    leaves = []
    for one in state.paths:
        path = [item.root]
        for edge in one.edges:
            path += [edge.relation, nodes[edge.target].id]
        leaves.append(Leaf(nodes[one.node].id, nodes[one.node].type, tuple(path)))
    return LeavesPrediction(item.qid, item.partition, item.root, tuple(leaves))
