"""Plans of studies, by command and over the API."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from annotation.study_plans import JUDGEMENTS, PlanInvalid, PlanRequest, plan_study
from backend.science.study_planner.designs import PlannedStudy
from backend.science.study_planner.plans import PairRaters, plan_pairs
from tests.annotation.personas import Cast, client_of
from tests.cache import empty_cache

JSON = "application/json"
FIFTY_FOUR = {"raters": 6, "items": 54, "overlap": 1}


def plan_by_command(judgement: str, **sizes: float) -> dict[str, Any]:
    output = io.StringIO()
    call_command("plan_study", judgement, json=True, stdout=output, **sizes)
    plan: dict[str, Any] = json.loads(output.getvalue())
    return plan


def test_54_pairs_give_80_percent_to_10_points() -> None:
    plan = plan_by_command("pairs", **FIFTY_FOUR, seconds=60)
    assert plan["sentence"] == "54 pairs give 80 % ± 10 points."
    assert plan["power"] > 0.95 and plan["warnings"] == []
    assert (plan["hours"], plan["hours_per_rater"]) == (0.9, 0.15)


def test_a_plan_of_pairs_states_of_what_its_share_is_and_what_the_interval_leaves_out() -> None:
    thrice = plan_by_command("pairs", raters=6, items=54, overlap=3)
    assert thrice["sentence"] == (
        "54 pairs give 86 % ± 9 points: the share whose majority of 3 prefers it, "
        "from 80 % of single answers."
    )
    few, many = (plan_by_command("pairs", raters=n, items=54, overlap=1) for n in (1, 6))
    assert few["figures"] == many["figures"]
    (note,) = few["notes"]
    assert "differences between experts are not in it" in note
    output = io.StringIO()
    call_command("plan_study", "pairs", stdout=output, **FIFTY_FOUR)
    assert note in output.getvalue()
    others = [plan_by_command("verdicts", raters=n, items=54, overlap=1) for n in (1, 6)]
    assert others[0]["figures"] != others[1]["figures"] and others[0]["notes"] == []


def test_pairs_that_differ_make_majorities_less_sure_than_pairs_that_are_alike() -> None:
    sizes = PlannedStudy(6, 540, 3, 45.0)
    alike = plan_pairs(sizes, PairRaters(0.8), seed=1)
    differing = plan_by_command("pairs", raters=6, items=540, overlap=3)
    (share,) = differing["figures"]
    assert alike.share is not None and share["value"] < alike.share.value - 0.02
    assert "Pairs differ" in differing["notes"][0]
    once = plan_by_command("pairs", raters=6, items=540, overlap=1)
    assert once["figures"][0]["value"] == pytest.approx(0.8, abs=0.01)


def test_hours_of_raters_are_planned_as_the_items_that_fit() -> None:
    """6 raters of 9 minutes have 54 minutes: 54 judgements of a minute, or 18 pairs thrice."""
    sizes = {"raters": 6, "hours_per_rater": 0.15, "seconds": 60}
    once, thrice = (plan_by_command("pairs", **sizes, overlap=k) for k in (1, 3))
    assert [(one["items"], one["judgements"]) for one in (once, thrice)] == [(54, 54), (18, 54)]
    assert once["sentence"] == "54 pairs give 80 % ± 10 points."
    by_items = plan_by_command("pairs", **FIFTY_FOUR, seconds=60)
    assert once == by_items
    assert thrice["figures"][0]["half_width"] > once["figures"][0]["half_width"]
    longer = plan_by_command("pairs", raters=6, hours_per_rater=0.16, seconds=60, overlap=1)
    assert (longer["items"], longer["hours_per_rater"]) == (57, pytest.approx(57 / 360))


@pytest.mark.parametrize(
    ("sizes", "place"),
    [
        ({}, "items"),
        ({"items": 54, "hours_per_rater": 1.0}, "items"),
        ({"hours_per_rater": 0.001}, "hours_per_rater"),
        ({"hours_per_rater": 900.0}, "hours_per_rater"),
        ({"hours_per_rater": 1.0, "seconds": 0.0}, "seconds"),
    ],
)
def test_a_plan_has_either_items_or_hours_that_hold_some(sizes: dict[str, Any], place: str) -> None:
    with pytest.raises(PlanInvalid) as refused:
        plan_study(PlanRequest(judgement="pairs", raters=3, **sizes))
    assert [one.place for one in refused.value.faults] == [place]


def test_a_study_that_is_too_small_is_named_so_with_what_would_be_enough() -> None:
    small = plan_by_command("pairs", **FIFTY_FOUR, preference=0.62)
    assert small["power"] < 0.6
    wide, underpowered = small["warnings"]
    assert "± 10 points" in wide and underpowered.startswith("Underpowered")
    enough = int(underpowered.split("About ")[1].split(" ")[0])
    large = PlanRequest(judgement="pairs", raters=6, items=enough, overlap=1, preference=0.62)
    assert plan_study(large).power == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize("judgement", JUDGEMENTS)
def test_every_judgement_has_figures_with_their_spread(judgement: str) -> None:
    plan = plan_study(PlanRequest(judgement=judgement, raters=6, items=40))
    assert {one.name for one in plan.figures} == set(JUDGEMENTS[judgement].figures)
    assert all(one.low < one.value < one.high for one in plan.figures)
    assert "± " in plan.sentence and plan.hours == pytest.approx(1.5)


def test_a_plan_names_every_fault() -> None:
    with pytest.raises(PlanInvalid) as refused:
        plan_study(PlanRequest(judgement="votes", raters=2, items=0, overlap=3))
    assert [one.place for one in refused.value.faults] == ["judgement", "items", "overlap"]
    assert refused.value.faults[-1].expected == "at most the number of raters, 2"
    with pytest.raises(PlanInvalid) as refused:
        plan_study(PlanRequest(judgement="pairs", raters=9, items=9_000))
    assert [one.place for one in refused.value.faults] == ["items"]


def test_coordinators_plan_over_the_api_and_read_it_again_from_the_cache(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_cache()
    body = {"judgement": "pairs", **FIFTY_FOUR}
    client = client_of(cast.coordinator)
    first = client.post("/api/v1/study-plans", body, JSON).json()
    assert first.items() <= plan_by_command("pairs", **FIFTY_FOUR).items()
    by_hours = {**body, "items": None, "hours_per_rater": 0.1125}
    assert client.post("/api/v1/study-plans", by_hours, JSON).json() == first
    monkeypatch.setattr("annotation.study_plans.plan_study", None)
    assert client.post("/api/v1/study-plans", body, JSON).json() == first
    too_large = client.post("/api/v1/study-plans", {**body, "items": 6_001}, JSON)
    assert too_large.status_code == 422
