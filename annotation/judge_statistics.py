"""Figures about model judges: how far they agree with the experts, and with themselves."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

import numpy as np

from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.figures import TWO_WAY, Figure, Section, figure_of
from annotation.kinds.study_table import StudyTable
from annotation.models import Judge
from backend.science.judgements.kappa import chance_corrected_agreement
from backend.science.judgements.majority import kappa_with_raters, share_with_majority
from backend.science.judgements.tables import FloatArray, JudgementTable
from backend.science.judgements.two_way import two_way_mean
from backend.studies.models import Study

MAJORITY = f"Share of the questions with a majority; {TWO_WAY}"
KAPPA = f"Cohen's kappa with the experts' majority (Cohen, 1960); {TWO_WAY}"
WEIGHTED = f"Linear kappa with the experts' median grade (Cohen, 1968); {TWO_WAY}"
CONGER = f"Kappa of several raters (Conger, 1980); {TWO_WAY}"
PAIRED = f"Share; {TWO_WAY}"
BOTH_ORDERS = "Questions in both orders (Zheng et al., 2023), intervals by question"


@dataclass(frozen=True)
class JudgedAnswer:
    """payload: to the item as it is shown in this order; listed: to the complete item."""

    order: str
    payload: Payload
    listed: Payload


@dataclass
class JudgedQuestions:
    """answers: by question, those with a measured outcome."""

    name: str
    answers: dict[str, list[JudgedAnswer]] = field(default_factory=lambda: defaultdict(list))
    left_out: int = 0


def read_judges(study: Study, kind: AnyKind) -> list[JudgedQuestions]:
    arm = next((one.name for one in kind.arms if one.is_balanced), "")
    result = []
    for judge in Judge.objects.filter(study=study):
        judged = JudgedQuestions(judge.name)
        rows = judge.answers.order_by("id")
        for question, order, outcome, payload in rows.values_list(
            "entry__question", "order", "outcome", "payload"
        ):
            if kind.is_measured(outcome):
                listed = kind.convert(payload, {arm: order}, {})
                judged.answers[str(question)].append(JudgedAnswer(order, payload, listed))
            else:
                judged.left_out += 1
        result.append(judged)
    return result


def judge_sections(
    kind: AnyKind, table: StudyTable, judges: Sequence[JudgedQuestions]
) -> list[Section]:
    """A section for each judge, with the agreement of the experts among themselves beside it: of
    answers to questions drawn by chance, where others were not."""
    if not judges:
        return []
    choices, grades = _expert_tables(kind, table)
    own = _expert_figures(kind, *_expert_tables(kind, table.random_part()), table.seed)
    return [
        Section(
            f"judge_{number}",
            f"Model judge '{judge.name}'",
            (
                *_agreement_figures(kind, judge, choices, grades, table.seed),
                *own,
                *_order_figures(kind, judge, table.seed),
            ),
            _note(kind, judge, table.random_note),
        )
        for number, judge in enumerate(judges, 1)
    ]


def _note(kind: AnyKind, judge: JudgedQuestions, random_note: str) -> str:
    both = sum(len(answers) > 1 for answers in judge.answers.values())
    parts = [f"Questions judged: {len(judge.answers)}; in both orders: {both}."]
    if judge.left_out:
        parts.append(f"Answers left out as not sure: {judge.left_out}.")
    if kind.undecided:
        parts.append(f"A choice that changes with the order counts as '{kind.undecided}'.")
    if random_note:
        parts.append(f"Agreement of the experts among themselves:{random_note}")
    return " ".join(parts)


def _expert_tables(kind: AnyKind, table: StudyTable) -> tuple[JudgementTable, JudgementTable]:
    """Choices by their number in the kind, and grades, of the same experts and questions."""
    measured = [one for one in table.answers if kind.is_measured(one.outcome)]
    rows = [
        (one.question, one.rater, _code(kind, kind.choice_of(one.payload)), one.payload)
        for one in measured
    ]
    choices = JudgementTable.of((name, rater, code) for name, rater, code, _ in rows)
    grades = JudgementTable.of(
        (name, rater, _number(kind.grade_of(payload))) for name, rater, _, payload in rows
    )
    return choices, grades


def _code(kind: AnyKind, choice: str) -> float:
    return kind.choices.index(choice) if choice in kind.choices else np.nan


def _number(grade: float | None) -> float:
    return np.nan if grade is None else grade


def _expert_figures(
    kind: AnyKind, choices: JudgementTable, grades: JudgementTable, seed: int
) -> list[Figure]:
    agreement = partial(chance_corrected_agreement, seed=seed)
    result = [
        figure_of(
            "experts_same_choice",
            "Two experts: same choice",
            "questions",
            PAIRED,
            agreement(choices.values, "percent"),
        ),
        figure_of(
            "experts_kappa",
            "Experts: kappa",
            "questions",
            CONGER,
            agreement(choices.values, "conger"),
        ),
    ]
    if kind.grades:
        weighted = agreement(
            grades.values, "conger", weighting="linear", categories=_half_steps(kind)
        )
        label = "Experts: weighted kappa"
        result.append(figure_of("experts_weighted_kappa", label, "questions", CONGER, weighted))
    return result


def _half_steps(kind: AnyKind) -> list[float]:
    """What medians and means of two grades can be."""
    return [step / 2 for step in range(2 * kind.grades[0], 2 * kind.grades[-1] + 1)]


def _agreement_figures(
    kind: AnyKind,
    judge: JudgedQuestions,
    choices: JudgementTable,
    grades: JudgementTable,
    seed: int,
) -> list[Figure]:
    own = _vector(choices, judge, lambda answers: _code(kind, _choice(kind, answers)))
    same = np.where(np.isnan(choices.values), np.nan, choices.values == own)
    same[:, np.isnan(own)] = np.nan
    result = [
        figure_of(
            "judge_majority",
            "Judge: same choice as the experts' majority",
            "questions",
            MAJORITY,
            share_with_majority(choices.values, own, seed=seed),
        ),
        figure_of(
            "judge_kappa",
            "Judge: kappa",
            "questions",
            KAPPA,
            kappa_with_raters(choices.values, own, seed=seed),
        ),
    ]
    if kind.grades:
        graded = _vector(grades, judge, lambda answers: _grade(kind, answers))
        weighted = kappa_with_raters(
            grades.values, graded, seed=seed, weighting="linear", categories=_half_steps(kind)
        )
        label = "Judge: weighted kappa"
        result.append(figure_of("judge_weighted_kappa", label, "questions", WEIGHTED, weighted))
    pairs = two_way_mean(same, seed=seed, bounded=True)
    label = "Judge and one expert: same choice"
    return [*result, figure_of("judge_same_choice", label, "answers", PAIRED, pairs)]


def _vector(
    table: JudgementTable,
    judge: JudgedQuestions,
    value_of: Callable[[Sequence[JudgedAnswer]], float],
) -> FloatArray:
    """The judge's values for the questions of the table, NaN for the others."""
    return np.array(
        [value_of(judge.answers[name]) if name in judge.answers else np.nan for name in table.items]
    )


