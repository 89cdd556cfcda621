"""Figures about the quality of experts and questions that every study kind has in common."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from annotation.kinds.base import AnyKind
from annotation.kinds.figures import SPREAD, Figure, Section, count_figure, rater_figure
from annotation.kinds.study_table import StudyAnswer, StudyTable, number_values
from backend.science.judgements.dawid_skene import fit_dawid_skene
from backend.science.judgements.disputed_keys import find_disputed_keys
from backend.science.judgements.item_discrimination import item_discriminations
from backend.science.judgements.tables import FloatArray
from backend.science.rater_checks.excess import check_excess
from backend.science.rater_checks.rater_tests import RaterTest

HOLM = "adjusted over the questions and the checks of the study (Holm, 1979)"
DISCRIMINATION = (
    "Item-rest correlation, permutation test (Lord and Novick, 1968); against the discrimination "
    f"of the other questions given the abilities (Ponocny, 2001), {HOLM}"
)
KEYS = f"Known answers against able raters, Poisson binomial test, {HOLM}"
ERRORS = f"Wrong answers {SPREAD}"
RETEST = f"Other answers to repeated questions {SPREAD}"
QUESTION_CHECKS = "items"
"""The section of questions to look at, whose figures show no answer."""
IS_TEST = "This is the statistic of a test; its p-value stands beside it."


def quality_sections(kind: AnyKind, table: StudyTable, others: Sequence[Section]) -> list[Section]:
    """Empty for a kind whose answers have no choice to be compared by.

    others: the kind's own sections. Answers of raters who are flagged there carry nothing about
    questions: one who guesses hides what the able ones have in common.
    """
    left_out = {one.expert for section in others for one in section.figures if one.is_flagged}
    answers = [
        one
        for one in (*table.answers, *(it.answer for it in table.checks))
        if _has_choice(kind, one) and one.rater not in left_out
    ]
    sections = [_item_section(kind, table, answers)] if answers else []
    retest = _retest_figures(kind, table.random_part())
    raters = [*_gold_figures(table), *retest]
    if raters:
        note = "Known answers that raters gave wrong, and answers that differ the second time."
        note += _retest_note(table) if retest else ""
        sections.append(Section("expert_checks", "Known and repeated questions", (*raters,), note))
    return sections


def _has_choice(kind: AnyKind, answer: StudyAnswer) -> bool:
    return kind.is_measured(answer.outcome) and kind.choice_of(answer.payload) != ""


def _gold_figures(table: StudyTable) -> list[Figure]:
    rows = [(one.answer.rater, one.answer.question, not one.is_right) for one in table.checks]
    label = "Known answers given wrong"
    return [
        rater_figure("gold_failed", label, ERRORS, test, name) for test, name in _error_tests(rows)
    ]


def _retest_figures(kind: AnyKind, table: StudyTable) -> list[Figure]:
    """The questions count as one item: each is repeated by few raters."""
    rows = [
        (first.rater, "", kind.choice_of(first.payload) != kind.choice_of(second.payload))
        for first, second in table.repeats
        if _has_choice(kind, first) and _has_choice(kind, second)
    ]
    label = "Other answer the second time"
    return [
        rater_figure("low_retest", label, RETEST, test, name) for test, name in _error_tests(rows)
    ]


def _retest_note(table: StudyTable) -> str:
    """Empty where all questions were drawn by chance."""
    random, total = len(table.random_part().repeats), len(table.repeats)
    if random == total:
        return ""
    return f" The latter are from {random} of {total} repeated questions: those drawn by chance."


def _error_tests(rows: Sequence[tuple[str, str, bool]]) -> list[tuple[RaterTest, str]]:
    """rows: rater, question, whether it is wrong."""
    if not rows:
        return []
    raters, questions, is_wrong = zip(*rows, strict=True)
    names = list(dict.fromkeys(raters))
    tests = check_excess(number_values(raters), number_values(questions), np.array(is_wrong))
    return [(one, names[int(one.rater)]) for one in tests]


def _item_section(kind: AnyKind, table: StudyTable, answers: Sequence[StudyAnswer]) -> Section:
    """Those that are flagged, with how many were looked at."""
    questions = list(dict.fromkeys(one.question for one in answers))
    counts, keys = _count_choices(kind, table, answers, questions)
    votes = counts.sum(axis=0)
    posteriors = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    if kind.choices:
        # From the votes alone: other starts may end with the categories renamed.
        posteriors = fit_dawid_skene(counts, seed=table.seed, starts=1).posteriors
    flagged = [
        *_broken_figures(table, counts, posteriors, questions),
        *_disputed_figures(counts, posteriors, keys, questions),
    ]
    number = len({one.question for one in flagged})
    label, note = "Flagged questions", "A flag marks unusual answers; it proves no fault."
    total = count_figure(
        "questions_flagged", label, number, len(questions), "questions", DISCRIMINATION
    )
    return Section(QUESTION_CHECKS, "Questions", (total, *flagged), note)


def _broken_figures(
    table: StudyTable, counts: FloatArray, posteriors: FloatArray, questions: Sequence[str]
) -> list[Figure]:
    tests = item_discriminations(counts, posteriors, seed=table.seed)
    return [
        Figure(
            "negative_discrimination",
            "Able raters disagree with the others",
            one.correlation.value,
            one.correlation.n,
            "raters",
            DISCRIMINATION,
            interval_reason=IS_TEST,
            p_value=one.p_value,
            adjusted_p=one.adjusted,
            is_flagged=True,
            question=question,
        )
        for one, question in zip(tests, questions, strict=True)
        if one.flagged
    ]


def _disputed_figures(
    counts: FloatArray, posteriors: FloatArray, keys: FloatArray, questions: Sequence[str]
) -> list[Figure]:
    return [
        Figure(
            "disputed_key",
            "Raters who gave the known answer",
            one.agreement,
            one.n,
            "raters",
            KEYS,
            interval_reason=IS_TEST,
            p_value=one.p_value,
            adjusted_p=one.adjusted,
            is_flagged=True,
            question=questions[one.item],
            note=f"Expected: {one.expected:.2f}.",
        )
        for one in find_disputed_keys(counts, posteriors, keys)
        if one.flagged
    ]


def _count_choices(
    kind: AnyKind, table: StudyTable, answers: Sequence[StudyAnswer], questions: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """(raters, questions, K), and the category of each known answer or NaN.

    Choices that mean something else in each question are numbered there from the commonest.
    """
    places = {name: place for place, name in enumerate(questions)}
    votes: list[Counter[str]] = [Counter() for _ in questions]
    for one in answers:
        votes[places[one.question]][kind.choice_of(one.payload)] += 1
    for name, payload in table.known.items():
        if name in places:
            votes[places[name]][kind.choice_of(payload)] += 0
    listed = [kind.choices or [choice for choice, _ in one.most_common()] for one in votes]
    codes = [{choice: code for code, choice in enumerate(one)} for one in listed]
    raters = {name: row for row, name in enumerate(dict.fromkeys(one.rater for one in answers))}
    counts = np.zeros((len(raters), len(questions), max(2, *map(len, codes))))
    for one in answers:
        place = places[one.question]
        counts[raters[one.rater], place, codes[place][kind.choice_of(one.payload)]] = 1
    keys = np.full(len(questions), np.nan)
    for name, payload in table.known.items():
        if name in places:
            keys[places[name]] = codes[places[name]][kind.choice_of(payload)]
    return counts, keys
