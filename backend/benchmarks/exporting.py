"""Stored question sets as SerenQA's files: what was read comes out without loss."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from backend.benchmarks.models import Partition, QuestionSet, Record
from backend.benchmarks.partitions import newest_partitions
from backend.benchmarks.serenqa.records import FILE_WORDS, Split
from backend.benchmarks.serenqa.writing import partitions_object, written
from backend.benchmarks.stored import plain_split, qid_of, record_of

Splits = Callable[[Partition], Split]


def qa_file(question_set: QuestionSet) -> bytes:
    """The questions, in their order."""
    rows = _newest(question_set, Record.Kind.QA)
    return written([record_of(row.text) for row in rows], "questions.json")


def partitions_file(question_set: QuestionSet, split: Splits = plain_split) -> bytes:
    """The newest partitions of each question, in their order: as their file had them, and under
    its file's word for the method what was made since. `split`: how such a one is told."""
    rows = _newest(question_set, Record.Kind.PARTITIONS)
    records = {row.question_id: record_of(row.text) for row in rows}
    newest = newest_partitions(question_set.questions.order_by())
    made = defaultdict[uuid.UUID, list[Partition]](list)
    for one in newest.select_related("record", "question__question_set", "version__graph"):
        made[one.question_id].append(one)
    found = []
    for question in question_set.questions.order_by("number"):
        if question.pk in records or question.pk in made:
            there = records.get(question.pk) or partitions_object(
                qid_of(question), question.text, ()
            )
            found.append({**there, **_told(made[question.pk], there, split)})
    return written(found, "partitions.json")


def _told(
    partitions: Iterable[Partition], record: Mapping[str, object], split: Splits
) -> dict[str, object]:
    """What the record does not say, by the file's word for the method."""
    found = dict[str, object]()
    for one in partitions:
        word = FILE_WORDS[one.method]
        if one.record is not None:
            own = record_of(one.record.text)[word]
            found |= {} if record.get(word) == own else {word: own}
        else:
            found[word] = partitions_object(0, "", [split(one)])[word]
    return found


def _newest(question_set: QuestionSet, kind: Record.Kind) -> Iterable[Record]:
    rows = Record.objects.filter(question__question_set=question_set, kind=kind)
    newest = (
        rows.order_by("question_id", "-number").distinct("question_id").select_related("question")
    )
    return sorted(newest, key=lambda row: row.question.number)
