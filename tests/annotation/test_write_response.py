"""What a write of an answer does, over HTTP."""

import json
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Event, Member, Response, Revision, Study
from tests.annotation.personas import (
    Cast,
    body_of,
    client_of,
    event,
    prior_of,
    put,
    reversed_order,
)

QUERIES_AT_MOST = 11


def test_an_untouched_answer_has_version_nought_and_shows_the_prior(cast: Cast) -> None:
    assignment = cast.assignment()
    url = f"/api/v1/batches/{cast.batch.id}/assignments"
    told = client_of(cast.expert).get(url).json()["assignments"][0]
    assert told["id"] == str(assignment.id)
    assert told["response"] == {
        "version": 0,
        "state": "untouched",
        "ranking": prior_of(assignment),
        "confidence": None,
        "reasons": [],
        "comment": "",
        "unsure_reason": "",
        "active_ms": 0,
        "updated_at": None,
        "submitted": None,
    }


def test_agreeing_confirms_the_prior(cast: Cast) -> None:
    told = put(
        client_of(cast.expert), cast.assignment(), body_of(cast.assignment(), "agree")
    ).json()
    assert (told["state"], told["version"]) == ("confirmed", 1)
    assert told["submitted"]["number"] == 1


def test_submitting_keeps_everything_that_was_sent(cast: Cast) -> None:
    assignment = cast.assignment()
    body = body_of(
        assignment,
        "submit",
        confidence=4,
        reasons=["new_to_me", "implausible"],
        comment="  kept as typed \n",
        active_ms=12_345,
    )
    told = put(client_of(cast.expert), assignment, body).json()
    assert told["state"] == "changed"
    revision = Revision.objects.get(response__assignment=assignment)
    assert revision.ranking == told["ranking"] == reversed_order(assignment)
    assert (revision.confidence, revision.comment) == (4, "  kept as typed \n")
    assert (revision.reasons, revision.active_ms) == (["new_to_me", "implausible"], 12_345)


def test_ties_are_a_changed_order(cast: Cast) -> None:
    assignment = cast.assignment()
    a, b, *rest = [group[0] for group in prior_of(assignment)]
    body = body_of(assignment, "submit", ranking=[[b, a], *[[one] for one in rest]])
    assert put(client_of(cast.expert), assignment, body).json()["ranking"][0] == [b, a]


@pytest.mark.parametrize(
    ("action", "changes", "code"),
    [
        ("agree", {"ranking": "reversed"}, "order_differs"),
        ("submit", {"ranking": "prior"}, "order_unchanged"),
        ("not_sure", {"unsure_reason": ""}, "invalid"),
    ],
)
def test_an_action_that_contradicts_its_order_is_refused(
    cast: Cast, action: str, changes: dict[str, Any], code: str
) -> None:
    assignment = cast.assignment()
    orders = {"reversed": reversed_order(assignment), "prior": prior_of(assignment)}
    changes = {name: orders.get(value, value) for name, value in changes.items()}
    answer = put(client_of(cast.expert), assignment, body_of(assignment, action, **changes))
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not Response.objects.exists()


def test_not_sure_and_skipped_are_states_of_their_own(cast: Cast) -> None:
    client = client_of(cast.expert)
    first, second = cast.assignment(number=1), cast.assignment(number=2)
    assert put(client, first, body_of(first, "not_sure")).json()["state"] == "not_sure"
    assert put(client, second, body_of(second, "skip")).json()["state"] == "skipped"
    assert Revision.objects.count() == 2


def test_a_save_is_a_draft_and_no_revision(cast: Cast) -> None:
    assignment = cast.assignment()
    body = body_of(assignment, ranking=reversed_order(assignment))
    assert put(client_of(cast.expert), assignment, body).json()["state"] == "draft"
    assert not Revision.objects.exists()


