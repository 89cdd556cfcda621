"""RNS of two sets of entities, with a bar for each entity and the percentile among random sets."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.rns.options import SetsInvalid
from backend.benchmarks.rns.question_scoring import load_rows
from backend.benchmarks.rns.scoring_context import Longs, ScoringContext
from backend.common.errors import DomainError
from backend.science.rns.candidates import Candidates, Floats, check_sets
from backend.science.rns.errors import RnsError
from backend.science.rns.jensen_shannon import SplitSurprises
from backend.science.rns.measures import (
    RnsScore,
    SplitScores,
    Weights,
    score_given_splits,
    score_singles,
    surprise_of_splits,
)
from backend.science.rns.percentile import compute_percentile, draw_set
from backend.validation.faults import Fault

MAX_ENTITIES = 500
MAX_ENTITIES_WITH_ROWS = 100
Sets = tuple[list[int], list[int]]


@dataclass(frozen=True)
class SetMeasures:
    """The score of two sets. Indices count the entities, the existing ones first.

    bars: RNS(A without c, {c}) of each entity c.
    """

    entities: tuple[int, ...]
    existing: int
    candidates: Candidates
    score: RnsScore
    bars: SplitScores


@contextmanager
def translate_rns_errors() -> Iterator[None]:
    """Translate errors of the sets into SetsInvalid."""
    try:
        yield
    except RnsError as error:
        raise SetsInvalid.of(error) from error


def parse_sets(basis: ScoringContext, existing: Sequence[str], serendipity: Sequence[str]) -> Sets:
    """Entity numbers of both sets. Raises SetsInvalid with every fault, and too_many."""
    most = MAX_ENTITIES_WITH_ROWS if basis.options.support == "all" else MAX_ENTITIES
    if len(existing) + len(serendipity) > most:
        raise DomainError(
            f"Both sets together hold {most} entities at most, with support={basis.options.support}"
            ".",
            code="too_many",
            data={"most": most},
        )
    faults: list[Fault] = []
    known = _find_entities(basis, "existing", existing, faults)
    new = _find_entities(basis, "serendipity", serendipity, faults)
    if faults:
        raise SetsInvalid(faults[0].message, code=faults[0].code, faults=faults)
    names = dict(zip([*known, *new], [*existing, *serendipity], strict=True))
    both = sorted(names[one] for one in {*known} & {*new})
    if both:
        fault = Fault("serendipity", f"{both[0]} is in both sets.", "overlapping_sets")
        raise SetsInvalid(fault.message, code=fault.code, faults=[fault])
    return known, new


def _find_entities(
    basis: ScoringContext, place: str, named: Sequence[str], faults: list[Fault]
) -> list[int]:
    result = basis.snapshot.find_numbers(named).tolist() if named else []
    if not named:
        faults.append(Fault(place, "This set is empty.", "empty_set"))
    visible: set[int] = set()
    for name, number in zip(named, result, strict=True):
        shown = name if len(name) <= 100 else name[:99] + "…"
        if number < 0:
            faults.append(Fault(place, f"This graph has no entity {shown}.", "unknown_entity"))
        elif number in visible:
            faults.append(Fault(place, f"{shown} is named more than once.", "repeated_candidate"))
        visible.add(number)
    return result


def measure_sets(
    basis: ScoringContext, existing: Sequence[int], serendipity: Sequence[int], weights: Weights
) -> SetMeasures:
    """R, N and S, with S over all entities or among the candidates."""
    entities = [*existing, *serendipity]
    with translate_rns_errors():
        check_sets(basis.snapshot.entity_count, existing, serendipity)
        candidates = basis.candidates(entities)
        novelty = basis.options.novelty
        split = np.arange(len(existing), len(entities), dtype=np.int64)[None, :]
        of_split, of_bars = _surprises(basis, candidates, entities, split)
        whole = score_given_splits(candidates, split, novelty=novelty, surprises=of_split)
        bars = score_singles(candidates, novelty=novelty, surprises=of_bars)
    score = whole.score_of(0, weights, candidates.unembedded)
    return SetMeasures(tuple(entities), len(existing), candidates, score, bars)


def score_sets(
    basis: ScoringContext, existing: Sequence[int], serendipity: Sequence[int], weights: Weights
) -> RnsScore:
    """The score without the bars."""
    candidates, measured = _score_split(basis, [*existing, *serendipity], len(existing))
    return measured.score_of(0, weights, candidates.unembedded)


def _score_split(
    basis: ScoringContext, entities: list[int], existing: int
) -> tuple[Candidates, SplitScores]:
    with translate_rns_errors():
        candidates = basis.candidates(entities)
        split = np.arange(existing, len(entities), dtype=np.int64)[None, :]
        if basis.options.support == "candidates":
            result = surprise_of_splits(candidates, split)
        else:
            result = basis.surprises(load_rows(basis, entities), split)
        novelty = basis.options.novelty
        return candidates, score_given_splits(candidates, split, novelty=novelty, surprises=result)


def _surprises(
    basis: ScoringContext, candidates: Candidates, entities: Sequence[int], split: Longs
) -> tuple[SplitSurprises, SplitSurprises]:
    """S of the split, and of each entity alone."""
    singles = np.arange(len(entities), dtype=np.int64)[:, None]
    if basis.options.support == "candidates":
        return surprise_of_splits(candidates, split), surprise_of_splits(candidates, singles)
    rows = load_rows(basis, entities)
    return basis.surprises(rows, split), basis.surprises(rows, singles)


DRAWS = 200
SEED = 0
MAX_ENTRIES_READ = 4 * 10**9  # entries of the graph, while the client waits


@dataclass(frozen=True)
class Percentiles:
    """0 to 100 for each part and the total, among `draws` random sets."""

    draws: int
    relevance: float
    novelty: float
    surprise: float
    total: float


def compute_percentiles(
    basis: ScoringContext, result: SetMeasures, weights: Weights
) -> Percentiles:
    """Deterministic for the same sets and graph. Raises TooCostly and Stopped."""
    count = len(result.entities)
    if basis.options.support == "all":
        _require_affordable(basis, count)
    types = [int(basis.snapshot.type_of[number]) for number in result.entities]
    places = {kind: [at for at, one in enumerate(types) if one == kind] for kind in types}
    pools = {kind: np.flatnonzero(basis.snapshot.type_of == kind) for kind in places}
    chance = np.random.default_rng(SEED)
    drawn = [draw_set(places, pools, count, chance) for _ in range(DRAWS)]
    parts = np.array([_draw_parts(basis, one, result.existing) for one in drawn])
    score = result.score
    own = np.array([score.relevance, score.novelty, score.surprise])
    totals, whole = parts @ np.array(weights.values), float(own @ np.array(weights.values))
    relevance, novelty, surprise = (
        compute_percentile(float(own[n]), parts[:, n].tolist()) for n in range(3)
    )
    return Percentiles(
        DRAWS, relevance, novelty, surprise, compute_percentile(whole, totals.tolist())
    )


def _require_affordable(basis: ScoringContext, count: int) -> None:
    hops = basis.model.parameters.hops
    read = basis.model.entry_count * hops * basis.pass_count(count) * DRAWS
    if read > MAX_ENTRIES_READ:
        raise DomainError(
            "This graph is too large for percentiles with support=all. Use support=candidates.",
            code="too_costly",
        )


def _draw_parts(basis: ScoringContext, entities: list[int], existing: int) -> Floats:
    """R, N and S of one draw."""
    if basis.stop is not None:
        basis.stop.raise_if_cancelled()
    parts: Floats = _score_split(basis, entities, existing)[1].parts[0]
    return parts
