"""What was ended stays ended: a change that was under way, an old link or an old session undoes
nothing."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from pytest_django import Settings
from rest_framework.test import APIClient

from annotation.coordinator_invites import ensure_coordinator
from backend.accounts import invitations, services
from backend.accounts.email_verification import is_email_verified
from backend.accounts.models import Invitation, User
from tests.accounts.observed_hasher import when_hashed
from tests.accounts.test_email_verification import VICTIM, accept, me, send_request, sign_in_by_code
from tests.annotation.personas import client_of, make_cast
from tests.personas import PASSWORD, Person, make_person

NEWER = "a lighthouse of paper"
BlockedRequest = Callable[[], None]


class PasswordChangeInProgress:
    """A password change that has read the account and waits, its hash made, to be written."""

    def __init__(self, settings: Settings, browser: APIClient) -> None:
        self.hashed, self.go_on = threading.Event(), threading.Event()
        when_hashed(settings, NEWER, self._wait)
        self.pool = ThreadPoolExecutor(1)
        self.answer = self.pool.submit(self._change, browser)
        assert self.hashed.wait(20)

    def _wait(self) -> None:
        self.hashed.set()
        assert self.go_on.wait(20)

    def _change(self, browser: APIClient) -> int:
        try:
            return send_request(browser, "account/password/change", new_password=NEWER).status_code
        finally:
            connection.close()

    def finish(self) -> int:
        self.go_on.set()
        return self.answer.result(20)


@pytest.mark.django_db(transaction=True)
def test_a_password_change_under_way_does_not_undo_the_first_proof(
    settings: Settings,
) -> None:
    inviter = make_person("mallory").user
    _, token = invitations.create_invitation(actor=inviter, email=VICTIM, role="researcher")
    impostor, doctor = APIClient(), APIClient()
    assert accept(impostor, token).status_code == 200
    change = PasswordChangeInProgress(settings, impostor)
    sign_in_by_code(doctor)
    assert change.finish() == 409
    assert (me(impostor), me(doctor)) == (None, VICTIM)
    assert send_request(APIClient(), "auth/login", email=VICTIM, password=NEWER).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_a_password_change_under_way_does_not_undo_a_closing(
    settings: Settings,
) -> None:
    amara = make_person("amara", is_administrator=True)
    mallory = make_person("mallory", is_administrator=True)
    change = PasswordChangeInProgress(settings, mallory.browser)
    services.change_account(
        actor=amara.user, user_id=mallory.user.pk, is_active=False, is_administrator=False
    )
    assert change.finish() == 409
    mallory.user.refresh_from_db()
    assert not mallory.user.is_active
    assert not mallory.user.is_administrator


def test_a_password_can_be_changed_and_the_session_goes_on(db: None) -> None:
    ines = make_person("ines", password=PASSWORD)
    answer = send_request(
        ines.browser, "account/password/change", current_password=PASSWORD, new_password=NEWER
    )
    assert answer.status_code == 200
    assert me(ines.browser) == ines.user.email
    assert (
        send_request(APIClient(), "auth/login", email=ines.user.email, password=NEWER).status_code
        == 200
    )


def test_an_account_that_is_opened_again_revives_no_session(administrator: Person) -> None:
    mallory = make_person("mallory")
    for is_active in (False, True):
        services.change_account(
            actor=administrator.user, user_id=mallory.user.pk, is_active=is_active
        )
    assert me(mallory.browser) is None


def test_an_administrator_who_is_none_any_more_cannot_invite_themselves_back(
    administrator: Person,
) -> None:
    mallory = make_person("mallory", is_administrator=True)
    _, administrator_token = invitations.invite_to_site(
        actor=mallory.user, email=mallory.user.email, role="administrator"
    )
    _, friends = invitations.invite_to_site(
        actor=mallory.user, email="friend@example.org", role="administrator"
    )
    services.change_account(
        actor=administrator.user, user_id=mallory.user.pk, is_administrator=False
    )
    for browser, token in ((mallory.browser, administrator_token), (APIClient(), friends)):
        assert accept(browser, token).json()["code"] == "invitation_revoked"
    assert mallory.browser.get("/api/v1/people").status_code == 403


def test_sending_again_what_a_command_made_proves_nothing(db: None) -> None:
    cast = make_cast()
    ensure_coordinator(actor=None, study=cast.study, email=VICTIM)
    invitation = Invitation.objects.get(email=VICTIM)
    url = f"/api/v1/studies/{cast.study.id}/invitations/{invitation.pk}/resend"
    link = client_of(cast.coordinator).post(url).json()["link"]
    impostor, doctor = APIClient(), APIClient()
    assert accept(impostor, link.partition("#")[2], password=PASSWORD).status_code == 200
    assert not is_email_verified(User.objects.get(email=VICTIM))
    sign_in_by_code(doctor)
    assert (me(impostor), me(doctor)) == (None, VICTIM)


def test_one_that_expired_is_not_sent_again_beside_one_that_is_open(administrator: Person) -> None:
    def invite() -> Invitation:
        return invitations.invite_to_site(
            actor=administrator.user, email=VICTIM, role="researcher"
        )[0]

    expired = invite()
    Invitation.objects.update(expires_at="2020-01-01T00:00:00Z")
    newer = invite()
    with pytest.raises(invitations.AlreadyInvited) as refused:
        invitations.renew_site_invitation(actor=administrator.user, invitation_id=expired.pk)
    assert refused.value.data == {"invitation": str(newer.pk)}


@pytest.mark.django_db(transaction=True)
def test_inviting_the_same_person_eight_times_at_once_makes_one_invitation() -> None:
    amara = make_person("amara", is_administrator=True).user
    together = threading.Barrier(8)

    def invite(_: int) -> bool:
        together.wait(20)
        try:
            invitations.invite_to_site(actor=amara, email=VICTIM, role="researcher")
        except invitations.AlreadyInvited:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(invite, range(8))) == 1
    assert Invitation.objects.pending().count() == 1
