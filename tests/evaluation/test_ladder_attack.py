"""The random boosting attack through submissions: what its answers give away is what the Ladder
allows (Blum and Hardt 2015, section 5). Its gain at full size: tests/science/evaluation."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person
from tests.science.evaluation.ladder_attack import Bits, is_better

pytestmark = pytest.mark.django_db
ITEMS, QUERIES = 60, 24
# What differs between two submissions, whatever they score.
OWN_FACTS = {"id", "created_at", "key", "file_digest", "predictions_digest", "file_size"}


def random_guesses() -> list[Bits]:
    """Which items each guess has right. The later ones depart from the best so far and are often
    better than it, by less than the step."""
    drawn = np.random.default_rng(0)
    guesses = [drawn.random(ITEMS) < 0.5 for _ in range(QUERIES // 3)]
    while len(guesses) < QUERIES:
        changed = drawn.random(ITEMS) < 0.2
        best = max(guesses, key=np.mean)
        guesses.append(np.where(changed, drawn.random(ITEMS) < 0.8, best))
    return guesses


def accepted(guesses: list[Bits]) -> list[bool]:
    """As the Ladder decides, by its definition on the items."""
    standing, decisions = guesses[0], [True]
    for guess in guesses[1:]:
        decisions.append(is_better(standing, guess))
        standing = guess if decisions[-1] else standing
    return decisions


def submit_all(
    guesses: list[Bits], researcher: Person, submit_and_score: Callable[..., Any]
) -> list[Any]:
    Release.objects.update(queries=QUERIES, queries_per_day=QUERIES)
    register_model(actor=researcher.user, name="My model")
    answers = []
    for guess in guesses:
        text = prediction_lines(range(ITEMS), wrong=np.flatnonzero(~guess).tolist())
        answers.append(submit_and_score(researcher.browser, form(text)))
    return answers


def test_each_answer_gives_away_one_decision_of_the_ladder(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    guesses = random_guesses()
    answers = submit_all(guesses, researcher, submit_and_score)
    decisions = accepted(guesses)
    assert [one["score_visibility"] == "shown" for one in answers] == decisions
    assert 2 < sum(decisions) < QUERIES / 2
    for guess, one in zip(guesses, answers, strict=True):
        main = [score["value"] for score in one["scores"] if score["slice"] == "all"]
        assert (round(guess.mean(), 12) in [round(value, 12) for value in main]) == bool(main)
    hidden = [one for one in answers if one["score_visibility"] != "shown"]
    differing = {name for one in hidden for name in one if one[name] != hidden[0][name]}
    assert differing <= OWN_FACTS
    last = max(number for number, taken in enumerate(decisions) if taken)
    assert str(Submission.objects.get(is_standing=True).pk) == answers[last]["id"]
