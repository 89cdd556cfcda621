"""Services for partitions. They are append-only: a split that differs becomes the next version."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Partition, Question, QuestionRecord, QuestionSet
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.validation.faults import Fault

BATCH_SIZE = 1_000
Json = dict[str, object]


class PartitionInvalid(DomainError):
    code = "partition_invalid"


@dataclass(frozen=True)
class NewPartition:
    """Positions of candidates in two disjoint sets."""

    question: uuid.UUID
    method: Partition.Method
    serendipity: Collection[int]
    existing: Collection[int]
    parameters: Json = field(default_factory=dict)
    split: str = ""
    source: str = ""
    record: QuestionRecord | None = None
    version: Version | None = None


@dataclass(frozen=True)
class AddedPartitions:
    """The current partitions in the order given, and how many of them are new."""

    partitions: tuple[Partition, ...]
    new_count: int


@transaction.atomic
def add_partitions(*, actor: User | None, partitions: Sequence[NewPartition]) -> AddedPartitions:
    """Store each split as the next version of its question and method, unless it equals the latest.

    Raises PartitionInvalid with a fault for every split that is not one of its question's
    candidates.
    """
    query = sorted({one.question for one in partitions})
    _lock_questions(query)
    _validate(partitions, query)
    newest = {(one.question_id, one.method): one for one in _newest_versions(query)}
    result, new = [], []
    for partition in partitions:
        key = (partition.question, partition.method.value)
        there = newest.get(key)
        if there is None or not _is_same_split(there, partition):
            number = there.number + 1 if there else 1
            newest[key] = there = _build_partition(actor, partition, number)
            new.append(there)
        result.append(there)
    Partition.objects.bulk_create(new, batch_size=BATCH_SIZE)
    return AddedPartitions(tuple(result), len(new))


@transaction.atomic
def void_partitions(
    *, actor: User | None, questions: Collection[uuid.UUID], method: str, source: str
) -> None:
    """Where the newest version has this source, store an empty one after it: what the source had
    is gone."""
    _lock_questions(questions)
    Partition.objects.bulk_create(
        Partition(
            question_id=one.question_id,
            method=method,
            number=one.number + 1,
            serendipity=[],
            existing=[],
            split=one.split,
            source=source,
            created_by=actor,
        )
        for one in newest_partitions(questions, method).filter(source=source)
    )


def _lock_questions(questions: Collection[uuid.UUID]) -> None:
    """Concurrent writers to one question wait for each other."""
    list(Question.objects.select_for_update().filter(pk__in=questions).order_by("pk"))


def newest_partitions(
    questions: Collection[uuid.UUID] | QuerySet[Question],
    method: str = "",
    *,
    among: QuerySet[Partition] | None = None,
) -> QuerySet[Partition]:
    """Without those of which the newest version is void."""
    newest = _newest_versions(questions, method, among=among)
    result = Partition.objects.filter(pk__in=newest.values("pk"))
    return result.exclude(serendipity=[], existing=[]).order_by("question_id", "method")


def _newest_versions(
    questions: Collection[uuid.UUID] | QuerySet[Question],
    method: str = "",
    *,
    among: QuerySet[Partition] | None = None,
) -> QuerySet[Partition]:
    every = Partition.objects.all() if among is None else among
    result = every.filter(question__in=questions)
    if method:
        result = result.filter(method=method)
    return result.order_by("question_id", "method", "-number").distinct("question_id", "method")


def newest_set_partitions(question_set: QuestionSet, method: str) -> QuerySet[Partition]:
    return newest_partitions(question_set.questions.order_by(), method)


def ordered_groups(partition: Partition) -> list[list[int]]:
    """Positions of candidates, the best first. Those of equal mean scores are a group; without the
    means of all, each of the two sets is."""
    means = partition.parameters.get("means")
    positions = [*partition.serendipity, *partition.existing]
    if not isinstance(means, dict) or means.keys() != {*map(str, positions)}:
        return [[*group] for group in (partition.serendipity, partition.existing) if group]
    groups: dict[float, list[int]] = {}
    for position in sorted(positions):
        groups.setdefault(float(means[str(position)]), []).append(position)
    return [groups[mean] for mean in sorted(groups, reverse=True)]


def _build_partition(actor: User | None, requested: NewPartition, number: int) -> Partition:
    return Partition(
        question_id=requested.question,
        method=requested.method,
        number=number,
        parameters=requested.parameters,
        serendipity=sorted(requested.serendipity),
        existing=sorted(requested.existing),
        split=requested.split,
        source=requested.source,
        record=requested.record,
        version=requested.version,
        created_by=actor,
    )


def _is_same_split(there: Partition, requested: NewPartition) -> bool:
    """The source of a split may differ; sets, parameters, split and graph must be equal."""
    return (
        there.serendipity == sorted(requested.serendipity)
        and there.existing == sorted(requested.existing)
        and there.parameters == requested.parameters
        and there.split == requested.split
        and there.version_id == (requested.version.pk if requested.version else None)
    )


def _validate(partitions: Sequence[NewPartition], questions: Sequence[uuid.UUID]) -> None:
    places: dict[uuid.UUID, set[int]] = {}
    rows = Candidate.objects.filter(question__in=questions).values_list("question_id", "position")
    for question, position in rows:
        places.setdefault(question, set()).add(position)
    faults = [
        Fault(f"question {one.question}, {one.method}", label)
        for one in partitions
        if (label := _find_fault(one, places.get(one.question, set())))
    ]
    if faults:
        raise PartitionInvalid(
            "Nothing was saved: at least one partition is invalid.", faults=faults
        )


def _find_fault(one: NewPartition, known: set[int]) -> str:
    given = [*one.serendipity, *one.existing]
    if not given:
        return "Both sets are empty."
    if len(set(given)) < len(given):
        return "A candidate is given twice, or is in both sets."
    if not known.issuperset(given):
        return "A position is not that of a candidate of the question."
    return ""
