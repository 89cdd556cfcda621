"""Export of stored question sets as SerenQA files, without loss."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping

from backend.benchmarks.formats.serenqa.writer import (
    FILE_KEY_BY_METHOD,
    build_partition_record,
    serialize_records,
)
from backend.benchmarks.models import Partition, QuestionRecord, QuestionSet
from backend.benchmarks.partitions import newest_partitions
from backend.benchmarks.question_format import SplitFactory
from backend.benchmarks.question_records import original_qid, parse_record, split_without_paths


def export_files(question_set: QuestionSet, split: SplitFactory) -> dict[str, bytes]:
    return {
        "questions.json": export_questions(question_set),
        "partitions.json": export_partitions(question_set, split),
    }


def export_questions(question_set: QuestionSet) -> bytes:
    rows = _newest_records(question_set, QuestionRecord.Kind.QA)
    return serialize_records([parse_record(row.text) for row in rows], "questions.json")


def export_partitions(
    question_set: QuestionSet, split: SplitFactory = split_without_paths
) -> bytes:
    """The latest partitions of each question, in order.

    Imported ones are written as in their file; newer ones under the file's key of the method, as
    `split` gives them.
    """
    rows = _newest_records(question_set, QuestionRecord.Kind.PARTITIONS)
    records = {row.question_id: parse_record(row.text) for row in rows}
    newest = newest_partitions(question_set.questions.order_by())
    instance = defaultdict[uuid.UUID, list[Partition]](list)
    for one in newest.select_related("record", "question__question_set", "version__graph"):
        instance[one.question_id].append(one)
    result = []
    for question in question_set.questions.order_by("number"):
        if question.pk in records or question.pk in instance:
            there = records.get(question.pk) or build_partition_record(
                original_qid(question), question.text, ()
            )
            result.append({**there, **_new_splits(instance[question.pk], there, split)})
    return serialize_records(result, "partitions.json")


def _new_splits(
    partitions: Iterable[Partition], record: Mapping[str, object], split: SplitFactory
) -> dict[str, object]:
    """The partitions that the record lacks, by the file's key of the method."""
    result = dict[str, object]()
    for one in partitions:
        word = FILE_KEY_BY_METHOD[one.method]
        if one.record is not None:
            own = parse_record(one.record.text)[word]
            result |= {} if record.get(word) == own else {word: own}
        else:
            result[word] = build_partition_record(0, "", [split(one)])[word]
    return result


def _newest_records(
    question_set: QuestionSet, kind: QuestionRecord.Kind
) -> Iterable[QuestionRecord]:
    rows = QuestionRecord.objects.filter(question__question_set=question_set, kind=kind)
    newest = (
        rows.order_by("question_id", "-number").distinct("question_id").select_related("question")
    )
    return sorted(newest, key=lambda row: row.question.number)
