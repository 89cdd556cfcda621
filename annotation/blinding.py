"""Which experts' answers coordinators have read, and whether an adjudicator is blind to them.

A reading is recorded where answers to single questions leave the server: the answers of the list
of questions, exports, threads with experts, and figures about the result of one question.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.models import AnswerReading, Assignment, Blinding, Response
from backend.accounts.models import User
from backend.benchmarks.models import Partition
from backend.studies.models import Study


@dataclass(frozen=True)
class Sight:
    """What an adjudicator has seen. state: empty where it was not recorded. answers_read_at: when
    an expert's answer was read first."""

    state: str
    answers_read_at: datetime | None = None


def record_readings(reader: User, study: Study, questions: Iterable[uuid.UUID]) -> None:
    """Of questions with an answer. The first reading of each question stands."""
    read = set(questions)
    own = AnswerReading.objects.filter(study=study, reader=reader, question__in=read)
    new = read.difference(own.values_list("question", flat=True))
    AnswerReading.objects.bulk_create(
        [AnswerReading(study=study, reader=reader, question_id=one) for one in sorted(new)],
        ignore_conflicts=True,
    )


def record_export(reader: User, study: Study) -> None:
    """Of every answer of the study."""
    submitted = Response.objects.filter(
        assignment__in=Assignment.objects.for_experts().filter(study=study),
        submitted_number__gt=0,
    )
    record_readings(reader, study, submitted.values_list("assignment__question", flat=True))


def find_sights(
    study: Study, reader: User, questions: Collection[uuid.UUID]
) -> Mapping[uuid.UUID, Sight]:
    """What the reader has seen by now of each of the questions."""
    readings = AnswerReading.objects.filter(study=study, reader=reader, question__in=questions)
    read = dict(readings.values_list("question", "read_at"))
    # Of the experts' orders, in this study or in another one with the question.
    stored = Partition.objects.filter(
        question__in=questions, method=Partition.Method.EXPERT, parameters__from="ranking"
    )
    with_partition = set(stored.values_list("question", flat=True))
    return {one: _sight(read.get(one), one in with_partition) for one in questions}


def _sight(read_at: datetime | None, has_partition: bool) -> Sight:
    if read_at is not None:
        return Sight(Blinding.State.ANSWERS_READ, read_at)
    return Sight(Blinding.State.PARTITION if has_partition else Blinding.State.BLIND)


def store_sight(assignment: Assignment) -> None:
    """Of an adjudication at its first answer: since it began, a partition may have been stored."""
    sight = current_sight(assignment)
    # A row from before is of an adjudication that began when sights were stored at the beginning.
    Blinding.objects.filter(assignment=assignment).delete()
    Blinding.objects.create(
        assignment=assignment, state=sight.state, answers_read_at=sight.answers_read_at
    )


def sight_of(assignment: Assignment) -> Sight:
    """As it was when the adjudication was submitted first."""
    if not hasattr(assignment, "blinding"):
        return Sight("")
    stored = assignment.blinding
    return Sight(stored.state, stored.answers_read_at)


def current_sight(assignment: Assignment) -> Sight:
    question = assignment.question_id
    return find_sights(assignment.study, assignment.expert, [question])[question]
