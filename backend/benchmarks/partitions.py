"""Writes of partitions: a split that differs from the newest becomes the next, none is altered."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet, Record
from backend.common.errors import DomainError, Fault
from backend.common.words import counted
from backend.graphs.models import Version

AT_A_TIME = 1_000
Json = dict[str, object]


class PartitionInvalid(DomainError):
    code = "partition_invalid"


@dataclass(frozen=True)
class NewPartition:
    """Positions of candidates in two sets that share none."""

    question: uuid.UUID
    method: Partition.Method
    serendipity: Collection[int]
    existing: Collection[int]
    parameters: Json = field(default_factory=dict)
    split: str = ""
    source: str = ""
    record: Record | None = None
    version: Version | None = None


@dataclass(frozen=True)
class Added:
    """The partitions as they are now, in the order in which they were given; `new` of them new."""

    partitions: tuple[Partition, ...]
    new: int


@transaction.atomic
def add_partitions(*, actor: User | None, partitions: Sequence[NewPartition]) -> Added:
    """Each as the next of its question and method, unless it equals the newest one.

    Raises PartitionInvalid, which names every one that is no split of its question's candidates.
    """
    # Two that add to one question wait for each other.
    asked = sorted({one.question for one in partitions})
    list(Question.objects.select_for_update().filter(pk__in=asked).order_by("pk"))
    _check(partitions, asked)
    newest = {(one.question_id, one.method): one for one in newest_partitions(asked)}
    found, new = [], []
    for wanted in partitions:
        key = (wanted.question, wanted.method.value)
        there = newest.get(key)
        if there is None or not _same(there, wanted):
            number = there.number + 1 if there else 1
            newest[key] = there = _row(actor, wanted, number)
            new.append(there)
        found.append(there)
    Partition.objects.bulk_create(new, batch_size=AT_A_TIME)
    return Added(tuple(found), len(new))


def newest_partitions(
    questions: Collection[uuid.UUID] | QuerySet[Question],
    method: str = "",
    *,
    among: QuerySet[Partition] | None = None,
) -> QuerySet[Partition]:
    """The newest of each question and method, of all or of some."""
    every = Partition.objects.all() if among is None else among
    found = every.filter(question__in=questions)
    if method:
        found = found.filter(method=method)
    return found.order_by("question_id", "method", "-number").distinct("question_id", "method")


def newest_of_set(question_set: QuestionSet, method: str) -> QuerySet[Partition]:
    return newest_partitions(question_set.questions.order_by(), method)


def partitions_citing(version: Version) -> list[str]:
    """What a version is kept for."""
    count = Partition.objects.filter(version=version).count()
    return [counted(count, "partition of a question's answers", "partitions of answers")] * (
        count > 0
    )


def _row(actor: User | None, wanted: NewPartition, number: int) -> Partition:
    return Partition(
        question_id=wanted.question,
        method=wanted.method,
        number=number,
        parameters=wanted.parameters,
        serendipity=sorted(wanted.serendipity),
        existing=sorted(wanted.existing),
        split=wanted.split,
        source=wanted.source,
        record=wanted.record,
        version=wanted.version,
        created_by=actor,
    )


def _same(there: Partition, wanted: NewPartition) -> bool:
    """Where a split was read from is no difference; what it was computed on and with is one."""
    return (
        there.serendipity == sorted(wanted.serendipity)
        and there.existing == sorted(wanted.existing)
        and there.parameters == wanted.parameters
        and there.split == wanted.split
        and there.version_id == (wanted.version.pk if wanted.version else None)
    )


def _check(partitions: Sequence[NewPartition], asked: Sequence[uuid.UUID]) -> None:
    places: dict[uuid.UUID, set[int]] = {}
    rows = Candidate.objects.filter(question__in=asked).values_list("question_id", "position")
    for question, position in rows:
        places.setdefault(question, set()).add(position)
    faults = [
        Fault(f"question {one.question}, {one.method}", said)
        for one in partitions
        if (said := _fault_of(one, places.get(one.question, set())))
    ]
    if faults:
        raise PartitionInvalid("Nothing was stored: not every split is one.", faults=faults)


def _fault_of(one: NewPartition, known: set[int]) -> str:
    given = [*one.serendipity, *one.existing]
    if not given:
        return "Both sets are empty."
    if len(set(given)) < len(given):
        return "A candidate is given twice, or stands in both sets."
    if not known.issuperset(given):
        return "A set holds what is no candidate of the question."
    return ""
