"""Coefficients and models on published tables whose results are printed there.

Examples beside the tests of their modules: Krippendorff (2011), Cohen (1960), Gwet (2014, AC1,
Fleiss and Conger), Dawid and Skene (1979), Kendall's W of DescTools, Bradley-Terry without ties
(Agresti, 2002), TruthHypo's and STaRK's preferences and ratings.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from backend.science.agreement import kendall_w, tau_b
from backend.science.judgements.alpha import alpha_of_counts
from backend.science.judgements.bradley_terry import (
    LEFT,
    RIGHT,
    TIE,
    Comparisons,
    fit_bradley_terry,
)
from backend.science.judgements.kappa import (
    Coefficient,
    Weighting,
    chance_corrected_agreement,
    cohen_kappa,
)
from backend.science.judgements.tables import FloatArray
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.consensus import borda_consensus, kemeny_consensus
from backend.science.rank_models.davidson_luce import DavidsonLuce, Prior, RankingProblem
from backend.science.rankings import Groups
from backend.science.rater_checks.retest import retest_choices
from tests.science.judgements.test_kappa import PUBLISHED as FOUR_RATERS

# Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014): pregnancies by two abstractors.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
# The same, after Fleiss, Psychological Bulletin 76 (1971), table 1: how many of six psychiatrists
# gave each of 15 patients each of five diagnoses.
PSYCHIATRISTS = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
"""
# Davidson, JASA 65 (1970), example 2: two of six brands of pudding; preferences for the first, for
# the second, and none.
PUDDINGS = """
12 19 22 16, 13 16 19 12, 23 19 19 10, 14 18 23 13, 24 23 19 9, 34 19 20 15, 15 13 19 18,
25 16 20 12, 35 16 15 17, 45 17 14 16, 16 18 21 12, 26 22 20 12, 36 13 18 10, 46 14 19 18,
56 11 21 12
"""
PUDDING_WORTHS = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
PUDDING_TIES = 0.7468147
FLAT = Prior(np.inf, np.inf, np.inf)


def two_raters(table: list[list[int]]) -> FloatArray:
    """Ratings (2, items) from a table of the first rater's categories by the second's."""
    places = np.repeat(np.arange(len(table) ** 2), np.ravel(table))
    return np.array(np.divmod(places, len(table)), dtype=np.float64)


def psychiatrists() -> FloatArray:
    """Ratings (6, 15): raters of a patient in the order of their diagnoses."""
    counts = np.array([[int(one) for one in row] for row in PSYCHIATRISTS.split()])
    return np.array([np.repeat(np.arange(5), row) for row in counts], dtype=np.float64).T


def value_of(table: FloatArray, name: Coefficient, weighting: Weighting = "identity") -> float:
    value = chance_corrected_agreement(table, name, seed=0, weighting=weighting, draws=1).value
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("name", "weighting", "printed"),
    [
        ("percent", "identity", 0.89),
        ("fleiss", "identity", 0.7962397),  # of two raters: Scott's pi
        ("conger", "identity", 0.7964094),  # of two raters: Cohen's kappa
        ("gwet", "identity", 0.8493305),
        ("gwet", "quadratic", 0.94024),
    ],
)
def test_two_abstractors_have_the_printed_coefficients(
    name: Coefficient, weighting: Weighting, printed: float
) -> None:
    """Gwet (2014), as printed by his R package irrCAC (README) and, AC2, irrCAC for Python."""
    digits = len(str(printed)) - 2
    value = value_of(two_raters(ABSTRACTORS), name, weighting)
    assert round(value, digits) == printed


@pytest.mark.parametrize(("weighting", "printed"), [("linear", 0.843), ("quadratic", 0.892)])
def test_two_abstractors_have_the_printed_weighted_kappa_of_cohen(
    weighting: Weighting, printed: float
) -> None:
    """The same table; values of kappa2.table with these weights."""
    result = cohen_kappa(*two_raters(ABSTRACTORS), seed=0, weighting=weighting, draws=1)
    assert result.value == pytest.approx(printed, abs=5e-4)


def test_two_occasions_have_the_printed_pi_of_scott() -> None:
    """The abstractors as two occasions of one rater: Scott's pi, 0.7962397."""
    first, second = two_raters(ABSTRACTORS)
    _, corrected = retest_choices(np.arange(100), first, second, seed=0)
    assert corrected.value == pytest.approx(0.7962397, abs=5e-8)


