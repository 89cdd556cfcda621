"""The rows of an archive, from the records of its file in their order."""

import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import prefetch_related_objects

from annotation.archived_ids import ArchivedIds
from annotation.archived_judges import ArchivedJudges
from annotation.archived_threads import ArchivedThreads
from annotation.exports_csv import UNASSIGNED
from annotation.formats.archive_records import (
    ArchivedAssignment,
    ArchivedBatch,
    ArchivedExpert,
    ArchivedQuestion,
    ArchivedRevision,
    ArchiveRecord,
)
from annotation.kinds.base import AnyKind, InvalidPayload, Payload
from annotation.kinds.items import Item, Presentation
from annotation.known_answers import CHECKS, judge_answer
from annotation.models import (
    SKIPPED,
    Assignment,
    Batch,
    BatchQuestion,
    CheckedAnswer,
    Event,
    KnownAnswer,
    ReopenedAdjudication,
    Response,
    Revision,
)
from annotation.presentations import complete_presentation
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.benchmarks.questionnaire import QuestionEntry
from backend.studies.models import Archive, Member
from backend.validation.faults import FaultList
from backend.validation.json_files import JsonObject, validate
from backend.validation.row_files.faults import RowFault, RowFaultList

CANNOT_BE_SHOWN = (KeyError, IndexError, TypeError, ValueError, AttributeError)


@dataclass
class _Current:
    """The question whose assignments follow."""

    line: int
    record: ArchivedQuestion
    row: Question
    batch: Batch
    swap: Any
    known: Payload | None
    assignments: list[Assignment] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    checks: list[CheckedAnswer] = field(default_factory=list)
    reopened: list[ReopenedAdjudication] = field(default_factory=list)

    def store(self) -> None:
        Assignment.objects.bulk_create(self.assignments)
        times = [one.updated_at for one in self.responses]
        Response.objects.bulk_create(self.responses)
        for one, time in zip(self.responses, times, strict=True):
            one.updated_at = time  # creating a row sets it to now
        Response.objects.bulk_update(self.responses, ["updated_at"])
        Revision.objects.bulk_create(self.revisions)
        Event.objects.bulk_create(self.events)
        CheckedAnswer.objects.bulk_create(self.checks)
        ReopenedAdjudication.objects.bulk_create(self.reopened)


