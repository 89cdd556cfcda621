"""What an expert reads: her home, her questions, and nothing of anybody else."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Action, Assignment, Member
from annotation.policies import CONSENT_VERSION
from tests.annotation.personas import (
    NAMES,
    Cast,
    answer,
    body_of,
    client_of,
    join,
    make_study,
    make_user,
    prior_of,
    put,
)


def test_home_counts_what_she_did_and_what_is_left(cast: Cast) -> None:
    answer(cast.assignment(number=1), Action.AGREE, active_ms=10_000)
    answer(cast.assignment(number=2), Action.NOT_SURE, active_ms=20_000)
    answer(cast.assignment(number=3), Action.SKIP, active_ms=1)
    answer(cast.assignment(cast.colleague), Action.SUBMIT, active_ms=1)
    first, second = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    assert first == {
        "id": str(cast.batch.id),
        "number": 1,
        "name": "Batch 1",
        "study": {
            "id": str(cast.study.id),
            "name": cast.study.name,
            "status": "open",
            "is_demo": False,
            "consent_needed": False,
        },
        "total": 3,
        "answered": 2,
        "confirmed": 1,
        "changed": 0,
        "not_sure": 1,
        "skipped": 1,
        "drafts": 0,
        "median_active_ms": 15_000,
        "expected_left_ms": 15_000,
    }
    assert (second["total"], second["median_active_ms"], second["expected_left_ms"]) == (
        2,
        None,
        None,
    )


def test_home_of_somebody_without_batches_is_empty(cast: Cast) -> None:
    for person in (cast.coordinator, cast.outsider):
        assert client_of(person).get("/api/v1/batches").json() == {"results": []}
    assert client_of(None).get("/api/v1/batches").status_code == 401


def test_a_batch_is_read_byte_for_byte_in_order_of_number(cast: Cast) -> None:
    put(client_of(cast.expert), cast.assignment(), body_of(cast.assignment(), "agree"))
    told = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert told["batch"]["study"] == {
        "id": str(cast.study.id),
        "name": cast.study.name,
        "status": "open",
        "is_demo": False,
    }
    assert [row["question"]["number"] for row in told["assignments"]] == [1, 2, 3]
    first = told["assignments"][0]
    assert first["question"]["file_id"] == "0"
    assert first["question"]["resources"] == [{"name": "Zinc ", "link": "https://x.example/?a=1"}]
    assert [row["name"] for row in first["question"]["candidates"]] == list(NAMES[:4])
    assert first["question"]["prior"] == prior_of(cast.assignment())
    assert [row["response"]["state"] for row in told["assignments"]] == [
        "confirmed",
        "untouched",
        "untouched",
    ]


def test_equal_prior_ranks_are_shown_as_a_tie(db: None) -> None:
    study, batches = make_study("Tied", make_user("Ada"), questions=[1], prior_ranks=(2, 1, 2, 3))
    expert = join(study, batches, make_user("Eve"))
    [row] = (
        client_of(expert).get(f"/api/v1/batches/{batches[0].id}/assignments").json()["assignments"]
    )
    ids = [candidate["id"] for candidate in row["question"]["candidates"]]
    assert row["question"]["prior"] == [[ids[1]], [ids[0], ids[2]], [ids[3]]]


def test_a_batch_takes_as_many_queries_with_many_questions_as_with_few(db: None) -> None:
    def queries(questions: int) -> int:
        study, batches = make_study("Sized", make_user("Ada"), questions=[questions])
        expert = join(study, batches, make_user("Eve"))
        answer(Assignment.objects.filter(expert=expert)[0], Action.AGREE)
        client = client_of(expert)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/api/v1/batches/{batches[0].id}/assignments")
        return len(captured)

    assert queries(2) == queries(40) <= 7


def test_batches_and_questions_of_others_are_not_there(cast: Cast) -> None:
    Assignment.objects.filter(expert=cast.colleague, batch=cast.batch).delete()
    strangers = [cast.colleague, cast.coordinator, cast.outsider, cast.other_coordinator]
    for stranger in strangers:
        client = client_of(stranger)
        assert client.get(f"/api/v1/batches/{cast.batch.id}/assignments").status_code == 404
        assert client.post(f"/api/v1/batches/{cast.batch.id}/active").status_code == 404


def test_before_consent_only_home_and_consent_are_open(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    client = client_of(cast.expert)
    assert client.get("/api/v1/batches").json()["results"][0]["study"]["consent_needed"] is True
    for refused in (
        client.get(f"/api/v1/batches/{cast.batch.id}/assignments"),
        client.post(f"/api/v1/batches/{cast.batch.id}/active"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    given = client.post(
        f"/api/v1/studies/{cast.study.id}/consent", {"version": CONSENT_VERSION}, "application/json"
    )
    assert given.status_code == 204
    assert client.get(f"/api/v1/batches/{cast.batch.id}/assignments").status_code == 200
    assert client.get("/api/v1/batches").json()["results"][0]["study"]["consent_needed"] is False


def test_consent_to_an_older_text_is_not_taken(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    url = f"/api/v1/studies/{cast.study.id}/consent"
    refused = client_of(cast.expert).post(url, {"version": "0"}, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "consent_outdated")
    assert Member.objects.get(user=cast.expert).consented_at is None


def test_only_experts_consent(cast: Cast) -> None:
    url = f"/api/v1/studies/{cast.study.id}/consent"
    for person, status in ((cast.coordinator, 403), (cast.other_expert, 404), (cast.outsider, 404)):
        body = {"version": CONSENT_VERSION}
        assert client_of(person).post(url, body, "application/json").status_code == status