def test_a_reopened_answer_is_a_draft_whose_last_submission_still_counts(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put(client, assignment, body_of(assignment, "agree"))
    body = body_of(assignment, version=1, ranking=reversed_order(assignment))
    told = put(client, assignment, body).json()
    assert told["state"] == "draft"
    assert (told["submitted"]["number"], told["submitted"]["state"]) == (1, "confirmed")
    [home] = [row for row in client.get("/api/v1/batches").json()["results"] if row["number"] == 1]
    assert (home["answered"], home["confirmed"], home["drafts"]) == (1, 1, 1)


def test_revising_keeps_the_history(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put(client, assignment, body_of(assignment, "agree", active_ms=100))
    told = put(client, assignment, body_of(assignment, "submit", version=1, active_ms=50)).json()
    assert told["submitted"]["number"] == 2
    states = Revision.objects.order_by("number").values_list("state", "active_ms")
    assert list(states) == [("confirmed", 100), ("changed", 150)]
    assert Response.objects.get().answer_ms == 100


def test_the_first_answer_sets_the_time_and_a_skip_is_no_answer(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put(client, assignment, body_of(assignment, "skip", active_ms=100))
    assert Response.objects.get().answer_ms is None
    put(client, assignment, body_of(assignment, "agree", version=1, active_ms=50))
    assert Response.objects.get().answer_ms == 150


@pytest.mark.parametrize(("told", "kept"), [(-5, 0), (10**15, 86_400_000)])
def test_a_clock_that_jumped_costs_no_answer(cast: Cast, told: int, kept: int) -> None:
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, "agree", active_ms=told))
    assert (answer.status_code, answer.json()["active_ms"]) == (200, kept)


def test_a_stale_write_shows_both_versions_and_changes_nothing(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put(client, assignment, body_of(assignment, "agree"))
    mine = body_of(assignment, "submit", comment="from the other tab")
    answer = put(client, assignment, mine)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")
    assert answer.json()["current"]["state"] == "confirmed"
    assert answer.json()["yours"]["ranking"] == mine["ranking"]
    assert answer.json()["yours"]["comment"] == "from the other tab"
    assert Revision.objects.count() == 1


def test_a_lost_acknowledgement_is_never_a_conflict(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    body = body_of(assignment, "agree", events=[event()], active_ms=10)
    first = put(client, assignment, body, key)
    put(client, assignment, body_of(assignment, "submit", version=1))
    again = put(client, assignment, body, key)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert (Revision.objects.count(), Event.objects.count()) == (2, 1)


def test_a_repeated_write_is_answered_even_if_the_study_was_closed_since(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    body = body_of(assignment, "agree")
    first = put(client, assignment, body, key)
    Study.objects.filter(id=cast.study.id).update(status="closed")
    assert put(client, assignment, body, key).json() == first.json()


def test_a_key_used_for_other_content_or_another_question_is_refused(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    put(client, assignment, body_of(assignment, "agree"), key)
    other = cast.assignment(number=2)
    for answer in (
        put(client, assignment, body_of(assignment, "skip"), key),
        put(client, other, body_of(other, "agree"), key),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")


def test_a_closed_study_takes_no_answers(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status="closed")
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, "agree"))
    assert (answer.status_code, answer.json()["code"]) == (409, "study_closed")


def test_no_answer_is_taken_without_consent(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, "agree"))
    assert (answer.status_code, answer.json()["code"]) == (403, "consent_needed")


def test_nobody_writes_an_answer_that_is_not_hers(cast: Cast) -> None:
    assignment = cast.assignment()
    strangers = [
        cast.colleague,
        cast.coordinator,
        cast.outsider,
        cast.other_coordinator,
        cast.other_expert,
    ]
    for stranger in strangers:
        client = client_of(stranger)
        assert put(client, assignment, body_of(assignment, "agree")).status_code == 404
    assert put(client_of(None), assignment, body_of(assignment, "agree")).status_code == 401
    assert not Response.objects.exists()


def test_every_fault_of_a_ranking_is_named_at_once(cast: Cast) -> None:
    assignment = cast.assignment()
    first, second, third, _ = [group[0] for group in prior_of(assignment)]
    ranking = [[first, first], [], ["banana"], 7, [second, None], [third.upper()]]
    answer = put(client_of(cast.expert), assignment, body_of(assignment, ranking=ranking))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_ranking")
    codes = {fault["code"] for fault in answer.json()["errors"]}
    assert codes == {
        "unknown_id",
        "missing_id",
        "repeated_id",
        "empty_group",
        "not_a_list",
        "not_an_id",
    }
    places = {fault["place"] for fault in answer.json()["errors"]}
    assert {"ranking[1]", "ranking[3]", "ranking[4][1]"} <= places


@pytest.mark.parametrize("ranking", [None, "banana", 7, {}, {"a": 1}, [], [[]], [[[]]], [None]])
def test_a_ranking_of_another_shape_is_refused(cast: Cast, ranking: object) -> None:
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, ranking=ranking))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_ranking")
    assert answer.json()["errors"]


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 0},
        {"confidence": 6},
        {"confidence": "sure"},
        {"reasons": ["because"]},
        {"unsure_reason": "tired"},
        {"comment": "x" * 10_001},
        {"version": -1},
        {"version": 2**31},
        {"action": "delete"},
        {"active_ms": "long"},
        {"interface": ""},
        {"events": {}},
        {"events": [event("hacked")]},
        {"events": [event(at="yesterday")]},
        {"events": [event(at="9999-12-31T23:59:59-14:00")]},
        {"events": [event(id="1")]},
        {"events": [event(new="x" * 70_000)]},
        {"events": [event()] * 501},
    ],
)
def test_nonsense_is_refused_in_words_and_nothing_changes(
    cast: Cast, changes: dict[str, Any]
) -> None:
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, **changes))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["errors"][0]["place"].split("[")[0].split(".")[0] == next(iter(changes))
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"comment": "nul \0"},
        {"comment": "half a pair \ud800"},
        {"events": [event(new={"a": ["\0"]})]},
        {"events": [event(new={"\ud800": 1})]},
        {"ranking": [["\0"]]},
        {"unsure_reason": "\0"},
    ],
)
def test_text_that_cannot_be_stored_is_refused(cast: Cast, changes: dict[str, Any]) -> None:
    assignment = cast.assignment()
    answer = put(client_of(cast.expert), assignment, body_of(assignment, **changes))
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Response.objects.exists()


