"""An address is proven by what came in its mail alone, and the first proof ends what was before."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.db import connection
from pytest_django import Settings
from rest_framework.test import APIClient

from annotation.coordinator_invites import ensure_coordinator
from annotation.imports import import_study
from backend.accounts import email_verification, invitation_email, invitations, services
from backend.accounts.email_verification import (
    EmailNotVerified,
    derive_mailed_token,
    is_email_verified,
)
from backend.accounts.models import Invitation, User
from backend.studies.models import Study
from tests.accounts.mailbox import wait_until_sent
from tests.accounts.observed_hasher import when_hashed
from tests.benchmarks import hostile_questionnaire
from tests.personas import PASSWORD, Person, Response, make_person

VICTIM = "dr.rao@example.org"


def send_request(browser: APIClient, address: str, **data: object) -> Response:
    return browser.post(f"/_allauth/browser/v1/{address}", data, format="json")


def last_code() -> str:
    wait_until_sent()
    result = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", str(outbox.outbox[-1].body), re.MULTILINE)
    assert result, outbox.outbox[-1].body
    return result[1]


def sign_in_by_code(browser: APIClient, email: str = VICTIM) -> None:
    assert send_request(browser, "auth/code/request", email=email).status_code == 401
    assert send_request(browser, "auth/code/confirm", code=last_code()).status_code == 200


def invite(actor: User | None, role: str = "researcher") -> str:
    return invitations.create_invitation(actor=actor, email=VICTIM, role=role)[1]


def accept(browser: APIClient, token: str, **more: str) -> Response:
    return browser.post("/api/v1/invitations/accept", {"token": token, "name": "Dr Rao", **more})


def me(browser: APIClient) -> str | None:
    user = browser.get("/api/v1/me").json()["user"]
    return user and str(user["email"])


@pytest.fixture
def inviter(db: None) -> User:
    return make_person("mallory").user


@pytest.fixture
def impostor(inviter: User) -> APIClient:
    """Mallory has opened the link that Mallory saw, and is signed in as the doctor."""
    browser = APIClient()
    assert accept(browser, invite(inviter), password=PASSWORD).status_code == 200
    assert me(browser) == VICTIM
    return browser


@pytest.fixture
def doctor(impostor: APIClient) -> User:
    return User.objects.get(email=VICTIM)


def test_the_link_that_the_inviter_saw_proves_nothing(doctor: User) -> None:
    assert not is_email_verified(doctor)


def test_the_link_in_the_mail_proves_the_address(inviter: User, visitor: APIClient) -> None:
    assert accept(visitor, derive_mailed_token(invite(inviter))).status_code == 200
    assert is_email_verified(User.objects.get(email=VICTIM))


def test_the_mail_holds_the_link_that_nobody_else_sees(inviter: User) -> None:
    invitation, token = invitations.create_invitation(actor=inviter, email=VICTIM, role="expert")
    assert invitation_email.send_invitation(invitation, token)
    wait_until_sent()
    body = str(outbox.outbox[-1].body)
    assert invitation_email.invitation_link(derive_mailed_token(token)) in body
    assert token not in body


def test_both_links_are_of_one_invitation_and_it_works_once(
    inviter: User, visitor: APIClient
) -> None:
    token = invite(inviter)
    assert accept(visitor, derive_mailed_token(token)).status_code == 200
    assert accept(APIClient(), token).json()["code"] == "invitation_used"


def test_sending_again_ends_both_earlier_links(inviter: User, visitor: APIClient) -> None:
    invitation, token = invitations.create_invitation(actor=inviter, email=VICTIM, role="expert")
    _, newer = invitations.renew_invitation(
        actor=inviter, among=Invitation.objects.all(), invitation_id=invitation.pk
    )
    for ended in (token, derive_mailed_token(token)):
        assert accept(visitor, ended).json()["code"] == "invitation_unknown"
    assert accept(visitor, derive_mailed_token(newer)).status_code == 200


def test_the_first_code_ends_other_sessions_and_the_earlier_password(
    impostor: APIClient, doctor: User
) -> None:
    browser = APIClient()
    sign_in_by_code(browser)
    assert (me(browser), me(impostor)) == (VICTIM, None)
    again = send_request(APIClient(), "auth/login", email=VICTIM, password=PASSWORD)
    assert again.status_code == 400
    assert is_email_verified(doctor)


def test_a_later_code_ends_nothing(impostor: APIClient) -> None:
    first, second = APIClient(), APIClient()
    sign_in_by_code(first)
    sign_in_by_code(second)
    assert (me(first), me(second)) == (VICTIM, VICTIM)


def test_a_password_does_not_prove(impostor: APIClient, doctor: User) -> None:
    assert (
        send_request(APIClient(), "auth/login", email=VICTIM, password=PASSWORD).status_code == 200
    )
    assert not is_email_verified(doctor)
    assert me(impostor) == VICTIM


def test_a_reset_from_the_mail_proves_and_keeps_the_new_password(
    impostor: APIClient, doctor: User
) -> None:
    visitor = APIClient()
    send_request(visitor, "auth/password/request", email=VICTIM)
    wait_until_sent()
    result = re.search(r"reset-password#(\S+)", str(outbox.outbox[-1].body))
    assert result
    newer = "a lighthouse of paper"
    assert (
        send_request(visitor, "auth/password/reset", key=result[1], password=newer).status_code
        == 401
    )
    assert me(impostor) is None
    assert is_email_verified(doctor)
    assert send_request(visitor, "auth/login", email=VICTIM, password=newer).status_code == 200


def test_an_unproven_account_gets_nothing_more_by_a_link_that_others_saw(
    impostor: APIClient, doctor: User, administrator: Person
) -> None:
    token = invite(administrator.user, "administrator")
    answer = accept(impostor, token)
    assert (answer.status_code, answer.json()["code"]) == (409, "address_unproven")
    doctor.refresh_from_db()
    assert not doctor.is_administrator
    browser = APIClient()
    sign_in_by_code(browser)
    assert accept(browser, token).status_code == 200
    assert browser.get("/api/v1/people").status_code == 200
    assert impostor.get("/api/v1/people").status_code == 401


@pytest.mark.parametrize(("by", "role"), [("another", "expert"), ("inviter", "administrator")])
def test_an_unproven_account_takes_up_neither_anothers_study_nor_a_role_of_the_site(
    by: str, role: str, inviter: User, outsider: Person, impostor: APIClient
) -> None:
    token = invite(inviter if by == "inviter" else outsider.user, role)
    assert accept(impostor, token).json()["code"] == "address_unproven"


def test_an_unproven_account_takes_up_another_study_of_the_same_inviter(
    inviter: User, impostor: APIClient
) -> None:
    assert accept(impostor, invite(inviter, "expert")).status_code == 200
    assert accept(impostor, invite(inviter, "coordinator")).status_code == 200


def test_the_mailed_link_proves_the_account_that_is_signed_in_and_keeps_its_session(
    impostor: APIClient, doctor: User, administrator: Person
) -> None:
    elsewhere = APIClient()
    send_request(elsewhere, "auth/login", email=VICTIM, password=PASSWORD)
    token = derive_mailed_token(invite(administrator.user, "administrator"))
    assert accept(impostor, token).status_code == 200
    assert is_email_verified(doctor)
    assert (me(impostor), me(elsewhere)) == (VICTIM, None)


def test_an_administrator_gives_no_role_to_an_unproven_account(
    doctor: User, administrator: Person
) -> None:
    with pytest.raises(EmailNotVerified):
        services.change_account(actor=administrator.user, user_id=doctor.pk, is_administrator=True)
    doctor.refresh_from_db()
    assert not doctor.is_administrator


def test_a_command_invites_an_unproven_coordinator_instead_of_adding_them(doctor: User) -> None:
    study = Study.objects.create(name="Pain")
    result = ensure_coordinator(actor=None, study=study, email=VICTIM)
    assert not result.is_member
    assert not study.members.exists()
    assert Invitation.objects.filter(email=VICTIM, role="coordinator").exists()


def test_an_unproven_account_makes_no_study_of_its_own(doctor: User) -> None:
    with pytest.raises(EmailNotVerified):
        import_study(actor=doctor, name="Mine", sources=hostile_questionnaire.files())
    assert not Study.objects.exists()
    sign_in_by_code(APIClient())
    assert (
        import_study(
            actor=doctor, name="Mine", sources=hostile_questionnaire.files()
        ).study.created_by
        == doctor
    )


def prove_during_the_change(settings: Settings, user: User, password: str) -> None:
    """A code is used, and a role is removed, while the change to this password is under way."""

    def prove() -> None:
        email_verification.verify_email(user=User.objects.get(pk=user.pk))
        User.objects.filter(pk=user.pk).update(is_researcher=False)

    when_hashed(settings, password, prove)


def test_a_password_change_that_began_before_the_proof_comes_too_late(
    impostor: APIClient, doctor: User, settings: Settings
) -> None:
    newer = "a lighthouse of paper"
    prove_during_the_change(settings, doctor, newer)
    change = {"current_password": PASSWORD, "new_password": newer}
    late = send_request(impostor, "account/password/change", **change)
    assert (late.status_code, late.json()["code"]) == (409, "password_replaced")
    assert me(impostor) is None
    assert send_request(APIClient(), "auth/login", email=VICTIM, password=newer).status_code == 400


def test_changing_a_password_gives_back_no_role_that_was_taken_meanwhile(
    doctor: User, settings: Settings
) -> None:
    browser = APIClient()
    sign_in_by_code(browser)
    newer = "a lighthouse of paper"
    prove_during_the_change(settings, doctor, newer)
    assert send_request(browser, "account/password/change", new_password=newer).status_code == 200
    doctor.refresh_from_db()
    assert doctor.check_password(newer)
    assert not doctor.is_researcher


@pytest.mark.django_db(transaction=True)
def test_three_tries_of_a_code_hold_for_tries_sent_side_by_side() -> None:
    person = make_person("ines").user
    browser = APIClient()
    send_request(browser, "auth/code/request", email=person.email)
    code = last_code()
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    together = Barrier(12)

    def attempt(number: int) -> int:
        mine = APIClient()
        mine.cookies.load(cookies)
        together.wait(10)
        try:
            return send_request(mine, "auth/code/confirm", code=f"XXXX-{number:04d}").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(attempt, range(12)))
    assert sorted(answers) == [400] * 3 + [409] * 9
    assert send_request(browser, "auth/code/confirm", code=code).status_code == 409


def test_an_ended_invitation_tells_a_stranger_only_how_it_ended(
    inviter: User, visitor: APIClient, impostor: APIClient
) -> None:
    token = invite(inviter, "expert")
    invitations.revoke_invitation(
        actor=inviter, invitation_id=invitations.find_invitation_or_raise(token=token).pk
    )
    result = visitor.post("/api/v1/invitations/lookup", {"token": token}).json()
    assert result.pop("expires_at")
    assert result == {
        "state": "revoked",
        "invited_by": "Mallory",
        "email": None,
        "role": None,
        "study": None,
        "has_account": False,
        "signs_in": False,
    }
    invitation = impostor.post("/api/v1/invitations/lookup", {"token": token}).json()
    assert invitation["email"] == VICTIM


def test_an_account_made_for_the_demo_counts_as_proven(outsider: Person) -> None:
    assert EmailAddress.objects.get(user=outsider.user).verified
