"""Preference between two arms: sides, majorities, tests and intervals."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.choices import Choice, PairChoice, outcome_by_pair
from backend.science.judgements.pairs import count_tests, preference_report, preference_share
from backend.science.judgements.preference_tests import (
    sign_test,
    signed_rank_test,
    two_proportion_z,
)

MIRRORED: dict[Choice, Choice] = {
    "left_much_better": "right_much_better",
    "left_better": "right_better",
    "tie": "tie",
    "right_better": "left_better",
    "right_much_better": "left_much_better",
    "both_bad": "both_bad",
    "not_sure": "not_sure",
}


def choice(pair: str, rater: str, value: Choice, first_on_left: bool = True) -> PairChoice:
    return PairChoice(pair, rater, value, first_on_left)


def simulated(seed: int, raters: int = 6, pairs: int = 30) -> list[PairChoice]:
    rng = np.random.default_rng(seed)
    options = list(MIRRORED)
    return [
        choice(f"p{pair}", f"r{rater}", options[rng.integers(7)], bool(rng.integers(2)))
        for pair in range(pairs)
        for rater in range(raters)
        if rng.random() < 0.7
    ]


@pytest.mark.parametrize(("first", "z_p", "sign_p"), [(33, 0.01046, 0.1337), (32, 0.02715, 0.2203)])
def test_the_printed_z_test_and_the_sign_test_of_54_pairs(
    first: int, z_p: float, sign_p: float
) -> None:
    """TruthHypo, Table 4: 33 and 32 of 54 pairs; printed are the one-sided z's p-values."""
    sign, z = count_tests(first, 54 - first)
    assert z.p_value == pytest.approx(z_p, abs=5e-6)
    assert sign.p_value == pytest.approx(sign_p, abs=5e-5)
    assert sign.believable and sign.two_sided and not sign.faults
    assert not z.believable and not z.two_sided
    assert z.faults == ("one_sample_counted_twice", "one_sided")
    assert "sign test" in z.explanation


def test_the_z_of_two_samples_is_root_two_larger_than_that_of_one() -> None:
    statistic = two_proportion_z(33, 21).statistic
    assert statistic == pytest.approx(np.sqrt(2) * (33 - 27) / np.sqrt(54 / 4))


def test_the_z_test_rejects_too_often_and_the_sign_test_does_not() -> None:
    """The exact chance of p <= 0.05 for 54 pairs without a preference."""
    chances = stats.binom.pmf(np.arange(55), 54, 0.5)
    rejected = {
        test: sum(chances[one] for one in range(55) if (test(one, 54 - one).p_value or 0) <= 0.05)
        for test in (sign_test, two_proportion_z)
    }
    assert rejected[sign_test] <= 0.05 < 0.1 < rejected[two_proportion_z]


@pytest.mark.parametrize(("first", "second"), [(0, 1), (7, 7), (3, 12), (200, 150)])
def test_the_sign_test_equals_scipy(first: int, second: int) -> None:
    theirs = stats.binomtest(first, first + second).pvalue
    assert sign_test(first, second).p_value == pytest.approx(theirs, rel=1e-12)


def test_the_signed_rank_test_counts_all_signs() -> None:
    rng = np.random.default_rng(8)
    for _ in range(200):
        grades = rng.integers(-4, 5, rng.integers(1, 10)) / 2
        nonzero = grades[grades != 0]
        if nonzero.size:
            assert signed_rank_test(grades.tolist()).p_value == pytest.approx(by_signs(nonzero))


def by_signs(grades: np.ndarray) -> float:
    ranks = stats.rankdata(np.abs(grades))
    observed = ranks[grades > 0].sum()
    sums = [np.dot(signs, ranks) for signs in product((0, 1), repeat=len(ranks))]
    tails = np.mean(np.array(sums) <= observed), np.mean(np.array(sums) >= observed)
    return min(1.0, 2 * float(min(tails)))


def test_the_signed_rank_test_equals_scipy_without_ties() -> None:
    rng = np.random.default_rng(9)
    for size in (3, 10, 40):
        grades = rng.normal(0.3, 1, size)
        theirs = stats.wilcoxon(grades, method="exact").pvalue
        assert signed_rank_test(grades.tolist()).p_value == pytest.approx(theirs, rel=1e-9)


