"""The rows of an archive's model judges."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation.formats.archive_records import ArchivedJudge, ArchivedJudgeAnswer, ArchivedQuestion
from annotation.kinds.base import AnyKind, InvalidPayload
from annotation.kinds.items import Presentation
from annotation.models import BatchQuestion, Judge, JudgeAnswer
from backend.studies.models import Study
from backend.validation.row_files.faults import RowFault, RowFaultList

Swap = Callable[[Any], Any]


class ArchivedJudges:
    def __init__(self, study: Study, kind: AnyKind, faults: RowFaultList) -> None:
        self._study, self._kind, self._faults = study, kind, faults
        self._judges: dict[str, Judge] = {}
        balanced = next((one for one in kind.arms if one.is_balanced), None)
        self._arm = balanced.name if balanced else ""
        self._orders = balanced.levels if balanced else ("",)

    def add(self, line: int, record: ArchivedQuestion, entry: BatchQuestion, swap: Swap) -> None:
        if record.judges and not self._kind.choices:
            message = f"Studies of {self._kind.title} have no model judges."
            self._fault(line, "judges", message, "none")
            return
        names: set[str] = set()
        for place, one in enumerate(record.judges):
            where = f"judges[{place}]"
            if one.name in names:
                self._fault(line, f"{where}.name", "This judge is repeated.", "each once")
            else:
                self._add_judge(line, where, one, entry, swap)
            names.add(one.name)

    def _add_judge(
        self, line: int, where: str, record: ArchivedJudge, entry: BatchQuestion, swap: Swap
    ) -> None:
        judge = self._get_judge(record.name, record.imported_at)
        if judge.imported_at != record.imported_at:
            message = "This differs from an earlier line."
            expected = judge.imported_at.isoformat()
            self._fault(line, f"{where}.imported_at", message, expected)
        before, orders, rows = self._faults.total, set[str](), []
        for place, one in enumerate(record.answers):
            at = f"{where}.answers[{place}]"
            if one.order not in self._orders or one.order in orders:
                expected = "each once of " + (" and ".join(self._orders) or "no order")
                self._fault(line, f"{at}.order", "This order cannot be here.", expected)
            orders.add(one.order)
            payload = swap(one.payload)
            if self._faults.total == before:
                self._check_answer(line, at, one, entry, payload)
            fields = {**vars(one), "payload": payload}
            rows.append(JudgeAnswer(judge=judge, entry=entry, **fields))
        if self._faults.total == before:
            JudgeAnswer.objects.bulk_create(rows)

    def _get_judge(self, name: str, imported_at: datetime) -> Judge:
        if name not in self._judges:
            self._judges[name] = Judge.objects.create(
                study=self._study, name=name, imported_at=imported_at
            )
        return self._judges[name]

    def _check_answer(
        self, line: int, where: str, one: ArchivedJudgeAnswer, entry: BatchQuestion, payload: Any
    ) -> None:
        arms = {self._arm: one.order} if self._arm else {}
        item = self._kind.build_item(entry.question, Presentation(arms, entry.payload))
        try:
            outcome = self._kind.outcome(self._kind.validate(item, payload), item)
        except InvalidPayload as error:
            for it in error.faults or [None]:
                place = f"{where}.{it.place}" if it else f"{where}.payload"
                message, expected = (it.message, it.expected) if it else (error.detail, "an answer")
                self._fault(line, place, message, expected)
            return
        if outcome != one.outcome:
            self._fault(line, f"{where}.outcome", "The answer has another outcome.", outcome)

    def _fault(self, line: int, place: str, message: str, expected: str) -> None:
        self._faults.add(RowFault(line, place, "invalid", message, expected))
