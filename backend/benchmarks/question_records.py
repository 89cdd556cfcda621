"""Records of stored questions, and the patterns in them."""

import json
import re
import uuid
from collections.abc import Iterable

from backend.benchmarks.lossless_json import MAX_INTEGER_DIGITS, parse_number
from backend.benchmarks.models import Partition, Question, QuestionRecord, QuestionSet
from backend.benchmarks.question_format import Split
from backend.tracks.serenqa_graph_queries import parse_pattern
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import FaultList
from backend.validation.json_files import JsonObject

# An integer as JSON writes it, of a length that the parser accepts.
INTEGER = re.compile(rf"0|[1-9][0-9]{{0,{MAX_INTEGER_DIGITS - 1}}}")


class RecordCorrupted(RuntimeError):
    """A stored record cannot be parsed any more: a bug of this program."""


def parse_record(text: str) -> JsonObject:
    """A stored record, with numbers as they were written."""
    result = json.loads(
        text, object_pairs_hook=JsonObject, parse_int=parse_number, parse_float=parse_number
    )
    if not isinstance(result, JsonObject):
        raise TypeError("a stored record is an object")
    return result


def pattern_of(question: Question) -> Pattern | None:
    return _patterns_by_question(QuestionRecord.objects.filter(question=question)).get(question.id)


def patterns_of(question_set: QuestionSet) -> dict[uuid.UUID, Pattern]:
    """By question id; questions without a pattern are omitted."""
    return _patterns_by_question(QuestionRecord.objects.filter(question__question_set=question_set))


def original_qid(question: Question) -> object:
    """The id in the question's file, a number or text; without a record, derived from the id."""
    record = QuestionRecord.objects.filter(question=question).order_by("kind", "-number").first()
    if record is not None:
        read: object = parse_record(record.text)["qid"]
        return read
    name = question.file_id
    return int(name) if INTEGER.fullmatch(name) else name


def split_without_paths(partition: Partition) -> Split:
    """A partition as SerenQA's files have it, without paths."""
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


def target_types(question_set: QuestionSet) -> dict[uuid.UUID, tuple[str, ...]]:
    return {
        question: tuple(dict.fromkeys(node.type for node in pattern.targets))
        for question, pattern in patterns_of(question_set).items()
    }


def _patterns_by_question(records: Iterable[QuestionRecord]) -> dict[uuid.UUID, Pattern]:
    return {
        record.question_id: pattern
        for record in records
        if record.kind == QuestionRecord.Kind.QA and (pattern := _parse_pattern(record))
    }


def _parse_pattern(record: QuestionRecord) -> Pattern | None:
    """None if the file's format has no patterns."""
    content = parse_record(record.text)
    if "graph_query" not in content:
        return None
    faults = FaultList()
    pattern = parse_pattern(content["graph_query"], "record", faults)
    if pattern is None:
        raise RecordCorrupted(f"{record.pk}: {faults.listed[0].message}")
    return pattern
