"""Stored question sets as SerenQA's files: what was read comes out without loss."""

from __future__ import annotations

from collections.abc import Iterable

from backend.benchmarks.models import QuestionSet, Record
from backend.benchmarks.serenqa.writing import written
from backend.benchmarks.stored import record_of


def qa_file(question_set: QuestionSet) -> bytes:
    """The questions, in their order."""
    rows = _newest(question_set, Record.Kind.QA)
    return written([record_of(row.text) for row in rows], "questions.json")


def partitions_file(question_set: QuestionSet) -> bytes:
    """The newest record of partitions of each question that came with one, in their order."""
    rows = _newest(question_set, Record.Kind.PARTITIONS)
    return written([record_of(row.text) for row in rows], "partitions.json")


def _newest(question_set: QuestionSet, kind: Record.Kind) -> Iterable[Record]:
    rows = Record.objects.filter(question__question_set=question_set, kind=kind)
    newest = (
        rows.order_by("question_id", "-number").distinct("question_id").select_related("question")
    )
    return sorted(newest, key=lambda row: row.question.number)
