"""Several people are invited at once, all of them or nobody."""

from typing import Any

from django.core import mail

from backend.accounts.models import Invitation
from tests.annotation.personas import Cast, client_of


def invite(cast: Cast, *emails: str, **fields: Any) -> Any:
    body = {"emails": emails, "role": "expert", **fields}
    path = f"/api/v1/studies/{cast.study.id}/invitations/several"
    return client_of(cast.coordinator).post(path, body, content_type="application/json")


def test_each_address_gets_an_invitation_and_a_mail_with_the_message_and_the_work(
    cast: Cast,
) -> None:
    batches = [str(cast.batch.id)]
    answer = invite(
        cast, "b@x.example", " A@x.example ", batches=batches, message="We met in Kandy."
    )
    assert answer.status_code == 201
    rows = answer.json()["results"]
    assert [(it["email"], it["batches"], it["mail_sent"]) for it in rows] == [
        ("b@x.example", [1], True),
        ("a@x.example", [1], True),
    ]
    assert len({it["link"] for it in rows}) == 2
    assert sorted(message.to[0] for message in mail.outbox) == ["a@x.example", "b@x.example"]
    body = mail.outbox[0].body
    assert "We met in Kandy." in body
    assert "3 questions, about 3 minutes." in body


def test_an_address_twice_is_invited_once(cast: Cast) -> None:
    rows = invite(cast, "a@x.example", "A@x.example").json()["results"]
    assert len(rows) == len(mail.outbox) == 1


def test_every_fault_is_listed_with_its_address_and_nobody_is_invited(cast: Cast) -> None:
    invite(cast, "again@x.example")
    mail.outbox.clear()
    answer = invite(cast, "good@x.example", "no address", cast.expert.email, "again@x.example")
    assert answer.status_code == 422
    assert (answer.json()["code"], len(mail.outbox)) == ("addresses_invalid", 0)
    assert [(it["place"], it["code"]) for it in answer.json()["errors"]] == [
        ("emails[1]", "invalid"),
        ("emails[2]", "is_member"),
        ("emails[3]", "already_invited"),
    ]
    for fault, address in zip(
        answer.json()["errors"],
        ["no address", cast.expert.email, "again@x.example"],
        strict=True,
    ):
        assert address in fault["message"]
    assert not Invitation.objects.filter(email="good@x.example").exists()


def test_an_expert_may_be_invited_as_coordinator_and_is_asked_for_no_questions(cast: Cast) -> None:
    assert invite(cast, cast.expert.email, role="coordinator").status_code == 201
    assert "questions" not in mail.outbox[0].body.replace("researchers", "")


def test_sending_again_repeats_the_message(cast: Cast) -> None:
    (row,) = invite(cast, "a@x.example", message="We met in Kandy.").json()["results"]
    path = f"/api/v1/studies/{cast.study.id}/invitations/{row['id']}/resend"
    again = client_of(cast.coordinator).post(path).json()
    assert again["link"] != row["link"]
    assert "We met in Kandy." in mail.outbox[1].body
    assert "5 questions, about 4 minutes" in mail.outbox[1].body


def test_too_many_addresses_and_too_long_messages_are_refused(cast: Cast) -> None:
    assert invite(cast, *(f"a{n}@x.example" for n in range(101))).status_code == 422
    assert invite(cast, "a@x.example", message="x" * 2_001).status_code == 422
    assert invite(cast).status_code == 422
    assert not Invitation.objects.filter(for_study__study=cast.study).exists()
