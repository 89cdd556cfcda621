"""Surprises of a graph: a drug with a usual use and one that few drugs of its kind have.

Where both uses have years, the distant one is the later one, and the usual one the first of all:
such pairs come first. Of drug d with usual use a and distant use b, y years apart:

    surprise = gap * unlike / (1 + ln(1 + traits that a and b share)) * y / (y + 4)
               / (1 + undated uses of d)

`gap` is that of the best reason, `unlike` the share of drugs for b that are not like d
(`use_reasons`), at least 0.5. Without an order in time, the usual use is the one whose other drugs
are most like d, the reason must be a link in common with gap >= 0.6, and the last two factors are

    (0.1 + kinship(d, a) - kinship(d, b)) / sqrt(uses of d)

Made-up dates do not count.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, permutations
from math import log, sqrt

from backend.graphs.drug_uses import EFFECT_TYPES, DrugUses, read_drug_uses
from backend.graphs.edge_phrases import EntityRef, ExplainedStep, entity_ref, explain_step
from backend.graphs.path_queries import DEFAULT_HUB_LINKS, ExplainedPath, search_paths
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.use_reasons import Reason, UseCounts
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery

MAX_SURPRISES = 10
MAX_PATHS = 40  # among which one is chosen
MAX_DRUG_USES = 20  # no use of a drug for everything is a surprise
MAX_SAME_USUAL = 2  # surprises with one usual use
TIME_LIMIT_S = 5.0
KINSHIP_FLOOR = 0.1
FEWEST_UNLIKE = 0.5
FEWEST_GAP = 0.6  # without an order in time
HALF_SPAN = {"year": 4, "pmid": 4_000_000}  # the time between two uses that counts as a half


@dataclass(frozen=True, slots=True)
class Surprise:
    """The edges that state both uses, and a path from the drug to the distant use, if any.

    `is_later` if the distant use is known to have come second. `reason_entity` is what the drugs
    that the reason counts have in common. `mechanism` passes neither drugs nor diseases nor their
    signs, or if there is none, a link of the drug and another drug.
    """

    drug: EntityRef
    usual: EntityRef
    distant: EntityRef
    usual_step: ExplainedStep
    distant_step: ExplainedStep
    is_later: bool
    reason: Reason
    reason_entity: EntityRef
    mechanism: ExplainedPath | None


@dataclass(frozen=True, slots=True)
class Surprises:
    """`uses` counts the drugs with a use: 0 if the graph states none."""

    uses: int
    surprises: tuple[Surprise, ...]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class UsePair:
    """Two uses of a drug; `is_later` if the distant one is known to have come second."""

    drug: int
    usual: int
    distant: int
    is_later: bool
    surprise: float
    reason: Reason


def find_surprises(
    snapshot: Snapshot, stop: CancellationToken, *, seconds: float = TIME_LIMIT_S
) -> Surprises:
    """The most surprising pairs, one for each drug and for each distant use."""
    uses = read_drug_uses(snapshot)
    search_paths(snapshot, PathQuery([], []), stop)  # compiles before the time limit starts
    with stop.cancel_after(seconds):
        pairs = islice(distinct_pairs(rank_pairs(uses, stop)), MAX_SURPRISES)
        surprises = tuple(explain_surprise(uses, pair, stop) for pair in pairs)
    return Surprises(len(uses.treated), surprises, not stop.is_cancelled)


def rank_pairs(uses: DrugUses, stop: CancellationToken) -> list[UsePair]:
    """Those with an order in time first, then the most surprising first."""
    counts = UseCounts(uses)
    pairs = [
        pair
        for drug, treated in uses.treated.items()
        if 2 <= len(treated) <= MAX_DRUG_USES and not stop.is_cancelled
        for pair in pairs_of_drug(counts, drug)
    ]
    return sorted(
        pairs, key=lambda it: (not it.is_later, -it.surprise, it.drug, it.usual, it.distant)
    )


def distinct_pairs(ranked: list[UsePair]) -> Iterator[UsePair]:
    """Each drug and each distant use once, and few with one usual use."""
    drugs, distant, usual = set[int](), set[int](), Counter[int]()
    for pair in ranked:
        if pair.drug in drugs or pair.distant in distant or usual[pair.usual] >= MAX_SAME_USUAL:
            continue
        drugs.add(pair.drug)
        distant.add(pair.distant)
        usual[pair.usual] += 1
        yield pair


def pairs_of_drug(counts: UseCounts, drug: int) -> Iterator[UsePair]:
    uses = counts.uses
    treated = uses.treated[drug]
    dates = {use: edge.date for use, edge in uses.use_edges(drug).items()}
    kinships = {one: uses.kinship(drug, one) for one in treated}
    likeliest = max(treated, key=lambda one: (kinships[one], len(uses.drugs_for[one]), -one))
    for usual, distant in permutations(treated, 2):
        is_later = follows(dates, usual, distant)
        pair = None
        if is_later is False or are_linked(uses.snapshot, usual, distant):
            continue
        if counts.unlike_share(drug, usual, distant) < FEWEST_UNLIKE:
            continue
        if is_later:
            pair = dated_pair(counts, drug, usual, distant, dates)
        elif usual == likeliest:
            pair = undated_pair(counts, drug, usual, distant, kinships)
        if pair is not None:
            yield pair


def follows(dates: dict[int, int], usual: int, distant: int) -> bool | None:
    """Whether the usual use came first of all and the distant one later; None if unknown."""
    known = [date for date in dates.values() if date]
    first = min(known, default=0)
    if dates[usual] not in (0, first):
        return False
    if dates[usual] and dates[distant]:
        return dates[usual] < dates[distant]
    return False if len(known) > 1 and dates[distant] == first else None


def dated_pair(
    counts: UseCounts, drug: int, usual: int, distant: int, dates: dict[int, int]
) -> UsePair | None:
    reason = counts.best_reason(drug, usual, distant)
    edge_dates = get_edge_dates(counts.uses.snapshot)
    if reason.gap <= 0 or edge_dates is None:
        return None
    span, half = dates[distant] - dates[usual], HALF_SPAN[edge_dates.unit]
    undated = sum(date == 0 for date in dates.values())
    time = span / (span + half) / (1 + undated)
    surprise = time * contrast(counts, drug, usual, distant, reason)
    return UsePair(drug, usual, distant, True, surprise, reason)


def undated_pair(
    counts: UseCounts, drug: int, usual: int, distant: int, kinships: dict[int, float]
) -> UsePair | None:
    reason = counts.best_link(drug, usual, distant)
    if reason is None or reason.gap < FEWEST_GAP:
        return None
    kind = KINSHIP_FLOOR + kinships[usual] - kinships[distant]
    kind /= sqrt(len(counts.uses.treated[drug]))
    surprise = kind * contrast(counts, drug, usual, distant, reason)
    return UsePair(drug, usual, distant, False, surprise, reason)


def contrast(counts: UseCounts, drug: int, usual: int, distant: int, reason: Reason) -> float:
    """How far the distant use is from the drugs like this one, and from the usual use."""
    alike = len(counts.uses.traits(usual) & counts.uses.traits(distant))
    return reason.gap * counts.unlike_share(drug, usual, distant) / (1 + log(1 + alike))


def are_linked(snapshot: Snapshot, first: int, second: int) -> bool:
    """Whether an edge joins two diseases: one may be a kind of the other."""
    return any(second in snapshot.row(first, outgoing=way).neighbours for way in (True, False))


def explain_surprise(uses: DrugUses, pair: UsePair, stop: CancellationToken) -> Surprise:
    view, edges = uses.snapshot, uses.use_edges(pair.drug)
    usual, distant = (
        explain_step(view, edges[use].edge, forward=edges[use].outgoing)
        for use in (pair.usual, pair.distant)
    )
    return Surprise(
        drug=entity_ref(view, pair.drug),
        usual=entity_ref(view, pair.usual),
        distant=entity_ref(view, pair.distant),
        usual_step=usual,
        distant_step=distant,
        is_later=pair.is_later,
        reason=pair.reason,
        reason_entity=entity_ref(view, pair.reason.entity),
        mechanism=find_mechanism(uses, pair.drug, pair.distant, stop),
    )


def find_mechanism(
    uses: DrugUses, drug: int, disease: int, stop: CancellationToken
) -> ExplainedPath | None:
    """Through genes and the like; else through another drug for the disease with a link alike."""
    view, links = uses.snapshot, set(uses.links[drug])
    relations = frozenset(range(len(view.relations))) - uses.relations
    query = PathQuery([drug], [disease], max_degree=DEFAULT_HUB_LINKS, limit=MAX_PATHS)
    for one, is_suitable in (
        (replace(query, relations=relations), is_mechanism),
        (query, lambda path: len(path.entities) == 4 and path.entities[1].number in links),
    ):
        paths = () if stop.is_cancelled else search_paths(view, one, stop).paths
        if mechanism := next((path for path in paths if is_suitable(path)), None):
            return mechanism
    return None


def is_mechanism(path: ExplainedPath) -> bool:
    first, *inner, last = (entity.type for entity in path.entities)
    effects = [one for one in inner if any(word in one.lower() for word in EFFECT_TYPES)]
    return bool(inner) and not effects and not {first, last} & {*inner}