@pytest.mark.parametrize(
    ("name", "printed"), [("gwet", 0.914), ("fleiss", 0.865), ("conger", 0.858)]
)
def test_four_raters_have_the_printed_coefficients_with_quadratic_weights(
    name: Coefficient, printed: float
) -> None:
    """Gwet (2014), chapters 2 and 3: AC2 and weighted kappas of a table with gaps."""
    assert value_of(FOUR_RATERS, name, "quadratic") == pytest.approx(printed, abs=5e-4)


def test_six_psychiatrists_have_the_printed_coefficients() -> None:
    """Fleiss' kappa, AC1 and alpha of 15 patients, as printed by irrCAC (README)."""
    table = psychiatrists()
    assert value_of(table, "fleiss") == pytest.approx(0.4139265, abs=5e-8)
    assert value_of(table, "gwet") == pytest.approx(0.4448007, abs=5e-8)
    counts = np.array([[int(one) for one in row] for row in PSYCHIATRISTS.split()])
    (alpha,) = alpha_of_counts(counts[None], 1 - np.eye(5))
    assert alpha == pytest.approx(0.4204384, abs=5e-8)


def test_income_and_satisfaction_have_the_printed_tau_b() -> None:
    """Agresti, Categorical Data Analysis (2002), table 2.8: income by job satisfaction, 0.1524.

    1,331 concordant and 849 discordant of the 4,560 pairs of 96 people, 1,159 tied in income and
    1,617 in satisfaction: 482 / √(3,401 · 2,943).
    """
    table = [[1, 3, 10, 6], [2, 3, 10, 7], [1, 6, 14, 12], [0, 1, 9, 11]]
    result = tau_b(*two_raters(table))
    assert result.value == pytest.approx(0.1524, abs=5e-5)
    assert result.value == pytest.approx((1331 - 849) / np.sqrt(3401 * 2943))


def test_four_judges_have_the_printed_concordance() -> None:
    """ProofWiki, Kendall's Coefficient of Concordance, example 1: rank sums 7, 9, 8, W = 1/16."""
    assert kendall_w([[1, 3, 2], [1, 2, 3], [2, 3, 1], [3, 1, 2]]).value == 1 / 16


def puddings() -> list[list[int]]:
    """First and second brand from 0, and the three counts."""
    rows = [row.split() for row in PUDDINGS.split(",")]
    return [[int(pair[0]) - 1, int(pair[1]) - 1, *map(int, rest)] for pair, *rest in rows]


def test_puddings_have_the_worths_and_ties_of_davidson() -> None:
    """Davidson, JASA 65 (1970), example 2, as printed in Turner, van Etten, Firth and Kosmidis,

    Modelling rankings in R: the PlackettLuce package (2020), section 2.1: estimates after seven
    iterations, which are those of the paper. Half of the comparisons on each side.
    """
    first, second, *counts = np.array(puddings()).T
    left, right = (
        np.concatenate([one] * 3 + [other] * 3) for one, other in ((first, second), (second, first))
    )
    outcome = np.repeat([LEFT, RIGHT, TIE, RIGHT, LEFT, TIE], len(first))
    comparisons = Comparisons(left, right, outcome, np.zeros(len(left), dtype=np.int64), 6)
    fit = fit_bradley_terry(comparisons, weights=np.tile(np.ravel(counts), 2) / 2, ridge=1e-9)
    worths = np.exp(fit.strengths)
    np.testing.assert_allclose(worths / worths.sum(), PUDDING_WORTHS, atol=5e-5)
    assert np.exp(fit.tie) == pytest.approx(PUDDING_TIES, abs=5e-4)
    assert fit.side == pytest.approx(0, abs=1e-9)


def weighted_fit(rankings: Mapping[str, float]) -> DavidsonLuce:
    """Rankings such as 'a>bc', where b and c tie, each with its number."""
    groups: list[Groups] = [[list(group) for group in one.split(">")] for one in rankings]
    ids = sorted({candidate for one in rankings for candidate in one if candidate != ">"})
    names = [f"{place:03}" for place in range(len(groups))]
    problem = RankingProblem([RatedQuestion(ids, names, groups)], FLAT)
    return problem.fit(np.array(list(rankings.values())), np.zeros(len(groups)))


def worths_of(model: DavidsonLuce) -> list[float]:
    worths = np.exp(list(model.log_worths[0].values()))
    return [float(one) for one in worths / worths.sum()]


