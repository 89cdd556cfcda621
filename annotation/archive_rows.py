"""The rows of an archive, from the records of its file in their order."""

import uuid
from dataclasses import asdict
from typing import Any

from django.db.models import prefetch_related_objects

from annotation.archive_faults import ArchiveFaults
from annotation.archived_answers import ArchivedAnswers, QuestionRows
from annotation.archived_ids import ArchivedIds
from annotation.archived_judges import ArchivedJudges
from annotation.archived_threads import ArchivedThreads
from annotation.exports_csv import UNASSIGNED
from annotation.formats.archive_records import (
    ArchivedAssignment,
    ArchivedBatch,
    ArchivedExpert,
    ArchivedQuestion,
    ArchiveRecord,
)
from annotation.kinds.base import AnyKind, InvalidPayload, Payload
from annotation.models import (
    Assignment,
    Batch,
    BatchQuestion,
    KnownAnswer,
)
from annotation.presentations import complete_presentation
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.benchmarks.questionnaire import QuestionEntry
from backend.studies.models import Archive, Member
from backend.validation.faults import FaultList
from backend.validation.json_files import JsonObject, validate
from backend.validation.row_files.faults import RowFaultList

CANNOT_BE_SHOWN = (KeyError, IndexError, TypeError, ValueError, AttributeError)


