"""The questions of a study with every expert's newest answer, as its coordinators read them."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from annotation.adjudications import Adjudication, read_adjudications
from annotation.blinding import record_readings
from annotation.expert_answers import ExpertAnswer
from annotation.expert_flags import QuestionFlag, find_question_flags
from annotation.kinds.base import AnyKind, Json, Payload
from annotation.kinds.measures import Measure
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import (
    SKIPPED,
    Assignment,
    AssignmentQuerySet,
    Batch,
    BatchQuestion,
    CheckedAnswer,
    KnownAnswer,
    QuestionDecision,
    Revision,
)
from annotation.presentations import complete_presentation, design_of
from annotation.threads import blind_questions, open_threads
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.studies.models import Study

PAGE_SIZE = 25
GOLD_FAILED = "gold_failed"

Order = Literal["disagreement", "number", "share", "comments", "unanswered"]


@dataclass(frozen=True)
class QuestionFilter:
    """search: in the question, its candidates and, with answers, the comments. outcome: of at least
    one answer.

    with_answers: without them, a row has their number and agreement alone.
    state: a name of STATES. rater: who answered. agreement_below: of the kind's first measure.
    """

    order: Order = "disagreement"
    search: str = ""
    batch: int | None = None
    outcome: str = ""
    has_comment: bool = False
    state: str = ""
    rater: uuid.UUID | None = None
    agreement_below: float | None = None
    question: uuid.UUID | None = None
    with_answers: bool = True
    offset: int = 0

    @property
    def reveals(self) -> bool:
        """Whether a list of questions by it shows how they were answered."""
        return self.with_answers or bool(self.outcome) or self.order == "share"


@dataclass
class AnsweredQuestion:
    """item, initial and consensus are set on the questions of the page alone.

    answered: without skips. requested: how many answers complete it. is_blind: the reader
    adjudicates it and has not submitted, so that nothing of the others' answers is here. excluded:
    why it is left out of the consensus. adjudicated: the adjudicated answer in the form of a
    consensus. has_known_answer: it checks the experts, and is no part of the results. failed_by:
    experts who did not give it.
    """

    question_id: uuid.UUID
    batch: Batch
    number: int
    assigned: int
    requested: int
    is_blind: bool = False
    is_flagged: bool = False
    is_to_adjudicate: bool = False
    excluded: str | None = None
    adjudication: Adjudication | None = None
    adjudicated: Json = None
    outcomes: Mapping[str, int] = field(default_factory=dict)
    shares: Sequence[Measure] = ()
    measures: Sequence[Measure] = ()
    answers: Sequence[ExpertAnswer] = ()
    answered: int = 0
    comments: int = 0
    item: Payload | None = None
    initial: Payload | None = None
    consensus: Json = None
    has_known_answer: bool = False
    failed_by: list[str] = field(default_factory=list)
    flags: Sequence[QuestionFlag] = ()

    @property
    def agreement(self) -> float | None:
        return _first_value(self.measures)


@dataclass(frozen=True)
class QuestionPage:
    """total counts the questions that match, questions all of the study."""

    study: Study
    questions: int
    total: int
    offset: int
    results: list[AnsweredQuestion]


def read_question_page(study: Study, chosen: QuestionFilter, reader: User) -> QuestionPage:
    kind = get_kind_or_raise(study.kind)
    rows = summarize_questions(study, kind, blind=set(blind_questions(study, reader)))
    matching = _matching(study, rows, chosen)
    matching.sort(key=ORDERS[chosen.order])
    page = matching[chosen.offset : chosen.offset + PAGE_SIZE]
    _add_items(kind, page)
    if chosen.reveals:
        record_readings(reader, study, [row.question_id for row in page if row.answers])
    if not chosen.with_answers:
        for row in page:
            _hide_answers(row, kind)
    return QuestionPage(study, len(rows), len(matching), chosen.offset, page)


def summarize_questions(
    study: Study, kind: AnyKind, *, blind: Collection[uuid.UUID] = ()
) -> list[AnsweredQuestion]:
    """Every question once, in the first of its batches, as it is assigned.

    blind: the questions without any answer.
    """
    answers = _answers(study, kind)
    flags = find_question_flags(study)
    known = set(
        KnownAnswer.objects.filter(entry__batch__study=study).values_list("entry", flat=True)
    )
    assigned = dict(
        _listed(study)
        .filter(state=Assignment.State.ACTIVE)
        .values_list("question")
        .annotate(Count("id"))
    )
    failed = _failed_by(study)
    overlap = design_of(study).overlap
    entries = BatchQuestion.objects.filter(batch__study=study).select_related("batch")
    rows: dict[uuid.UUID, AnsweredQuestion] = {}
    for entry in entries.annotate(number=F("question__number")).order_by("batch__number", "id"):
        key = entry.question_id
        if key not in rows:
            count = assigned.get(key, 0)
            row = AnsweredQuestion(key, entry.batch, entry.number, count, overlap or count)
            row.is_blind = key in blind
            row.has_known_answer = entry.pk in known
            row.failed_by = [] if row.is_blind else sorted(map(str, failed[key]))
            row.flags = [] if row.is_blind else flags.get(key, [])
            rows[key] = _with_answers(row, kind, () if row.is_blind else answers[key])
    _add_decisions(study, kind, rows)
    return list(rows.values())


def _failed_by(study: Study) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By question with a known answer, the experts whose first answer was another one.

    Without those who withdrew from the study with their answers.
    """
    result: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    wrong = CheckedAnswer.objects.filter(assignment__study=study, is_right=False)
    wrong = wrong.exclude(assignment__state=Assignment.State.WITHDRAWN)
    for question, expert in wrong.values_list("assignment__question", "assignment__expert"):
        result[question].add(expert)
    return result


