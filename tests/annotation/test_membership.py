"""Invitations to a study, what accepting them brings, and which batches an expert has."""

import uuid
from typing import Any

import pytest
from django.core import mail

from annotation.assignments import assign_batches
from annotation.models import Assignment, Batch
from backend.accounts.email_verification import derive_mailed_token
from backend.accounts.models import User
from backend.studies.models import Member
from tests.annotation.personas import Cast, client_of, write_answer


def invite(cast: Cast, person: User | None = None, **fields: Any) -> Any:
    body = {"email": "new@hospital.example", "role": "expert", **fields}
    url = f"/api/v1/studies/{cast.study.id}/invitations"
    return client_of(person or cast.coordinator).post(url, body, "application/json")


def accept(invited: Any, person: User | None = None, name: str = "Nora") -> Any:
    token = invited.json()["link"].split("#")[1]
    body = {"token": token, "name": name}
    return client_of(person).post("/api/v1/invitations/accept", body, "application/json")


def test_an_accepted_expert_gets_every_batch_of_the_study(cast: Cast) -> None:
    invited = invite(cast)
    assert (invited.status_code, invited.json()["batches"]) == (201, [1, 2])
    assert derive_mailed_token(invited.json()["link"].split("#")[1]) in mail.outbox[0].body
    assert accept(invited).json() == {"role": "expert", "study_id": str(cast.study.id)}
    nora = User.objects.get(email="new@hospital.example")
    assert Assignment.objects.filter(expert=nora, study=cast.study).count() == 5
    assert Member.objects.get(user=nora).consent_version == ""


def test_an_accepted_expert_gets_the_batches_that_were_chosen(cast: Cast) -> None:
    accept(invite(cast, batches=[str(cast.batches[1].id)]))
    own = Assignment.objects.filter(expert__email="new@hospital.example")
    assert {row.batch_id for row in own} == {cast.batches[1].id}


def test_accepting_twice_gives_nothing_twice(cast: Cast) -> None:
    invited = invite(cast, email=cast.outsider.email)
    for _ in range(2):
        assert accept(invited, cast.outsider).status_code == 200
    assert Assignment.objects.filter(expert=cast.outsider).count() == 5
    assert Member.objects.filter(user=cast.outsider).count() == 1


def test_an_accepted_coordinator_sees_the_board_and_has_nothing_to_answer(cast: Cast) -> None:
    accept(invite(cast, role="coordinator", email=cast.outsider.email), cast.outsider)
    client = client_of(cast.outsider)
    assert client.get(f"/api/v1/studies/{cast.study.id}/board").status_code == 200
    assert client.get("/api/v1/batches").json() == {"results": []}


def test_the_holder_of_an_invitation_sees_the_name_of_the_study(cast: Cast) -> None:
    token = invite(cast).json()["link"].split("#")[1]
    result = client_of(None).post(
        "/api/v1/invitations/lookup", {"token": token}, "application/json"
    )
    assert result.json()["study"] == {"id": str(cast.study.id), "name": cast.study.name}


def test_me_tells_in_which_studies_i_take_part(cast: Cast) -> None:
    Member.objects.create(study=cast.study, user=cast.coordinator, role="expert")
    me = client_of(cast.coordinator).get("/api/v1/me").json()["user"]
    assert me["studies"] == [
        {"id": str(cast.study.id), "name": cast.study.name, "roles": ["coordinator", "expert"]}
    ]
    assert client_of(cast.outsider).get("/api/v1/me").json()["user"]["studies"] == []


def test_invitations_are_listed_without_their_links_and_can_be_revoked(cast: Cast) -> None:
    invited = invite(cast)
    url = f"/api/v1/studies/{cast.study.id}/invitations"
    client = client_of(cast.coordinator)
    [row] = client.get(url).json()["results"]
    assert (row["email"], row["state"], row["batches"]) == ("new@hospital.example", "open", [1, 2])
    assert "link" not in row
    revoked = client.post(f"{url}/{row['id']}/revoke")
    assert (revoked.status_code, revoked.json()["state"]) == (200, "revoked")
    assert accept(invited).status_code == 410
    assert not User.objects.filter(email="new@hospital.example").exists()


def test_an_expert_who_is_invited_already_is_not_invited_again(cast: Cast) -> None:
    first = invite(cast).json()
    again = invite(cast, batches=[str(cast.batch.id)])
    assert (again.status_code, again.json()["code"]) == (409, "already_invited")
    assert again.json()["invitation"] == first["id"]
    assert invite(cast, role="coordinator").status_code == 201
    url = f"/api/v1/studies/{cast.other_study.id}/invitations"
    sent = {"email": "new@hospital.example", "role": "expert"}
    elsewhere = client_of(cast.other_coordinator).post(url, sent, "application/json")
    assert (elsewhere.status_code, len(mail.outbox)) == (201, 3)


