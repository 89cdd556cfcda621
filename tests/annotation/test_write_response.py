"""What a write of an answer does, over HTTP."""

import json
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Response, Revision
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    client_of,
    prior_of,
    put_response,
    response_body,
    reversed_order,
)

# Session, account, key, record, assignment, study, candidates, response; the answer, the record.
QUERIES_AT_MOST = {"save": 10, "submit": 10}
SAVEPOINTS_AT_MOST = 2  # the one transaction, which is a savepoint in a test


def stand(response: dict[str, Any]) -> tuple[str, str]:
    return response["status"], response["outcome"]


def test_an_untouched_answer_has_version_nought_and_shows_the_prior(cast: Cast) -> None:
    assignment = cast.assignment()
    url = f"/api/v1/batches/{cast.batch.id}/assignments"
    shown = client_of(cast.expert).get(url).json()["assignments"][0]
    assert shown["id"] == str(assignment.id)
    assert shown["response"] == {
        "version": 0,
        "status": "untouched",
        "outcome": "",
        "payload": {
            "ranking": prior_of(assignment),
            "confidence": None,
            "reasons": [],
            "comment": "",
            "unsure_reason": "",
        },
        "active_ms": 0,
        "updated_at": None,
        "submitted": None,
        "feedback": None,
    }


def test_agreeing_confirms_the_prior(cast: Cast) -> None:
    body = response_body(cast.assignment(), "agree")
    written = put_response(client_of(cast.expert), cast.assignment(), body).json()
    assert stand(written) == ("submitted", "confirmed")
    assert (written["version"], written["submitted"]["number"]) == (1, 1)


def test_submitting_stores_everything_that_was_sent(cast: Cast) -> None:
    assignment = cast.assignment()
    body = response_body(
        assignment,
        "submit",
        confidence=4,
        reasons=["new_to_me", "implausible", "new_to_me"],
        comment="  kept as typed \n",
        active_ms=12_345,
    )
    written = put_response(client_of(cast.expert), assignment, body).json()
    assert stand(written) == ("submitted", "changed")
    revision = Revision.objects.get(response__assignment=assignment)
    assert revision.answer == written["payload"]
    assert revision.answer == {
        "ranking": reversed_order(assignment),
        "confidence": 4,
        "reasons": ["new_to_me", "implausible"],
        "comment": "  kept as typed \n",
        "unsure_reason": "",
    }
    assert (revision.outcome, revision.active_ms) == ("changed", 12_345)


def test_ties_are_a_changed_order(cast: Cast) -> None:
    assignment = cast.assignment()
    a, b, *rest = [group[0] for group in prior_of(assignment)]
    body = response_body(assignment, "submit", ranking=[[b, a], *[[one] for one in rest]])
    written = put_response(client_of(cast.expert), assignment, body).json()
    assert written["payload"]["ranking"][0] == [b, a]


@pytest.mark.parametrize(
    ("intent", "changes", "outcome"),
    [
        ("agree", {"ranking": "reversed"}, "changed"),
        ("submit", {"ranking": "prior"}, "confirmed"),
        ("not_sure", {"unsure_reason": ""}, "confirmed"),
        ("submit", {"outcome": ""}, "changed"),
    ],
)
def test_a_submission_of_another_outcome_than_was_shown_is_refused(
    cast: Cast, intent: str, changes: dict[str, Any], outcome: str
) -> None:
    assignment = cast.assignment()
    orders = {"reversed": reversed_order(assignment), "prior": prior_of(assignment)}
    changes = {name: orders.get(value, value) for name, value in changes.items()}
    refused = put_response(
        client_of(cast.expert), assignment, response_body(assignment, intent, **changes)
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "outcome_differs")
    assert refused.json()["outcome"] == outcome
    assert not Response.objects.exists()


def test_not_sure_and_skipped_are_states_of_their_own(cast: Cast) -> None:
    client = client_of(cast.expert)
    first, second = cast.assignment(number=1), cast.assignment(number=2)
    unsure = put_response(client, first, response_body(first, "not_sure")).json()
    assert stand(unsure) == ("submitted", "not_sure")
    skipped = put_response(client, second, response_body(second, "skip")).json()
    assert stand(skipped) == ("skipped", "skipped")
    assert Revision.objects.count() == 2


def test_a_save_is_a_draft_and_no_revision(cast: Cast) -> None:
    assignment = cast.assignment()
    body = response_body(assignment, ranking=reversed_order(assignment))
    written = put_response(client_of(cast.expert), assignment, body).json()
    assert stand(written) == ("draft", "")
    assert not Revision.objects.exists()


