"""Guided exploration beside a slow reading of Algorithm 3, with a responder that plays rules."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from backend.evaluation.runs.walked_graph import SnapshotWalk
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.serenqa_exploration.guided_search import (
    GuidedSearch,
    StepAnswer,
    StepRequest,
    begin,
    to_prediction,
)
from backend.tracks.serenqa_exploration.guided_state import (
    Ending,
    GuidedSettings,
    GuidedState,
    Phase,
    read_state,
)
from backend.tracks.serenqa_roots import RootItem
from tests.graphs.test_scored_neighbours import random_graph, slow_weight

GRAPHS = 200
Step = tuple[str, str]  # relation and identifier


@dataclass
class Responder:
    """Answers that depend on the place alone, whoever asks. branches: what they made happen."""

    seed: int
    branches: Counter[str] = field(default_factory=Counter)

    def _chance(self, *place: object) -> random.Random:
        return random.Random(f"{self.seed} {place}")  # noqa: S311  the same answers each time

    def choose(self, place: tuple[object, ...], offered: Sequence[str], most: int) -> StepAnswer:
        """Some of what is offered, sometimes with names that nobody offered, or none at all."""
        chance = self._chance(*place)
        if chance.random() < 0.04:
            self.branches["unreadable choice"] += 1
            return StepAnswer(fault="unreadable")
        if chance.random() < 0.04:
            self.branches["empty choice"] += 1
            return StepAnswer(reason="None fits.")
        chosen = [one for one in offered if chance.random() < 0.8]
        chance.shuffle(chosen)
        if chance.random() < 0.2:
            self.branches["unknown name"] += 1
            chosen.insert(0, "X:unknown")
        if chosen and chance.random() < 0.2:
            self.branches["repeated name"] += 1
            chosen.insert(0, chosen[-1])
        if len({*chosen} & {*offered}) > most:
            self.branches["more than allowed"] += 1
        return StepAnswer(tuple(chosen), reason=f"reason {place}")

    def decide(self, level: int) -> bool:
        goes_on = self._chance("decision", level).random() < 0.75
        if not goes_on:
            self.branches[f"no at level {level}"] += 1
        return goes_on

    @staticmethod
    def text(kind: str, level: int, paths: Sequence[object]) -> str:
        return f"{kind} {level}: {json.dumps(paths)}"


@dataclass
class SlowExploration:
    """Line by line, on lists of triples; nothing of the search is used."""

    snapshot: Snapshot
    settings: GuidedSettings
    item: RootItem
    root: int
    responder: Responder
    paths: dict[int, list[Step]] = field(default_factory=dict)
    descriptions: list[str] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)
    ending: str = ""

    def explore(self) -> None:
        visited, frontier, reached = {self.root}, [self.root], 0
        self.paths = {self.root: []}
        for level in range(1, self.settings.depth + 1):
            offered_edges = self.candidates(level, frontier, visited)
            if not offered_edges:
                break
            offered = [self.name(target) for _, _, target in offered_edges]
            answer = self.responder.choose(("nodes", level), offered, self.settings.width)
            names: list[str] = []
            for name in answer.chosen:
                if name in offered and name not in names and len(names) < self.settings.width:
                    names.append(name)
            if not names:
                self.ending = "no_node_chosen"
                break
            frontier = self.visit(offered_edges, names, visited)
            reached = level
            self.descriptions.append(Responder.text("description", level, self.of_depth(level)))
            if not self.responder.decide(level):
                self.ending = "model_stopped"
                break
        else:
            self.ending = "depth"
        for level in range(1, reached + 1):
            self.summaries.append(Responder.text("summary", level, self.of_depth(level)))

    def visit(
        self, offered_edges: list[tuple[int, str, int]], names: list[str], visited: set[int]
    ) -> list[int]:
        following: list[int] = []
        for source, relation, target in offered_edges:
            if self.name(target) not in names:
                continue
            if target in following:
                self.responder.branches["reached twice"] += 1
                continue
            self.paths[target] = [*self.paths[source], (relation, self.name(target))]
            following.append(target)
        visited.update(following)
        return following

    def candidates(
        self, level: int, frontier: list[int], visited: set[int]
    ) -> list[tuple[int, str, int]]:
        offered_edges: list[tuple[int, str, int]] = []
        has_relations = is_chosen = False
        for node in frontier:
            names = self.relations_of(node)
            if not names:
                self.responder.branches["node without relations"] += 1
                continue
            has_relations = True
            place = ("relations", level, self.name(node))
            answer = self.responder.choose(place, names, self.settings.relations)
            chosen: list[str] = []
            for name in answer.chosen:
                if name in names and name not in chosen:
                    chosen.append(name)
            chosen = chosen[: self.settings.relations]
            is_chosen = is_chosen or bool(chosen)
            offered_edges += self.best(level, node, chosen, visited)
        if not offered_edges:
            self.ending = (
                "no_relations"
                if not has_relations
                else "no_edges"
                if is_chosen
                else "no_relation_chosen"
            )
        return offered_edges

    def relations_of(self, node: int) -> list[str]:
        records = [self.snapshot.edge(edge) for edge in range(self.snapshot.edge_count)]
        numbers = {one.relation for one in records if node in (one.source, one.target)}
        return [self.snapshot.relations[number].name for number in sorted(numbers)]

    def best(
        self, level: int, node: int, chosen: list[str], visited: set[int]
    ) -> list[tuple[int, str, int]]:
        listed = []
        for along in (True, False):
            side = []
            for edge in range(self.snapshot.edge_count):
                record = self.snapshot.edge(edge)
                ends = (record.source, record.target)
                start, end = ends if along else ends[::-1]
                name = self.snapshot.relations[record.relation].name
                if start == node and name in chosen and end not in visited:
                    weight = slow_weight(self.snapshot, edge)
                    side.append((record.relation, end, edge, name, weight))
            listed += sorted(side, key=lambda one: one[:3])
        if listed and all(one[4] is None for one in listed):
            self.responder.branches["all scores missing"] += 1
            key = f"{self.item.qid} {self.item.partition} {self.item.root}"
            seed = [self.settings.seed, level, crc32(key.encode()), node]
            size = min(self.settings.edges, len(listed))
            draws = np.random.default_rng(seed)
            drawn = draws.choice(len(listed), size, replace=False, shuffle=False)
            listed = [listed[at] for at in sorted(drawn.tolist())]
        elif any(one[4] is None for one in listed):
            self.responder.branches["some scores missing"] += 1
        ranked = sorted(listed, key=lambda one: (one[4] is None, -np.float32(one[4] or 0)))
        return [(node, one[3], one[1]) for one in ranked[: self.settings.edges]]

    def of_depth(self, depth: int) -> list[list[Step]]:
        return [[*steps] for steps in self.paths.values() if len(steps) == depth]

    def name(self, number: int) -> str:
        return self.snapshot.entity_summary(number).id


def steps_of(state: GuidedState) -> dict[int, list[Step]]:
    ids = {one.number: one.id for one in state.nodes}
    return {
        one.node: [(edge.relation, ids[edge.target]) for edge in one.edges] for one in state.paths
    }


def answer_request(search: GuidedSearch, request: StepRequest, responder: Responder) -> StepAnswer:
    ids = {one.number: one.id for one in search.state.nodes}
    settings, level = search.settings, request.level
    match request.phase:
        case Phase.RELATIONS:
            names = [one.name for one in request.relations]
            place = ("relations", level, ids[request.node])
            return responder.choose(place, names, settings.relations)
        case Phase.NODES:
            offered = [ids[one.target] for one in request.edges]
            return responder.choose(("nodes", level), offered, settings.width)
        case Phase.DECISION:
            return StepAnswer(goes_on=responder.decide(level))
        case phase:
            paths = [
                [(edge.relation, ids[edge.target]) for edge in one.edges] for one in request.paths
            ]
            kind = "description" if phase == Phase.DESCRIPTION else "summary"
            return StepAnswer(text=responder.text(kind, level, paths))


def play(search: GuidedSearch, responder: Responder) -> GuidedState:
    """With the state through JSON after every phase, as a worker that was killed would read it."""
    while not search.state.has_ended:
        answers = {
            request.key: answer_request(search, request, responder)
            for request in search.next_requests()
        }
        state = search.accept(answers)
        read = read_state(json.loads(state.to_json()))
        assert read == state and read.digest == state.digest
        search = GuidedSearch(search.graph, search.settings, search.item, read)
    return search.state


def test_leaves_paths_and_summaries_are_those_of_a_slow_reading(tmp_path: Path) -> None:
    branches, endings = Counter[str](), Counter[str]()
    for seed in range(GRAPHS):
        snapshot = random_graph(seed, tmp_path / str(seed))
        chance = random.Random(seed)  # noqa: S311  the same settings each time
        settings = GuidedSettings(
            relations=chance.choice([1, 2, 5]),
            edges=chance.choice([1, 3, 10]),
            width=chance.choice([1, 2, 30]),
            depth=chance.choice([1, 3, 3]),
            seed=seed,
        )
        root = chance.randrange(snapshot.entity_count)
        item = RootItem(str(seed), "expert", snapshot.entity_summary(root).id, "Which?")
        responder = Responder(seed, branches)
        slow = SlowExploration(snapshot, settings, item, root, responder)
        slow.explore()
        walk = SnapshotWalk(snapshot)
        state = play(GuidedSearch(walk, settings, item, begin(walk, item, root)), Responder(seed))
        assert steps_of(state) == {node: path for node, path in slow.paths.items() if path}
        assert [*steps_of(state)] == [node for node, path in slow.paths.items() if path]
        descriptions = [one.description for one in state.levels[: state.reached]]
        assert descriptions == slow.descriptions
        assert [one.text for one in state.summaries] == slow.summaries
        assert state.ending == slow.ending
        endings[slow.ending] += 1
        prediction = to_prediction(item, state)
        assert {leaf.id: [*leaf.path] for leaf in prediction.leaves} == {
            path[-1][1]: [item.root, *(part for step in path for part in step)]
            for path in slow.paths.values()
            if path
        }
    assert {*endings} == {*Ending} - {Ending.UNKNOWN_ROOT}
    assert {*branches} == {
        *("unreadable choice", "empty choice", "unknown name", "repeated name"),
        *("more than allowed", "reached twice", "node without relations"),
        *("no at level 1", "no at level 2", "no at level 3"),
        *("all scores missing", "some scores missing"),
    }


def test_a_root_that_the_graph_lacks_has_no_leaves(tmp_path: Path) -> None:
    walk = SnapshotWalk(random_graph(1, tmp_path))
    item = RootItem("1", "expert", "X:none", "Which?")
    state = begin(walk, item, walk.find_number(item.root))
    assert state.has_ended and state.ending == Ending.UNKNOWN_ROOT
    assert to_prediction(item, state).leaves == ()


@pytest.mark.parametrize("goes_on", [True, False])
def test_the_last_level_is_summarized_whatever_the_decision(tmp_path: Path, goes_on: bool) -> None:
    """The printed algorithm loses it where the model says no."""
    snapshot = random_graph(5, tmp_path)
    walk, item = SnapshotWalk(snapshot), RootItem("5", "expert", "N:0", "Which?")
    root = walk.find_number("N:0")
    search = GuidedSearch(walk, GuidedSettings(depth=1), item, begin(walk, item, root))
    (request,) = search.next_requests()
    names = tuple(one.name for one in request.relations)
    for answer in (
        StepAnswer(names),
        StepAnswer(tuple(walk.node(number).id for number in range(7))),
        StepAnswer(text="Described."),
        StepAnswer(goes_on=goes_on),
        StepAnswer(text="Summarized."),
    ):
        (request,) = search.next_requests()
        search = GuidedSearch(walk, search.settings, item, search.accept({request.key: answer}))
    assert search.state.has_ended and search.state.reached == 1
    assert [one.text for one in search.state.summaries] == ["Summarized."]
