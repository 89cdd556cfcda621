"""Masked graphs of stored questions: patterns and partitions in the numbers of one version."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from backend.benchmarks.models import Match, Partition, QuestionSet, Resolution
from backend.benchmarks.partitions import newest_of_set
from backend.benchmarks.release_masks import ToMask
from backend.benchmarks.stored import patterns_of
from backend.graphs.models import Version

Entities = dict[uuid.UUID, dict[int, int]]


@dataclass(frozen=True)
class Maskable:
    """`without`: questions that have no pattern, no partition, or an answer that is no entity of
    the version, by the file's id, with the reason."""

    questions: tuple[ToMask, ...]
    without: dict[str, str]


def questions_to_mask(question_set: QuestionSet, version: Version, method: str) -> Maskable:
    """Every question with its newest partition by one method; the set must be resolved before."""
    patterns = patterns_of(question_set)
    entities = entities_of(question_set, version)
    newest = {one.question_id: one for one in newest_of_set(question_set, method)}
    found, without = [], {}
    for question in question_set.questions.order_by("number"):
        partition, pattern = newest.get(question.pk), patterns.get(question.pk)
        numbers = entities.get(question.pk, {})
        if pattern is None:
            without[question.file_id] = "no pattern"
        elif partition is None:
            without[question.file_id] = f"no partition by {method}"
        elif unknown := _unknown(partition, numbers):
            without[question.file_id] = f"{unknown} of its answers are not in this graph"
        else:
            hidden = frozenset(numbers[place] for place in partition.serendipity)
            known = frozenset(numbers[place] for place in partition.existing)
            found.append(ToMask(question.file_id, pattern, hidden, known))
    return Maskable(tuple(found), without)


def entities_of(question_set: QuestionSet, version: Version) -> Entities:
    """By question and the position of a candidate: the number of the entity that it stands for."""
    resolution = Resolution.objects.filter(question_set=question_set, version=version).first()
    found: Entities = defaultdict(dict)
    rows = Match.objects.filter(resolution=resolution, candidate__isnull=False)
    columns = ("question_id", "candidate__position", "entity")
    for question, position, entity in rows.values_list(*columns):
        if entity is not None:
            found[question][position] = entity
    return dict(found)


def _unknown(partition: Partition, numbers: dict[int, int]) -> int:
    places: Sequence[int] = [*partition.serendipity, *partition.existing]
    return sum(place not in numbers for place in places)
