"""RNS of two sets of entities, with the bar of each and all that the score is read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.serendipity.basis import Basis, Longs
from backend.benchmarks.serendipity.options import SetsInvalid
from backend.benchmarks.serendipity.scoring import held_rows
from backend.common.errors import DomainError, Fault
from backend.science.rns.candidates import Candidates, check_sets
from backend.science.rns.divergence import Surprises
from backend.science.rns.errors import RnsError
from backend.science.rns.measures import (
    Measured,
    Score,
    Weights,
    candidate_bars,
    measure_splits,
    surprises_among,
)

MOST_ENTITIES = 500
MOST_WITH_ROWS = 100
Sets = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Measures:
    """A score of two sets; places count the entities, the existing ones first.

    bars: RNS(A without c, {c}) of each entity c.
    """

    entities: tuple[int, ...]
    existing: int
    candidates: Candidates
    score: Score
    bars: Measured


@contextmanager
def told_of_sets() -> Iterator[None]:
    """What is wrong with the sets, as it is told to people."""
    try:
        yield
    except RnsError as error:
        raise SetsInvalid.of(error) from error


def sets_in(basis: Basis, existing: Sequence[str], serendipity: Sequence[str]) -> Sets:
    """Numbers of entities. Raises SetsInvalid, with every place, and too_many."""
    most = MOST_WITH_ROWS if basis.options.support == "all" else MOST_ENTITIES
    if len(existing) + len(serendipity) > most:
        raise DomainError(
            f"Both sets together hold {most} entities at most, with support={basis.options.support}"
            ".",
            code="too_many",
            data={"most": most},
        )
    faults: list[Fault] = []
    known = _numbers(basis, "existing", existing, faults)
    new = _numbers(basis, "serendipity", serendipity, faults)
    if faults:
        raise SetsInvalid(faults[0].message, code=faults[0].code, faults=faults)
    names = dict(zip([*known, *new], [*existing, *serendipity], strict=True))
    both = sorted(names[one] for one in {*known} & {*new})
    if both:
        fault = Fault("serendipity", f"{both[0]} is in both sets.", "overlapping_sets")
        raise SetsInvalid(fault.message, code=fault.code, faults=[fault])
    return known, new


def _numbers(basis: Basis, place: str, named: Sequence[str], faults: list[Fault]) -> list[int]:
    found = basis.snapshot.numbers_of(named).tolist() if named else []
    if not named:
        faults.append(Fault(place, "This set is empty.", "empty_set"))
    seen: set[int] = set()
    for name, number in zip(named, found, strict=True):
        shown = name if len(name) <= 100 else name[:99] + "…"
        if number < 0:
            faults.append(Fault(place, f"There is no entity {shown}.", "unknown_entity"))
        elif number in seen:
            faults.append(Fault(place, f"{shown} is named more than once.", "repeated_candidate"))
        seen.add(number)
    return found


def measure(
    basis: Basis, existing: Sequence[int], serendipity: Sequence[int], weights: Weights
) -> Measures:
    """R, N and S over all entities, or among the candidates, as the options say."""
    entities = [*existing, *serendipity]
    with told_of_sets():
        check_sets(basis.snapshot.entity_count, existing, serendipity)
        candidates = basis.candidates(entities)
        novelty = basis.options.novelty
        split = np.arange(len(existing), len(entities), dtype=np.int64)[None, :]
        of_split, of_bars = _surprises(basis, candidates, entities, split)
        whole = measure_splits(candidates, split, novelty=novelty, surprises=of_split)
        bars = candidate_bars(candidates, novelty=novelty, surprises=of_bars)
    score = whole.score(0, weights, candidates.unembedded)
    return Measures(tuple(entities), len(existing), candidates, score, bars)


def score_sets(
    basis: Basis, existing: Sequence[int], serendipity: Sequence[int], weights: Weights
) -> Score:
    """The score alone, without the bars."""
    entities = [*existing, *serendipity]
    with told_of_sets():
        candidates = basis.candidates(entities)
        split = np.arange(len(existing), len(entities), dtype=np.int64)[None, :]
        found = surprises_among(candidates, split)
        if basis.options.support == "all":
            found = basis.surprises(held_rows(basis, entities), split)
        novelty = basis.options.novelty
        measured = measure_splits(candidates, split, novelty=novelty, surprises=found)
    return measured.score(0, weights, candidates.unembedded)


def _surprises(
    basis: Basis, candidates: Candidates, entities: Sequence[int], split: Longs
) -> tuple[Surprises, Surprises]:
    """S of the split, and of each entity alone."""
    singles = np.arange(len(entities), dtype=np.int64)[:, None]
    if basis.options.support == "candidates":
        return surprises_among(candidates, split), surprises_among(candidates, singles)
    rows = held_rows(basis, entities)
    return basis.surprises(rows, split), basis.surprises(rows, singles)
