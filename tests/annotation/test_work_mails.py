"""E-mails to experts: how much work waits, and one link to the next question."""

from datetime import date

import pytest
from django.core import mail
from pytest_django import Settings
from rest_framework.test import APIClient

from annotation.invitations import invite_to_study
from annotation.study_creation import Design, set_design
from backend.accounts import invitation_email
from backend.accounts.models import User
from backend.studies.models import Member, Study
from tests.annotation.personas import Cast, client_of, make_user, write_answer


@pytest.fixture(autouse=True)
def _delivered(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def remind(cast: Cast, expert: User | None = None) -> tuple[int, dict[str, object]]:
    user = expert or cast.expert
    path = f"/api/v1/studies/{cast.study.id}/reminders"
    body = {"experts": [str(user.id)]}
    answer = client_of(cast.coordinator).post(path, body, content_type="application/json")
    return answer.status_code, answer.json()


def mailed() -> str:
    [message] = mail.outbox
    return str(message.body)


def test_a_reminder_counts_what_is_left_and_leads_to_the_next_question(cast: Cast) -> None:
    write_answer(cast.assignment(number=1), "agree", active_ms=60_000)
    Study.objects.filter(pk=cast.study.pk).update(
        description="Which drugs?", contact="ada@example.org", closes_on=date(2031, 2, 3)
    )
    status, body = remind(cast)
    assert (status, body["sent"]) == (200, [cast.expert.name])
    [message] = mail.outbox
    assert message.to == [cast.expert.email]
    text = mailed()
    assert "4 of your 5 questions are still open" in text
    assert "4 questions, about 4 minutes." in text
    assert "Open until 3 February 2031." in text
    assert "Write to ada@example.org" in text
    visitor = APIClient()
    token = text.partition("/continue#")[2].split()[0]
    answer = visitor.post("/api/v1/sign-in-links/use", {"token": token})
    assert answer.json() == {"path": f"/next?study={cast.study.id}"}
    assert visitor.get("/api/v1/me").json()["user"]["email"] == cast.expert.email


def test_the_pace_is_45_seconds_before_it_is_known(cast: Cast) -> None:
    remind(cast)
    assert "5 questions, about 4 minutes." in mailed()


def test_whoever_reminds_does_not_see_the_link(cast: Cast) -> None:
    path = f"/api/v1/studies/{cast.study.id}/reminders"
    before = client_of(cast.coordinator).get(path)
    _, body = remind(cast)
    assert "/continue#" in mailed()
    assert "/continue#" not in before.content.decode() + str(body)


def test_nobody_is_reminded_of_nothing(cast: Cast) -> None:
    for assignment in cast.expert.assignments.all():
        write_answer(assignment, "agree")
    status, body = remind(cast)
    assert (status, body["sent"]) == (200, [])
    assert not mail.outbox


def test_a_closed_study_reminds_nobody(cast: Cast) -> None:
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)
    assert remind(cast)[0] == 409


def test_somebody_of_another_study_is_not_reminded(cast: Cast) -> None:
    assert remind(cast, cast.other_expert)[1]["sent"] == []
    assert not mail.outbox


def accept_by_mail(cast: Cast, user: User, browser: APIClient) -> tuple[int, dict[str, object]]:
    """The account that is invited opens the link of the e-mail, signed out."""
    invitation, token = invite_to_study(
        actor=cast.other_coordinator,
        study_id=cast.other_study.id,
        email=user.email,
        role="expert",
    )
    invitation_email.send_invitation(invitation, token)
    mailed_token = mailed().partition("/invite#")[2].split()[0]
    shown = browser.post("/api/v1/invitations/lookup", {"token": mailed_token}).json()
    assert shown["signs_in"] is not user.is_administrator
    assert browser.post("/api/v1/invitations/lookup", {"token": token}).json()["signs_in"] is False
    answer = browser.post("/api/v1/invitations/accept", {"token": mailed_token})
    return answer.status_code, answer.json()


def test_the_mailed_invitation_signs_in_to_the_account_that_exists(cast: Cast) -> None:
    browser = APIClient()
    status, _ = accept_by_mail(cast, cast.expert, browser)
    assert status == 200
    assert browser.get("/api/v1/me").json()["user"]["email"] == cast.expert.email
    members = Member.objects.filter(study=cast.other_study, user=cast.expert)
    assert members.filter(role=Member.Role.EXPERT).exists()


def test_the_mailed_invitation_does_not_sign_in_an_administrator(cast: Cast) -> None:
    administrator = make_user("Amara", is_administrator=True)
    status, body = accept_by_mail(cast, administrator, APIClient())
    assert (status, body["code"]) == (409, "sign_in_first")


def test_a_coordinator_changes_what_experts_read_and_the_status_stays(cast: Cast) -> None:
    path = f"/api/v1/studies/{cast.study.id}"
    change = {"contact": "ada@example.org", "closes_on": "2031-02-03", "description": "Which?"}
    changed = client_of(cast.coordinator).patch(path, change, content_type="application/json")
    assert changed.json()["status"] == "open"
    first, _ = client_of(cast.expert).get("/api/v1/batches").json()["results"]
    assert {name: first["study"][name] for name in change} == change


@pytest.mark.parametrize("change", [{"contact": "nobody"}, {"closes_on": "soon"}])
def test_what_experts_read_is_checked(cast: Cast, change: dict[str, str]) -> None:
    path = f"/api/v1/studies/{cast.study.id}"
    answer = client_of(cast.coordinator).patch(path, change, content_type="application/json")
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("overlap", "amount"),
    [(None, "5 questions, about 4 minutes."), (2, "One question takes about 1 minute.")],
)
def test_an_invitation_counts_questions_unless_they_come_from_a_pool(
    cast: Cast, overlap: int | None, amount: str
) -> None:
    set_design(cast.study, Design(overlap=overlap))
    path = f"/api/v1/studies/{cast.study.id}/invitations"
    body = {"email": "new@example.org", "role": "expert", "batches": []}
    answer = client_of(cast.coordinator).post(path, body, content_type="application/json")
    assert answer.status_code == 201
    assert f"\n{amount} You can stop at any time.\n" in mailed()