def test_puddings_have_the_same_worths_by_the_model_of_rankings_with_ties() -> None:
    """The same data: rankings of two candidates are Davidson's comparisons."""
    rankings: dict[str, float] = {}
    for first, second, *counts in puddings():
        one, other = "abcdef"[first], "abcdef"[second]
        rankings |= zip((f"{one}>{other}", f"{other}>{one}", one + other), counts, strict=True)
    model = weighted_fit(rankings)
    np.testing.assert_allclose(worths_of(model), PUDDING_WORTHS, atol=5e-5)
    assert model.ties[2] == pytest.approx(PUDDING_TIES, abs=5e-4)


def test_wins_of_three_have_the_printed_worths() -> None:
    """The same vignette, section 2.3: A > B, C > A, B > A, B > C give 0, 0.8392 and 0.4196."""
    logs = weighted_fit({"a>b": 1, "c>a": 1, "b>a": 1, "b>c": 1}).log_worths[0]
    assert [logs[one] - logs["a"] for one in "bc"] == pytest.approx([0.8392, 0.4196], abs=5e-5)


def test_rankings_as_often_as_plackett_expects_have_their_worths() -> None:
    """Plackett, Applied Statistics 24 (1975): P(a > b > c) = v_a v_b / (v_b + v_c), Σ v = 1.

    By hand: v = (1/2, 1/4, 1/4) gives 1/4, 1/4, 1/6, 1/12, 1/6 and 1/12, of twelve rankings 3, 3,
    2, 1, 2 and 1. Shares equal to a model's own are its maximum of likelihood.
    """
    rankings = {"a>b>c": 3, "a>c>b": 3, "b>a>c": 2, "b>c>a": 1, "c>a>b": 2, "c>b>a": 1}
    assert worths_of(weighted_fit(rankings)) == pytest.approx([1 / 2, 1 / 4, 1 / 4], abs=1e-5)


def test_rankings_as_often_as_davidson_and_luce_expect_have_their_worths_and_ties() -> None:
    """Firth, Kosmidis and Turner (2019), equation 2: f(T) = δ_|T| (Π_{i in T} v_i)^(1/|T|).

    By hand: v = (4, 1, 1) and δ_2 = 1 give f = 4, 1, 1 of single candidates and 2, 2, 1 of ab, ac
    and bc, 11 together; then 7 of a and b, 7 of a and c, 3 of b and c. Times 11 · 21 rankings:
    """
    rankings = {"a>b>c": 28, "a>c>b": 28, "a>bc": 28, "ab>c": 42, "ac>b": 42, "bc>a": 21}
    rankings |= {"b>a>c": 12, "b>c>a": 3, "b>ac": 6, "c>a>b": 12, "c>b>a": 3, "c>ab": 6}
    assert sum(rankings.values()) == 231
    model = weighted_fit(rankings)
    assert worths_of(model) == pytest.approx([4 / 6, 1 / 6, 1 / 6], abs=1e-5)
    assert model.ties[2] == pytest.approx(1, abs=1e-4)


def ballots(**counts: int) -> list[Groups]:
    return [[[one] for one in order] for order, count in counts.items() for _ in range(count)]


def test_tennessee_has_the_printed_consensus_of_kemeny_and_borda() -> None:
    """Electowiki, Kemeny-Young method: distance 207; Borda count: 194, 173, 126 and 107 points.

    42 % Memphis, Nashville, Chattanooga, Knoxville; 26 % N C K M; 15 % C K N M; 17 % K C N M.
    """
    rankings = ballots(MNCK=42, NCKM=26, CKNM=15, KCNM=17)
    kemeny = kemeny_consensus(rankings, "MNCK")
    assert (kemeny.groups, kemeny.distance) == ([["N"], ["C"], ["K"], ["M"]], 207)
    assert borda_consensus(rankings, "MNCK") == [["N"], ["C"], ["M"], ["K"]]


def test_a_cycle_of_majorities_has_the_printed_consensus() -> None:
    """Electowiki, Kemeny-Young method: 25 A>B>C, 40 B>C>A, 35 C>A>B; B>C>A opposes 120 of 300.

    The other orders oppose 130, 150, 150, 170 and 180.
    """
    result = kemeny_consensus(ballots(ABC=25, BCA=40, CAB=35), "ABC")
    assert (result.groups, result.distance, result.optimal_orders) == (
        [["B"], ["C"], ["A"]],
        120,
        1,
    )