class ArchiveRows:
    """Records become rows, or faults with their lines."""

    def __init__(
        self, archive: Archive, kind: AnyKind, question_set: QuestionSet, faults: RowFaultList
    ) -> None:
        self.study, self._archive = archive.study, archive
        self._kind, self._set, self._faults = kind, question_set, ArchiveFaults(faults)
        self._ids, self._threads = ArchivedIds(self.study.id), ArchivedThreads(self.study, faults)
        self._judges = ArchivedJudges(self.study, kind, faults)
        self._first_account = uuid.uuid4().int >> 32 << 32
        self._batch: Batch | None = None
        self._current: QuestionRows | None = None
        self._members: dict[str, Member] = {}
        self.experts: dict[str, User] = {}
        self._answers = ArchivedAnswers(kind, self._ids, self.experts, self._faults)
        self.questions = 0

    @property
    def assignments(self) -> int:
        return self._answers.count

    @property
    def has_names(self) -> bool:
        return any("name" in one for one in self._archive.experts.values())

    def add(self, line: int, record: ArchiveRecord) -> None:
        if isinstance(record, ArchivedAssignment):
            self._answers.add(line, record, self._current)
        elif isinstance(record, ArchivedExpert):
            self._add_expert(line, record)
        else:
            self._store_answers()
            if isinstance(record, ArchivedBatch):
                self._add_batch(line, record)
            elif isinstance(record, ArchivedQuestion):
                self._add_question(line, record)
            else:
                self._faults.add(line, "record", "This is a second study.", "one study in a file")

    def finish(self) -> None:
        self._store_answers()
        Member.objects.bulk_create(
            member for name, member in self._members.items() if name not in self._adjudicators()
        )
        self._archive.save(update_fields=["experts"])

    @property
    def expert_count(self) -> int:
        return len(self._members) - len(self._adjudicators())

    def _adjudicators(self) -> set[str]:
        """Who did nothing but adjudicate, and agreed to nothing as experts do."""
        return {
            name
            for name, purposes in self._answers.purposes.items()
            if purposes == {Assignment.Purpose.ADJUDICATION}
            and not self._members[name].consent_version
        }

    def _store_answers(self) -> None:
        current = self._current
        if current is not None:
            self._threads.add(current.line, current.record, current.row, self.experts)
            if not self._faults.total:
                current.store()
        self._current = None

    def _add_expert(self, line: int, record: ArchivedExpert) -> None:
        """Accounts in the order of the file, which decides in which order answers are listed."""
        if not self._faults.is_new(line, "id", "expert", record.id):
            return
        number = len(self.experts) + 1
        user = User(
            id=uuid.UUID(int=self._first_account + number),
            email=f"archived-{number}-{self.study.id.hex}@archive.example",
            name=record.name or record.id,
            is_simulated=record.is_simulated,
            is_active=False,
        )
        user.set_unusable_password()
        user.save(force_insert=True)
        consent = bool(record.consent_version and record.consented_at)
        self._members[record.id] = Member(
            study=self.study,
            user=user,
            role=Member.Role.EXPERT,
            consent_version=record.consent_version if consent else "",
            consented_at=record.consented_at if consent else None,
            **{name: getattr(record, name) for name in MEMBER_FIELDS},
        )
        self.experts[record.id] = user
        person = {"id": record.id, "name": record.name, "email": record.email}
        known = {name: value for name, value in person.items() if value is not None}
        self._archive.experts[str(user.id)] = known

    def _add_batch(self, line: int, record: ArchivedBatch) -> None:
        is_new = self._faults.is_new(line, "id", "batch", record.id)
        if self._faults.is_new(line, "number", "number", record.number) and is_new:
            self._batch = Batch.objects.create(
                id=self._ids.swap(record.id),
                study=self.study,
                number=record.number,
                name=record.name,
            )

    def _add_question(self, line: int, record: ArchivedQuestion) -> None:
        ids = [record.id, *(one.id for one in record.candidates)]
        is_new = [
            *(self._faults.is_new(line, "id", "question", one) for one in ids),
            self._faults.is_new(line, "file_id", "file_id", record.file_id),
        ]
        if self._batch is None:
            self._faults.add(line, "record", "This question is in no batch.", "a batch before it")
        if self._batch is None or not all(is_new) or not self._check_fields(line, record):
            return
        row = self._store_question(record)
        if self._can_show(row, record):
            entry = BatchQuestion.objects.create(
                batch=self._batch, question=row, payload=record.shown
            )
            self.questions += 1
            swap = self._ids.swapper_of(ids)
            known = self._store_known_answer(line, record, entry, swap)
            self._judges.add(line, record, entry, swap)
            self._current = QuestionRows(line, record, row, self._batch, swap, known)
        else:
            message = f"This question cannot be shown in a study of {self._kind.title}."
            self._faults.add(line, "shown", message, "the fields of its study kind")

    def _store_known_answer(
        self, line: int, record: ArchivedQuestion, entry: BatchQuestion, swap: Any
    ) -> Payload | None:
        if record.known_answer is None:
            return None
        payload: Payload = swap(record.known_answer.payload)
        item = self._kind.build_item(entry.question, complete_presentation(entry.payload))
        try:
            self._kind.validate(item, payload)
        except InvalidPayload as error:
            self._faults.add_all(line, error.faults, "known_answer")
        explanation = record.known_answer.explanation
        KnownAnswer.objects.create(entry=entry, payload=payload, explanation=explanation)
        return payload

    def _check_fields(self, line: int, record: ArchivedQuestion) -> bool:
        """Whether the fields that the kind adds are as in its questionnaires."""
        schema = self._kind.question_schema
        if not schema.model_fields.keys() - QuestionEntry.model_fields.keys():
            return True
        faults = FaultList()
        base = {"question_number": 1, "qid": 0, "text": "-", "category": ""}
        validate(schema, _as_read({**base, **record.payload}), "payload", faults)
        self._faults.add_all(line, faults.listed)
        return not faults.total

    def _store_question(self, record: ArchivedQuestion) -> Question:
        names = ("file_id", "number", "text", "category", "batch_number", "payload")
        row = Question.objects.create(
            id=self._ids.swap(record.id),
            question_set=self._set,
            **{name: getattr(record, name) for name in names},
        )
        Candidate.objects.bulk_create(
            Candidate(**{**asdict(one), "id": self._ids.swap(one.id)}, question=row, position=place)
            for place, one in enumerate(record.candidates)
        )
        Resource.objects.bulk_create(
            Resource(**asdict(one), question=row, position=place)
            for place, one in enumerate(record.resources)
        )
        prefetch_related_objects([row], "candidates", "resources")
        return row

    def _can_show(self, row: Question, record: ArchivedQuestion) -> bool:
        kind = self._kind
        try:
            item = kind.build_item(row, complete_presentation(record.shown))
            kind.csv_rows(item, None, UNASSIGNED)
            kind.coordinator_cells(row)
            return kind.can_use(row)
        except CANNOT_BE_SHOWN:
            return False


MEMBER_FIELDS = ("guidelines_number", "tags", "left_at", "answers_withdrawn", "returns")


def _as_read(value: Any) -> Any:
    """As the reader of questionnaires has objects."""
    if isinstance(value, dict):
        return JsonObject([(name, _as_read(one)) for name, one in value.items()])
    return [_as_read(one) for one in value] if isinstance(value, list) else value
