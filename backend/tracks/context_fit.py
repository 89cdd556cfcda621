"""A context that fits into what an endpoint reads: the last papers, then the last chains, go."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from backend.tracks.model_tasks import AnyModelTask, TaskContext


@dataclass(frozen=True, slots=True)
class FittedContext:
    """papers, link_chains: how many were left out. fits: whether that was enough."""

    context: TaskContext
    papers: int = 0
    link_chains: int = 0
    fits: bool = True

    @property
    def is_cut(self) -> bool:
        return self.papers + self.link_chains > 0


def fit_context(
    task: AnyModelTask, item: object, context: TaskContext, most_characters: int
) -> FittedContext:
    """As many papers as fit into both messages, then as many chains, each from the first on.

    Candidates and the schema of the graph are never left out: predictions rest on them.
    """

    def fits(one: TaskContext) -> bool:
        return count_characters(task, item, one) <= most_characters

    if fits(context):
        return FittedContext(context)
    papers, chains = context.papers, context.link_chains
    shown = longest_part(len(papers), lambda n: fits(replace(context, papers=papers[:n])))
    cut = replace(context, papers=papers[:shown])
    chained = longest_part(len(chains), lambda n: fits(replace(cut, link_chains=chains[:n])))
    cut = replace(cut, link_chains=chains[:chained])
    return FittedContext(cut, len(papers) - shown, len(chains) - chained, fits(cut))


def longest_part(length: int, fits: Callable[[int], bool]) -> int:
    """The largest n up to `length` that fits, 0 if none does; a part of what fits fits too."""
    return bisect_left(range(1, length + 1), True, key=lambda n: not fits(n))


def count_characters(task: AnyModelTask, item: object, context: TaskContext) -> int:
    return sum(len(one.content) for one in task.messages(item, context))