def test_a_reopened_answer_is_a_draft_whose_last_submission_still_counts(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put_response(client, assignment, response_body(assignment, "agree"))
    body = response_body(assignment, version=1, ranking=reversed_order(assignment))
    output = put_response(client, assignment, body).json()
    assert stand(output) == ("draft", "")
    assert (output["submitted"]["number"], output["submitted"]["outcome"]) == (1, "confirmed")
    [home] = [row for row in client.get("/api/v1/batches").json()["results"] if row["number"] == 1]
    assert (home["answered"], home["outcomes"]["confirmed"], home["drafts"]) == (1, 1, 1)


def test_revising_keeps_the_history(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put_response(client, assignment, response_body(assignment, "agree", active_ms=100))
    output = put_response(
        client, assignment, response_body(assignment, "submit", version=1, active_ms=50)
    ).json()
    assert output["submitted"]["number"] == 2
    states = Revision.objects.order_by("number").values_list("outcome", "active_ms")
    assert list(states) == [("confirmed", 100), ("changed", 150)]
    assert Response.objects.get().answer_ms == 100


def test_the_first_answer_sets_the_time_and_a_skip_is_no_answer(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put_response(client, assignment, response_body(assignment, "skip", active_ms=100))
    assert Response.objects.get().answer_ms is None
    put_response(client, assignment, response_body(assignment, "agree", version=1, active_ms=50))
    assert Response.objects.get().answer_ms == 150


@pytest.mark.parametrize(("sent", "stored"), [(-5, 0), (10**15, 86_400_000)])
def test_a_clock_that_jumped_costs_no_answer(cast: Cast, sent: int, stored: int) -> None:
    assignment = cast.assignment()
    answer = put_response(
        client_of(cast.expert), assignment, response_body(assignment, "agree", active_ms=sent)
    )
    assert (answer.status_code, answer.json()["active_ms"]) == (200, stored)


def test_a_stale_write_shows_both_versions_and_changes_nothing(cast: Cast) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    put_response(client, assignment, response_body(assignment, "agree"))
    mine = response_body(assignment, "submit", comment="from the other tab")
    answer = put_response(client, assignment, mine)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")
    assert stand(answer.json()["server_version"]) == ("submitted", "confirmed")
    sent = {name: mine[name] for name in ("version", "action", "outcome", "payload")}
    assert answer.json()["client_version"] == sent
    assert Revision.objects.count() == 1


def test_a_lost_acknowledgement_is_never_a_conflict(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    body = response_body(assignment, "agree", active_ms=10)
    first = put_response(client, assignment, body, key)
    put_response(client, assignment, response_body(assignment, "submit", version=1))
    again = put_response(client, assignment, body, key)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert (Revision.objects.count(), Response.objects.get().active_ms) == (2, 10)


def test_a_repeated_write_is_answered_even_if_the_study_was_closed_since(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    body = response_body(assignment, "agree")
    first = put_response(client, assignment, body, key)
    Study.objects.filter(id=cast.study.id).update(status="closed")
    assert put_response(client, assignment, body, key).json() == first.json()


def test_a_key_used_for_other_content_or_another_question_is_refused(cast: Cast) -> None:
    assignment, client, key = cast.assignment(), client_of(cast.expert), str(uuid.uuid4())
    put_response(client, assignment, response_body(assignment, "agree"), key)
    other = cast.assignment(number=2)
    for answer in (
        put_response(client, assignment, response_body(assignment, "skip"), key),
        put_response(client, other, response_body(other, "agree"), key),
    ):
        assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")


def test_a_closed_study_takes_no_answers(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status="closed")
    assignment = cast.assignment()
    answer = put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))
    assert (answer.status_code, answer.json()["code"]) == (409, "study_closed")


def test_no_answer_is_taken_without_consent(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    assignment = cast.assignment()
    answer = put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))
    assert (answer.status_code, answer.json()["code"]) == (403, "consent_needed")


def test_nobody_writes_an_answer_of_another_expert(cast: Cast) -> None:
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
        assert (
            put_response(client, assignment, response_body(assignment, "agree")).status_code == 404
        )
    assert (
        put_response(client_of(None), assignment, response_body(assignment, "agree")).status_code
        == 401
    )
    assert not Response.objects.exists()


def test_every_fault_of_a_ranking_is_named_at_once(cast: Cast) -> None:
    assignment = cast.assignment()
    first, second, third, _ = [group[0] for group in prior_of(assignment)]
    ranking = [[first, first], [], ["banana"], 7, [second, None], [third.upper()]]
    answer = put_response(
        client_of(cast.expert), assignment, response_body(assignment, ranking=ranking)
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_payload")
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
    assert {"payload.ranking[1]", "payload.ranking[3]", "payload.ranking[4][1]"} <= places


@pytest.mark.parametrize("ranking", [None, "banana", 7, {}, {"a": 1}, [], [[]], [[[]]], [None]])
def test_a_ranking_of_another_shape_is_refused(cast: Cast, ranking: object) -> None:
    assignment = cast.assignment()
    answer = put_response(
        client_of(cast.expert), assignment, response_body(assignment, ranking=ranking)
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_payload")
    assert answer.json()["errors"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"confidence": 0}, "payload.confidence"),
        ({"confidence": 6}, "payload.confidence"),
        ({"confidence": "sure"}, "payload.confidence"),
        ({"confidence": True}, "payload.confidence"),
        ({"reasons": ["because"]}, "payload.reasons[0]"),
        ({"unsure_reason": "tired"}, "payload.unsure_reason"),
        ({"comment": "x" * 10_001}, "payload.comment"),
        ({"payload": {}}, "payload.ranking"),
        ({"payload": []}, "payload"),
    ],
)
def test_an_answer_that_is_not_valid_is_refused_with_the_place(
    cast: Cast, changes: dict[str, Any], place: str
) -> None:
    assignment = cast.assignment()
    body = response_body(assignment, **changes)
    refused = put_response(client_of(cast.expert), assignment, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    assert refused.json()["errors"][0]["place"].startswith(place)
    assert not Response.objects.exists()


def test_faults_of_several_fields_are_named_at_once(cast: Cast) -> None:
    body = response_body(cast.assignment(), ranking=[], confidence=9, comment=None)
    refused = put_response(client_of(cast.expert), cast.assignment(), body).json()
    places = {fault["place"] for fault in refused["errors"]}
    assert places == {"payload.ranking", "payload.confidence", "payload.comment"}


@pytest.mark.parametrize(
    "changes",
    [
        {"version": -1},
        {"version": 2**31},
        {"action": "delete"},
        {"active_ms": "long"},
        {"outcome": "x" * 41},
    ],
)
def test_a_write_that_is_not_valid_is_refused_and_nothing_changes(
    cast: Cast, changes: dict[str, Any]
) -> None:
    assignment = cast.assignment()
    body = response_body(assignment, **changes)
    refused = put_response(client_of(cast.expert), assignment, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["errors"][0]["place"].split("[")[0].split(".")[0] == next(iter(changes))
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"comment": "nul \0"},
        {"comment": "half a pair \ud800"},
        {"ranking": [["\0"]]},
        {"unsure_reason": "\0"},
    ],
)
def test_text_that_cannot_be_stored_is_refused(cast: Cast, changes: dict[str, Any]) -> None:
    assignment = cast.assignment()
    refused = put_response(client_of(cast.expert), assignment, response_body(assignment, **changes))
    assert refused.status_code == 400
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert not Response.objects.exists()


