"""Patterns and partitions of stored questions as input of a leakage mask."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.benchmarks.entity_linking import entities_by_question
from backend.benchmarks.leakage_masks.release import MaskInput
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import newest_set_partitions
from backend.benchmarks.question_records import patterns_of
from backend.graphs.models import Version


@dataclass(frozen=True)
class MaskableSet:
    """`excluded`: reasons by the file's id, for questions that cannot be masked."""

    questions: tuple[MaskInput, ...]
    excluded: dict[str, str]


def questions_to_mask(question_set: QuestionSet, version: Version, method: str) -> MaskableSet:
    """Every question with its latest partition by one method. The set must be resolved."""
    patterns = patterns_of(question_set)
    entities = entities_by_question(question_set, version)
    newest = {one.question_id: one for one in newest_set_partitions(question_set, method)}
    result, without = [], {}
    for question in question_set.questions.order_by("number"):
        partition, pattern = newest.get(question.pk), patterns.get(question.pk)
        numbers = entities.get(question.pk, {})
        if pattern is None:
            without[question.file_id] = "no pattern"
        elif partition is None:
            without[question.file_id] = f"no partition by {method}"
        elif unknown := _count_unmatched(partition, numbers):
            without[question.file_id] = f"{unknown} of its answers are not in this graph"
        else:
            hidden = frozenset(numbers[place] for place in partition.serendipity)
            known = frozenset(numbers[place] for place in partition.existing)
            result.append(MaskInput(question.file_id, pattern, hidden, known))
    return MaskableSet(tuple(result), without)


def _count_unmatched(partition: Partition, numbers: dict[int, int]) -> int:
    places: Sequence[int] = [*partition.serendipity, *partition.existing]
    return sum(place not in numbers for place in places)
