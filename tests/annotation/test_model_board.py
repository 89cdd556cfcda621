"""Votes on pairs of two models, and what a coordinator reads of them while a study is open."""

import uuid

import pytest

from annotation.imports import import_study
from annotation.kinds.figures import Figure
from annotation.models import Assignment, StudyDesign
from annotation.statistics import compute_statistics
from backend.accounts.models import User
from backend.studies.models import Study
from tests.annotation.pair_study import (
    choose,
    close,
    hypothesis_entry,
    pair_entry,
    pair_file,
    prefer,
)
from tests.annotation.personas import join_as_expert, make_user

pytestmark = pytest.mark.django_db
MODELS = ("Third", "First", "Second")
"""By name; the planted order is in the names."""
QUALITY = {"First": 2, "Second": 1, "Third": 0}
RATERS, ROUNDS = 8, 7
SEED = 7


@pytest.fixture
def voted() -> Study:
    """Each pair of models seven times; one vote in 17 is for the weaker model."""
    pairs = [(one, other) for one in MODELS for other in MODELS if one < other] * ROUNDS
    entries = [
        pair_entry(
            number,
            hypotheses=[hypothesis_entry(number, place, model=pair[place]) for place in range(2)],
        )
        for number, pair in enumerate(pairs, 1)
    ]
    files = pair_file(*entries, pair_entry(99, hypotheses=[hypothesis_entry(99, 0)] * 2))
    study = import_study(
        actor=make_user("Ada"), name="Votes", sources=files, kind="hypothesis_pairs"
    ).study
    # Sides are drawn from the seed and the expert: the same in every run.
    StudyDesign.objects.filter(study=study).update(seed=SEED)
    for number in range(RATERS):
        expert = User.objects.create_user(
            f"e{number}@site.example", id=uuid.UUID(int=number), name=f"E{number}"
        )
        join_as_expert(study, list(study.batches.all()), expert)
    assigned = Assignment.objects.filter(study=study).order_by("expert", "question__number")
    for place, assignment in enumerate(assigned.select_related("expert", "question")):
        one, other = (it["model"] for it in assignment.question.payload["hypotheses"])
        if one == other:
            choose(assignment, "a")
        else:
            prefer(assignment, (QUALITY[one] < QUALITY[other]) != (place % 17 == 0))
    return study


def read_models(study: Study) -> list[Figure]:
    study.refresh_from_db()
    (section,) = [one for one in compute_statistics(study, seed=1) if one.name == "models"]
    return list(section.figures)


def test_votes_rank_the_models_with_intervals_and_ranks(voted: Study) -> None:
    close(voted)
    figures = {one.name: one for one in read_models(voted)}
    strengths = [figures[f"model_{place}"] for place in (1, 2, 3)]
    assert [one.label for one in strengths] == ["First", "Second", "Third"]
    assert sum(one.value or 0 for one in strengths) == pytest.approx(0)
    assert {one.n for one in strengths} == {RATERS * ROUNDS * 2}
    for one in strengths:
        assert (
            one.low is not None and one.high is not None and one.low < (one.value or 0) < one.high
        )
    assert strengths[0].note in ("Rank 1.", "Rank 1 to 2.")
    assert strengths[2].note in ("Rank 3.", "Rank 2 to 3.")
    side = figures["model_left_share"]
    assert side.low is not None and side.high is not None and side.low < 0.5 < side.high


def test_an_open_study_shows_sequences_and_neither_ranks_nor_p_values(voted: Study) -> None:
    figures = read_models(voted)
    live = {one.name for one in figures if one.low is not None}
    assert live == {f"model_{place}_share" for place in (1, 2, 3)}
    assert all(one.is_sequence == (one.name in live) for one in figures)
    assert not any("Rank" in one.note for one in figures)
    every = [one for section in compute_statistics(voted) for one in section.figures]
    assert {one.p_value for one in every} == {None}
    (sign,) = [one for one in every if one.name == "sign_test"]
    assert sign.value is not None and "once it is closed" in sign.interval_reason
