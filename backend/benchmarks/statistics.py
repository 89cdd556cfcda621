"""What a question set holds, as SerenQA's Tables 1 and 4 count it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.benchmarks.patterns.shapes import PATTERN_TYPES, Pattern

OTHER = "other"


@dataclass(frozen=True)
class Counted:
    """As much of a question as is counted. `said_type` is what its file calls the type."""

    pattern: Pattern
    answers: int
    said_type: str = ""


@dataclass(frozen=True)
class Statistics:
    """Table 1, with the sizes of answer sets, and Table 4.

    `queries` counts distinct patterns. `types` has every type of PATTERN_TYPES, and 'other'
    where a shape is none of them; `said` how often the files call a type by which word.
    """

    questions: int
    queries: int
    entities: int
    edges: int
    pattern_types: int
    mean_answers: float
    fewest_answers: int
    most_answers: int
    types: Mapping[str, int]
    said: Mapping[str, Mapping[str, int]]


def statistics_of(counted: Iterable[Counted], *, entities: int, edges: int) -> Statistics:
    """`entities` and `edges`: of the graph that the questions are about. No questions: zeros."""
    every = list(counted)
    types = Counter(one.pattern.type or OTHER for one in every)
    sizes = [one.answers for one in every] or [0]
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in every:
        said[one.pattern.type or OTHER][one.said_type] += 1
    return Statistics(
        questions=len(every),
        queries=len({one.pattern for one in every}),
        entities=entities,
        edges=edges,
        pattern_types=len(types.keys() - {OTHER}),
        mean_answers=sum(sizes) / len(sizes),
        fewest_answers=min(sizes),
        most_answers=max(sizes),
        types={name: types[name] for name in (*PATTERN_TYPES, OTHER)},
        said={name: dict(said[name]) for name in sorted(said)},
    )