def test_many_grades_have_nearly_the_same_p_by_both_methods(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grades = np.random.default_rng(1).choice([-2, -1, 0, 1, 2], 280, p=[0.1, 0.2, 0.3, 0.27, 0.13])
    exact = signed_rank_test(grades.tolist())
    monkeypatch.setattr("backend.science.judgements.preference_tests.MOST_EXACT_RANKS", 10)
    approximate = signed_rank_test(grades.tolist()).p_value
    assert approximate == pytest.approx(exact.p_value, rel=0.02)
    theirs = stats.wilcoxon(grades[grades != 0], method="approx").pvalue
    assert approximate == pytest.approx(theirs, rel=1e-9)


def test_swapping_sides_changes_nothing() -> None:
    choices = simulated(seed=1)
    swapped = [
        choice(one.pair, one.rater, MIRRORED[one.choice], not one.first_on_left) for one in choices
    ]
    assert [one.grade for one in choices] == [one.grade for one in swapped]
    assert preference_report(choices, seed=2, draws=50) == preference_report(
        swapped[::-1], seed=2, draws=50
    )


def test_swapping_arms_mirrors_shares_and_leaves_two_sided_tests() -> None:
    choices = simulated(seed=3)
    swapped = [choice(one.pair, one.rater, one.choice, not one.first_on_left) for one in choices]
    one, other = (preference_report(each, seed=2, draws=50) for each in (choices, swapped))
    assert one.share_of_pairs.value == pytest.approx(1 - (other.share_of_pairs.value or 0))
    assert one.share_of_choices.low == pytest.approx(1 - (other.share_of_choices.high or 0))
    assert [one.tests[0].p_value, one.tests[2].p_value] == pytest.approx(
        [other.tests[0].p_value, other.tests[2].p_value]
    )


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        (["left_better", "left_much_better", "right_better"], "first"),
        (["left_better", "right_better"], "split"),
        (["left_better", "tie"], "split"),
        (["right_better", "not_sure", "not_sure"], "second"),
        (["both_bad", "both_bad", "tie"], "both_bad"),
        (["tie"], "tie"),
        (["not_sure"], "undecided"),
    ],
)
def test_a_pair_has_the_outcome_of_more_than_half_of_the_raters_who_are_sure(
    values: list[Choice], outcome: str
) -> None:
    choices = [choice("p", f"r{number}", value) for number, value in enumerate(values)]
    assert outcome_by_pair(choices) == {"p": outcome}


def test_left_out_pairs_are_counted() -> None:
    choices = [
        choice("a", "r1", "left_better"),
        choice("b", "r1", "right_much_better"),
        choice("c", "r1", "tie"),
        choice("d", "r1", "both_bad"),
        choice("e", "r1", "left_better"),
        choice("e", "r2", "right_better"),
    ]
    report = preference_report(choices, seed=1)
    assert report.outcomes == {"first": 1, "second": 1, "tie": 1, "both_bad": 1, "split": 1}
    assert (report.share_of_pairs.value, report.share_of_pairs.n) == (0.5, 2)
    assert (report.share_of_choices.value, report.share_of_choices.n) == (0.5, 4)
    assert report.believed == "sign_test"
    assert report.tests[2].n == 2  # of the mean grades, those of c and e are 0


def test_without_a_decided_pair_there_is_no_share() -> None:
    tied = preference_report([choice("a", "r", "tie"), choice("b", "r", "both_bad")], seed=0)
    assert (tied.share_of_pairs.reason, tied.share_of_choices.reason) == ("all_tied", "all_tied")
    assert [test.p_value for test in tied.tests] == [None, None, None]
    empty = preference_report([], seed=0)
    assert (empty.share_of_pairs.reason, empty.share_of_choices.reason) == ("too_few_items",) * 2


def test_the_share_of_pairs_has_wilsons_interval() -> None:
    share = preference_share(33, 21)
    assert (share.low, share.high) == wilson_interval(33, 54)


def test_the_share_of_choices_allows_for_raters_who_differ() -> None:
    """Of eight raters half always prefer the first arm: Wilson's interval takes 240 for eight."""
    choices = [
        choice(f"p{pair}", f"r{rater}", "left_better" if rater % 2 else "right_better")
        for pair in range(30)
        for rater in range(8)
    ]
    share = preference_report(choices, seed=1).share_of_choices
    low, high = wilson_interval(120, 240)
    assert share.low is not None and share.high is not None
    assert share.high - share.low > 4 * (high - low)


@pytest.mark.parametrize("counts", [(-1, 3), (2, -2)])
def test_negative_counts_are_rejected(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="negative"):
        count_tests(*counts)


def test_two_choices_of_a_rater_on_a_pair_are_rejected() -> None:
    with pytest.raises(ValueError, match="twice"):
        outcome_by_pair([choice("p", "r", "tie"), choice("p", "r", "both_bad")])


def test_grades_must_be_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        signed_rank_test([1.0, float("nan")])
