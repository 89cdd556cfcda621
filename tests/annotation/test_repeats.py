"""Questions that come again: in another visit, with the sides swapped, and never counted twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import simulation
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.visits import VISIT_GAP, number_visits, start_of_visit
from annotation.models import Assignment, Response, StudyDesign
from annotation.pool import lease_questions
from annotation.simulation import simulate_study
from annotation.statistics import read_study_table
from annotation.study_creation import Design, set_design
from backend.accounts.models import User
from backend.studies.models import Study
from tests.annotation.pair_study import make_pair_cast, prefer
from tests.annotation.personas import Cast, client_of

SHARE = 0.1
pytestmark = pytest.mark.django_db


def make_cast(*, overlap: int | None = None, pairs: int = 24) -> Cast:
    """Eve and Cleo answered their pairs in an earlier visit."""
    cast = make_pair_cast(pairs)
    if overlap is None:
        StudyDesign.objects.filter(study=cast.study).update(repeat_share=SHARE)
    else:
        Assignment.objects.filter(study=cast.study).delete()
        set_design(cast.study, Design(overlap=overlap, seed=3, repeat_share=SHARE))
        for expert in (cast.expert, cast.colleague):
            while lease(cast.study, expert, 20):
                answer_open(cast.study, expert)
    answer_open(cast.study, cast.expert)
    end_visit(cast.study)
    return cast


def lease(study: Study, expert: User, count: int) -> list[Assignment]:
    return lease_questions(actor=expert, study_id=study.id, count=count)


def answer_open(study: Study, expert: User) -> None:
    rows = Assignment.objects.filter(study=study, expert=expert, response=None)
    for row in rows.select_related("expert"):
        prefer(row, 1)


def end_visit(study: Study) -> None:
    long_ago = timezone.now() - VISIT_GAP - timedelta(minutes=1)
    Response.objects.filter(assignment__study=study).update(submitted_at=long_ago)


def repeats_of(study: Study, expert: User) -> list[Assignment]:
    return list(Assignment.objects.filter(study=study, expert=expert, occasion=2))


def test_a_visit_ends_after_half_an_hour_without_an_answer() -> None:
    start = timezone.now()
    times = [start + timedelta(minutes=minutes) for minutes in (0, 30, 61, 62)]
    assert number_visits(times) == [0, 0, 1, 1]
    assert start_of_visit(times, times[-1]) == times[2]
    later = times[-1] + timedelta(hours=1)
    assert start_of_visit(times, later) == later


@pytest.mark.parametrize("overlap", [None, 2], ids=["batches", "pool"])
def test_a_tenth_comes_again_once_with_the_sides_swapped(overlap: int | None) -> None:
    cast = make_cast(overlap=overlap)
    path = f"/api/v1/batches/{cast.batch.id}/assignments"
    client = client_of(cast.expert)
    assert client.get(path).json()["available"] == 2
    leased = lease(cast.study, cast.expert, 4)
    assert [row.occasion for row in leased] == [2, 2]
    assert {row.pk for row in lease(cast.study, cast.expert, 9)} == {row.pk for row in leased}
    for row in leased:
        first = Assignment.objects.get(
            study=cast.study, expert=cast.expert, question=row.question_id, occasion=1
        )
        assert {first.arms["side"], row.arms["side"]} == {"as_listed", "swapped"}
        assert (row.propensity, row.leased_until is None) == (first.propensity, overlap is None)
    page = client.get(path).json()
    assert (page["available"], page["total"]) == (0, 26)
    numbers = sorted(one["item"]["number"] for one in page["assignments"])
    assert numbers == list(range(1, 27)), "none is shown twice"


def test_they_are_compared_with_the_first_answer_and_counted_nowhere() -> None:
    cast = make_cast(overlap=2)
    lease(cast.study, cast.expert, 4)
    answer_open(cast.study, cast.expert)
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    assert (board["totals"]["answered"], board["totals"]["expected"]) == (48, 48)
    (batch,) = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    assert (batch["answered"], batch["total"]) == (26, 26)
    table = read_study_table(cast.study, get_kind_or_raise(cast.study.kind), 1)
    assert (len(table.answers), len(table.repeats)) == (48, 2)
    for first, second in table.repeats:
        assert first.outcome != second.outcome, "by side"
        assert first.payload["choice"] == second.payload["choice"] == "b", "by hypothesis"


def test_the_answer_that_stood_when_a_question_came_again_is_compared_with_the_next_one() -> None:
    cast = make_cast(overlap=2)
    [row, *_] = lease(cast.study, cast.expert, 4)
    earlier = Assignment.objects.get(
        study=cast.study, expert=cast.expert, question=row.question_id, occasion=1
    )
    prefer(row, 0)
    for one, place in ((earlier, 0), (row, 1)):  # revised once both are known
        prefer(one, place, version=1)
    table = read_study_table(cast.study, get_kind_or_raise(cast.study.kind), 1)
    [(first, second)] = table.repeats
    assert (first.payload["choice"], second.payload["choice"]) == ("b", "a")
    [newest] = [
        one
        for one in table.answers
        if (one.question, one.rater) == (str(row.question_id), str(cast.expert.id))
    ]
    assert newest.payload["choice"] == "a", "all other figures are of the newest answers"


def test_an_answer_that_was_revised_before_its_question_came_again_is_as_it_was_revised() -> None:
    cast = make_cast(overlap=2)
    for one in Assignment.objects.filter(study=cast.study, expert=cast.expert):
        prefer(one, 0, version=1)
    end_visit(cast.study)
    rows = lease(cast.study, cast.expert, 4)
    for one in rows:
        prefer(one, 0)
    table = read_study_table(cast.study, get_kind_or_raise(cast.study.kind), 1)
    assert [one.payload["choice"] for pair in table.repeats for one in pair] == ["a"] * 4


def test_a_skipped_repeat_leaves_the_page_as_any_skip_does() -> None:
    cast = make_cast(overlap=2)
    (row, _) = lease(cast.study, cast.expert, 4)
    body = {"version": 0, "action": "skip", "outcome": "", "active_ms": 0}
    payload = {"choice": None, "because": None, "comment": ""}
    response = client_of(cast.expert).put(
        f"/api/v1/assignments/{row.pk}/response",
        {**body, "payload": payload},
        content_type="application/json",
        headers={"Idempotency-Key": "8f7c9d1e-0000-4000-8000-000000000001"},
    )
    assert response.status_code == 200
    assert Assignment.objects.get(pk=row.pk).state == Assignment.State.RELEASED
    assert repeats_of(cast.study, cast.expert) != []


def test_nothing_comes_again_in_the_same_visit() -> None:
    cast = make_cast()
    Response.objects.update(submitted_at=timezone.now())
    assert lease(cast.study, cast.expert, 4) == []


def test_nothing_comes_again_before_twenty_answers() -> None:
    cast = make_cast(pairs=19)
    assert lease(cast.study, cast.expert, 4) == []


def test_which_come_again_differs_between_experts_and_stays() -> None:
    cast = make_cast(overlap=2, pairs=44)  # 4 of the 24 that 20 answers followed
    chosen = {
        expert.pk: {row.question_id for row in lease(cast.study, expert, 4)}
        for expert in (cast.expert, cast.colleague)
    }
    assert chosen[cast.expert.pk] != chosen[cast.colleague.pk]
    answer_open(cast.study, cast.expert)
    end_visit(cast.study)
    assert lease(cast.study, cast.expert, 4) == [], "each comes again once"


def test_what_fewer_than_twenty_answers_followed_does_not_come_again() -> None:
    cast = make_cast()
    start = timezone.now() - timedelta(days=1)
    rows = Response.objects.filter(assignment__expert=cast.expert).order_by("pk")
    for place, row in enumerate(rows):
        Response.objects.filter(pk=row.pk).update(submitted_at=start + timedelta(minutes=place))
    first = [row.assignment.question_id for row in rows[:4]]
    leased = lease(cast.study, cast.expert, 4)
    assert len(leased) == 2
    assert {row.question_id for row in leased} <= set(first)


@pytest.mark.parametrize(
    ("overlap", "planned_pause"),
    [(None, 32.0), (3, 32.0), (3, -9.0)],
    ids=["batches", "pool", "slower than planned"],
)
def test_simulated_experts_answer_again_in_another_visit_after_twenty_others(
    overlap: int | None, planned_pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "PLANNED_PAUSE_S", planned_pause)
    cast = make_pair_cast(40)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(overlap=overlap, seed=3, repeat_share=SHARE))
    simulate_study(study=cast.study, raters=3, seed=5)
    repeats = Assignment.objects.filter(study=cast.study, occasion=2)
    experts = set(repeats.values_list("expert", flat=True))
    assert len(experts) == 3
    for expert in experts:
        rows = Response.objects.filter(assignment__study=cast.study, assignment__expert=expert)
        ordered = list(rows.order_by("submitted_at", "pk").select_related("assignment"))
        visits = number_visits([row.submitted_at for row in ordered if row.submitted_at])
        places = {
            (it.assignment.question_id, it.assignment.occasion): n for n, it in enumerate(ordered)
        }
        again = [question for question, occasion in places if occasion == 2]
        assert 2 <= len(again) <= 4  # a tenth of 40 without those that are not sure
        for question in again:
            first, second = places[question, 1], places[question, 2]
            assert second - first > 20
            assert visits[second] > visits[first]
    assert simulate_study(study=cast.study, raters=3, seed=5).answers == 0


def test_sides_of_a_pool_stay_balanced_however_many_questions_come_again() -> None:
    """Of the pairs that count; a repeat has the other side than its first time."""
    cast = make_pair_cast(60)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(overlap=1, seed=3, repeat_share=SHARE))
    first = Assignment.objects.filter(study=cast.study, expert=cast.expert, occasion=1)
    while lease(cast.study, cast.expert, 3):
        sides = list(first.values_list("arms__side", flat=True))
        assert abs(sides.count("as_listed") - sides.count("swapped")) <= 1
        answer_open(cast.study, cast.expert)
        if len(sides) % 15 == 0:
            end_visit(cast.study)
    assert first.count() == 60
    assert len(repeats_of(cast.study, cast.expert)) >= 3
