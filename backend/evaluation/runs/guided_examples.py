"""The example of a guided exploration's prompts: a dev item of the release with its paths.

Only dev items give examples, since their answers are public, and never one of the question that
the item is of. A path is shown as it is in the graph that the run walks, so no edge that a masked
graph hides is in a prompt; ground-truth paths of which a step is missing there are left out.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import islice

import numpy as np

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.release_items import load_items
from backend.evaluation.runs.walked_graph import SnapshotWalk
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.snapshots.graph_view import relation_range
from backend.tracks.serenqa_exploration.guided_state import GraphNode
from backend.tracks.serenqa_exploration.step_prompts import Example, ExamplePath
from backend.tracks.serenqa_exploration.track import SetAnswer
from backend.tracks.serenqa_reasoning.track import PathsAnswer
from backend.tracks.serenqa_roots import LEVELS, PATH_SEPARATOR, RootItem

MOST_PATHS = 3
MOST_WALKED = 10_000  # steps that are tried for one path
Step = tuple[str, int]  # phrase and entity


class GuidedExamples:
    def __init__(self, release: Release, walk: SnapshotWalk) -> None:
        self._release, self._walk = release, walk

    def example_for(self, item: RootItem) -> Example | None:
        """Of the first suitable item of another question, by the digest of its key."""
        known = (example for qid, example in self._examples if qid != item.qid)
        return next(known, None)

    @cached_property
    def _examples(self) -> Sequence[tuple[str, Example]]:
        """Of two questions: one of them is another one than an item's."""
        items = load_items(self._release, ReleaseSplit.DEV).table.items
        answers: Sequence[SetAnswer | PathsAnswer] = load_answers(self._release, ReleaseSplit.DEV)
        pairs = sorted(zip(items, answers, strict=True), key=lambda pair: draw(pair[0]))
        examples = dict[str, Example]()
        for item, answer in pairs:
            if item.qid in examples or not answer.paths:
                continue
            if paths := [*islice(self._paths_of(item, answer), MOST_PATHS)]:
                examples[item.qid] = Example(item.question, tuple(paths))
            if len(examples) == 2:
                break
        return [*examples.items()]

    def _paths_of(self, item: RootItem, answer: SetAnswer | PathsAnswer) -> Iterator[ExamplePath]:
        for one in answer.paths:
            text = one if isinstance(one, str) else one.text
            if (path := self.find_path(text, item.root)) is not None:
                yield path

    def find_path(self, text: str, root: str) -> ExamplePath | None:
        """A path of the file, `id--RELATION--name:Type--RELATION--id`, in the walked graph.

        The first one that fits, as nodes between the ends are named and have no identifier.
        """
        parts = text.split(PATH_SEPARATOR)
        start = self._walk.find_number(root)
        if parts[0] != root or start < 0 or len(parts) % 2 == 0 or len(parts) // 2 > LEVELS:
            return None
        left = [MOST_WALKED]
        steps = self._walk_on(start, parts[1:], left, {start})
        if steps is None:
            return None
        nodes = tuple(self._walk.node(number) for number in (start, *(one[1] for one in steps)))
        return ExamplePath(nodes, tuple(phrase for phrase, _ in steps))

    def _walk_on(
        self, number: int, parts: Sequence[str], left: list[int], visited: set[int]
    ) -> list[Step] | None:
        if not parts:
            return []
        relation, named = parts[0], parts[1]
        is_last = len(parts) == 2
        for phrase, neighbour in self._steps(number, relation):
            left[0] -= 1
            if left[0] < 0:
                return None
            if neighbour in visited or not fits(self._walk.node(neighbour), named, is_last):
                continue
            rest = self._walk_on(neighbour, parts[2:], left, {*visited, neighbour})
            if rest is not None:
                return [(phrase, neighbour), *rest]
        return None

    def _steps(self, number: int, relation: str) -> Iterator[Step]:
        snapshot, code = self._walk.snapshot, self._walk.relation_numbers.get(relation)
        if code is None:
            return
        for outgoing in (True, False):
            row = snapshot.row(number, outgoing=outgoing)
            first, last = relation_range(row, code)
            phrase = relation_phrase(snapshot, code, forward=outgoing)
            for neighbour in np.unique(row.neighbours[first:last])[:MOST_WALKED].tolist():
                yield phrase, neighbour


def fits(node: GraphNode, named: str, is_last: bool) -> bool:
    if is_last:
        return named == node.id or node.id.endswith(f":{named}")
    return named in (f"{node.name}:{node.type}", f"None:{node.type}")


def draw(item: RootItem) -> str:
    return sha256(f"{item.qid} {item.partition} {item.root}".encode()).hexdigest()