def _choice(kind: AnyKind, answers: Sequence[JudgedAnswer]) -> str:
    choices = {kind.choice_of(one.listed) for one in answers}
    return choices.pop() if len(choices) == 1 else kind.undecided


def _grade(kind: AnyKind, answers: Sequence[JudgedAnswer]) -> float:
    """The mean over the orders; NaN where one of them has no grade."""
    return fmean(_number(kind.grade_of(one.listed)) for one in answers)


def _order_figures(kind: AnyKind, judge: JudgedQuestions, seed: int) -> list[Figure]:
    """How the judge depends on the order; none where its kind has no orders."""
    if not any(one.is_balanced for one in kind.arms):
        return []
    both = {name: answers for name, answers in judge.answers.items() if len(answers) > 1}
    flips = {
        name: {"": len({kind.choice_of(one.listed) for one in answers}) > 1}
        for name, answers in both.items()
    }
    first = {
        name: {
            one.order: is_first
            for one in answers
            if (is_first := kind.prefers_first(one.payload)) is not None
        }
        for name, answers in judge.answers.items()
    }
    preferred = "First place preferred, of answers for one"
    return [
        _order_figure("judge_flips", "Choice changes with the order", "questions", flips, seed),
        _order_figure("judge_first_share", preferred, "answers", first, seed),
    ]


def _order_figure(
    name: str, label: str, unit: str, values: Mapping[str, Mapping[str, bool]], seed: int
) -> Figure:
    """values: by question and order. Orders are fixed, so that questions alone are drawn."""
    rows = [(one, order, float(so)) for one, by in values.items() for order, so in by.items()]
    share = two_way_mean(JudgementTable.of(rows).values, seed=seed, bounded=True)
    return figure_of(name, label, unit, BOTH_ORDERS, share)
