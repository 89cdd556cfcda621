"""What looking at a question leaves behind, over HTTP: everything but an answer."""

import uuid
from typing import Any

import pytest

from annotation.models import Event, Member, Response, Revision, Study
from tests.annotation.personas import (
    Cast,
    body_of,
    client_of,
    event,
    look_of,
    post_look,
    put,
    reversed_order,
)


def test_looking_is_not_touching_but_its_time_and_events_are_kept(cast: Cast) -> None:
    look = look_of(active_ms=700, events=[event("opened")])
    told = post_look(client_of(cast.expert), cast.assignment(), look).json()
    assert (told["state"], told["version"], told["active_ms"]) == ("untouched", 0, 700)
    assert Event.objects.get().kind == "opened"
    assert not Revision.objects.exists()


def test_looking_stands_against_no_answer_that_is_given_elsewhere(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put(client, assignment, body_of(assignment))
    post_look(client, assignment, look_of(active_ms=10, events=[event("link_opened")]))
    told = put(client, assignment, body_of(assignment, "submit", version=1, active_ms=5))
    assert (told.status_code, told.json()["version"]) == (200, 2)
    assert told.json()["active_ms"] == 15


def test_looking_leaves_a_submitted_answer_as_it_was(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    before = put(client, assignment, body_of(assignment, "submit", confidence=3)).json()
    look = look_of(active_ms=20, events=[event("definition_opened")])
    assert post_look(client, assignment, look).json() == {**before, "active_ms": 20}


def test_events_keep_the_order_in_which_they_came(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    post_look(client, assignment, look_of(events=[event("opened"), event("link_opened")]))
    post_look(client, assignment, look_of(events=[event("definition_opened")]))
    moved = body_of(assignment, ranking=reversed_order(assignment), events=[event("moved")])
    put(client, assignment, moved)
    post_look(client, assignment, look_of(events=[event("opened", at="2001-01-01T00:00:00Z")]))
    order = Event.objects.order_by("version", "place").values_list("version", "place", "kind")
    assert list(order) == [
        (0, 0, "opened"),
        (0, 1, "link_opened"),
        (0, 2, "definition_opened"),
        (1, 0, "moved"),
        (1, 1, "opened"),
    ]


def test_a_look_that_comes_twice_counts_once(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    look = look_of(active_ms=30, events=[event("opened")])
    first = post_look(client, assignment, look, key)
    assert post_look(client, assignment, look, key).json() == first.json()
    assert (Response.objects.get().active_ms, Event.objects.count()) == (30, 1)


def test_the_time_of_a_look_before_the_first_answer_is_part_of_it(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    post_look(client, assignment, look_of(active_ms=100))
    put(client, assignment, body_of(assignment, "agree", active_ms=50))
    assert Response.objects.get().answer_ms == 150


@pytest.mark.parametrize(("told", "kept"), [(-5, 0), (10**15, 86_400_000)])
def test_a_clock_that_jumped_adds_no_more_than_a_day(cast: Cast, told: int, kept: int) -> None:
    answer = post_look(client_of(cast.expert), cast.assignment(), look_of(active_ms=told))
    assert (answer.status_code, answer.json()["active_ms"]) == (200, kept)


@pytest.mark.parametrize(
    "changes",
    [{"active_ms": "long"}, {"events": [event("hacked")]}, {"events": {}}, {"interface": ""}],
)
def test_nonsense_is_refused_and_nothing_changes(cast: Cast, changes: dict[str, Any]) -> None:
    answer = post_look(client_of(cast.expert), cast.assignment(), look_of(**changes))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert not Response.objects.exists()


def test_a_closed_study_takes_no_looks(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status="closed")
    answer = post_look(client_of(cast.expert), cast.assignment(), look_of(active_ms=1))
    assert (answer.status_code, answer.json()["code"]) == (409, "study_closed")


def test_nothing_is_recorded_without_consent(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    answer = post_look(client_of(cast.expert), cast.assignment(), look_of(active_ms=1))
    assert (answer.status_code, answer.json()["code"]) == (403, "consent_needed")


def test_nobody_records_a_look_at_a_question_that_is_not_hers(cast: Cast) -> None:
    assignment = cast.assignment()
    for stranger in (cast.colleague, cast.coordinator, cast.outsider, cast.other_expert):
        assert post_look(client_of(stranger), assignment, look_of()).status_code == 404
    assert post_look(client_of(None), assignment, look_of()).status_code == 401
    assert not Response.objects.exists()
