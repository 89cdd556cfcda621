"""Statistics of a study of hypothesis pairs: which is preferred, agreement, sides, raters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from annotation.kinds.agreement_figures import (
    agreement_table,
    alpha_figure,
    category_figures,
    grade_figures,
    leave_one_out_figures,
    leave_one_out_section,
)
from annotation.kinds.choice_sections import choice_retest_section
from annotation.kinds.figures import (
    IS_TEST,
    TWO_WAY,
    Figure,
    Section,
    count_figure,
    figure_of,
    share_figure,
    study_share,
)
from annotation.kinds.hypothesis_pairs.evidence_effect import evidence_sections
from annotation.kinds.hypothesis_pairs.measures import GRADES, verdict_of
from annotation.kinds.hypothesis_pairs.model_board import model_sections
from annotation.kinds.rater_sections import (
    check_section,
    choice_ability_figures,
    choice_drift_figures,
    fatigue_section,
    straight_lining_figures,
)
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.judgements.choices import Choice, Outcome, PairChoice
from backend.science.judgements.pairs import preference_report
from backend.science.judgements.preference_tests import PreferenceTest, TestName

UNSURE = "not_sure"
CHOICES: Mapping[str, Choice] = {
    "a_much": "left_much_better",
    "a": "left_better",
    "tie": "tie",
    "b": "right_better",
    "b_much": "right_much_better",
    "both_bad": "both_bad",
    "not_sure": "not_sure",
}
VERDICT_CODES = {"a": 0, "a_much": 0, "b": 1, "b_much": 1, "tie": 2, "both_bad": 3}
MAJORITY = "majority of the raters of each pair"
WILSON = "interval for these raters (Wilson, 1927)"
TESTS: Mapping[TestName, tuple[str, str, str]] = {
    "sign_test": (
        "Sign test, exact, two-sided",
        "Exact sign test (Conover, 1999)",
        "The value is the number of pairs for {first}.",
    ),
    "two_proportion_z": (
        "z-test as printed, one-sided",
        "One-sided z-test of two proportions (Xiong et al., 2025, Table 4)",
        "The value is z.",
    ),
    "signed_rank": (
        "Signed-rank test of mean grades",
        "Exact signed-rank test (Wilcoxon, 1945)",
        "The value is the sum of the ranks for {first}.",
    ),
}
BELIEVED = "This p-value answers whether there is a preference."
BESIDE = "It uses the sizes of the grades, beside the sign test."


@dataclass(frozen=True)
class Sides:
    """What the first and the second of each pair are; first_listed: whether the first is 'a'."""

    first: str
    second: str
    first_listed: Mapping[str, bool]


def pair_sections(table: StudyTable) -> list[Section]:
    sides = find_sides(table)
    choices = [
        PairChoice(
            one.question,
            one.rater,
            CHOICES[one.payload["choice"]],
            sides.first_listed[one.question],
        )
        for one in table.answers
    ]
    checked = [one for one in table.with_mixed_in().answers if one.outcome != UNSURE]
    return [
        preference_section(
            choices,
            sides.first,
            sides.second,
            table.seed,
            is_open=table.is_open,
            is_adaptive=table.is_adaptive,
        ),
        *model_sections(table),
        *_agreement_sections(table),
        _side_section(table),
        *evidence_sections(table, sides.first, sides.first_listed),
        _rater_section(checked, table.seed),
        fatigue_section(checked, _verdict),
        choice_retest_section(table.random_part().repeats, _code, seed=table.seed),
    ]


def find_sides(table: StudyTable) -> Sides:
    """Of two arms over all pairs, the one with the higher mean score is first, else the one that
    the file lists first; without two arms, the hypothesis with the higher score, or listed first.

    Pairs with a known answer check raters, and may be of no arm and without scores.
    """
    pairs = {
        name: one.question.payload["hypotheses"]
        for name, one in table.questions.items()
        if name not in table.known
    }
    arms = list(dict.fromkeys(one["arm"] for pair in pairs.values() for one in pair))
    has_arms = len(arms) == 2 and all(pair[0]["arm"] != pair[1]["arm"] for pair in pairs.values())
    scores = [one["score"] for pair in pairs.values() for one in pair]
    has_scores = bool(scores) and None not in scores
    if has_arms:
        if has_scores:
            arms.sort(key=lambda arm: -_mean_score(pairs, arm))
        listed = {name: pair[0]["arm"] == arms[0] for name, pair in pairs.items()}
        return Sides(f"'{arms[0]}'", f"'{arms[1]}'", listed)
    if has_scores and all(pair[0]["score"] != pair[1]["score"] for pair in pairs.values()):
        listed = {name: pair[0]["score"] > pair[1]["score"] for name, pair in pairs.items()}
        return Sides("the higher score", "the lower score", listed)
    return Sides("the first of the file", "the second of the file", dict.fromkeys(pairs, True))


def preference_section(
    choices: Sequence[PairChoice],
    first: str,
    second: str,
    seed: int,
    *,
    is_open: bool,
    is_adaptive: bool = False,
) -> Section:
    """Which of two arms raters prefer, with each test and which of them to believe.

    choices: in order of time. is_adaptive: some pairs were drawn because they inform.
    """
    report = preference_report(choices, seed=seed)
    pairs = sum(report.outcomes.values())
    labels: Mapping[Outcome, str] = {
        "first": f"Pairs for {first}",
        "second": f"Pairs for {second}",
        "tie": "Ties",
        "both_bad": "Both bad",
        "split": "No majority",
        "undecided": "Nobody was sure",
    }
    counts = tuple(
        count_figure(f"pairs_{name}", label, report.outcomes.get(name, 0), pairs, "pairs", MAJORITY)
        for name, label in labels.items()
    )
    choices_label = f"Choices for {first}, of those for one"
    closed = figure_of(
        "share_of_choices",
        choices_label,
        "choices",
        f"Share of choices; {TWO_WAY}",
        report.share_of_choices,
    )
    shares = (
        figure_of(
            "share_of_pairs",
            f"Pairs for {first}, of those for one",
            "pairs",
            f"{MAJORITY}; {WILSON}",
            report.share_of_pairs,
        ),
        _share_by_pair(choices, choices_label, seed, is_open=is_open)
        if is_open or is_adaptive
        else closed,
    )
    tests = tuple(_test_figure(one, report.believed, first) for one in report.tests)
    valid = report.believed.replace("_", " ")
    note = f"First: {first}. Second: {second}. The {valid} is the test of a preference."
    return Section("preference", "Preference", (*counts, *shares, *tests), note)


def _share_by_pair(
    choices: Sequence[PairChoice], label: str, seed: int, *, is_open: bool
) -> Figure:
    rows = [
        (one.pair, one.rater, one.preference == "first")
        for one in choices
        if one.preference in ("first", "second")
    ]
    return share_figure(
        "share_of_choices",
        label,
        rows,
        is_open=is_open,
        seed=seed,
        basis="choices",
        equal_questions=True,
    )


def _test_figure(test: PreferenceTest, believed: TestName, first: str) -> Figure:
    label, method, meaning = TESTS[test.name]
    lack = "" if test.statistic is not None else "No pair was decided."
    note = BELIEVED if test.name == believed else test.explanation or BESIDE
    return Figure(
        test.name,
        label,
        test.statistic,
        test.n,
        "pairs",
        method,
        reason=lack,
        interval_reason=lack or IS_TEST,
        p_value=test.p_value,
        note=note if lack else f"{meaning.format(first=first)} {note}",
    )


def _agreement_sections(table: StudyTable) -> list[Section]:
    sure = [one for one in table.random_part().answers if one.outcome != UNSURE]
    seed = table.seed
    graded = [one for one in sure if one.payload["choice"] in GRADES]
    verdicts = agreement_table(sure, [VERDICT_CODES[one.payload["choice"]] for one in sure])
    grades = agreement_table(graded, [GRADES[one.payload["choice"]] for one in graded])
    figures = (
        alpha_figure("alpha_nominal", "Alpha of verdicts", verdicts, "nominal", seed=seed),
        *category_figures(verdicts, len({*VERDICT_CODES.values()}), "verdict", seed=seed),
        alpha_figure("alpha_ordinal", "Alpha of grades", grades, "ordinal", seed=seed),
        *grade_figures(grades, sorted(GRADES.values()), "grade", seed=seed),
    )
    note = f"'Not sure' is left out; 'both bad' is a verdict and no grade.{table.random_note}"
    return [
        Section("agreement", "Agreement", figures, note),
        leave_one_out_section(leave_one_out_figures(verdicts, "nominal")),
    ]


def _side_section(table: StudyTable) -> Section:
    """Outcomes are by side: 'a' is the left one."""
    preferred = [
        (one.question, one.rater, one.outcome == "a")
        for one in table.answers
        if one.outcome in ("a", "b")
    ]
    unsure = [(one.question, one.rater, one.outcome == UNSURE) for one in table.answers]
    figures = tuple(
        study_share(table, name, label, rows)
        for name, label, rows in (
            ("left_share", "Left is better, of those for one", preferred),
            ("not_sure_share", "Not sure", unsure),
        )
    )
    note = "Without an effect of the side it is near a half."
    left = replace(figures[0], note=" ".join(filter(None, (figures[0].note, note))))
    return Section("shares", "Sides and shares", (left, *figures[1:]))


def _rater_section(sure: Sequence[StudyAnswer], seed: int) -> Section:
    return check_section(
        [
            *choice_ability_figures(sure, _verdict, seed=seed),
            *choice_drift_figures(sure, _verdict, seed=seed),
            *straight_lining_figures(sure, lambda one: one.outcome, seed=seed),
        ]
    )


def _code(answer: StudyAnswer) -> int | None:
    return VERDICT_CODES.get(answer.payload["choice"])


def _verdict(answer: StudyAnswer) -> str:
    return verdict_of(answer.payload["choice"])


def _mean_score(pairs: Mapping[str, Sequence[Mapping[str, Any]]], arm: str) -> float:
    return fmean(one["score"] for pair in pairs.values() for one in pair if one["arm"] == arm)
