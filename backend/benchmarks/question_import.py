"""Import of parsed question files of any format: questions, patterns and partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from backend.accounts.models import User
from backend.benchmarks.lossless_json import format_json
from backend.benchmarks.models import Candidate, Partition, Question, QuestionRecord, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.question_format import (
    FileCandidate,
    ParsedFiles,
    ParsedPartitions,
    ParsedQuestion,
    QuestionFilesInvalid,
    check_split_answers,
)
from backend.benchmarks.question_records import parse_record
from backend.benchmarks.question_sets import StoreProgress
from backend.validation.faults import FaultList

BATCH_SIZE = 500
UNRANKED = 1  # the file gives no order, so all candidates have the same rank


@dataclass(frozen=True)
class ImportedSet:
    """The set after an import, with the number of questions and partitions, in total and new."""

    question_set: QuestionSet
    questions: int
    added: int
    partitions: int
    partitions_added: int
    notices: tuple[str, ...]


@transaction.atomic
def import_questions(
    *,
    actor: User | None,
    question_set: QuestionSet,
    parsed: ParsedFiles,
    source: str = "",
    progress: StoreProgress = lambda done: None,
) -> ImportedSet:
    """Add new questions and partitions; all of them or, with every fault, nothing.

    A known question must be equal in every field. A partition that differs from the latest one
    becomes the next. `source` describes the origin of the files.
    """
    question_set = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    faults, notices = FaultList(), list(parsed.notices)
    known = {one.file_id: one for one in question_set.questions.all()}
    _check_unchanged(known, parsed.questions, faults)
    new = [one for one in parsed.questions if one.qid not in known]
    _check_partitions(known, parsed, faults, notices)
    if faults.total:
        raise QuestionFilesInvalid.of(faults)
    first = (question_set.questions.aggregate(last=Max("number"))["last"] or 0) + 1
    for start in range(0, len(new), BATCH_SIZE):
        part = new[start : start + BATCH_SIZE]
        known.update(_add_questions(question_set, part, first + start))
        progress(start + len(part))
    added = _add_partitions(actor, known, parsed.partitions, source)
    stored = sum(len(record.splits) for record in parsed.partitions)
    return ImportedSet(
        question_set, len(parsed.questions), len(new), stored, added, tuple(dict.fromkeys(notices))
    )


def _check_unchanged(
    known: dict[str, Question], questions: Sequence[ParsedQuestion], faults: FaultList
) -> None:
    """A stored question must not change, because experts may have answered it."""
    again = [one for one in questions if one.qid in known]
    texts = _newest_records([known[one.qid] for one in again], QuestionRecord.Kind.QA)
    for one in again:
        stored = texts.get(known[one.qid].file_id)
        if stored is None:
            message = "The set already has this question from a questionnaire, without a pattern."
            faults.add(f"{one.place}, qid", message, "a set of its own", "changed")
        elif stored.text != format_json(one.record):
            for name in _changed_fields(parse_record(stored.text), one.record):
                message = "This differs from the question that was imported before."
                faults.add(f"{one.place}, {name}", message, "the same, or another qid", "changed")


def _changed_fields(was: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """The fields that were added, removed or changed, or 'order of fields'."""
    result = [
        name
        for name in dict.fromkeys([*was, *now])
        if name not in was or name not in now or format_json(was[name]) != format_json(now[name])
    ]
    return result or ["order of fields"]


def _newest_records(
    questions: Sequence[Question], kind: QuestionRecord.Kind
) -> dict[str, QuestionRecord]:
    rows = QuestionRecord.objects.filter(question__in=questions, kind=kind).select_related(
        "question"
    )
    newest = rows.order_by("question_id", "-number").distinct("question_id")
    return {row.question.file_id: row for row in newest}


def _check_partitions(
    known: dict[str, Question], parsed: ParsedFiles, faults: FaultList, notices: list[str]
) -> None:
    texts = {one.qid: one.text for one in parsed.questions}
    texts |= {qid: one.text for qid, one in known.items()}
    came = {one.qid for one in parsed.questions}
    older = [one for one in parsed.partitions if one.qid in known and one.qid not in came]
    answers = _stored_answers([known[one.qid] for one in older])
    for record in older:
        check_split_answers(record, answers[record.qid], faults, notices.append)
    for record in parsed.partitions:
        if record.qid not in texts:
            message = "There is no question with this id in the files or in the set."
            faults.add(f"{record.place}, qid", message, "the qid of a question", "no_question")
        elif record.text and record.text != texts[record.qid]:
            notices.append(
                f"{record.place}: the text differs from that of the question in the QA set."
            )


def _stored_answers(questions: Sequence[Question]) -> dict[str, list[FileCandidate]]:
    rows = Candidate.objects.filter(question__in=questions).select_related("question")
    result: dict[str, list[FileCandidate]] = {one.file_id: [] for one in questions}
    for row in rows:
        result[row.question.file_id].append(FileCandidate(row.identifier, row.name))
    return result


def _add_questions(
    question_set: QuestionSet, questions: Sequence[ParsedQuestion], first: int
) -> dict[str, Question]:
    instance = Question.objects.bulk_create(
        Question(
            question_set=question_set,
            file_id=one.qid,
            number=number,
            text=one.text,
            category=one.category,
            pattern_type=one.pattern.type if one.pattern else "",
        )
        for number, one in enumerate(questions, start=first)
    )
    pairs = list(zip(instance, questions, strict=True))
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
    QuestionRecord.objects.bulk_create(
        QuestionRecord(
            question=row, kind=QuestionRecord.Kind.QA, text=format_json(one.record), file=one.place
        )
        for row, one in pairs
    )
    return {row.file_id: row for row in instance}


def _add_partitions(
    actor: User | None, known: dict[str, Question], records: Sequence[ParsedPartitions], source: str
) -> int:
    questions = [known[one.qid] for one in records]
    rows = _store_records(questions, records)
    places = _candidate_positions(questions)
    requested = [
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
    return add_partitions(actor=actor, partitions=requested).new_count


def _store_records(
    questions: Sequence[Question], records: Sequence[ParsedPartitions]
) -> list[QuestionRecord]:
    """The stored records: the latest if it is equal, else a new one."""
    newest = _newest_records(questions, QuestionRecord.Kind.PARTITIONS)
    result, new = [], []
    for question, one in zip(questions, records, strict=True):
        text, there = format_json(one.record), newest.get(one.qid)
        if there is None or there.text != text:
            number = there.number + 1 if there else 1
            kind = QuestionRecord.Kind.PARTITIONS
            there = QuestionRecord(
                question=question, kind=kind, number=number, text=text, file=one.place
            )
            new.append(there)
        result.append(there)
    QuestionRecord.objects.bulk_create(new, batch_size=BATCH_SIZE)
    return result


def _candidate_positions(questions: Sequence[Question]) -> dict[str, dict[str, int]]:
    rows = Candidate.objects.filter(question__in=questions).select_related("question")
    result: dict[str, dict[str, int]] = {one.file_id: {} for one in questions}
    for row in rows:
        result[row.question.file_id][row.identifier] = row.position
    return result
