from __future__ import annotations

from backend.science.optional_statistic import Statistic
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.consensus import borda_consensus, kemeny_consensus
from backend.science.rank_models.leave_one_out import leave_raters_out
from backend.science.rankings import Groups

ABC: Groups = [["a"], ["b"], ["c"]]
CBA: Groups = [["c"], ["b"], ["a"]]


def test_one_deciding_rater_is_visible() -> None:
    question = RatedQuestion("abc", ["x", "y", "z"], [ABC, ABC, CBA])
    result = leave_raters_out(question, borda_consensus)
    assert result.groups == ABC
    by_rater = {one.rater: one for one in result.without}
    assert by_rater["z"].same_order
    assert by_rater["z"].tau_b == Statistic(1.0, 3)
    assert by_rater["x"].groups == [["a", "b", "c"]]
    assert by_rater["x"].tau_b.reason == "all_tied"
    # A complete tie goes to the first id, so the top stays.
    assert result.same_top == Statistic(1.0, 3)


def test_the_top_changes_without_the_rater_who_put_it_first() -> None:
    rankings: list[Groups] = [[["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]], [["a"], ["c"], ["b"]]]
    result = leave_raters_out(RatedQuestion("bac", ["x", "y", "z"], rankings), borda_consensus)
    overlaps = {one.rater: one.top_overlap for one in result.without}
    assert overlaps == {"x": 1, "y": 1, "z": 0}
    assert result.same_top == Statistic(2 / 3, 3)


def test_all_rankings_of_a_rater_are_left_out() -> None:
    question = RatedQuestion("abc", ["x", "x", "y"], [ABC, ABC, CBA])
    result = leave_raters_out(question, lambda r, ids: kemeny_consensus(r, ids).groups)
    assert [one.rater for one in result.without] == ["x", "y"]
    assert result.without[0].groups == CBA


def test_one_rater_has_no_stability() -> None:
    result = leave_raters_out(RatedQuestion("abc", ["x", "x"], [ABC, ABC]), borda_consensus)
    assert result.same_top == Statistic(None, 1, "too_few_rankings")
    assert result.without == ()