@pytest.mark.parametrize("sent", ["[" * 5000 + "]" * 5000, "x" * 10 * 1024 * 1024])
def test_a_body_that_is_too_deep_or_too_large_is_refused(cast: Cast, sent: str) -> None:
    assignment = cast.assignment()
    body = json.dumps(response_body(assignment, ranking="HERE"))
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


@pytest.mark.parametrize("place", [{"comment": "HUGE"}, {"ranking": [["HUGE"]]}])
def test_a_number_beyond_all_numbers_is_refused(cast: Cast, place: dict[str, Any]) -> None:
    assignment = cast.assignment()
    body = json.dumps(response_body(assignment, version=7, **place)).replace('"HUGE"', "1e999")
    answer = client_of(cast.expert).put(
        f"/api/v1/assignments/{assignment.id}/response",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    assert answer.status_code == 422


def test_a_backslash_before_u0000_is_ordinary_text(cast: Cast) -> None:
    assignment = cast.assignment()
    body = response_body(assignment, comment="\\u0000")
    assert put_response(client_of(cast.expert), assignment, body).status_code == 200
    assert Response.objects.get().payload["comment"] == "\\u0000"


def test_a_write_without_a_usable_key_is_refused(cast: Cast) -> None:
    assignment = cast.assignment()
    for headers in ({}, {"Idempotency-Key": "again"}):
        answer = client_of(cast.expert).put(
            f"/api/v1/assignments/{assignment.id}/response",
            response_body(assignment),
            content_type="application/json",
            headers=headers,
        )
        assert answer.status_code == 400
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("action", ["save", "submit"])
def test_a_write_takes_few_queries(cast: Cast, action: str) -> None:
    assignment, client = cast.assignment(), client_of(cast.expert)
    body = response_body(assignment, action)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert put_response(client, assignment, body).status_code == 200
    sent = [query["sql"] for query in captured]
    statements = [one for one in sent if not one.startswith(("SAVEPOINT", "RELEASE"))]
    assert len(statements) <= QUERIES_AT_MOST[action], statements
    assert len(sent) - len(statements) <= SAVEPOINTS_AT_MOST
