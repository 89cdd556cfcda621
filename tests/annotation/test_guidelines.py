"""Guidelines in versions: who has to read which, and under which an answer was written."""

import json

import pytest
from django.db import DatabaseError, transaction

from annotation.exports import export_json
from annotation.models import Revision
from annotation.policies import get_own_assignment_or_raise
from annotation.pool import lease_questions
from backend.accounts.models import User
from backend.common.errors import Conflict, NotAllowed
from backend.studies.guidelines import publish_guidelines
from backend.studies.models import Acknowledgement, GuidelineVersion, Member, Study
from backend.studies.policies import CONSENT_VERSION
from backend.studies.services import give_consent
from tests.annotation.personas import Cast, client_of, put_response, response_body, write_answer
from tests.annotation.test_pool import make_pool


def publish(cast: Cast, text: str, *, must_be_read: bool = True) -> GuidelineVersion:
    return publish_guidelines(
        actor=cast.coordinator, study_id=cast.study.id, text=text, must_be_read=must_be_read
    )


def acknowledge(cast: Cast, number: int, expert: User | None = None) -> None:
    give_consent(
        actor=expert or cast.expert,
        study_id=cast.study.id,
        version=CONSENT_VERSION,
        guidelines=number,
    )


def status_of(cast: Cast) -> int:
    url = f"/api/v1/batches/{cast.batch.id}/assignments"
    return client_of(cast.expert).get(url).status_code


def texts_to_read(cast: Cast) -> set[str | None]:
    home = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    return {row["study"]["to_read"] for row in home}


def test_a_version_that_must_be_read_comes_before_the_next_question(cast: Cast) -> None:
    publish(cast, "Rank by surprise.", must_be_read=False)
    assert status_of(cast) == 200
    publish(cast, "Rank by surprise and relevance.")
    assert status_of(cast) == 403
    assert texts_to_read(cast) == {"guidelines"}
    acknowledge(cast, 2)
    assert status_of(cast) == 200
    publish(cast, "Rank by surprise and relevance. Ties are fine.", must_be_read=False)
    assert status_of(cast) == 200


def test_an_older_consent_text_is_named_before_guidelines(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="0")
    publish(cast, "Rank by surprise.")
    assert (status_of(cast), texts_to_read(cast)) == (403, {"consent"})


@pytest.mark.parametrize("status", [Study.Status.CLOSED, Study.Status.FROZEN])
def test_own_answers_stay_readable_once_the_study_has_ended(cast: Cast, status: str) -> None:
    """A frozen study accepts no consent, so that unread guidelines would hide them for good."""
    write_answer(cast.assignment(), "agree")
    publish(cast, "Rank by surprise.")
    Member.objects.filter(user=cast.expert).update(consent_version="0")
    Member.objects.filter(user=cast.colleague).update(consent_version="", consented_at=None)
    Study.objects.filter(pk=cast.study.pk).update(status=status)
    assert (status_of(cast), texts_to_read(cast)) == (200, {None})
    answer = put_response(
        client_of(cast.expert), cast.assignment(), response_body(cast.assignment(), "agree")
    )
    assert (answer.status_code, answer.json()["code"]) == (409, f"study_{status}")
    assert get_own_assignment_or_raise(cast.expert, cast.assignment().id)
    with pytest.raises(NotAllowed):
        get_own_assignment_or_raise(cast.colleague, cast.assignment(cast.colleague).id)


def test_what_was_written_before_is_accepted_under_its_own_version(cast: Cast) -> None:
    publish(cast, "One.")
    acknowledge(cast, 1)
    client = client_of(cast.expert)
    publish(cast, "Two.")
    in_flight = response_body(cast.assignment(), "agree", guidelines=1)
    assert put_response(client, cast.assignment(), in_flight).status_code == 200
    acknowledge(cast, 2)
    late = response_body(cast.assignment(number=2), "agree", guidelines=1)
    assert put_response(client, cast.assignment(number=2), late).status_code == 200
    ahead = response_body(cast.assignment(number=3), "agree", guidelines=7)
    assert put_response(client, cast.assignment(number=3), ahead).status_code == 200
    stored = Revision.objects.order_by("id").values_list("consent_version", "guidelines_number")
    assert list(stored) == [(CONSENT_VERSION, 1), (CONSENT_VERSION, 1), (CONSENT_VERSION, 2)]
    exported = json.loads("".join(export_json(cast.study)))
    revisions = [
        revision["guidelines_number"]
        for question in exported["batches"][0]["questions"]
        for assignment in question["assignments"]
        for revision in assignment["revisions"]
    ]
    assert revisions == [1, 1, 2]
    assert [one["text"] for one in exported["study"]["guidelines"]] == ["One.", "Two."]


def test_only_the_newest_version_can_be_acknowledged_and_each_is_stored_once(cast: Cast) -> None:
    publish(cast, "One.")
    publish(cast, "Two.")
    url = f"/api/v1/studies/{cast.study.id}/consent"
    body = {"version": CONSENT_VERSION, "guidelines": 1}
    refused = client_of(cast.expert).post(url, body, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "consent_outdated")
    acknowledge(cast, 2)
    acknowledge(cast, 2)
    stored = Acknowledgement.objects.filter(user=cast.expert)
    assert list(stored.values_list("consent_version", "guidelines_number")) == [
        (CONSENT_VERSION, 2)
    ]


def test_versions_are_immutable_and_the_same_text_is_no_new_one(cast: Cast) -> None:
    version = publish(cast, "One.")
    with pytest.raises(Conflict):
        publish(cast, "One.")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        GuidelineVersion.objects.filter(pk=version.pk).update(text="Two.")


def test_a_pool_leases_nothing_before_the_guidelines_are_read(db: None) -> None:
    study, (expert,) = make_pool(1)
    coordinator = study.created_by
    assert coordinator is not None
    publish_guidelines(actor=coordinator, study_id=study.id, text="One.", must_be_read=True)
    with pytest.raises(NotAllowed):
        lease_questions(actor=expert, study_id=study.id)
    Member.objects.filter(user=expert).update(guidelines_number=1)
    assert len(lease_questions(actor=expert, study_id=study.id)) == 1


def test_members_read_every_version_and_the_question_page_the_newest(cast: Cast) -> None:
    publish(cast, "One <b>bold</b>.", must_be_read=False)
    write_answer(cast.assignment(), "agree")
    shown = client_of(cast.expert).get(f"/api/v1/studies/{cast.study.id}/guidelines").json()
    assert [(one["number"], one["text"]) for one in shown["versions"]] == [(1, "One <b>bold</b>.")]
    page = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert page["batch"]["guidelines"]["text"] == "One <b>bold</b>."