class ArchiveRows:
    """Records become rows, or faults with their lines."""

    def __init__(
        self, archive: Archive, kind: AnyKind, question_set: QuestionSet, faults: RowFaultList
    ) -> None:
        self.study, self._archive = archive.study, archive
        self._kind, self._set, self._faults = kind, question_set, faults
        self._ids, self._threads = ArchivedIds(self.study.id), ArchivedThreads(self.study, faults)
        self._judges = ArchivedJudges(self.study, kind, faults)
        self._outcomes = {*(one.name for one in kind.outcomes), SKIPPED}
        self._once: set[tuple[object, ...]] = set()
        self._first_account = uuid.uuid4().int >> 32 << 32
        self._batch: Batch | None = None
        self._current: _Current | None = None
        self._members: dict[str, Member] = {}
        self._purposes: dict[str, set[str]] = defaultdict(set)
        self.experts: dict[str, User] = {}
        self.questions = self.assignments = 0

    @property
    def has_names(self) -> bool:
        return any("name" in one for one in self._archive.experts.values())

    def add(self, line: int, record: ArchiveRecord) -> None:
        if isinstance(record, ArchivedAssignment):
            self._add_assignment(line, record)
        elif isinstance(record, ArchivedExpert):
            self._add_expert(line, record)
        else:
            self._store_answers()
            if isinstance(record, ArchivedBatch):
                self._add_batch(line, record)
            elif isinstance(record, ArchivedQuestion):
                self._add_question(line, record)
            else:
                self._fault(line, "record", "This is a second study.", "one study in a file")

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
            for name, purposes in self._purposes.items()
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

    def _fault(self, line: int, place: str, message: str, expected: str) -> None:
        self._faults.add(RowFault(line, place, "invalid", message, expected))

    def _is_new(self, line: int, place: str, *key: object) -> bool:
        """Whether nothing before it has this key."""
        if key in self._once:
            self._fault(line, place, "This is in the file already.", "each once")
            return False
        self._once.add(key)
        return True

    def _add_expert(self, line: int, record: ArchivedExpert) -> None:
        """Accounts in the order of the file, which decides in which order answers are listed."""
        if not self._is_new(line, "id", "expert", record.id):
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
        is_new = self._is_new(line, "id", "batch", record.id)
        if self._is_new(line, "number", "number", record.number) and is_new:
            self._batch = Batch.objects.create(
                id=self._ids.swap(record.id),
                study=self.study,
                number=record.number,
                name=record.name,
            )

    def _add_question(self, line: int, record: ArchivedQuestion) -> None:
        ids = [record.id, *(one.id for one in record.candidates)]
        is_new = [
            *(self._is_new(line, "id", "question", one) for one in ids),
            self._is_new(line, "file_id", "file_id", record.file_id),
        ]
        if self._batch is None:
            self._fault(line, "record", "This question is in no batch.", "a batch before it")
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
            self._current = _Current(line, record, row, self._batch, swap, known)
        else:
            message = f"This question cannot be shown in a study of {self._kind.title}."
            self._fault(line, "shown", message, "the fields of its study kind")

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
            self._add_faults(line, "known_answer", error)
        explanation = record.known_answer.explanation
        KnownAnswer.objects.create(entry=entry, payload=payload, explanation=explanation)
        return payload

    def _add_faults(self, line: int, where: str, error: InvalidPayload) -> None:
        for one in error.faults:
            place = f"{where}.{one.place}"
            self._faults.add(RowFault(line, place, one.code, one.message, one.expected))

    def _check_fields(self, line: int, record: ArchivedQuestion) -> bool:
        """Whether the fields that the kind adds are as in its questionnaires."""
        schema = self._kind.question_schema
        if not schema.model_fields.keys() - QuestionEntry.model_fields.keys():
            return True
        faults = FaultList()
        base = {"question_number": 1, "qid": 0, "text": "-", "category": ""}
        validate(schema, _as_read({**base, **record.payload}), "payload", faults)
        for one in faults.listed:
            self._faults.add(RowFault(line, one.place, one.code, one.message, one.expected))
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

    def _add_assignment(self, line: int, record: ArchivedAssignment) -> None:
        current, expert = self._current, self.experts.get(record.expert)
        if current is None or current.record.id != record.question:
            message = "The question of this assignment is not right before it."
            self._fault(line, "question", message, "assignments after their question")
            return
        if expert is None:
            self._fault(line, "expert", "This expert is not known.", "an expert of the file")
            return
        is_new = [
            self._is_new(line, "id", "assignment", record.id),
            self._is_new(line, "occasion", record.question, record.expert, record.occasion),
        ]
        if all(is_new) and self._check_answers(line, record, current):
            self.assignments += 1
            self._purposes[record.expert].add(record.purpose)
            self._build_rows(record, current, expert)

    def _check_answers(self, line: int, record: ArchivedAssignment, current: _Current) -> bool:
        before = self._faults.total
        levels = {arm.name: arm.levels for arm in self._kind.arms}
        for arm, level in record.arms.items():
            if level not in levels.get(arm, ()):
                expected = ", ".join(levels.get(arm, levels)) or "no arm"
                self._fault(line, f"arms.{arm}", "This study kind has no such level.", expected)
        for place, one in enumerate(record.revisions):
            if one.number != place + 1:
                where = f"revisions[{place}].number"
                self._fault(line, where, "The numbers have a gap.", str(place + 1))
        if record.response is None and (record.revisions or record.events):
            self._fault(line, "response", "There is no response.", "one, as there is a history")
        for place, event in enumerate(record.events):
            self._is_new(line, f"events[{place}].id", "event", record.id, event.id)
            if event.actor not in self.experts:
                where = f"events[{place}].actor"
                self._fault(line, where, "This expert is not known.", "an expert of the file")
        if self._faults.total == before:
            self._check_payloads(line, record, current)
        return self._faults.total == before

    def _check_payloads(self, line: int, record: ArchivedAssignment, current: _Current) -> None:
        shown = Presentation(record.arms, current.record.shown)
        item: Item = self._kind.build_item(current.row, shown)
        for where, answer in _answers(record):
            if answer.outcome and answer.outcome not in self._outcomes:
                expected = ", ".join(sorted(self._outcomes))
                place = f"{where}.outcome"
                self._fault(line, place, "This study kind has no such outcome.", expected)
            try:
                self._kind.validate(item, current.swap(answer.payload))
            except InvalidPayload as error:
                self._add_faults(line, where, error)

    def _build_rows(self, record: ArchivedAssignment, current: _Current, expert: User) -> None:
        names = (
            *("created_at", "state", "purpose", "occasion", "arms", "propensity"),
            *("is_adaptive", "selection_propensity"),
        )
        assignment = Assignment(
            id=self._ids.swap(record.id),
            study=self.study,
            batch=current.batch,
            question=current.row,
            expert=expert,
            **{name: getattr(record, name) for name in names},
        )
        current.assignments.append(assignment)
        if record.revision_reason is not None:
            reason = record.revision_reason
            current.reopened.append(ReopenedAdjudication(assignment=assignment, reason=reason))
        if record.response is None:
            return
        fields = {**vars(record.response), "payload": current.swap(record.response.payload)}
        submitted = self._submitted_fields(record.revisions)
        response = Response(assignment=assignment, **fields, **submitted)
        current.responses.append(response)
        for one in record.revisions:
            payload = current.swap(one.payload)
            values = {name: getattr(one, name) for name in REVISION_FIELDS}
            current.revisions.append(Revision(response=response, **values, payload=payload))
        self._add_check(assignment, record.revisions, current)
        for event in record.events:
            values = {name: getattr(event, name) for name in EVENT_FIELDS}
            current.events.append(
                Event(
                    response=response,
                    actor=self.experts[event.actor],
                    old=current.swap(event.old),
                    new=current.swap(event.new),
                    **values,
                )
            )

    def _add_check(
        self, assignment: Assignment, revisions: list[ArchivedRevision], current: _Current
    ) -> None:
        """As when it was answered: the first answer counts."""
        answers = [one for one in revisions if self._kind.counts_as_answer(one.outcome)]
        if current.known is None or assignment.purpose not in CHECKS or not answers:
            return
        payload = current.swap(answers[0].payload)
        is_right = judge_answer(self._kind, assignment, answers[0].outcome, payload, current.known)
        current.checks.append(CheckedAnswer(assignment=assignment, is_right=is_right))

    def _submitted_fields(self, revisions: list[ArchivedRevision]) -> dict[str, Any]:
        if not revisions:
            return {}
        newest = revisions[-1]
        answers = [one for one in revisions if self._kind.counts_as_answer(one.outcome)]
        return {
            "submitted_number": newest.number,
            "submitted_outcome": newest.outcome,
            "submitted_at": newest.submitted_at,
            "answer_ms": answers[0].active_ms if answers else None,
        }


MEMBER_FIELDS = ("guidelines_number", "tags", "left_at", "answers_withdrawn", "returns")
REVISION_FIELDS = (
    *("number", "outcome", "active_ms", "submitted_at"),
    *("consent_version", "guidelines_number"),
)
EVENT_FIELDS = (
    *("id", "response_version", "sequence", "kind", "active_ms", "client_at"),
    *("received_at", "interface"),
)


def _answers(record: ArchivedAssignment) -> Iterator[tuple[str, Any]]:
    if record.response is not None:
        yield "response", record.response
    for place, one in enumerate(record.revisions):
        yield f"revisions[{place}]", one


def _as_read(value: Any) -> Any:
    """As the reader of questionnaires has objects."""
    if isinstance(value, dict):
        return JsonObject([(name, _as_read(one)) for name, one in value.items()])
    return [_as_read(one) for one in value] if isinstance(value, list) else value
