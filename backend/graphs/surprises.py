"""Surprises of a graph: a drug with a usual use and one that few drugs of its kind have.

The usual use of a drug is the one whose other drugs are most like it, the distant use one whose
other drugs are unlike it. Of drug d with usual use a and distant use b:

    surprise = (1 - overlap(a, b)) / (1 + traits that a and b share)
               * (KINSHIP_FLOOR + kinship(d, a) - kinship(d, b))
               * log(1 + drugs for a) * log(1 + drugs for b) / uses of d

Where the edges of both have dates, the distant use is no older than the usual one: it came
second. Made-up dates do not count.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import log

from backend.graphs.drug_uses import DrugUses, read_drug_uses
from backend.graphs.edge_phrases import EntityRef, ExplainedStep, entity_ref, explain_step
from backend.graphs.path_queries import DEFAULT_HUB_LINKS, ExplainedPath, search_paths
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery

MAX_SURPRISES = 10
MAX_PATHS = 40  # among which one is chosen
TIME_LIMIT_S = 5.0
KINSHIP_FLOOR = 0.1
MADE_UP = "synthetic"  # the source of such dates
EFFECT_TYPES = ("effect", "phenotype", "symptom")


@dataclass(frozen=True, slots=True)
class Surprise:
    """The edges that state both uses, and a path from the drug to the distant use, if any.

    `mechanism` passes neither drugs nor diseases nor their signs.
    """

    drug: EntityRef
    usual: EntityRef
    distant: EntityRef
    usual_step: ExplainedStep
    distant_step: ExplainedStep
    mechanism: ExplainedPath | None


@dataclass(frozen=True, slots=True)
class Surprises:
    """`uses` counts the drugs with a use: 0 if the graph states none."""

    uses: int
    surprises: tuple[Surprise, ...]
    is_complete: bool


def find_surprises(
    snapshot: Snapshot, stop: CancellationToken, *, seconds: float = TIME_LIMIT_S
) -> Surprises:
    """The most surprising pairs, one for each drug and for each distant use."""
    uses = read_drug_uses(snapshot)
    search_paths(snapshot, PathQuery([], []), stop)  # compiles before the time limit starts
    with stop.cancel_after(seconds):
        pairs = islice(distinct_pairs(rank_pairs(uses, stop)), MAX_SURPRISES)
        surprises = tuple(explain_surprise(uses, *pair, stop) for pair in pairs)
    return Surprises(len(uses.treated), surprises, not stop.is_cancelled)


def rank_pairs(uses: DrugUses, stop: CancellationToken) -> list[tuple[int, int, int]]:
    """The best pair of each drug as (drug, usual use, distant use), the most surprising first."""
    ranked = []
    for drug, treated in uses.treated.items():
        if len(treated) < 2 or stop.is_cancelled:
            continue
        kinships = {one: uses.kinship(drug, one) for one in treated}
        usual = max(treated, key=lambda one: (kinships[one], len(uses.drugs_for[one]), -one))
        pairs = [
            (surprise_of(uses, drug, usual, other, kinships), -other)
            for other in treated
            if other != usual
            and not are_linked(uses.snapshot, usual, other)
            and not came_before(uses, drug, other, usual)
        ]
        if pairs:
            score, other = max(pairs)
            ranked.append((score, -drug, usual, -other))
    return [(-drug, usual, distant) for _, drug, usual, distant in sorted(ranked, reverse=True)]


def distinct_pairs(ranked: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Without pairs whose distant use was already listed."""
    listed = set[int]()
    for drug, usual, distant in ranked:
        if distant not in listed:
            listed.add(distant)
            yield drug, usual, distant


def surprise_of(
    uses: DrugUses, drug: int, usual: int, distant: int, kinships: dict[int, float]
) -> float:
    gap = KINSHIP_FLOOR + kinships[usual] - kinships[distant]
    known = log(1 + len(uses.drugs_for[usual])) * log(1 + len(uses.drugs_for[distant]))
    unlike = 1 - uses.overlap(drug, usual, distant)
    alike = 1 + len(uses.traits(usual) & uses.traits(distant))
    return unlike / alike * gap * known / len(uses.treated[drug])


def are_linked(snapshot: Snapshot, first: int, second: int) -> bool:
    """Whether an edge joins two diseases: one may be a kind of the other."""
    return any(second in snapshot.row(first, outgoing=way).neighbours for way in (True, False))


def came_before(uses: DrugUses, drug: int, first: int, second: int) -> bool:
    """Whether one use of a drug was first seen before another; False without dates."""
    if get_edge_dates(uses.snapshot) is None:
        return False
    dates = [date_of(explain_use(uses, drug, one)) for one in (first, second)]
    (unit, date), (other_unit, other_date) = dates
    return unit == other_unit and 0 < date < other_date


def date_of(use: ExplainedStep) -> tuple[str, int]:
    """Its unit and value; 0 without a date and for one that is made up."""
    first = (use.evidence or {}).get("first_seen")
    if first is None or first["source"] == MADE_UP:
        return "", 0
    return first["unit"], first["value"]


def explain_surprise(
    uses: DrugUses, drug: int, usual: int, distant: int, stop: CancellationToken
) -> Surprise:
    return Surprise(
        drug=entity_ref(uses.snapshot, drug),
        usual=entity_ref(uses.snapshot, usual),
        distant=entity_ref(uses.snapshot, distant),
        usual_step=explain_use(uses, drug, usual),
        distant_step=explain_use(uses, drug, distant),
        mechanism=find_mechanism(uses, drug, distant, stop),
    )


def explain_use(uses: DrugUses, drug: int, disease: int) -> ExplainedStep:
    """The first edge that states a use, read from the drug."""
    for outgoing in (True, False):
        row = uses.snapshot.row(drug, outgoing=outgoing)
        columns = zip(
            row.neighbours.tolist(), row.relations.tolist(), row.edge_ids().tolist(), strict=True
        )
        for neighbour, relation, edge in columns:
            if neighbour == disease and relation in uses.relations:
                return explain_step(uses.snapshot, edge, forward=outgoing)
    raise ValueError(f"entity {drug} has no use {disease}")


def find_mechanism(
    uses: DrugUses, drug: int, disease: int, stop: CancellationToken
) -> ExplainedPath | None:
    others = frozenset(range(len(uses.snapshot.relations))) - uses.relations
    query = PathQuery(
        [drug], [disease], relations=others, max_degree=DEFAULT_HUB_LINKS, limit=MAX_PATHS
    )
    paths = () if stop.is_cancelled else search_paths(uses.snapshot, query, stop).paths
    return next((path for path in paths if is_mechanism(path)), None)


def is_mechanism(path: ExplainedPath) -> bool:
    first, *inner, last = (entity.type for entity in path.entities)
    effects = [one for one in inner if any(word in one.lower() for word in EFFECT_TYPES)]
    return bool(inner) and not effects and not {first, last} & {*inner}
