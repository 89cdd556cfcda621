"""The questions of a study that wait for adjudication, without anything of their answers."""

import uuid
from dataclasses import dataclass
from typing import Literal

from annotation.blinding import Sight, current_sight, find_sights, sight_of
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Batch, ConflictOfInterest
from annotation.question_list import ORDERS, summarize_questions
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.studies.models import Study

QueueState = Literal["open", "own", "taken", "adjudicated"]


@dataclass(frozen=True)
class QueuedQuestion:
    """own: begun by the reader. adjudicator: who has it now, or who submitted it.

    is_answered_by_reader: the reader has it as an expert, or a conflict of interest with it, and so
    cannot adjudicate it. sight: what the adjudicator had seen before the first answer, or has by
    now; of an open question, what the reader has.
    """

    question_id: uuid.UUID
    batch: Batch
    number: int
    text: str
    state: QueueState
    adjudicator: User | None
    is_answered_by_reader: bool
    sight: Sight


def read_queue(study: Study, reader: User) -> list[QueuedQuestion]:
    """What waits, those that divide the experts most first; then what is adjudicated."""
    rows = summarize_questions(study, get_kind_or_raise(study.kind))
    assignments = Assignment.objects.filter(study=study)
    adjudications = assignments.adjudications().select_related(
        "study", "expert", "response", "blinding"
    )
    taken = {one.question_id: one for one in adjudications}
    own = set(assignments.for_experts().filter(expert=reader).values_list("question", flat=True))
    conflicts = ConflictOfInterest.objects.filter(study=study, expert=reader)
    own.update(conflicts.values_list("question", flat=True))
    queued = [one for one in rows if one.is_to_adjudicate or one.question_id in taken]
    queued.sort(key=lambda row: (row.adjudication is not None, *ORDERS["disagreement"](row)))
    sights = {
        **find_sights(study, reader, [one.question_id for one in queued]),
        **{question: _sight(one) for question, one in taken.items()},
    }
    texts = Question.objects.in_bulk([one.question_id for one in queued])
    return [
        QueuedQuestion(
            question_id=row.question_id,
            batch=row.batch,
            number=row.number,
            text=texts[row.question_id].text,
            state=_state(row.adjudication is not None, taken.get(row.question_id), reader),
            adjudicator=taken[row.question_id].expert if row.question_id in taken else None,
            is_answered_by_reader=row.question_id in own,
            sight=sights[row.question_id],
        )
        for row in queued
    ]


def _sight(taken: Assignment) -> Sight:
    is_submitted = hasattr(taken, "response") and taken.response.submitted_number
    return sight_of(taken) if is_submitted else current_sight(taken)


def _state(is_adjudicated: bool, taken: Assignment | None, reader: User) -> QueueState:
    if is_adjudicated:
        return "adjudicated"
    if taken is None:
        return "open"
    return "own" if taken.expert_id == reader.pk else "taken"
