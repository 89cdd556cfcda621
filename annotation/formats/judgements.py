"""Judgements of other programs as records of a study: rankings, pairs or ratings.

A study has one kind, that of its first judgement. Everything else in a file is a fault with its
place, never dropped in silence.
"""

import json
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any, BinaryIO

from django.utils import timezone

from annotation.formats.archive_records import FORMAT_VERSION, ArchiveRecord
from annotation.formats.base import Read
from annotation.formats.jsonl.reader import check_record
from annotation.formats.limits import LIMITS
from annotation.kinds.base import AnyKind
from annotation.kinds.foreign_answers import ForeignAnswers, Form, Options
from annotation.kinds.registry import study_kinds
from annotation.models import SKIPPED, Assignment, Status
from backend.studies.models import Study
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList
from backend.validation.row_files.json_rows import read_json_list

LEVELS = range(1, 6)


@dataclass(frozen=True)
class ForeignJudgement:
    """Of one expert about one task. value: the answer's payload in terms of the task.

    In the form of its task; None if it was skipped.
    """

    expert: str
    value: Any
    at: str | None = None
    seconds: float = 0
    comment: str = ""


@dataclass(frozen=True)
class Task:
    """form: of the judgements' values. options: what is judged, or the names of scales."""

    line: int
    form: Form
    file_id: str
    text: str
    options: Options
    judgements: Sequence[ForeignJudgement]
    details: str = ""


class Unjudged(Exception):
    """A task that nobody has judged: how it would be follows from the judged tasks of its file."""


class FaultyTask(Exception):
    """A task that has no counterpart here, or a value of it."""

    def __init__(self, place: str, message: str, expected: str) -> None:
        super().__init__(message)
        self.place, self.message, self.expected = place, message, expected


def kind_of_form(form: Form) -> tuple[AnyKind, ForeignAnswers]:
    """The study kind whose answers have this form."""
    return next(
        (kind, foreign)
        for kind in study_kinds().values()
        if (foreign := kind.foreign) and foreign.form == form
    )


def form_of(first: Task | None) -> Form:
    """Of a task that nobody has judged."""
    if first is None:
        raise Unjudged
    return first.form


# Of a line and its object, with the first judged task of the file, once it is known. Raises
# Unjudged where that is needed, FaultyTask for a task without a counterpart.
Parse = Callable[[int, dict[str, Any], Task | None], Task]


def task_reader(name: str, parse: Parse) -> Read:
    """Reads the records of a study from a file of tasks, a JSON list. name: of the program."""

    def read(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, ArchiveRecord]]:
        for line, record in _records(name, read_tasks(file, faults, parse), faults):
            checked = check_record(line, record, faults)
            if checked is not None:
                yield line, checked

    return read


def _records(
    name: str, tasks: Iterable[Task], faults: RowFaultList
) -> Iterator[tuple[int, dict[str, Any]]]:
    now, places, form = timezone.now(), count(), ""
    experts: set[str] = set()
    for number, task in enumerate(tasks, 1):
        kind, foreign = kind_of_form(task.form)
        if not form:
            form = task.form
            yield task.line, _study(name, kind.name, now.isoformat())
            yield task.line, {"record": "batch", "id": uuid.uuid4(), "number": 1, "name": ""}
        if task.form != form:
            message = "This task is answered in another way than the first one."
            faults.add(RowFault(task.line, "", "mixed_kinds", message, form))
            continue
        ids = {option: str(uuid.uuid4()) for option, _ in task.options}
        question = uuid.uuid4()
        yield task.line, _question(task, foreign, number, question, ids)
        for one in task.judgements:
            if one.expert not in experts:
                experts.add(one.expert)
                yield task.line, _expert(one.expert)
            at = (now + next(places) * timedelta(microseconds=1)).isoformat()
            yield task.line, _assignment(foreign, question, one, ids, at)
    if not form and not faults.total:
        raise FileRefused("empty_file", "This file has no tasks.", "at least one task", 1)


def _study(name: str, kind: str, now: str) -> dict[str, Any]:
    return {
        "record": "study",
        "format": FORMAT_VERSION,
        "id": uuid.uuid4(),
        "name": name,
        "kind": kind,
        "status": Study.Status.CLOSED,
        "is_demo": False,
        "graph": None,
        "guidelines": [],
        "created_at": now,
        "description": "",
        "software": name,
        "design": {"seed": 0, "arm_shares": {}, "overlap": None, "lease_minutes": 60},
    }


