"""A study as a table: one row per candidate of every answer.

There is one row for every candidate of every submitted revision (`latest` is yes for the one
that counts). An assignment without a submission has one row per candidate with the state
`unanswered`, a question that nobody was given one row per candidate with the state
`unassigned`: so the table holds every candidate of the study at least once, and the share of
answered questions can be counted from it. `rank` is filled where she ranked (confirmed and
changed); candidates that she tied have the same rank, and the next rank is left out.

The encoding is UTF-8 without a mark of byte order, every cell is quoted, lines end with CR LF.
A cell that a spreadsheet would run is escaped, as backend/common/spreadsheets.py describes: an
apostrophe before = + - @ ' and the like goes, every other cell is as it was.
"""

import csv
import io
from collections.abc import Iterator
from datetime import datetime

from annotation.exports import (
    Row,
    one_moment,
    pseudonym,
    questions_of,
    response_of,
    revision_row,
)
from annotation.models import RANKED, Assignment, Batch, Study
from backend.benchmarks.models import Candidate, Question
from backend.common.spreadsheets import escape
from backend.science.rankings import competition_ranks

COLUMNS = (
    "study",
    "batch_number",
    "batch_name",
    "qid",
    "question_number",
    "question",
    "category",
    "candidate_position",
    "candidate",
    "candidate_link",
    "prior_rank",
    "expert",
    "expert_name",
    "expert_is_simulated",
    "revision",
    "latest",
    "state",
    "rank",
    "confidence",
    "reasons",
    "comment",
    "unsure_reason",
    "active_ms",
    "submitted_at",
    "question_id",
    "candidate_id",
    "assignment_id",
)


def export_csv(study: Study, *, with_names: bool = False) -> Iterator[str]:
    """The study as CSV, question by question."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    with one_moment():
        for batch in study.batches.all():
            for question, assignments in questions_of(batch, events=False):
                for row in _rows(study, batch, question, assignments, with_names):
                    writer.writerow([escape(_cell(row.get(column))) for column in COLUMNS])
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _rows(
    study: Study, batch: Batch, question: Question, given: list[Assignment], with_names: bool
) -> Iterator[Row]:
    candidates = list(question.candidates.all())
    asked = {
        "study": study.name,
        "batch_number": batch.number,
        "batch_name": batch.name,
        "qid": question.file_id,
        "question_number": question.number,
        "question": question.text,
        "category": question.category,
        "question_id": question.id,
    }
    answers = [row for it in given for row in _answer_rows(study, it, with_names)]
    for answer, ranks in answers or [({"state": "unassigned"}, {})]:
        for candidate in candidates:
            yield {**asked, **_candidate_cells(candidate, ranks), **answer}


def _candidate_cells(candidate: Candidate, ranks: dict[str, int]) -> Row:
    return {
        "candidate_position": candidate.position + 1,
        "candidate": candidate.name,
        "candidate_link": candidate.link,
        "prior_rank": candidate.prior_rank,
        "candidate_id": candidate.id,
        "rank": ranks.get(str(candidate.id)),
    }


def _answer_rows(
    study: Study, assignment: Assignment, with_names: bool
) -> Iterator[tuple[Row, dict[str, int]]]:
    """What the assignment's rows share, with her ranks by candidate, for each revision."""
    expert = {
        "expert": pseudonym(study, assignment.expert_id),
        "expert_name": assignment.expert.name if with_names else "",
        "expert_is_simulated": assignment.expert.is_simulated,
        "assignment_id": assignment.id,
    }
    response = response_of(assignment)
    revisions = list(response.revisions.all()) if response else []
    if not revisions:
        yield {**expert, "state": "unanswered"}, {}
    for revision in revisions:
        ranks = competition_ranks(revision.ranking) if revision.state in RANKED else {}
        cells = {
            **revision_row(revision),
            "revision": revision.number,
            "latest": revision is revisions[-1],
            "reasons": ";".join(revision.reasons),
        }
        yield {**expert, **cells}, ranks
