"""Paths between entities, explained: phrases, evidence, kinds, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from backend.common.errors import DomainError
from backend.graphs.metapaths import key_of, words_of
from backend.graphs.neighbourhood import EntityRef, ExplainedStep, entity_ref, explain
from backend.graphs.sides import Sides, sides_around
from backend.graphs.snapshots.view import GraphView
from backend.science.path_answers import Answer, Metapath, Path
from backend.science.paths import Order, Question, find_paths, prepare
from backend.science.stopping import Stop

HUB = 1000  # entries: an entity between the ends with more is hidden until it is asked for
SECONDS = 5.0
MOST_LINKS = 10_000_000  # of all ends together: the first and last steps are listed in memory
Capped = Literal["work", "time"]

FORMULAS: Mapping[Order, str] = {
    "probability": (
        "The chance that a random walk takes exactly these steps: "
        "the product, over the entities that a step leaves, of 1 / their number of links."
    ),
    "degree": (
        "The path degree product: 1 divided by the product, over the steps, of "
        "(links of this relation at one end, times those at the other) to the power of {damping:g}."
    ),
}


@dataclass(frozen=True, slots=True)
class ExplainedPath:
    """entities has one more than steps; metapath is the key of its kind."""

    rank: int
    weight: float
    metapath: str
    entities: tuple[EntityRef, ...]
    steps: tuple[ExplainedStep, ...]


@dataclass(frozen=True, slots=True)
class MetapathCount:
    """A kind of path: how many there are that are not hidden, and how many are."""

    key: str
    words: str
    count: int
    hidden: int


@dataclass(frozen=True, slots=True)
class PathReport:
    """What was found. Capped: why the search ended early, so that counts are lower bounds.

    other_metapaths counts the paths whose kind is not told.
    """

    found: int
    hidden_through_hubs: int
    hub_links: int | None
    capped: Capped | None
    order: Order
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
        least = "at least " if self.capped else ""
        said = f"{self.shown:,} of {least}{self.found:,} shown"
        if self.hidden_through_hubs:
            said += f", {least}{self.hidden_through_hubs:,} through hubs hidden"
        return said


def search_paths(
    view: GraphView, question: Question, stop: Stop, *, seconds: float = SECONDS
) -> PathReport:
    """Search, for so many seconds at most, and explain what was found.

    Raises IndexError for an entity that is not there, DomainError for ends with too many links.
    """
    check_links(view, [*question.sources, *question.targets])
    sides = sides_around(view, [*question.sources, *question.targets])
    prepare(sides.links, sides.types, sides.symmetric)
    with stop.after(seconds):
        inside = replace(
            question,
            sources=sides.inside(question.sources),
            targets=sides.inside(question.targets),
        )
        answer = find_paths(sides.links, sides.types, sides.symmetric, inside, stop)
    capped: Capped | None = None
    if not answer.complete:
        capped = "work" if answer.looked_at >= question.work else "time"
    return PathReport(
        answer.found,
        answer.hidden,
        question.hub,
        capped,
        question.order,
        FORMULAS[question.order].format(damping=question.damping),
        kinds_told(view, answer),
        answer.others,
        explained(view, sides, answer.paths),
    )


def check_links(view: GraphView, ends: Sequence[int]) -> None:
    links = sum(view.degree(end) for end in ends)
    if links > MOST_LINKS:
        raise DomainError(
            f"The ends of these paths have {links:,} links, and a search begins with "
            f"{MOST_LINKS:,} at most. Name fewer entities.",
            code="too_many",
            data={"links": links, "most": MOST_LINKS},
        )


def kinds_told(view: GraphView, answer: Answer) -> tuple[MetapathCount, ...]:
    return tuple(
        MetapathCount(key_of(view, one), words_of(view, one), one.found, one.hidden)
        for one in answer.metapaths
    )


def explained(view: GraphView, sides: Sides, paths: Sequence[Path]) -> tuple[ExplainedPath, ...]:
    """Each entity and edge is read once, however many paths run through it."""
    refs: dict[int, EntityRef] = {}
    steps: dict[tuple[int, bool], ExplainedStep] = {}
    found = []
    for rank, path in enumerate(paths, start=1):
        numbers = [sides.outside(number) for number in path.entities]
        walked = [(step.edge, step.along) for step in path.steps]
        for number in numbers:
            refs[number] = refs.get(number) or entity_ref(view, number)
        for edge, along in walked:
            known = steps.get((edge, along))
            steps[edge, along] = known or explain(view, edge, forward=along)
        key = key_of(view, kind_of(view, path, numbers))
        found.append(
            ExplainedPath(
                rank,
                path.weight,
                key,
                tuple(refs[number] for number in numbers),
                tuple(steps[one] for one in walked),
            )
        )
    return tuple(found)


def kind_of(view: GraphView, path: Path, numbers: Sequence[int]) -> Metapath:
    types = tuple(int(view.type_of[number]) for number in numbers)
    return Metapath(types, tuple((step.relation, step.along) for step in path.steps))
