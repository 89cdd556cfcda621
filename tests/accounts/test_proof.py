"""Nobody opens a stranger's account: only mail proves an address, and ends what was before it.

Mallory coordinates a study. She invites Grace, who knows nothing of it yet, and opens the link
herself. Amara, an administrator, and Otto, who coordinates another study, invite Grace later.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from rest_framework.test import APIClient

from annotation.coordinators import ensure_coordinator
from annotation.invitations import invite_to_study
from annotation.models import Member, Study
from backend.accounts import proof, services
from backend.accounts.models import User
from tests.accounts.test_sign_in import (
    ask,
    last_code,
    reset_link,
    sign_in,
    signed_in_email,
)
from tests.annotation.personas import Cast, make_cast
from tests.annotation.test_import_api import upload
from tests.benchmarks import nasty
from tests.personas import PASSWORD, Answer, Person

GRACE = "grace@hospital.example"
OWN = "quite another harbour"


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


def study_link(coordinator: User, study: Study, role: str = "expert") -> str:
    _, token = invite_to_study(actor=coordinator, study_id=study.id, email=GRACE, role=role)
    return token


def site_link(administrator: Person, role: str = "administrator") -> str:
    _, token = services.invite_to_site(actor=administrator.user, email=GRACE, role=role)
    return token


def accept(browser: APIClient, token: str, **more: str) -> Answer:
    told = {"token": token, "name": "Grace", **more}
    return browser.post("/api/v1/invitations/accept", told)


def must_confirm(answer: Answer) -> bool:
    assert answer.status_code == 200, answer.json()
    return bool(answer.json()["confirm_address"])


def me(browser: APIClient) -> dict[str, object]:
    user: dict[str, object] = browser.get("/api/v1/me").json()["user"]
    return user


def studies_of(browser: APIClient) -> list[str]:
    return [study["id"] for study in browser.get("/api/v1/me").json()["user"]["studies"]]


def sign_in_by_code(browser: APIClient) -> None:
    ask(browser, "auth/code/request", email=GRACE)
    answer = ask(browser, "auth/code/confirm", code=last_code())
    assert answer.status_code == 200, answer.json()


@pytest.fixture
def impostor(cast: Cast) -> APIClient:
    """Mallory's browser, in which she accepted in Grace's name, with a password."""
    browser = APIClient()
    token = study_link(cast.coordinator, cast.study, "coordinator")
    assert not must_confirm(accept(browser, token, password=PASSWORD))
    return browser


def test_an_impostor_never_sees_what_others_give_to_the_person(
    impostor: APIClient, administrator: Person
) -> None:
    token = site_link(administrator)
    second = APIClient()
    assert sign_in(second, GRACE).status_code == 200
    grace = APIClient()
    assert accept(grace, token).json()["code"] == "sign_in_first"
    sign_in_by_code(grace)
    assert not must_confirm(accept(grace, token))
    assert grace.get("/api/v1/people").status_code == 200
    for browser in (impostor, second):
        assert signed_in_email(browser) is None
        assert browser.get("/api/v1/people").status_code == 401
    assert sign_in(APIClient(), GRACE).status_code == 400


@pytest.mark.parametrize("role", ["researcher", "administrator"])
def test_a_role_of_the_site_waits_for_the_proof_even_with_its_link(
    impostor: APIClient, administrator: Person, role: str
) -> None:
    token = site_link(administrator, role)
    assert must_confirm(accept(impostor, token))
    assert me(impostor)["roles"] == {"researcher": False, "administrator": False}
    assert impostor.get("/api/v1/people").status_code == 403
    grace = APIClient()
    sign_in_by_code(grace)
    assert not must_confirm(accept(grace, token))
    assert me(grace)["roles"] == {
        "researcher": role == "researcher",
        "administrator": role == "administrator",
    }


def test_another_inviters_study_waits_for_the_proof_even_with_its_link(
    impostor: APIClient, cast: Cast
) -> None:
    token = study_link(cast.other_coordinator, cast.other_study)
    answer = accept(impostor, token)
    assert answer.json() == {"role": "expert", "study_id": None, "confirm_address": True}
    assert studies_of(impostor) == [str(cast.study.id)]
    other = f"/api/v1/studies/{cast.other_study.id}"
    assert impostor.get(other).status_code == 404
    grace = APIClient()
    sign_in_by_code(grace)
    assert not must_confirm(accept(grace, token))
    assert set(studies_of(grace)) == {str(cast.study.id), str(cast.other_study.id)}


def test_a_link_alone_is_enough_for_the_work_of_its_inviter(cast: Cast, visitor: APIClient) -> None:
    assert not must_confirm(accept(visitor, study_link(cast.coordinator, cast.study)))
    assert me(visitor)["address_confirmed"] is False
    consented = visitor.post(f"/api/v1/studies/{cast.study.id}/consent", {"version": "1"})
    assert consented.status_code == 204
    batch = visitor.get(f"/api/v1/batches/{cast.batch.id}/assignments")
    assert batch.json()["total"] == 3
    also = study_link(cast.coordinator, cast.study, "coordinator")
    assert not must_confirm(accept(visitor, also))
    assert visitor.get(f"/api/v1/studies/{cast.study.id}").status_code == 200


def test_a_new_study_waits_for_the_proof(impostor: APIClient) -> None:
    refused = upload(impostor, nasty.files())
    assert (refused.status_code, refused.json()["code"]) == (403, "address_unproven")
    grace = APIClient()
    sign_in_by_code(grace)
    assert upload(grace, nasty.files()).status_code == 201


def test_the_command_line_invites_whom_nothing_proved(impostor: APIClient, cast: Cast) -> None:
    made = ensure_coordinator(actor=None, study=cast.other_study, email=GRACE)
    assert (made.is_member, bool(made.link)) == (False, True)
    assert not Member.objects.filter(study=cast.other_study, user__email=GRACE).exists()
    assert must_confirm(accept(impostor, made.link.partition("#")[2]))


def test_an_account_that_a_site_invitation_made_opens_nothing_before_the_proof(
    administrator: Person, cast: Cast, visitor: APIClient
) -> None:
    token = site_link(administrator)
    assert must_confirm(accept(visitor, token))
    assert must_confirm(accept(visitor, study_link(cast.coordinator, cast.study)))
    assert visitor.get("/api/v1/people").status_code == 403
    assert studies_of(visitor) == []


def test_whoever_is_signed_in_confirms_her_address_and_stays_signed_in(
    administrator: Person, visitor: APIClient
) -> None:
    token = site_link(administrator)
    accept(visitor, token)
    before = visitor.cookies["sessionid"].value
    sign_in_by_code(visitor)
    assert me(visitor)["address_confirmed"] is True
    assert visitor.cookies["sessionid"].value != before
    assert signed_in_email(APIClient(HTTP_COOKIE=f"sessionid={before}")) is None
    assert not must_confirm(accept(visitor, token))
    assert visitor.get("/api/v1/people").status_code == 200


def test_a_code_never_turns_one_signed_in_account_into_another(
    impostor: APIClient, outsider: Person
) -> None:
    ask(outsider.browser, "auth/code/request", email=GRACE)
    assert ask(outsider.browser, "auth/code/confirm", code=last_code()).status_code == 409
    assert signed_in_email(outsider.browser) == outsider.user.email
    assert signed_in_email(impostor) == GRACE


def test_a_reset_by_mail_is_a_proof(impostor: APIClient, administrator: Person) -> None:
    grace = APIClient()
    ask(grace, "auth/password/request", email=GRACE)
    assert EmailAddress.objects.get(email=GRACE).verified is False
    ask(grace, "auth/password/reset", key=reset_link(), password=OWN)
    assert signed_in_email(impostor) is None
    assert sign_in(APIClient(), GRACE).status_code == 400
    assert sign_in(grace, GRACE, OWN).status_code == 200
    assert not must_confirm(accept(grace, site_link(administrator)))


def test_neither_a_password_nor_a_wrong_code_nor_a_mere_request_proves_an_address(
    impostor: APIClient,
) -> None:
    browser = APIClient()
    sign_in(browser, GRACE)
    ask(browser, "account/password/change", current_password=PASSWORD, new_password=OWN)
    ask(browser, "auth/code/request", email=GRACE)
    assert ask(browser, "auth/code/confirm", code="XXXX-XXXX").status_code == 400
    assert me(browser)["address_confirmed"] is False


def test_only_the_first_proof_ends_what_was_before(impostor: APIClient) -> None:
    grace, at_work = APIClient(), APIClient()
    sign_in_by_code(grace)
    assert ask(grace, "account/password/change", new_password=OWN).status_code == 200
    sign_in_by_code(at_work)
    assert signed_in_email(grace) == signed_in_email(at_work) == GRACE
    assert sign_in(APIClient(), GRACE, OWN).status_code == 200


def test_the_mail_says_what_its_code_ends_the_first_time_only(impostor: APIClient) -> None:
    sign_in_by_code(APIClient())
    sign_in_by_code(APIClient())
    first, second = [str(message.body) for message in mail.outbox[-2:]]
    assert "ends a password that was set before" in first
    assert "password" not in second


def test_a_password_change_that_began_before_the_proof_comes_too_late(
    impostor: APIClient,
) -> None:
    read_before = User.objects.get(email=GRACE)
    sign_in_by_code(APIClient())
    with pytest.raises(proof.PasswordReplaced):
        proof.replace_password(actor=read_before, password=OWN)
    assert sign_in(APIClient(), GRACE, OWN).status_code == 400


def test_a_late_password_change_is_told_so(
    impostor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof comes between the check of the current password and the change."""
    replace = proof.replace_password

    def prove_then_replace(*, actor: User, password: str) -> None:
        proof.prove_address(actor=User.objects.get(pk=actor.pk))
        replace(actor=actor, password=password)

    monkeypatch.setattr(proof, "replace_password", prove_then_replace)
    change = {"current_password": PASSWORD, "new_password": OWN}
    late = ask(impostor, "account/password/change", **change)
    assert (late.status_code, late.json()["code"]) == (409, "password_replaced")
    assert signed_in_email(impostor) is None


@pytest.mark.django_db(transaction=True)
def test_of_forty_codes_tried_at_once_three_are_checked() -> None:
    services.create_account(email=GRACE, name="Grace")
    browser = APIClient()
    ask(browser, "auth/code/request", email=GRACE)
    code, session = last_code(), browser.cookies["sessionid"].value
    start = Barrier(40)

    def guess(number: int) -> int:
        try:
            start.wait()
            guesser = APIClient(HTTP_COOKIE=f"sessionid={session}")
            return ask(guesser, "auth/code/confirm", code=f"XXXX-{number:04}").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(40) as pool:
        statuses = list(pool.map(guess, range(40)))
    assert set(statuses) <= {400, 409}
    assert 1 <= statuses.count(400) <= 3
    assert ask(browser, "auth/code/confirm", code=code).status_code == 409
    assert signed_in_email(browser) is None