def _listed(study: Study) -> AssignmentQuerySet:
    """With those that check experts: their questions have no others."""
    rows = Assignment.objects.filter(study=study, occasion=1)
    return rows.exclude(purpose=Assignment.Purpose.ADJUDICATION)


def _add_decisions(study: Study, kind: AnyKind, rows: Mapping[uuid.UUID, AnsweredQuestion]) -> None:
    excluded = QuestionDecision.objects.excluded(study)
    to_adjudicate = QuestionDecision.objects.to_adjudicate(study)
    adjudications = read_adjudications(study, kind)
    flagged = open_threads(study)
    for key, row in rows.items():
        row.excluded = excluded[key].reason if key in excluded else None
        row.is_to_adjudicate = key in to_adjudicate
        row.adjudication = adjudications.get(key)
        row.is_flagged = key in flagged and not row.is_blind


def _answers(study: Study, kind: AnyKind) -> dict[uuid.UUID, list[ExpertAnswer]]:
    """By question, the experts always in the same order."""
    newest = Revision.objects.filter(
        response__assignment__in=_listed(study).exclude(
            state__in=[Assignment.State.SURPLUS, Assignment.State.WITHDRAWN]
        ),
        number=F("response__submitted_number"),
    ).annotate(content=Coalesce("payload", "legacy__payload"))
    experts = User.objects.in_bulk(
        Assignment.objects.filter(study=study).values_list("expert", flat=True).distinct()
    )
    result: dict[uuid.UUID, list[ExpertAnswer]] = defaultdict(list)
    for question, expert, arms, outcome, content, active_ms, submitted_at in newest.values_list(
        *("response__assignment__question", "response__assignment__expert"),
        *(
            "response__assignment__arms",
            "outcome",
            "content",
            "response__answer_ms",
            "submitted_at",
        ),
    ):
        payload = kind.convert(content, arms, {})
        comment = kind.comment(payload).strip()
        outcome = kind.convert_outcome(outcome, arms)
        result[question].append(
            ExpertAnswer(experts[expert], outcome, payload, comment, active_ms, submitted_at)
        )
    for answers in result.values():
        answers.sort(key=lambda one: (one.expert.name, one.expert.email))
    return result


def _with_answers(
    row: AnsweredQuestion, kind: AnyKind, answers: Sequence[ExpertAnswer]
) -> AnsweredQuestion:
    names = [*(one.name for one in kind.outcomes), SKIPPED]
    row.answers, row.comments = answers, sum(bool(one.comment) for one in answers)
    row.outcomes = {name: sum(one.outcome == name for one in answers) for name in names}
    row.answered = len(answers) - row.outcomes[SKIPPED]
    row.shares = kind.shares(row.outcomes)
    row.measures = kind.item_agreement(_measured(kind, answers))
    return row


def _hide_answers(row: AnsweredQuestion, kind: AnyKind) -> None:
    """How many there are and how far they agree stays."""
    row.answers, row.outcomes, row.shares, row.consensus = (), {}, (), None
    row.measures = [one for one in row.measures if not kind.is_result(one["name"])]


