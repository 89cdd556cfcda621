from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from backend.science.agreement import (
    MIN_QUESTIONS_FOR_INTERVAL,
    QuestionRankings,
    average_statistics,
    batch_agreement,
    kendall_w,
    mean_pairwise_tau_b,
    top1_agreement,
)
from backend.science.evaluation.proportions import wilson_interval
from backend.science.optional_statistic import Statistic
from backend.science.rankings import Groups, InvalidRanking, mid_ranks
from tests.science.strategies import groups_of

IDS = ("0", "1", "2", "3")
AHEAD: Groups = [["0"], ["1"], ["2"], ["3"]]
BACK: Groups = [["3"], ["2"], ["1"], ["0"]]
TIED: Groups = [["0", "1", "2", "3"]]
AGREED = QuestionRankings(IDS, [AHEAD, AHEAD])
OPPOSED = QuestionRankings(IDS, [AHEAD, BACK])


def random_questions(count: int, seed: int) -> list[QuestionRankings]:
    rows = np.random.default_rng(seed).integers(0, 4, size=(count, 3, 4)).tolist()
    return [QuestionRankings(IDS, [groups_of(row) for row in question]) for question in rows]


def test_each_question_gets_the_three_measures_of_its_own_rankings() -> None:
    questions = random_questions(6, seed=1)
    for question, result in zip(
        questions, batch_agreement(questions, seed=0).by_question, strict=True
    ):
        table = [mid_ranks(groups, IDS) for groups in question.rankings]
        assert result.kendall_w == kendall_w(table)
        assert result.tau_b == mean_pairwise_tau_b(table)
        assert result.top1 == top1_agreement(question.rankings)


def test_an_average_counts_every_question_once_however_many_rated_it() -> None:
    crowded = QuestionRankings(IDS, [AHEAD] * 10)
    average = batch_agreement([crowded, OPPOSED], seed=0).average
    assert (average.kendall_w.value, average.kendall_w.n) == (0.5, 2)
    assert (average.tau_b.value, average.tau_b.n) == (0.0, 2)
    assert (average.top1.value, average.top1.n) == (0.5, 2)


def test_questions_without_a_value_are_counted_by_reason() -> None:
    alone = QuestionRankings(IDS, [AHEAD])
    unranked = QuestionRankings(IDS, [])
    tied = QuestionRankings(IDS, [TIED, TIED])
    single = QuestionRankings(["0"], [[["0"]], [["0"]]])
    average = batch_agreement([AGREED, alone, unranked, tied, single], seed=0).average
    assert (average.kendall_w.value, average.kendall_w.n) == (1.0, 1)
    assert average.kendall_w.left_out == {"too_few_rankings": 2, "all_tied": 1, "too_few_items": 1}
    assert average.tau_b.left_out == average.kendall_w.left_out
    assert average.top1.n == 2
    assert average.top1.left_out == {"too_few_rankings": 2, "too_few_items": 1}


@pytest.mark.parametrize("questions", [[], [QuestionRankings(IDS, [AHEAD])]])
def test_a_batch_without_any_value_has_a_reason(questions: list[QuestionRankings]) -> None:
    result = batch_agreement(questions, seed=0).average.kendall_w
    assert (result.value, result.n, result.reason) == (None, 0, "too_few_questions")
    assert (result.low, result.high, result.interval_reason) == (None, None, "too_few_questions")


def test_an_interval_needs_a_minimum_of_questions_with_a_value() -> None:
    enough = [AGREED, OPPOSED] * MIN_QUESTIONS_FOR_INTERVAL
    few = batch_agreement(enough[: MIN_QUESTIONS_FOR_INTERVAL - 1], seed=0).average.kendall_w
    assert few.value is not None
    assert (few.low, few.high, few.interval_reason) == (None, None, "too_few_questions")
    just = batch_agreement(enough[:MIN_QUESTIONS_FOR_INTERVAL], seed=0).average.kendall_w
    assert just.low is not None
    assert just.interval_reason is None


def test_the_same_seed_gives_the_same_batch_and_another_seed_another_interval() -> None:
    questions = random_questions(60, seed=2)  # fewer are not resampled
    first = batch_agreement(questions, seed=7)
    assert batch_agreement(questions, seed=7) == first
    other = batch_agreement(questions, seed=8).average.kendall_w
    assert other.low != first.average.kendall_w.low
    assert replace(other, low=None, high=None) == replace(
        first.average.kendall_w, low=None, high=None
    )


def test_the_interval_surrounds_the_average() -> None:
    for result in vars(batch_agreement(random_questions(40, seed=3), seed=0).average).values():
        assert result.low < result.value < result.high


def test_few_questions_have_students_interval_within_the_bounds_of_the_measure() -> None:
    values = np.array([0.2, 0.4, 0.9, 0.6, 0.5])
    few = average_statistics([Statistic(one, 1) for one in values], seed=0)
    reach = 2.776445 * values.std(ddof=1) / 5**0.5  # four degrees of freedom
    assert (few.low, few.high) == pytest.approx((0.52 - reach, 0.52 + reach), abs=1e-6)
    wide = [Statistic(one, 1) for one in (-1.0, 0.9, 0.9, 0.9, 0.8)]
    assert average_statistics(wide, seed=0, lowest=-1.0).high == 1.0


def test_values_at_the_bounds_have_wilsons_interval() -> None:
    divided = batch_agreement([AGREED, OPPOSED] * 4, seed=0).average
    low, high = wilson_interval(4, 8)
    assert (divided.top1.low, divided.top1.high) == pytest.approx((low, high))
    assert (divided.tau_b.low, divided.tau_b.high) == pytest.approx((2 * low - 1, 2 * high - 1))
    for result in vars(batch_agreement([AGREED] * 10, seed=0).average).values():
        assert (result.value, result.high) == (1.0, 1.0)
        assert result.low < 0.75, "ten questions do not prove that all agree"


def test_a_batch_rejects_a_single_ranking_of_other_ids() -> None:
    with pytest.raises(InvalidRanking):
        batch_agreement([AGREED, QuestionRankings(IDS, [[["0"]]])], seed=0)


def test_a_batch_rejects_zero_resamples() -> None:
    with pytest.raises(ValueError, match="resample"):
        batch_agreement([], seed=0, resamples=0)


def test_a_batch_can_be_serialized_to_json() -> None:
    result = asdict(batch_agreement([AGREED, *random_questions(6, seed=4)], seed=0))
    result["by_question"] = list(result["by_question"])
    assert json.loads(json.dumps(result)) == result


def test_a_statistic_has_a_value_or_a_reason_and_a_whole_interval_or_none() -> None:
    with pytest.raises(ValueError, match="reason"):
        Statistic(None, 0)
    with pytest.raises(ValueError, match="reason"):
        Statistic(1.0, 2, "all_tied")
    with pytest.raises(ValueError, match="two bounds"):
        Statistic(1.0, 2, low=0.5)
