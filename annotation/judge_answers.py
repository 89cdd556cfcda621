"""Answers of a model judge to the questions of a study, from a file of JSON Lines.

    {"qid": 17, "order": "swapped", "choice": "a_much", "rationale": "…"}

order: how the pair was shown, for kinds with sides. Other fields are those of the kind's answer
that differ from an empty one.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel, TypeAdapter, ValidationError

from annotation.formats.archive_records import STRICT, JsonFields, Name, Text
from annotation.kinds.base import AnyKind, InvalidPayload
from annotation.kinds.items import Arm, Presentation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import MAX_JUDGE_NAME, BatchQuestion, Judge, JudgeAnswer
from backend.accounts.models import User
from backend.benchmarks.questionnaire import FilesInvalid
from backend.common.errors import DomainError
from backend.studies.models import Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import get_administered_study_or_raise, lock_unfrozen
from backend.validation.faults import FaultList
from backend.validation.row_files.batches import JsonBatch
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList
from backend.validation.row_files.json_rows import read_json_lines
from backend.validation.row_files.limits import MEGABYTE, ReadLimits

LIMITS = ReadLimits(bytes=200 * MEGABYTE, row_bytes=MEGABYTE, rows=1_000_000, faults=1_000)
FIELDS: TypeAdapter[dict[str, Any]] = TypeAdapter(JsonFields)


class JudgeFileInvalid(FilesInvalid):
    code = "judge_file_invalid"


class JudgeLine(BaseModel):
    model_config = STRICT

    qid: Name | int
    order: Name = ""
    rationale: Text = ""


@dataclass(frozen=True)
class ImportedJudge:
    """replaced: answers of an earlier file under the same name, which are gone."""

    name: str
    answers: int
    questions: int
    replaced: int
    imported_at: datetime


@transaction.atomic
def import_judge(
    *, actor: User | None, study_id: uuid.UUID, name: str, file: BinaryIO
) -> ImportedJudge:
    """Store the answers of one judge, in place of those under its name; all of them or nothing.

    The actor None is the command line. Raises JudgeFileInvalid with every fault and its line.
    """
    get_administered_study_or_raise(actor, study_id)
    study = lock_unfrozen(study_id)
    kind = get_kind_or_raise(study.kind)
    if not kind.choices:
        message = f"Studies of {kind.title} have no choices that judges share with experts."
        raise DomainError(message, code="kind_differs")
    if not name.strip() or len(name) > MAX_JUDGE_NAME or not name.isprintable():
        message = f"Name the judge in one line of at most {MAX_JUDGE_NAME} characters."
        raise DomainError(message, code="name_invalid")
    answers = _read_answers(kind, study, file)
    fields = {"imported_by": actor, "imported_at": timezone.now()}
    judge, _ = Judge.objects.update_or_create(study=study, name=name, defaults=fields)
    replaced = judge.answers.count()
    judge.answers.all().delete()
    for one in answers:
        one.judge = judge
    JudgeAnswer.objects.bulk_create(answers, batch_size=1_000)
    notify_on_commit(study.id, "agreement")
    questions = len({one.entry_id for one in answers})
    return ImportedJudge(name, len(answers), questions, replaced, judge.imported_at)


def _read_answers(kind: AnyKind, study: Study, file: BinaryIO) -> list[JudgeAnswer]:
    faults = RowFaultList()
    reader = _Reader(kind, study, faults)
    result: list[JudgeAnswer] = []
    try:
        for line, text in _lines(file, faults):
            answer = reader.read(line, text)
            if answer is not None:
                result.append(answer)
            if faults.total > LIMITS.faults:
                message = "This file has too many faults, so the rest was not read."
                expected = f"at most {LIMITS.faults:,} faults"
                raise FileRefused("too_many_faults", message, expected, line)
        if not result and not faults.total:
            raise FileRefused("empty_file", "This file has no answers.", "at least one line", 1)
    except FileRefused as refusal:
        faults.add(refusal.fault)
    if faults.total:
        listed = [fault.as_fault() for fault in faults.listed]
        raise JudgeFileInvalid.of(FaultList(listed, faults.total))
    return result


def _lines(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, bytes]]:
    batches = read_json_lines(LimitedStream(file, "", LIMITS), LIMITS, faults, None)
    for batch in (one for one in batches if isinstance(one, JsonBatch)):
        yield from zip(batch.lines, batch.texts, strict=True)


class _Reader:
    """Lines become answers, or faults with their line."""

    def __init__(self, kind: AnyKind, study: Study, faults: RowFaultList) -> None:
        self._kind, self._faults = kind, faults
        entries = BatchQuestion.objects.filter(batch__study=study).select_related("question")
        loaded = entries.prefetch_related("question__candidates", "question__resources")
        self._entries = {one.question.file_id: one for one in loaded}
        self._arm: Arm | None = next((one for one in kind.arms if one.is_balanced), None)
        self._lines: dict[tuple[str, str], int] = {}

    def read(self, line: int, text: bytes) -> JudgeAnswer | None:
        try:
            fields = FIELDS.validate_json(text, strict=True)
            known = {name: fields.pop(name) for name in JudgeLine.model_fields if name in fields}
            head = JudgeLine.model_validate(known)
        except ValidationError as error:
            self._faults.add_errors(line, error, str)
            return None
        entry = self._entries.get(str(head.qid))
        if entry is None:
            message = "The study has no question with this id."
            self._fault(line, "qid", "unknown", message, "the qid of a question")
            return None
        if not self._check_order(line, head):
            return None
        return self._answer(line, head, entry, fields)

    def _check_order(self, line: int, head: JudgeLine) -> bool:
        orders = self._arm.levels if self._arm else ("",)
        if head.order not in orders:
            expected = " or ".join(orders) or "no order"
            message = "Questions are not shown in this order."
            self._fault(line, "order", "unknown", message, expected)
            return False
        first = self._lines.setdefault((str(head.qid), head.order), line)
        if first != line:
            message = f"Line {first} has an answer to this question in this order."
            self._fault(line, "qid", "repeated", message, "each once")
        return first == line

    def _answer(
        self, line: int, head: JudgeLine, entry: BatchQuestion, fields: dict[str, Any]
    ) -> JudgeAnswer | None:
        arms = {self._arm.name: head.order} if self._arm else {}
        item = self._kind.build_item(entry.question, Presentation(arms, entry.payload))
        try:
            answer, outcome = self._kind.read_content(item, fields)
        except InvalidPayload as error:
            for one in error.faults:
                place = one.place.removeprefix("payload").removeprefix(".")
                self._fault(line, place, one.code, one.message, one.expected)
            return None
        return JudgeAnswer(
            entry=entry,
            order=head.order,
            outcome=outcome,
            payload=answer.model_dump(mode="json"),
            rationale=head.rationale,
        )

    def _fault(self, line: int, place: str, code: str, message: str, expected: str) -> None:
        self._faults.add(RowFault(line, place, code, message, expected))
