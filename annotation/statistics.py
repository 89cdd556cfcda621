"""The statistics of a study: read its answers, let its kind compute the figures."""

import uuid
from collections.abc import Collection, Mapping
from typing import Any, cast

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from annotation.judge_statistics import judge_sections, read_judges
from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.figures import Section, as_of_open_study, count_figure
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.study_table import (
    CheckedStudyAnswer,
    StudyAnswer,
    StudyQuestion,
    StudyTable,
)
from annotation.known_answer_share import known_answer_sections
from annotation.models import SKIPPED, Assignment, BatchQuestion, KnownAnswer, Revision
from annotation.presentations import design_of
from annotation.quality_statistics import quality_sections
from backend.common.bounds import require_seed
from backend.studies.models import Study

AnswerKey = tuple[str, str]
SELECTION = "Expected information of one more answer (Lindley, 1956)"


def compute_statistics(study: Study, *, seed: int | None = None) -> list[Section]:
    """The figures of the study's newest answers. seed: by default that of its design.

    While it is open, intervals and p-values that hold for one look alone are left out.
    """
    kind, design = get_kind_or_raise(study.kind), design_of(study)
    if seed is not None:
        require_seed(seed)
    table = read_study_table(study, kind, design.seed if seed is None else seed)
    sections = kind.statistics(table)
    sections = [
        *sections,
        *quality_sections(kind, table, sections),
        *judge_sections(kind, table, read_judges(study, kind)),
        *known_answer_sections(design),
    ]
    if design.adaptive_share:
        sections.append(_selection_section(table, design.adaptive_share))
    return as_of_open_study(sections) if table.is_open else sections


def _selection_section(table: StudyTable, share: float) -> Section:
    answers = len(table.answers)
    adaptive = sum(one.is_adaptive for one in table.answers)
    figures = tuple(
        count_figure(name, label, count, answers, "answers", SELECTION)
        for name, label, count in (
            ("drawn_adaptive", "To questions that informed most", adaptive),
            ("drawn_random", "To questions drawn by chance", answers - adaptive),
        )
    )
    note = (
        f"Planned: {share:.0%} by information, {1 - share:.0%} by chance. "
        "Agreement, reliability and retest come from the answers drawn by chance alone; in shares "
        "each question weighs the same."
    )
    return Section("selection", "Choice of questions", figures, note)


def read_study_table(study: Study, kind: AnyKind, seed: int) -> StudyTable:
    own = Assignment.objects.filter(
        study=study, state=Assignment.State.ACTIVE, purpose=Assignment.Purpose.ANSWER
    )
    answers = _read_answers(kind, own.filter(occasion=1))
    return StudyTable(
        questions=_read_questions(study),
        answers=list(answers.values()),
        repeats=_read_repeats(kind, own, answers.keys()),
        is_open=not study.has_ended,
        seed=seed,
        checks=_read_checks(study, kind),
        known=_read_known_answers(study),
    )


def _read_repeats(
    kind: AnyKind, own: QuerySet[Assignment], counted: Collection[AnswerKey]
) -> list[tuple[StudyAnswer, StudyAnswer]]:
    """Of each question that came again: the answer that stood then, and the first one that
    followed. What is revised once both are known would measure the revision."""
    served = {
        (str(question), str(rater)): time
        for question, rater, time in own.filter(occasion=2).values_list(
            "question", "expert", "created_at"
        )
    }
    every = Revision.objects.filter(response__assignment__in=own)
    earlier = every.filter(
        response__assignment__occasion=1,
        response__assignment__question__in=own.filter(occasion=2).values("question"),
    )
    before: dict[AnswerKey, StudyAnswer] = {}
    for one in _read_revisions(kind, earlier):
        key = (one.question, one.rater)
        if key in served and (key not in before or one.submitted_at <= served[key]):
            before[key] = one
    after: dict[AnswerKey, StudyAnswer] = {}
    for one in _read_revisions(kind, every.filter(response__assignment__occasion=2)):
        after.setdefault((one.question, one.rater), one)
    return [(before[key], one) for key, one in after.items() if key in before and key in counted]


def _read_known_answers(study: Study) -> dict[str, Payload]:
    rows = KnownAnswer.objects.filter(entry__batch__study=study)
    return {str(name): payload for name, payload in rows.values_list("entry__question", "payload")}


def _read_checks(study: Study, kind: AnyKind) -> list[CheckedStudyAnswer]:
    checked = Assignment.objects.not_withdrawn().filter(
        study=study, check_result__is_right__isnull=False
    )
    rows = checked.values_list("question", "expert", "check_result__is_right", "purpose")
    checks = {
        (str(question), str(rater)): (bool(is_right), purpose == Assignment.Purpose.GOLD)
        for question, rater, is_right, purpose in rows
    }
    answers = _read_answers(kind, checked)
    return [CheckedStudyAnswer(one, *checks[key]) for key, one in answers.items()]


def _read_questions(study: Study) -> dict[str, StudyQuestion]:
    entries = (
        BatchQuestion.objects.filter(batch__study=study)
        .select_related("batch", "question")
        .prefetch_related("question__candidates")
        .order_by("batch__number", "question__number")
    )
    return {
        str(one.question_id): StudyQuestion(
            f"batch {one.batch.number}, question {one.question.number}", one.question, one.payload
        )
        for one in entries
    }


def _read_answers(kind: AnyKind, assignments: QuerySet[Assignment]) -> dict[AnswerKey, StudyAnswer]:
    """By question and rater, the newest, in order of time."""
    of_all = Revision.objects.filter(response__assignment__in=assignments)
    rows = _read_revisions(kind, of_all.filter(number=F("response__submitted_number")))
    return {(one.question, one.rater): one for one in rows}


def _read_revisions(kind: AnyKind, revisions: QuerySet[Revision]) -> list[StudyAnswer]:
    """Those that are no skip, in order of time."""
    rows = (
        revisions.exclude(outcome=SKIPPED)
        .order_by("submitted_at", "id")
        .values(
            "outcome",
            "submitted_at",
            question=F("response__assignment__question_id"),
            rater=F("response__assignment__expert_id"),
            arms=F("response__assignment__arms"),
            propensity=F("response__assignment__propensity"),
            is_adaptive=F("response__assignment__is_adaptive"),
            answer_ms=F("response__answer_ms"),
            stored=Coalesce("payload", "legacy__payload"),
        )
    )
    return [_answer(kind, row) for row in rows]


def _answer(kind: AnyKind, row: Mapping[str, Any]) -> StudyAnswer:
    arms = cast(dict[str, str], row["arms"])
    milliseconds = row["answer_ms"]
    return StudyAnswer(
        question=str(cast(uuid.UUID, row["question"])),
        rater=str(cast(uuid.UUID, row["rater"])),
        outcome=row["outcome"],
        payload=kind.convert(row["stored"], arms, {}),
        submitted_at=row["submitted_at"],
        arms=arms,
        propensity=row["propensity"],
        is_adaptive=row["is_adaptive"],
        seconds=None if milliseconds is None else milliseconds / 1000,
    )
