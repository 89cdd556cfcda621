"""Counts of a question set, as in SerenQA's Tables 1 and 4."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backend.tracks.serenqa_patterns import PATTERN_TYPES, Pattern

OTHER_TYPE = "other"


@dataclass(frozen=True)
class QuestionSummary:
    """What the statistics need of a question. `type_label` is the file's own label of the type."""

    pattern: Pattern
    answers: int
    type_label: str = ""


@dataclass(frozen=True)
class DatasetStatistics:
    """Table 1, with the sizes of the answer sets, and Table 4.

    `queries` counts distinct patterns. `types` has a count for every type of PATTERN_TYPES, and
    'other' for any other shape; `type_labels` counts, by type, the labels that the files use.
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
    type_labels: Mapping[str, Mapping[str, int]]


def compute_statistics(
    counted: Iterable[QuestionSummary], *, entities: int, edges: int
) -> DatasetStatistics:
    """Count a question set. All counts are zero without questions.

    entities, edges: size of the graph that the questions are about.
    """
    every = list(counted)
    types = Counter(one.pattern.type or OTHER_TYPE for one in every)
    sizes = [one.answers for one in every] or [0]
    label: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in every:
        label[one.pattern.type or OTHER_TYPE][one.type_label] += 1
    return DatasetStatistics(
        questions=len(every),
        queries=len({one.pattern for one in every}),
        entities=entities,
        edges=edges,
        pattern_types=len(types.keys() - {OTHER_TYPE}),
        mean_answers=sum(sizes) / len(sizes),
        fewest_answers=min(sizes),
        most_answers=max(sizes),
        types={name: types[name] for name in (*PATTERN_TYPES, OTHER_TYPE)},
        type_labels={name: dict(label[name]) for name in sorted(label)},
    )
