"""Reads of stored questions: their patterns, from the records of their files."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable

from backend.benchmarks.models import Partition, Question, QuestionSet, Record
from backend.benchmarks.patterns.parsing import read_pattern
from backend.benchmarks.patterns.shapes import Pattern
from backend.benchmarks.reading import Faults, Node, Object
from backend.benchmarks.serenqa.lenient import LONGEST_INTEGER, number_of
from backend.benchmarks.serenqa.records import Split

# As JSON writes whole numbers, and no longer ones than are read again.
WHOLE = re.compile(rf"0|[1-9][0-9]{{0,{LONGEST_INTEGER - 1}}}")


class RecordSpoilt(RuntimeError):
    """A record that was read when it was stored cannot be read now: an error of this program."""


def record_of(text: str) -> Object:
    """A record as it was stored, numbers as they were written."""
    found = json.loads(text, object_pairs_hook=Object, parse_int=number_of, parse_float=number_of)
    if not isinstance(found, Object):
        raise TypeError("a stored record is an object")
    return found


def pattern_of(question: Question) -> Pattern | None:
    """Its pattern; None where its file had none."""
    return _patterns(Record.objects.filter(question=question)).get(question.id)


def patterns_of(question_set: QuestionSet) -> dict[uuid.UUID, Pattern]:
    """By question; those without a pattern are left out."""
    return _patterns(Record.objects.filter(question__question_set=question_set))


def qid_of(question: Question) -> object:
    """As its file wrote it: a number or text. A question that came without such a record has the
    number that its identifier is written as, or that identifier."""
    record = Record.objects.filter(question=question).order_by("kind", "-number").first()
    if record is not None:
        read: object = record_of(record.text)["qid"]
        return read
    name = question.file_id
    return int(name) if WHOLE.fullmatch(name) else name


def plain_split(partition: Partition) -> Split:
    """As SerenQA's files have it, without paths."""
    names = {
        one.position: one.identifier or one.name for one in partition.question.candidates.all()
    }
    return Split(
        partition.method,
        tuple(names[at] for at in partition.serendipity),
        tuple(names[at] for at in partition.existing),
        partition.split,
        (),
        (),
    )


def asked_types(question_set: QuestionSet) -> dict[uuid.UUID, tuple[str, ...]]:
    """Of which types the answers to each question are."""
    return {
        question: tuple(dict.fromkeys(node.type for node in pattern.asked))
        for question, pattern in patterns_of(question_set).items()
    }


def _patterns(records: Iterable[Record]) -> dict[uuid.UUID, Pattern]:
    return {
        record.question_id: _pattern(record) for record in records if record.kind == Record.Kind.QA
    }


def _pattern(record: Record) -> Pattern:
    read = json.loads(record.text, object_pairs_hook=Object)
    faults = Faults()
    pattern = read_pattern(Node(read, "record", faults).field("graph_query"))
    if pattern is None:
        raise RecordSpoilt(f"{record.pk}: {faults.listed[0].message}")
    return pattern
