"""Path search with explanations: phrases, evidence, metapaths, and counts of hidden paths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from backend.common.errors import DomainError
from backend.graphs.edge_phrases import EntityRef, ExplainedStep, entity_ref, explain_step
from backend.graphs.metapaths import describe_metapath, metapath_key
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.view_csr import ViewCsr, csr_around
from backend.runtime.cancellation import CancellationToken
from backend.science.path_answers import Metapath, Path, PathSearchResult
from backend.science.paths import PathOrder, PathQuery, compile_kernels, find_paths

DEFAULT_HUB_LINKS = 1000  # paths through an entity with more links are hidden by default
TIME_LIMIT_S = 5.0
MAX_END_LINKS = 10_000_000  # of all ends together; their edges are held in memory
CapReason = Literal["work", "time"]

FORMULAS: Mapping[PathOrder, str] = {
    "probability": (
        "the probability that a random walk takes exactly these steps. "
        "Each step multiplies it by 1 / the number of links of the entity where it starts."
    ),
    "degree": (
        "the path degree product. Each step multiplies it by "
        "1 / (links of its relation at one end \N{MULTIPLICATION SIGN} those at the other)"
        "^{damping:g}."
    ),
}


@dataclass(frozen=True, slots=True)
class ExplainedPath:
    """A path of n steps has n + 1 entities; `metapath` is the key of its metapath."""

    rank: int
    weight: float
    metapath: str
    entities: tuple[EntityRef, ...]
    steps: tuple[ExplainedStep, ...]


@dataclass(frozen=True, slots=True)
class MetapathCount:
    key: str
    phrase: str
    count: int
    hidden: int


@dataclass(frozen=True, slots=True)
class ExplainedPaths:
    """Result of a path search.

    `capped_by` is the reason why the search ended early, in which case counts are lower bounds.
    `other_metapaths` counts the paths of metapaths that are not listed.
    """

    total: int
    hidden_through_hubs: int
    hub_links: int | None
    capped_by: CapReason | None
    order: PathOrder
    formula: str
    metapaths: tuple[MetapathCount, ...]
    other_metapaths: int
    paths: tuple[ExplainedPath, ...]

    @property
    def shown(self) -> int:
        return len(self.paths)

    @property
    def summary(self) -> str:
        """'12 of 340 shown, 28 through hubs hidden'."""
        least = "at least " if self.capped_by else ""
        text = f"{self.shown:,} of {least}{self.total:,} shown"
        if self.hidden_through_hubs:
            text += f", {least}{self.hidden_through_hubs:,} through hubs hidden"
        return text


def search_paths(
    view: GraphView,
    question: PathQuery,
    stop: CancellationToken,
    *,
    seconds: float = TIME_LIMIT_S,
    max_links: int = MAX_END_LINKS,
) -> ExplainedPaths:
    """Search paths within a time limit and explain them.

    Raises IndexError for an unknown entity number, DomainError for ends with too many links.
    """
    check_end_links(view, [*question.sources, *question.targets], max_links)
    sides = csr_around(view, [*question.sources, *question.targets])
    compile_kernels(sides.links, sides.types, sides.symmetric)
    with stop.cancel_after(seconds):
        inside = replace(
            question,
            sources=sides.to_csr_numbers(question.sources),
            targets=sides.to_csr_numbers(question.targets),
        )
        answer = find_paths(sides.links, sides.types, sides.symmetric, inside, stop)
    capped: CapReason | None = None
    if not answer.is_complete:
        capped = "work" if answer.entries_read >= question.max_work else "time"
    return ExplainedPaths(
        answer.path_count,
        answer.hidden_count,
        question.max_degree,
        capped,
        question.order,
        FORMULAS[question.order].format(damping=question.damping),
        explain_metapaths(view, answer),
        answer.other_count,
        explain_paths(view, sides, answer.paths),
    )


def check_end_links(view: GraphView, ends: Sequence[int], most: int) -> None:
    links = sum(view.degree(end) for end in ends)
    if links > most:
        raise DomainError(
            f"These entities have {links:,} links together; the limit is {most:,}. "
            "Choose fewer entities.",
            code="too_many",
            data={"links": links, "most": most},
        )


def explain_metapaths(view: GraphView, answer: PathSearchResult) -> tuple[MetapathCount, ...]:
    return tuple(
        MetapathCount(
            metapath_key(view, one), describe_metapath(view, one), one.path_count, one.hidden_count
        )
        for one in answer.metapaths
    )


def explain_paths(
    view: GraphView, sides: ViewCsr, paths: Sequence[Path]
) -> tuple[ExplainedPath, ...]:
    """Explain paths; each entity and edge is read once, even if many paths share it."""
    refs: dict[int, EntityRef] = {}
    steps: dict[tuple[int, bool], ExplainedStep] = {}
    explained = []
    for rank, path in enumerate(paths, start=1):
        numbers = [sides.to_view_number(number) for number in path.entities]
        walked = [(step.edge, step.is_forward) for step in path.steps]
        for number in numbers:
            refs[number] = refs.get(number) or entity_ref(view, number)
        for edge, along in walked:
            known = steps.get((edge, along))
            steps[edge, along] = known or explain_step(view, edge, forward=along)
        key = metapath_key(view, metapath_of_path(view, path, numbers))
        explained.append(
            ExplainedPath(
                rank,
                path.weight,
                key,
                tuple(refs[number] for number in numbers),
                tuple(steps[one] for one in walked),
            )
        )
    return tuple(explained)


def metapath_of_path(view: GraphView, path: Path, numbers: Sequence[int]) -> Metapath:
    types = tuple(int(view.type_of[number]) for number in numbers)
    return Metapath(types, tuple((step.relation, step.is_forward) for step in path.steps))
