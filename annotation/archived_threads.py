"""The rows of an archive's threads and decisions. Coordinators are one account that nobody uses."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict

from annotation.export_records import COORDINATOR
from annotation.formats.archive_records import ArchivedQuestion, ArchivedThread
from annotation.models import QuestionDecision, Thread, ThreadMessage
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.studies.models import Study
from backend.validation.row_files.faults import RowFault, RowFaultList


class ArchivedThreads:
    def __init__(self, study: Study, faults: RowFaultList) -> None:
        self._study, self._faults = study, faults
        self._coordinator: User | None = None

    def add(
        self, line: int, record: ArchivedQuestion, row: Question, experts: Mapping[str, User]
    ) -> None:
        """After the assignments of the question, which in a table are the first to name experts."""
        before, known = self._faults.total, set[str]()
        for place, one in enumerate(record.threads):
            self._check(line, f"threads[{place}]", one, experts)
            if one.expert in known:
                self._fault(line, f"threads[{place}].expert", "one thread for each expert")
            known.add(one.expert)
        if self._faults.total == before:
            for one in record.threads:
                self._store(one, row, experts[one.expert])
            self._store_decisions(record, row)

    def _check(
        self, line: int, place: str, one: ArchivedThread, experts: Mapping[str, User]
    ) -> None:
        if one.expert not in experts:
            self._fault(line, f"{place}.expert", "an expert of the file")
        for number, message in enumerate(one.messages):
            if message.author not in (one.expert, COORDINATOR):
                expected = f"the expert, or {COORDINATOR}"
                self._fault(line, f"{place}.messages[{number}].author", expected)

    def _fault(self, line: int, place: str, expected: str) -> None:
        message = "This person cannot be here."
        self._faults.add(RowFault(line, place, "invalid", message, expected))

    def _store(self, record: ArchivedThread, row: Question, expert: User) -> None:
        """Ids rise, so that messages of the same moment keep their order."""
        thread = Thread.objects.create(
            study=self._study, question=row, expert=expert, is_resolved=record.is_resolved
        )
        first = uuid.uuid4().int >> 32 << 32
        ThreadMessage.objects.bulk_create(
            ThreadMessage(
                id=uuid.UUID(int=first + number),
                thread=thread,
                author=expert if one.author == record.expert else self._get_coordinator(),
                text=one.text,
                created_at=one.created_at,
            )
            for number, one in enumerate(record.messages)
        )

    def _store_decisions(self, record: ArchivedQuestion, row: Question) -> None:
        QuestionDecision.objects.bulk_create(
            QuestionDecision(
                study=self._study, question=row, actor=self._get_coordinator(), **asdict(one)
            )
            for one in record.decisions
        )

    def _get_coordinator(self) -> User:
        if self._coordinator is None:
            self._coordinator = User(
                email=f"archived-{COORDINATOR}-{self._study.id.hex}@archive.example",
                name=COORDINATOR.capitalize(),
                is_active=False,
            )
            self._coordinator.set_unusable_password()
            self._coordinator.save(force_insert=True)
        return self._coordinator
