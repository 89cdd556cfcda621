"""Scores of candidates by an ensemble of models, and the partition that they make."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.rns.errors import SizeOutOfRange
from backend.tracks.model_answers import read_answer
from backend.tracks.model_tasks import CandidateText, OutputFault, TaskContext
from backend.tracks.serenqa_ensemble import (
    ENSEMBLE_TASK,
    MOST_CANDIDATES,
    mean_scores,
    split_by_mean,
)
from tests.tracks.model_task_examples import CONTEXT, QUESTION

EXPECTED = {"17": 5.0, "4": 7.0, "202": 0.0, "31": 20.0}
SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 40).map(lambda n: n / 2))


@pytest.mark.parametrize(
    "text",
    [
        '{"scores": {"c1": 5, "c2": 7, "c3": 0, "c4": 20}}',
        '{"scores": {"c1": "5", "c2": "7.0", "c3": 0, "c4": 20, "c5": 3}}',
        '{"scores": {"17": 5, "4": 7, "202": 0, "31": 20}}',
        '{"scores": {"Aspirin": 5, "IBUPROFEN": 7, "paracetamol": 0, "caffeine": 20}}',
        '{"scores": [5, 7, 0, 20]}',
        "5, 7, 0, 20",
        "[5, 7, 0, 20]",
    ],
)
def test_scores_are_read_by_key_identifier_name_or_place(text: str) -> None:
    answer = read_answer(ENSEMBLE_TASK, QUESTION, text, CONTEXT)
    assert answer.prediction.scores == EXPECTED
    assert answer.prediction.question_id == QUESTION.question_id


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"scores": {"c1": 5, "c2": 7, "c3": 0}}', "missing_scores"),
        ('{"scores": [5, 7, 0]}', "missing_scores"),
        ('{"scores": {}}', "missing_scores"),
        ('{"scores": [5, 7, 0, 21]}', "score_out_of_range"),
        ('{"scores": [5, 7, -1, 20]}', "score_out_of_range"),
        ('{"scores": [5, 7, 7, 20]}', "equal_scores"),
        ('{"scores": [5, 7, true, 20]}', "does_not_fit"),
        ('{"scores": [5, 7, "nan", 20]}', "does_not_fit"),
        ('{"scores": [5, 7, "1/20", 20]}', "does_not_fit"),
        ('{"scores": [5, 7, 0, 2', "missing_scores"),
        ("5, 7, 0", "no_object"),
        ("Scores: 5, 7, 0, 20", "no_object"),
        ("5, 7, 0, nan", "no_object"),
    ],
)
def test_scores_that_do_not_order_all_candidates_are_a_fault(text: str, code: str) -> None:
    with pytest.raises(OutputFault) as caught:
        read_answer(ENSEMBLE_TASK, QUESTION, text, CONTEXT)
    assert caught.value.code == code


def test_a_name_of_two_candidates_is_not_matched() -> None:
    twins = TaskContext(candidates=[CandidateText("1", "a", "t"), CandidateText("2", "A", "t")])
    with pytest.raises(OutputFault):
        read_answer(ENSEMBLE_TASK, QUESTION, '{"scores": {"a": 1}}', twins)


def test_too_many_candidates_are_refused_before_a_request() -> None:
    many = [CandidateText(str(n), f"name {n}", "t") for n in range(MOST_CANDIDATES + 1)]
    with pytest.raises(ValueError, match="too many"):
        ENSEMBLE_TASK.messages(QUESTION, TaskContext(candidates=many))


def test_the_schema_requires_a_score_of_each_candidate() -> None:
    schema = ENSEMBLE_TASK.schema_for(QUESTION, CONTEXT)
    assert schema["properties"]["scores"]["required"] == ["c1", "c2", "c3", "c4"]


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(0, 20), min_size=n, max_size=n), min_size=1, max_size=5
        )
    )
)
def test_means_do_not_depend_on_the_order_of_the_models(rows: list[list[float]]) -> None:
    scores = [dict(zip("abcdef", row, strict=False)) for row in rows]
    means = mean_scores(scores)
    for some in itertools.islice(itertools.permutations(scores), 6):
        assert mean_scores(some) == means
    for name, mean in means.items():
        exact = sum(Fraction(one[name]) for one in scores) / len(scores)
        assert abs(float(Fraction(mean) - exact)) <= 1e-12


def test_models_that_scored_other_candidates_have_no_mean() -> None:
    with pytest.raises(ValueError, match="same candidates"):
        mean_scores([{"a": 1.0}, {"b": 1.0}])
    with pytest.raises(ValueError, match="same candidates"):
        mean_scores([])


@given(SCORES.filter(lambda scores: len(scores) > 1))
def test_the_top_fifth_is_the_serendipity_set(means: dict[str, float]) -> None:
    order = list(means)
    serendipity, existing = split_by_mean(means, order)
    assert len(serendipity) == max(1, len(order) // 5)
    assert sorted(serendipity + existing) == sorted(order)
    assert min(means[one] for one in serendipity) >= max(means[one] for one in existing)


def test_equal_means_are_split_by_their_places_in_the_question() -> None:
    means = {"a": 1.0, "b": 9.0, "c": 9.0}
    assert split_by_mean(means, ["a", "c", "b"]) == (["c"], ["a", "b"])
    assert split_by_mean(means, ["b", "a", "c"], size=2) == (["b", "c"], ["a"])


def test_one_candidate_cannot_be_split() -> None:
    with pytest.raises(SizeOutOfRange):
        split_by_mean({"a": 1.0}, ["a"])
