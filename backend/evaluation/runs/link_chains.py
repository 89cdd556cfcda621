"""Paths between the two entities of a pair, in words.

No path has a step between the ends of any pair of the release: such links are the hidden answers.
Shorter paths come first; of equal lengths, the likelier by a random walk.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from backend.evaluation.runs.context_request import ContextRequest, ContextSource, missing_graph
from backend.graphs.path_queries import DEFAULT_HUB_LINKS, ExplainedPath, search_paths
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery
from backend.tracks.model_tasks import TaskContext
from backend.tracks.prompt_text import link_chain

MOST_CHAINS = 100
MOST_HOPS = 3
# Some are dropped because they show a hidden link.
READ_PATHS = 4 * MOST_CHAINS
# A bound of work and not of time: another run of the same search gives the same chains.
MOST_WORK = 20_000_000
SECONDS = 600.0
Pair = frozenset[int]


class LinkChains(ContextSource):
    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        if request.version is None or request.date_unit is not None:
            return missing_graph(request)
        return "The edges of the release's graph have no dates, which this task needs."

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        return replace(context, link_chains=tuple(self.find_chains(item.x_id, item.y_id)))

    def find_chains(self, first: str, second: str) -> list[str]:
        ends = [self.request.graph.find_number(one) for one in (first, second)]
        if -1 in ends or ends[0] == ends[1]:
            return []
        for hops in range(2, MOST_HOPS + 1):  # the link of the pair itself is always hidden
            if chains := [*self._chains(ends[0], ends[1], hops)]:
                return chains[:MOST_CHAINS]
        return []

    def _chains(self, source: int, target: int, hops: int) -> Iterator[str]:
        question = PathQuery(
            [source],
            [target],
            hops=hops,
            max_degree=DEFAULT_HUB_LINKS,
            limit=READ_PATHS,
            max_work=MOST_WORK,
        )
        answer = search_paths(self.request.view, question, CancellationToken(), seconds=SECONDS)
        for path in answer.paths:
            if not self.shows_hidden_link(path):
                yield describe_path(path)

    def shows_hidden_link(self, path: ExplainedPath) -> bool:
        numbers = [one.number for one in path.entities]
        steps = pairwise(numbers)
        return any(frozenset(step) in self.hidden for step in steps)

    @cached_property
    def hidden(self) -> frozenset[Pair]:
        """Pairs of all items: an answer to one is no evidence for another."""
        pairs = (
            frozenset(
                (self.request.graph.find_number(one.x_id), self.request.graph.find_number(one.y_id))
            )
            for one in self.request.all_items
        )
        return frozenset(pair for pair in pairs if -1 not in pair)


def describe_path(path: ExplainedPath) -> str:
    entities = [(one.name, one.type) for one in path.entities]
    return link_chain(entities, [step.phrase for step in path.steps])
