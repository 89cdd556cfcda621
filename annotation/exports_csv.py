"""A study as a table: the study kind's rows of every answer, in columns whose names describe them.

Every submitted revision has its rows (`latest` is yes for the one that counts). An assignment
without a submission has rows with the outcome `unanswered`, or `withdrawn` where it was taken back;
a question that nobody was assigned has rows with the outcome `unassigned`: so the table holds every
question of the study, and the share of answered questions can be counted from it.

The last two columns are what an import needs besides: `question_json` in the first row of each
question, and `answer_json` in the first row of each answer.

The encoding is UTF-8 without a byte order mark, every cell is quoted, lines end with CR LF. A cell
that a spreadsheet would run is escaped reversibly, as backend/validation/csv_escaping.py describes.
"""

import csv
import io
from collections.abc import Iterator
from datetime import datetime

from annotation.blinding import sight_of
from annotation.export_records import (
    ExportRecord,
    coordination_records,
    pseudonym,
    question_source,
    response_or_none,
    study_record,
)
from annotation.exports import consistent_snapshot, exact_json, iterate_questions
from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Batch, BatchQuestion, Revision
from annotation.presentations import complete_presentation
from backend.studies.models import Study
from backend.validation.csv_escaping import escape

UNANSWERED, UNASSIGNED, WITHDRAWN = "unanswered", "unassigned", "withdrawn"


def csv_columns(kind: AnyKind) -> list[str]:
    return [
        *("study", "batch_number", "batch_name"),
        *("qid", "question_number", "question", "category"),
        *(*kind.csv_item_columns, *kind.csv_coordinator_columns),
        *("expert", "expert_name", "expert_is_simulated", "revision", "latest", "outcome"),
        *kind.csv_answer_columns,
        *("active_ms", "submitted_at", "question_id"),
        *kind.csv_id_columns,
        "assignment_id",
        *(f"{arm.name}_arm" for arm in kind.arms),
        *("propensity", "state", "occasion", "purpose", "blinding"),
        *("is_adaptive", "selection_propensity"),
        *("question_json", "answer_json"),
    ]


def export_csv(study: Study, *, with_names: bool = False) -> Iterator[str]:
    kind = get_kind_or_raise(study.kind)
    columns = csv_columns(kind)
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(columns)
    for rows in iterate_rows(study, with_names=with_names):
        for row in rows:
            writer.writerow([escape(_cell(row.get(column))) for column in columns])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def iterate_rows(study: Study, *, with_names: bool) -> Iterator[list[ExportRecord]]:
    """The rows of each question."""
    kind = get_kind_or_raise(study.kind)
    with consistent_snapshot():
        coordination = coordination_records(study)
        for batch in study.batches.all():
            for entry, assignments in iterate_questions(batch, events=False):
                source = question_source(entry, coordination.get(entry.question_id, {}))
                rows = _rows(kind, study, batch, entry, assignments, with_names)
                yield [{**rows[0], "question_json": exact_json(source)}, *rows[1:]]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _rows(
    kind: AnyKind,
    study: Study,
    batch: Batch,
    entry: BatchQuestion,
    assignments: list[Assignment],
    with_names: bool,
) -> list[ExportRecord]:
    question = entry.question
    item = kind.build_item(question, complete_presentation(entry.payload))
    question_cells = {
        "study": study_record(study)["name"],
        "batch_number": batch.number,
        "batch_name": batch.name,
        "qid": question.file_id,
        "question_number": question.number,
        "question": question.text,
        "category": question.category,
        "question_id": question.id,
        **kind.coordinator_cells(question),
    }
    answers = [one for it in assignments for one in _answers(kind, study, it, with_names)]
    return [
        {**question_cells, **row, **cells, **({"answer_json": None} if place else {})}
        for cells, payload in answers or [({"outcome": UNASSIGNED}, None)]
        for place, row in enumerate(kind.csv_rows(item, payload, cells["outcome"]))
    ]


def _answers(
    kind: AnyKind, study: Study, assignment: Assignment, with_names: bool
) -> Iterator[tuple[ExportRecord, Payload | None]]:
    """What the rows of each revision have in common, with its answer to the complete item."""
    expert = {
        "expert": pseudonym(study, assignment.expert_id),
        "expert_name": assignment.expert.name if with_names else "",
        "expert_is_simulated": assignment.expert.is_simulated,
        "assignment_id": assignment.id,
        **{f"{arm}_arm": level for arm, level in assignment.arms.items()},
        "propensity": assignment.propensity,
        "state": assignment.state,
        "occasion": assignment.occasion,
        "purpose": assignment.purpose,
        "blinding": sight_of(assignment).state,
        "is_adaptive": assignment.is_adaptive,
        "selection_propensity": assignment.selection_propensity,
    }
    response = response_or_none(assignment)
    revisions = list(response.revisions.all()) if response else []
    if not revisions:
        is_withdrawn = assignment.state == Assignment.State.WITHDRAWN
        yield {**expert, "outcome": WITHDRAWN if is_withdrawn else UNANSWERED}, None
    for revision in revisions:
        payload = kind.convert(revision.answer, assignment.arms, {})
        stored = {"answer_json": exact_json(revision.answer)}
        yield {**expert, **_revision_cells(revision, revisions[-1]), **stored}, payload


def _revision_cells(revision: Revision, newest: Revision) -> ExportRecord:
    return {
        "revision": revision.number,
        "latest": revision is newest,
        "outcome": revision.outcome,
        "active_ms": revision.active_ms,
        "submitted_at": revision.submitted_at,
    }
