"""Writes of SerenQA's question sets: questions with their patterns, and their partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet, Record
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.reading import Faults, Object
from backend.benchmarks.serenqa.reading import check_answers
from backend.benchmarks.serenqa.records import (
    Answer,
    PartitionRecord,
    QARecord,
    SerenQA,
    SerenQAInvalid,
)
from backend.benchmarks.serenqa.strict import json_text
from backend.benchmarks.services import Progress
from backend.benchmarks.stored import record_of

AT_A_TIME = 500
UNRANKED = 1  # no order is known, so that all stand at one rank


@dataclass(frozen=True)
class StoredSet:
    """A set after an import: how many questions and partitions the files held, and were new."""

    question_set: QuestionSet
    questions: int
    added: int
    partitions: int
    partitions_added: int
    notices: tuple[str, ...]


@transaction.atomic
def store_serenqa(
    *,
    actor: User | None,
    question_set: QuestionSet,
    read: SerenQA,
    source: str = "",
    progress: Progress = lambda done: None,
) -> StoredSet:
    """Add what is new; all of it or, with every fault, nothing.

    A question that is known must be the same in every field. A partition that differs from the
    newest becomes the next. `source` says where the files are from.
    """
    question_set = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    faults, notices = Faults(), list(read.notices)
    known = {one.file_id: one for one in question_set.questions.all()}
    _compare(known, read.questions, faults)
    new = [one for one in read.questions if one.qid not in known]
    _check_partitions(known, read, faults, notices)
    if faults.total:
        raise SerenQAInvalid.of(faults)
    first = (question_set.questions.aggregate(last=Max("number"))["last"] or 0) + 1
    for start in range(0, len(new), AT_A_TIME):
        part = new[start : start + AT_A_TIME]
        known.update(_add(question_set, part, first + start))
        progress(start + len(part))
    added = _add_partitions(actor, known, read.partitions, source)
    stored = sum(len(record.splits) for record in read.partitions)
    return StoredSet(
        question_set, len(read.questions), len(new), stored, added, tuple(dict.fromkeys(notices))
    )


def _compare(known: dict[str, Question], questions: Sequence[QARecord], faults: Faults) -> None:
    """A question that is there already must say the same: experts may have answered it."""
    again = [one for one in questions if one.qid in known]
    texts = _texts([known[one.qid] for one in again], Record.Kind.QA)
    for one in again:
        stored = texts.get(known[one.qid].file_id)
        if stored is None:
            message = "This set has the question from a questionnaire, without its pattern."
            faults.add(f"{one.place}, qid", message, "a set of its own", "changed")
        elif stored.text != json_text(one.record):
            for name in _differing(record_of(stored.text), one.record):
                message = "This is not what it was when it was imported."
                faults.add(f"{one.place}, {name}", message, "the same, or another qid", "changed")


def _differing(was: Object, now: Object) -> list[str]:
    """The fields that were added, taken away or changed; or that they stand in another order."""
    found = [
        name
        for name in dict.fromkeys([*was, *now])
        if name not in was or name not in now or json_text(was[name]) != json_text(now[name])
    ]
    return found or ["order of fields"]


def _texts(questions: Sequence[Question], kind: Record.Kind) -> dict[str, Record]:
    """The newest record of each question, by the file's id."""
    rows = Record.objects.filter(question__in=questions, kind=kind).select_related("question")
    newest = rows.order_by("question_id", "-number").distinct("question_id")
    return {row.question.file_id: row for row in newest}


def _check_partitions(
    known: dict[str, Question],
    read: SerenQA,
    faults: Faults,
    notices: list[str],
) -> None:
    texts = {one.qid: one.text for one in read.questions}
    texts |= {qid: one.text for qid, one in known.items()}
    came = {one.qid for one in read.questions}
    older = [one for one in read.partitions if one.qid in known and one.qid not in came]
    answers = _answers([known[one.qid] for one in older])
    for record in older:
        check_answers(record, answers[record.qid], faults, notices.append)
    for record in read.partitions:
        if record.qid not in texts:
            message = "There is no question of this id, neither in the files nor in the set."
            faults.add(f"{record.place}, qid", message, "the qid of a question", "no_question")
        elif record.text and record.text != texts[record.qid]:
            notices.append(f"{record.place}: the question is worded otherwise than in the QA set.")


def _answers(questions: Sequence[Question]) -> dict[str, list[Answer]]:
    rows = Candidate.objects.filter(question__in=questions).select_related("question")
    found: dict[str, list[Answer]] = {one.file_id: [] for one in questions}
    for row in rows:
        found[row.question.file_id].append(Answer(row.identifier, row.name))
    return found


def _add(
    question_set: QuestionSet, questions: Sequence[QARecord], first: int
) -> dict[str, Question]:
    made = Question.objects.bulk_create(
        Question(
            question_set=question_set,
            file_id=one.qid,
            number=number,
            text=one.text,
            category=one.category,
            pattern_type=one.pattern.type,
        )
        for number, one in enumerate(questions, start=first)
    )
    pairs = list(zip(made, questions, strict=True))
    Candidate.objects.bulk_create(
        Candidate(
            question=row,
            position=place,
            name=answer.name,
            identifier=answer.id,
            prior_rank=UNRANKED,
        )
        for row, one in pairs
        for place, answer in enumerate(one.answers)
    )
    Record.objects.bulk_create(
        Record(question=row, kind=Record.Kind.QA, text=json_text(one.record), file=one.place)
        for row, one in pairs
    )
    return {row.file_id: row for row in made}


def _add_partitions(
    actor: User | None,
    known: dict[str, Question],
    records: Sequence[PartitionRecord],
    source: str,
) -> int:
    questions = [known[one.qid] for one in records]
    rows = _records_of(questions, records)
    places = _places(questions)
    wanted = [
        NewPartition(
            question=known[record.qid].pk,
            method=Partition.Method(split.method),
            serendipity=[places[record.qid][one] for one in split.serendipity],
            existing=[places[record.qid][one] for one in split.existing],
            split=split.split,
            source=source,
            record=row,
        )
        for record, row in zip(records, rows, strict=True)
        for split in record.splits
        if split.serendipity or split.existing
    ]
    return add_partitions(actor=actor, partitions=wanted).new


def _records_of(questions: Sequence[Question], records: Sequence[PartitionRecord]) -> list[Record]:
    """The stored records: the newest where it says the same, else one more."""
    newest = _texts(questions, Record.Kind.PARTITIONS)
    found, new = [], []
    for question, one in zip(questions, records, strict=True):
        text, there = json_text(one.record), newest.get(one.qid)
        if there is None or there.text != text:
            number = there.number + 1 if there else 1
            kind = Record.Kind.PARTITIONS
            there = Record(question=question, kind=kind, number=number, text=text, file=one.place)
            new.append(there)
        found.append(there)
    Record.objects.bulk_create(new, batch_size=AT_A_TIME)
    return found


def _places(questions: Sequence[Question]) -> dict[str, dict[str, int]]:
    rows = Candidate.objects.filter(question__in=questions).select_related("question")
    found: dict[str, dict[str, int]] = {one.file_id: {} for one in questions}
    for row in rows:
        found[row.question.file_id][row.identifier] = row.position
    return found