def _measured(kind: AnyKind, answers: Sequence[ExpertAnswer]) -> list[Payload]:
    return [one.payload for one in answers if kind.is_measured(one.outcome)]


def _matching(
    study: Study, rows: Sequence[AnsweredQuestion], chosen: QuestionFilter
) -> list[AnsweredQuestion]:
    named = _find_by_text(study, chosen.search) if chosen.search else set()
    text = chosen.search.casefold()
    return [
        row
        for row in rows
        if chosen.batch in (None, row.batch.number)
        and (not chosen.outcome or row.outcomes.get(chosen.outcome, 0) > 0)
        and (not chosen.has_comment or row.comments > 0)
        and (chosen.question in (None, row.question_id))
        and (not chosen.state or STATES[chosen.state](row))
        and (chosen.rater is None or _is_answered_by(row, chosen.rater))
        and (chosen.state != GOLD_FAILED or _is_failed_by(row, chosen.rater))
        and _is_below(row.agreement, chosen.agreement_below)
        and (
            not text
            or row.question_id in named
            or (chosen.with_answers and any(text in it.comment.casefold() for it in row.answers))
        )
    ]


def _is_answered_by(row: AnsweredQuestion, rater: uuid.UUID) -> bool:
    return any(one.expert.pk == rater and one.outcome != SKIPPED for one in row.answers)


def _is_failed_by(row: AnsweredQuestion, rater: uuid.UUID | None) -> bool:
    return rater is None or str(rater) in row.failed_by


def _is_below(value: float | None, limit: float | None) -> bool:
    return limit is None or (value is not None and value < limit)


def _find_by_text(study: Study, text: str) -> set[uuid.UUID]:
    matches = Question.objects.filter(entries__batch__study=study).filter(
        Q(text__icontains=text) | Q(category__icontains=text) | Q(candidates__name__icontains=text)
    )
    return set(matches.values_list("id", flat=True))


def _add_items(kind: AnyKind, rows: Sequence[AnsweredQuestion]) -> None:
    entries = BatchQuestion.objects.filter(
        batch__in={row.batch.id for row in rows}, question__in=[row.question_id for row in rows]
    ).select_related("question")
    loaded = {
        (one.batch_id, one.question_id): one
        for one in entries.prefetch_related("question__candidates", "question__resources")
    }
    for row in rows:
        entry = loaded[row.batch.id, row.question_id]
        item = kind.build_item(entry.question, complete_presentation(entry.payload))
        row.item = item.model_dump(mode="json")
        row.initial = kind.initial_answer(item).model_dump(mode="json")
        if row.excluded is None:
            row.consensus = kind.consensus(_measured(kind, row.answers))
        if row.adjudication:
            row.adjudicated = kind.consensus(_measured(kind, [row.adjudication.result]))


SortKey = tuple[float, int, int]


def _order_by(
    value: Callable[[AnsweredQuestion], float | None],
) -> Callable[[AnsweredQuestion], SortKey]:
    """The smallest value first, rows without one last, then by batch and number."""

    def key(row: AnsweredQuestion) -> SortKey:
        one = value(row)
        return (float("inf") if one is None else one, row.batch.number, row.number)

    return key


def _first_value(measures: Sequence[Measure]) -> float | None:
    return measures[0]["value"] if measures else None


def _negative_share(row: AnsweredQuestion) -> float | None:
    share = _first_value(row.shares)
    return None if share is None else -share


ORDERS: Mapping[Order, Callable[[AnsweredQuestion], SortKey]] = {
    "disagreement": _order_by(lambda row: row.agreement),
    "number": _order_by(lambda row: 0.0),
    "share": _order_by(_negative_share),
    "comments": _order_by(lambda row: -row.comments),
    "unanswered": _order_by(lambda row: row.answered - row.assigned),
}

STATES: Mapping[str, Callable[[AnsweredQuestion], bool]] = {
    "unanswered": lambda row: row.answered == 0,
    "in_progress": lambda row: 0 < row.answered < row.requested,
    "complete": lambda row: 0 < row.requested <= row.answered,
    "to_adjudicate": lambda row: row.is_to_adjudicate and row.adjudication is None,
    "adjudicated": lambda row: row.adjudication is not None,
    "flagged": lambda row: row.is_flagged,
    GOLD_FAILED: lambda row: bool(row.failed_by),
    "excluded": lambda row: row.excluded is not None,
}
"""Filters by the state of a question; each further one is an entry here. GOLD_FAILED and a rater
find what that rater failed."""