def test_an_invitation_that_is_sent_again_keeps_its_batches_under_a_new_link(cast: Cast) -> None:
    invited = invite(cast, batches=[str(cast.batches[1].id)])
    url = f"/api/v1/studies/{cast.study.id}/invitations/{invited.json()['id']}/resend"
    for person, status in ((cast.expert, 403), (cast.other_coordinator, 404), (cast.outsider, 404)):
        assert client_of(person).post(url).status_code == status
    again = client_of(cast.coordinator).post(url)
    assert (again.status_code, again.json()["batches"]) == (200, [2])
    assert derive_mailed_token(again.json()["link"].split("#")[1]) in mail.outbox[-1].body
    assert cast.study.name in mail.outbox[-1].body
    assert accept(invited).status_code == 404
    assert accept(again).status_code == 200
    assert client_of(cast.coordinator).post(url).json()["code"] == "invitation_used"


def test_only_coordinators_invite_list_and_revoke_and_only_in_their_study(cast: Cast) -> None:
    invitation = invite(cast).json()["id"]
    url = f"/api/v1/studies/{cast.study.id}/invitations"
    for person, status in (
        (cast.expert, 403),
        (cast.other_coordinator, 404),
        (cast.outsider, 404),
    ):
        client = client_of(person)
        assert invite(cast, person).status_code == status
        assert client.get(url).status_code == status
        assert client.post(f"{url}/{invitation}/revoke").status_code == status
    elsewhere = f"/api/v1/studies/{cast.other_study.id}/invitations/{invitation}/revoke"
    assert client_of(cast.other_coordinator).post(elsewhere).status_code == 404
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"email": "nobody"},
        {"role": "administrator"},
        {"role": "researcher"},
        {"batches": ["1"]},
        {"batches": [str(uuid.uuid4())]},
    ],
)
def test_an_invitation_that_makes_no_sense_is_refused(cast: Cast, fields: dict[str, Any]) -> None:
    assert invite(cast, **fields).status_code == 422
    assert not mail.outbox


def test_batches_of_another_study_cannot_be_given(cast: Cast) -> None:
    foreign = Batch.objects.filter(study=cast.other_study)[0]
    refused = invite(cast, batches=[str(cast.batch.id), str(foreign.id)])
    assert refused.json()["errors"][0]["place"] == "batches[1]"


def set_batches(cast: Cast, expert: User, batches: list[Batch], actor: User | None = None) -> Any:
    url = f"/api/v1/studies/{cast.study.id}/experts/{expert.id}/batches"
    body = {"batches": [str(batch.id) for batch in batches]}
    return client_of(actor or cast.coordinator).put(url, body, "application/json")


def test_a_coordinator_gives_and_takes_batches(cast: Cast) -> None:
    assert set_batches(cast, cast.expert, cast.batches[1:]).status_code == 200
    assert Assignment.objects.filter(expert=cast.expert).count() == 2
    assert set_batches(cast, cast.expert, cast.batches).status_code == 200
    assert Assignment.objects.filter(expert=cast.expert).count() == 5


def test_a_batch_with_responses_stays_assigned(cast: Cast) -> None:
    write_answer(cast.assignment(), "save", comment="a thought")
    refused = set_batches(cast, cast.expert, cast.batches[1:])
    assert (refused.status_code, refused.json()["code"]) == (409, "batch_has_answers")
    assert "batch 1" in refused.json()["detail"]
    assert Assignment.objects.filter(expert=cast.expert).count() == 5


def test_nobody_else_gives_batches_and_nobody_outside_gets_them(cast: Cast) -> None:
    for actor, status in ((cast.expert, 403), (cast.other_coordinator, 404), (cast.outsider, 404)):
        assert set_batches(cast, cast.expert, [], actor).status_code == status
    assert set_batches(cast, cast.outsider, cast.batches).status_code == 404
    assert set_batches(cast, cast.other_expert, []).status_code == 404
    assert Assignment.objects.filter(expert=cast.other_expert).count() == 5


def test_assigning_again_changes_nothing(cast: Cast) -> None:
    given = assign_batches(
        study=cast.study, expert=cast.expert, batches=cast.batches, actor=cast.coordinator
    )
    assert given == 0
    assert Assignment.objects.filter(expert=cast.expert).count() == 5
