from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.rater_checks.answers import (
    Answers,
    agreement_beyond_item,
    agreement_with_others,
)


@st.composite
def tables(draw: st.DrawFn) -> Answers:
    """Raters by items, with gaps."""
    cells = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, unique=True))
    choices = draw(st.lists(st.integers(0, 2), min_size=len(cells), max_size=len(cells)))
    raters, items = np.array(cells).T
    return Answers(raters, items, np.array(choices))


def others(answers: Answers, place: int) -> list[int]:
    return [
        i
        for i in range(len(answers.raters))
        if i != place and answers.items[i] == answers.items[place]
    ]


@given(tables())
def test_agreement_is_counted_pair_by_pair(answers: Answers) -> None:
    own = [
        np.mean([answers.choices[i] == answers.choices[place] for i in others(answers, place)])
        if others(answers, place)
        else np.nan
        for place in range(len(answers.raters))
    ]
    beyond = [
        own[place] - np.mean([own[i] for i in others(answers, place)])
        if others(answers, place)
        else np.nan
        for place in range(len(answers.raters))
    ]
    assert agreement_with_others(answers) == pytest.approx(own, nan_ok=True)
    assert agreement_beyond_item(answers) == pytest.approx(beyond, nan_ok=True)


@given(tables())
def test_raters_come_in_order_with_answers_that_others_gave_too(answers: Answers) -> None:
    listed = list(answers.by_rater(1))
    assert all(one < other for (one, _), (other, _) in pairwise(listed))
    for rater, own in listed:
        assert (answers.raters[own] == rater).all()
        assert all(others(answers, int(place)) for place in own)


def test_a_second_answer_of_a_rater_to_an_item_is_refused() -> None:
    twice = np.zeros(2, dtype=np.int64)
    with pytest.raises(ValueError, match="once"):
        Answers(twice, twice, twice)
