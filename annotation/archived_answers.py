"""The assignments and answers of an archive, from the records after each question."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.archive_faults import ArchiveFaults
from annotation.archived_ids import ArchivedIds
from annotation.formats.archive_records import (
    ArchivedAssignment,
    ArchivedQuestion,
    ArchivedRevision,
)
from annotation.kinds.base import AnyKind, InvalidPayload, Payload
from annotation.kinds.items import Item, Presentation
from annotation.known_answers import CHECKS, judge_answer
from annotation.models import (
    SKIPPED,
    Assignment,
    Batch,
    Blinding,
    CheckedAnswer,
    Event,
    ReopenedAdjudication,
    Response,
    Revision,
)
from backend.accounts.models import User
from backend.benchmarks.models import Question

REVISION_FIELDS = (
    *("number", "outcome", "active_ms", "submitted_at"),
    *("consent_version", "guidelines_number"),
)
EVENT_FIELDS = (
    *("id", "response_version", "sequence", "kind", "active_ms", "client_at"),
    *("received_at", "interface"),
)


@dataclass
class QuestionRows:
    """A question, and the rows of the assignments that follow it."""

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
    blindings: list[Blinding] = field(default_factory=list)

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
        Blinding.objects.bulk_create(self.blindings)


class ArchivedAnswers:
    """purposes: of the assignments of each expert."""

    def __init__(
        self,
        kind: AnyKind,
        ids: ArchivedIds,
        experts: Mapping[str, User],
        faults: ArchiveFaults,
    ) -> None:
        self._kind, self._ids, self._experts, self._faults = kind, ids, experts, faults
        self._outcomes = {*(one.name for one in kind.outcomes), SKIPPED}
        self.purposes: defaultdict[str, set[str]] = defaultdict(set)
        self.count = 0

    def add(self, line: int, record: ArchivedAssignment, current: QuestionRows | None) -> None:
        """current: the question before the assignment, if it is right."""
        expert = self._experts.get(record.expert)
        if current is None or current.record.id != record.question:
            message = "The question of this assignment is not right before it."
            self._faults.add(line, "question", message, "assignments after their question")
            return
        if expert is None:
            self._faults.add(line, "expert", "This expert is not known.", "an expert of the file")
            return
        is_new = [
            self._faults.is_new(line, "id", "assignment", record.id),
            self._faults.is_new(line, "occasion", record.question, record.expert, record.occasion),
        ]
        if all(is_new) and self._check_answers(line, record, current):
            self.count += 1
            self.purposes[record.expert].add(record.purpose)
            self._build_rows(record, current, expert)

    def _check_answers(self, line: int, record: ArchivedAssignment, current: QuestionRows) -> bool:
        before = self._faults.total
        levels = {arm.name: arm.levels for arm in self._kind.arms}
        for arm, level in record.arms.items():
            if level not in levels.get(arm, ()):
                expected = ", ".join(levels.get(arm, levels)) or "no arm"
                self._faults.add(
                    line, f"arms.{arm}", "This study kind has no such level.", expected
                )
        for place, one in enumerate(record.revisions):
            if one.number != place + 1:
                where = f"revisions[{place}].number"
                self._faults.add(line, where, "The numbers have a gap.", str(place + 1))
        if record.response is None and (record.revisions or record.events):
            self._faults.add(
                line, "response", "There is no response.", "one, as there is a history"
            )
        for place, event in enumerate(record.events):
            self._faults.is_new(line, f"events[{place}].id", "event", record.id, event.id)
            if event.actor not in self._experts:
                where = f"events[{place}].actor"
                self._faults.add(line, where, "This expert is not known.", "an expert of the file")
        if self._faults.total == before:
            self._check_payloads(line, record, current)
        return self._faults.total == before

    def _check_payloads(self, line: int, record: ArchivedAssignment, current: QuestionRows) -> None:
        shown = Presentation(record.arms, current.record.shown)
        item: Item = self._kind.build_item(current.row, shown)
        for where, answer in answers_of(record):
            if answer.outcome and answer.outcome not in self._outcomes:
                expected = ", ".join(sorted(self._outcomes))
                place = f"{where}.outcome"
                self._faults.add(line, place, "This study kind has no such outcome.", expected)
            try:
                self._kind.validate(item, current.swap(answer.payload))
            except InvalidPayload as error:
                self._faults.add_all(line, error.faults, where)

    def _build_rows(self, record: ArchivedAssignment, current: QuestionRows, expert: User) -> None:
        names = (
            *("created_at", "state", "purpose", "occasion", "arms", "propensity"),
            *("is_adaptive", "selection_propensity"),
        )
        assignment = Assignment(
            id=self._ids.swap(record.id),
            study=current.batch.study,
            batch=current.batch,
            question=current.row,
            expert=expert,
            **{name: getattr(record, name) for name in names},
        )
        current.assignments.append(assignment)
        _add_adjudication(assignment, record, current)
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
                    actor=self._experts[event.actor],
                    old=current.swap(event.old),
                    new=current.swap(event.new),
                    **values,
                )
            )

    def _add_check(
        self, assignment: Assignment, revisions: list[ArchivedRevision], current: QuestionRows
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


def answers_of(record: ArchivedAssignment) -> Iterator[tuple[str, Any]]:
    if record.response is not None:
        yield "response", record.response
    for place, one in enumerate(record.revisions):
        yield f"revisions[{place}]", one


def _add_adjudication(
    assignment: Assignment, record: ArchivedAssignment, current: QuestionRows
) -> None:
    if record.blinding is not None:
        read_at = record.answers_read_at
        current.blindings.append(
            Blinding(assignment=assignment, state=record.blinding, answers_read_at=read_at)
        )
    if record.revision_reason is not None:
        reason = record.revision_reason
        current.reopened.append(ReopenedAdjudication(assignment=assignment, reason=reason))
