"""A context that fits into what an endpoint reads: the last papers go, then the last chains, then
the ends of the candidates' texts."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backend.tracks.model_tasks import AnyModelTask, CandidateText, TaskContext
from backend.tracks.prompt_text import cut_text


@dataclass(frozen=True, slots=True)
class FittedContext:
    """papers, link_chains: how many were left out. text_characters: at most so many of each
    candidate's text are left; None where all are. fits: whether that was enough."""

    context: TaskContext
    papers: int = 0
    link_chains: int = 0
    text_characters: int | None = None
    fits: bool = True

    @property
    def is_cut(self) -> bool:
        return self.papers + self.link_chains > 0 or self.text_characters is not None


def fit_context(
    task: AnyModelTask, item: object, context: TaskContext, most_characters: int
) -> FittedContext:
    """As many papers as fit into both messages, then as many chains, each from the first on; then
    as much of the candidates' texts, of each from its beginning and with one limit for all.

    No candidate is left out, nor the schema of the graph: predictions rest on them.
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
    longest = max((len(one.text) for one in cut.candidates), default=0)
    left: int | None = None
    if longest and not fits(cut):
        left = longest_part(longest, lambda n: fits(with_shorter_texts(cut, n)))
        cut = with_shorter_texts(cut, left)
    return FittedContext(cut, len(papers) - shown, len(chains) - chained, left, fits(cut))


def with_shorter_texts(context: TaskContext, most: int) -> TaskContext:
    return replace(context, candidates=shorter_texts(context.candidates, most))


def shorter_texts(candidates: Sequence[CandidateText], most: int) -> Sequence[CandidateText]:
    return [replace(one, text=cut_text(one.text, most) if most else "") for one in candidates]


def longest_part(length: int, fits: Callable[[int], bool]) -> int:
    """The largest n up to `length` that fits, 0 if none does; a part of what fits fits too."""
    return bisect_left(range(1, length + 1), True, key=lambda n: not fits(n))


def count_characters(task: AnyModelTask, item: object, context: TaskContext) -> int:
    return sum(len(one.content) for one in task.messages(item, context))
