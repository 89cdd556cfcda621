"""The activity log, over HTTP: append-only, idempotent, independent of answers."""

import itertools
from typing import Any

import pytest

from annotation.exports import events_in_order
from annotation.models import Event, Response, Revision
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    post_activity,
    prior_of,
    put_response,
    response_body,
)


def read_response(cast: Cast) -> Any:
    url = f"/api/v1/batches/{cast.batch.id}/assignments"
    return client_of(cast.expert).get(url).json()["assignments"][0]["response"]


def test_looking_is_no_answer_but_its_time_and_events_are_recorded(cast: Cast) -> None:
    activity = activity_body(activity_event("opened", active_ms=700))
    recorded = post_activity(client_of(cast.expert), cast.assignment(), activity)
    assert (recorded.status_code, recorded.json()) == (200, {"recorded": 1})
    result = read_response(cast)
    assert (result["status"], result["version"], result["active_ms"]) == ("untouched", 0, 700)
    assert result["payload"]["ranking"] == prior_of(cast.assignment())
    assert Event.objects.get().kind == "opened"
    assert not Revision.objects.exists()


def test_looking_conflicts_with_no_answer_that_is_given_elsewhere(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put_response(client, assignment, response_body(assignment))
    post_activity(client, assignment, activity_body(activity_event("link_opened", active_ms=10)))
    body = response_body(assignment, "submit", version=1, active_ms=5)
    written = put_response(client, assignment, body)
    assert (written.status_code, written.json()["version"]) == (200, 2)
    assert written.json()["active_ms"] == 15


def test_looking_leaves_a_submitted_answer_as_it_was(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    before = put_response(client, assignment, response_body(assignment, "submit", confidence=3))
    entry = activity_event("definition_opened", active_ms=20)
    post_activity(client, assignment, activity_body(entry))
    assert read_response(cast) == {**before.json(), "active_ms": 20}


def test_requests_commute_and_may_be_repeated(cast: Cast) -> None:
    """Three requests that overlap, in every order and each twice, leave the same log."""
    one, two, three = (activity_event("moved", active_ms=ms) for ms in (1, 10, 100))
    requests = [activity_body(one), activity_body(two, one), activity_body(three, three)]
    client = client_of(cast.expert)
    for order in itertools.permutations(requests):
        assignment = cast.assignment()
        for request in [*order, *order]:
            assert post_activity(client, assignment, request).status_code == 200
        ids = {str(one) for one in Event.objects.values_list("id", flat=True)}
        assert ids == {one["id"], two["id"], three["id"]}
        assert Response.objects.get().active_ms == 111


def test_entries_keep_the_order_in_which_they_arrived(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    early = activity_event("opened", at="2001-01-01T00:00:00Z")
    first = activity_body(activity_event("opened"), activity_event("link_opened"))
    for activity in (first, activity_body(activity_event("moved")), activity_body(early)):
        post_activity(client, assignment, activity)
    kinds = [event.kind for event in events_in_order()]
    assert kinds == ["opened", "link_opened", "moved", "opened"]
    assert Event.objects.get(id=early["id"]).client_at.year == 2001


def test_an_entry_is_recorded_although_a_colleagues_has_the_same_id(cast: Cast) -> None:
    same = activity_event("opened")
    for expert in (cast.expert, cast.colleague):
        post_activity(client_of(expert), cast.assignment(expert), activity_body(same))
    actors = Event.objects.filter(id=same["id"]).values_list("actor", flat=True)
    assert set(actors) == {cast.expert.id, cast.colleague.id}


def test_the_time_before_the_first_answer_is_part_of_it(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    post_activity(client, assignment, activity_body(activity_event("active", active_ms=100)))
    put_response(client, assignment, response_body(assignment, "agree", active_ms=50))
    assert Response.objects.get().answer_ms == 150


@pytest.mark.parametrize(("sent", "counted"), [(-5, 0), (10**15, 86_400_000)])
def test_a_clock_that_jumped_adds_no_more_than_a_day(cast: Cast, sent: int, counted: int) -> None:
    activity = activity_body(activity_event("active", active_ms=sent))
    assert post_activity(client_of(cast.expert), cast.assignment(), activity).status_code == 200
    assert (Response.objects.get().active_ms, Event.objects.get().active_ms) == (counted, counted)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"entries": {}}, "entries"),
        ({"entries": [activity_event("hacked")]}, "entries.0.kind"),
        ({"entries": [activity_event(at="yesterday")]}, "entries.0.at"),
        ({"entries": [activity_event(at="9999-12-31T23:59:59-14:00")]}, "entries.0.at"),
        ({"entries": [activity_event(id="1")]}, "entries.0.id"),
        ({"entries": [activity_event(new="x" * 70_000)]}, "entries.0.new"),
        ({"entries": [activity_event(active_ms="long")]}, "entries.0.active_ms"),
        ({"entries": [activity_event()] * 501}, "entries"),
        ({"interface": ""}, "interface"),
    ],
)
def test_entries_that_are_not_valid_are_refused_and_nothing_changes(
    cast: Cast, changes: dict[str, Any], place: str
) -> None:
    activity = {**activity_body(), **changes}
    refused = post_activity(client_of(cast.expert), cast.assignment(), activity)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["errors"][0]["place"].startswith(place)
    assert not Response.objects.exists()


@pytest.mark.parametrize("new", [{"a": ["\0"]}, {"\ud800": 1}])
def test_text_that_cannot_be_stored_is_refused(cast: Cast, new: object) -> None:
    activity = activity_body(activity_event(new=new))
    refused = post_activity(client_of(cast.expert), cast.assignment(), activity)
    assert refused.status_code == 400
    assert not Response.objects.exists()


def test_a_backslash_before_u0000_is_ordinary_text(cast: Cast) -> None:
    activity = activity_body(activity_event(new="\\u0000"))
    assert post_activity(client_of(cast.expert), cast.assignment(), activity).status_code == 200
    assert Event.objects.get().new == "\\u0000"


def test_a_closed_study_takes_no_activity(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status="closed")
    refused = post_activity(client_of(cast.expert), cast.assignment(), activity_body())
    assert (refused.status_code, refused.json()["code"]) == (409, "study_closed")


def test_nothing_is_recorded_without_consent(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    refused = post_activity(client_of(cast.expert), cast.assignment(), activity_body())
    assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")


def test_nobody_records_activity_for_an_assignment_of_somebody_else(cast: Cast) -> None:
    assignment = cast.assignment()
    for stranger in (cast.colleague, cast.coordinator, cast.outsider, cast.other_expert):
        status = post_activity(client_of(stranger), assignment, activity_body()).status_code
        assert status == 404
    assert post_activity(client_of(None), assignment, activity_body()).status_code == 401
    assert post_activity(client_of(cast.expert), cast.assignment(), {}).status_code == 422
    assert not Response.objects.exists()
