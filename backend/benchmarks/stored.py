"""Reads of stored questions: their patterns, from the records of their files."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable

from backend.benchmarks.models import Question, QuestionSet, Record
from backend.benchmarks.patterns.parsing import read_pattern
from backend.benchmarks.patterns.shapes import Pattern
from backend.benchmarks.reading import Faults, Node, Object


class RecordSpoilt(RuntimeError):
    """A record that was read when it was stored cannot be read now: an error of this program."""


def pattern_of(question: Question) -> Pattern | None:
    """Its pattern; None where its file had none."""
    return _patterns(Record.objects.filter(question=question)).get(question.id)


def patterns_of(question_set: QuestionSet) -> dict[uuid.UUID, Pattern]:
    """By question; those without a pattern are left out."""
    return _patterns(Record.objects.filter(question__question_set=question_set))


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