def _question(
    task: Task, foreign: ForeignAnswers, number: int, question: uuid.UUID, ids: Mapping[str, str]
) -> dict[str, Any]:
    candidates = [
        {"id": ids[option], "name": text, "link": "", "identifier": option, "prior_rank": 1}
        for option, text in task.options
    ]
    return {
        "record": "question",
        "id": question,
        "file_id": task.file_id,
        "number": number,
        "text": task.text,
        "category": "",
        "batch_number": 1,
        "payload": foreign.fields(task.options, task.details),
        "shown": foreign.shown,
        "candidates": candidates if foreign.has_candidates else [],
        "resources": [],
    }


def _expert(name: str) -> dict[str, Any]:
    return {
        "record": "expert",
        "id": name,
        "is_simulated": False,
        "consent_version": "",
        "consented_at": None,
    }


def _assignment(
    foreign: ForeignAnswers,
    question: uuid.UUID,
    one: ForeignJudgement,
    ids: Mapping[str, str],
    at: str,
) -> dict[str, Any]:
    outcome, payload = foreign.answer(one.value, ids, one.comment)
    status = Status.SKIPPED if one.value is None else Status.SUBMITTED
    answer = {
        "status": status,
        "outcome": outcome or SKIPPED,
        "payload": payload,
        "active_ms": round(one.seconds * 1000),
    }
    submitted = one.at or at
    return {
        "record": "assignment",
        "question": question,
        "id": uuid.uuid4(),
        "expert": one.expert,
        "created_at": at,
        "state": Assignment.State.ACTIVE,
        "occasion": 1,
        "purpose": Assignment.Purpose.ANSWER,
        "arms": foreign.arms,
        "propensity": 1.0,
        "response": {"version": 1, **answer, "updated_at": submitted},
        "revisions": [{"number": 1, "submitted_at": submitted, **answer}],
        "events": [],
    }


def read_tasks(file: BinaryIO, faults: RowFaultList, parse: Parse) -> Iterator[Task]:
    """Of a JSON list, in its order; elements that are no task of this program are faults."""
    first: Task | None = None
    waiting: list[tuple[int, dict[str, Any]]] = []
    for line, value in _read_objects(file, faults):
        try:
            task = _parse_or_report(parse, line, value, first, faults)
        except Unjudged:
            waiting.append((line, value))
            continue
        if task is None:
            continue
        if first is None:
            first = task
            earlier = [_parse_or_report(parse, *one, first, faults) for one in waiting]
            yield from (one for one in earlier if one is not None)
            waiting.clear()
        yield task
    for line, _ in waiting:
        message = "Nobody has judged a task of this file."
        faults.add(RowFault(line, "", "unjudged", message, "a judgement of one task at least"))


def _read_objects(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, dict[str, Any]]]:
    for batch in read_json_list(LimitedStream(file, "", LIMITS), LIMITS, faults):
        for line, text in zip(batch.lines, batch.texts, strict=True):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                faults.add(RowFault(line, "", "not_json", "This is not JSON.", "an object"))
                continue
            if isinstance(value, dict):
                yield line, value
            else:
                faults.add(RowFault(line, "", "unknown", "This is not a task.", "an object"))


def _parse_or_report(
    parse: Parse, line: int, value: dict[str, Any], first: Task | None, faults: RowFaultList
) -> Task | None:
    try:
        return parse(line, value, first)
    except FaultyTask as fault:
        faults.add(RowFault(line, fault.place, "unknown", fault.message, fault.expected))
        return None


def member(value: Any, name: str, of_type: type, place: str = "") -> Any:
    """A field of an object; raises FaultyTask if it is missing or of another type."""
    content = value.get(name) if isinstance(value, dict) else None
    if not isinstance(content, of_type):
        where = f"{place}.{name}" if place else name
        raise FaultyTask(where, "This field has another type, or is missing.", of_type.__name__)
    return content


def check_level(value: object, place: str) -> int:
    if type(value) is not int or value not in LEVELS:
        raise FaultyTask(place, "This rating has no counterpart here.", "a whole number, 1 to 5")
    return value


def check_order(groups: Sequence[Sequence[str]], options: Iterable[str], place: str) -> None:
    if sorted(one for group in groups for one in group) != sorted(options):
        raise FaultyTask(place, "This is no order of all items.", "each item once")


TEXT_FIELDS = ("question", "prompt", "instruction", "query", "text")


def split_text(
    fields: Mapping[str, Any], taken: Collection[str] = ()
) -> tuple[str, dict[str, str]]:
    """The question for the experts, and the other fields that are text."""
    texts = {
        name: value
        for name, value in fields.items()
        if isinstance(value, str) and name not in taken
    }
    name = next((one for one in TEXT_FIELDS if one in texts), "")
    return texts.pop(name, ""), texts