@pytest.mark.parametrize("sent", ["[" * 5000 + "]" * 5000, "x" * 10 * 1024 * 1024])
def test_a_body_that_is_too_deep_or_too_large_is_refused(cast: Cast, sent: str) -> None:
    assignment = cast.assignment()
    body = json.dumps(body_of(assignment, ranking="HERE"))
    body = body.replace('"HERE"', sent) if sent.startswith("[") else body.replace("HERE", sent)
    answer = client_of(cast.expert).put(
        f"/api/v1/assignments/{assignment.id}/response",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    assert answer.status_code == (400 if sent.startswith("[") else 413)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Response.objects.exists()


@pytest.mark.parametrize("place", [{"events": [event(new="HUGE")]}, {"ranking": [["HUGE"]]}])
def test_a_number_beyond_all_numbers_is_refused(cast: Cast, place: dict[str, Any]) -> None:
    assignment = cast.assignment()
    body = json.dumps(body_of(assignment, version=7, **place)).replace('"HUGE"', "1e999")
    answer = client_of(cast.expert).put(
        f"/api/v1/assignments/{assignment.id}/response",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    assert answer.status_code == 422


def test_a_backslash_before_u0000_is_ordinary_text(cast: Cast) -> None:
    assignment = cast.assignment()
    body = body_of(assignment, events=[event(new="\\u0000")])
    assert put(client_of(cast.expert), assignment, body).status_code == 200
    assert Event.objects.get().new == "\\u0000"


def test_the_same_event_twice_is_kept_once_and_order_is_that_of_arrival(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    first, second = event("moved", at="2031-01-01T00:00:00Z"), event("undone")
    put(client, assignment, body_of(assignment, events=[first, second, first]))
    put(client, assignment, body_of(assignment, version=1, events=[second, event("redone")]))
    kinds = Event.objects.order_by("version", "place").values_list("kind", flat=True)
    assert list(kinds) == ["moved", "undone", "redone"]
    assert Event.objects.get(kind="moved").client_at.year == 2031


def test_an_event_is_kept_although_a_colleagues_has_the_same_id(cast: Cast) -> None:
    same = event("opened")
    for expert in (cast.expert, cast.colleague):
        assignment = cast.assignment(expert)
        answer = put(client_of(expert), assignment, body_of(assignment, events=[same]))
        assert answer.status_code == 200
    kept = Event.objects.filter(id=same["id"]).values_list("actor", flat=True)
    assert set(kept) == {cast.expert.id, cast.colleague.id}


def test_a_write_without_a_usable_key_is_refused(cast: Cast) -> None:
    assignment = cast.assignment()
    for headers in ({}, {"Idempotency-Key": "again"}):
        answer = client_of(cast.expert).put(
            f"/api/v1/assignments/{assignment.id}/response",
            body_of(assignment),
            content_type="application/json",
            headers=headers,
        )
        assert answer.status_code == 400
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("action", ["save", "submit"])
def test_a_write_takes_few_queries(cast: Cast, action: str) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    body = body_of(assignment, action, events=[event(), event()])
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert put(client, assignment, body).status_code == 200
    statements = [
        query["sql"] for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))
    ]
    assert len(statements) <= QUERIES_AT_MOST, statements
