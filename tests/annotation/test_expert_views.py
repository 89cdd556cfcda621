"""The views of an expert: home, batches and questions, and nothing of other experts."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION
from tests.annotation.personas import (
    CANDIDATE_NAMES,
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    prior_of,
    put_response,
    response_body,
    write_answer,
)


def test_home_counts_answered_and_open_questions(cast: Cast) -> None:
    write_answer(cast.assignment(number=1), "agree", active_ms=10_000)
    write_answer(cast.assignment(number=2), "not_sure", active_ms=20_000)
    write_answer(cast.assignment(number=3), "skip", active_ms=1)
    write_answer(cast.assignment(cast.colleague), "submit", active_ms=1)
    first, second = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    assert first == {
        "id": str(cast.batch.id),
        "number": 1,
        "name": "Batch 1",
        "study": {
            "id": str(cast.study.id),
            "name": cast.study.name,
            "kind": "ranking",
            "status": "open",
            "is_demo": False,
            "description": "",
            "contact": "",
            "closes_on": None,
            "coordinators": ["Ada"],
            "to_read": None,
            "qualification": None,
        },
        "total": 3,
        "answered": 2,
        "outcomes": {"confirmed": 1, "changed": 0, "ranked": 0, "not_sure": 1, "skipped": 1},
        "drafts": 0,
        "marks": [
            {"number": 1, "status": "submitted", "outcome": "confirmed"},
            {"number": 2, "status": "submitted", "outcome": "not_sure"},
            {"number": 3, "status": "skipped", "outcome": "skipped"},
        ],
        "median_active_ms": 15_000,
        "expected_left_ms": 15_000,
    }
    assert (second["total"], second["median_active_ms"], second["expected_left_ms"]) == (
        2,
        None,
        None,
    )


def test_home_and_list_show_a_study_whose_kind_is_not_installed(cast: Cast) -> None:
    write_answer(cast.assignment(number=1), "agree")
    write_answer(cast.assignment(number=2), "skip")
    Study.objects.filter(id=cast.study.id).update(kind="removed-kind")
    first, _ = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    assert (first["answered"], first["outcomes"]) == (1, {"skipped": 1})
    (study,) = client_of(cast.coordinator).get("/api/v1/studies").json()["results"]
    assert (study["kind"], study["answered"]) == ("removed-kind", 1)


def test_home_of_somebody_without_batches_is_empty(cast: Cast) -> None:
    for person in (cast.coordinator, cast.outsider):
        assert client_of(person).get("/api/v1/batches").json() == {"results": []}
    assert client_of(None).get("/api/v1/batches").status_code == 401


def test_a_batch_is_read_byte_for_byte_in_order_of_number(cast: Cast) -> None:
    put_response(
        client_of(cast.expert), cast.assignment(), response_body(cast.assignment(), "agree")
    )
    shown = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert shown["batch"]["study"] == {
        "id": str(cast.study.id),
        "name": cast.study.name,
        "kind": "ranking",
        "status": "open",
        "is_demo": False,
        "graph": None,
    }
    assert [row["item"]["number"] for row in shown["assignments"]] == [1, 2, 3]
    first = shown["assignments"][0]
    assert first["item"]["file_id"] == "0"
    assert first["item"]["resources"] == [{"name": "Zinc ", "link": "https://x.example/?a=1"}]
    assert [row["name"] for row in first["item"]["candidates"]] == list(CANDIDATE_NAMES[:4])
    assert first["item"]["prior"] == prior_of(cast.assignment())
    stand = [
        (one["response"]["status"], one["response"]["outcome"]) for one in shown["assignments"]
    ]
    assert stand == [("submitted", "confirmed"), ("untouched", ""), ("untouched", "")]


def test_equal_prior_ranks_are_shown_as_a_tie(db: None) -> None:
    study, batches = make_study("Tied", make_user("Ada"), questions=[1], prior_ranks=(2, 1, 2, 3))
    expert = join_as_expert(study, batches, make_user("Eve"))
    [row] = (
        client_of(expert).get(f"/api/v1/batches/{batches[0].id}/assignments").json()["assignments"]
    )
    ids = [candidate["id"] for candidate in row["item"]["candidates"]]
    assert row["item"]["prior"] == [[ids[1]], [ids[0], ids[2]], [ids[3]]]


def test_a_batch_takes_as_many_queries_with_many_questions_as_with_few(db: None) -> None:
    def queries(questions: int) -> int:
        study, batches = make_study("Sized", make_user("Ada"), questions=[questions])
        expert = join_as_expert(study, batches, make_user("Eve"))
        write_answer(Assignment.objects.filter(expert=expert)[0], "agree")
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
        assert client.post(f"/api/v1/batches/{cast.batch.id}/presence").status_code == 404


def test_before_consent_only_home_and_consent_are_open(cast: Cast) -> None:
    Member.objects.filter(user=cast.expert).update(consent_version="", consented_at=None)
    client = client_of(cast.expert)
    home = client.get("/api/v1/batches").json()["results"]
    assert home[0]["study"]["to_read"] == "introduction"
    for refused in (
        client.get(f"/api/v1/batches/{cast.batch.id}/assignments"),
        client.post(f"/api/v1/batches/{cast.batch.id}/presence"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "consent_needed")
    given = client.post(
        f"/api/v1/studies/{cast.study.id}/consent", {"version": CONSENT_VERSION}, "application/json"
    )
    assert given.status_code == 204
    assert client.get(f"/api/v1/batches/{cast.batch.id}/assignments").status_code == 200
    home = client.get("/api/v1/batches").json()["results"]
    assert home[0]["study"]["to_read"] is None


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
