"""An invitation works once, for the address it names, until it ends or is withdrawn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.accounts import invitations
from backend.accounts.email_verification import derive_mailed_token
from backend.accounts.models import Invitation, User
from backend.studies.models import Study, StudyInvitation
from tests.personas import PASSWORD, Person, Response, make_person

GUEST = "guest@example.org"


def invite(
    email: str = GUEST, role: str = "researcher", actor: User | None = None
) -> tuple[Invitation, str]:
    return invitations.create_invitation(actor=actor, email=email, role=role)


def look_up(browser: APIClient, token: str) -> Response:
    return browser.post("/api/v1/invitations/lookup", {"token": token})


def accept(browser: APIClient, token: str, name: str = "Gita", **more: str) -> Response:
    return browser.post("/api/v1/invitations/accept", {"token": token, "name": name, **more})


def code_of(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def end(invitation: Invitation, how: str) -> None:
    if how == "expired":
        invitation.expires_at = timezone.now() - timedelta(seconds=1)
    else:
        invitation.revoked_at = timezone.now()
    invitation.save()


@pytest.fixture
def study(db: None) -> Study:
    return Study.objects.create(name="Mechanisms")


def invite_to(study: Study, actor: User | None = None) -> tuple[Invitation, str]:
    invitation, token = invite(role="expert", actor=actor)
    StudyInvitation.objects.create(invitation=invitation, study=study)
    return invitation, token


def test_a_new_person_gets_an_account_and_is_signed_in(visitor: APIClient, db: None) -> None:
    _, token = invite()
    answer = accept(visitor, token, name="  Gita Rao ")
    assert (answer.status_code, answer.json()) == (200, {"role": "researcher", "study_id": None})
    me = visitor.get("/api/v1/me").json()["user"]
    assert (me["email"], me["name"], me["has_password"]) == (GUEST, "Gita Rao", False)
    assert me["roles"] == {"researcher": True, "administrator": False, "coordinator": False}
    address = EmailAddress.objects.get(email=GUEST)
    assert (address.verified, address.primary) == (True, True)


def test_only_the_hash_of_a_token_is_kept(db: None) -> None:
    invitation, token = invite()
    stored = Invitation.objects.filter(pk=invitation.pk).values().get()
    assert token not in str(stored)
    assert len(token) >= 43


def test_an_invitation_works_once(visitor: APIClient, db: None) -> None:
    _, token = invite()
    accept(visitor, token)
    assert code_of(accept(APIClient(), token)) == (410, "invitation_used")
    assert User.objects.count() == 1


def test_who_accepted_may_send_it_again(visitor: APIClient, db: None) -> None:
    _, token = invite()
    first = accept(visitor, token)
    again = accept(visitor, token)
    assert (again.status_code, again.json()) == (200, first.json())


@pytest.mark.parametrize("how", ["expired", "revoked"])
def test_an_ended_invitation_makes_no_account(how: str, visitor: APIClient) -> None:
    invitation, token = invite()
    end(invitation, how)
    assert code_of(accept(visitor, token)) == (410, f"invitation_{how}")
    assert look_up(visitor, token).json()["state"] == how
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "change", [str.swapcase, lambda t: t[:-1], lambda t: t + "A", lambda t: t[::-1]]
)
def test_a_tampered_token_is_unknown(change: Callable[[str], str], visitor: APIClient) -> None:
    _, token = invite()
    tampered = change(token)
    assert code_of(accept(visitor, tampered)) == (404, "invitation_unknown")
    assert code_of(look_up(visitor, tampered)) == (404, "invitation_unknown")
    assert not User.objects.exists()


def test_the_hash_of_a_token_opens_nothing(visitor: APIClient) -> None:
    invitation, _ = invite()
    assert code_of(accept(visitor, invitation.token_hash)) == (404, "invitation_unknown")


@pytest.mark.parametrize(
    ("token", "status"),
    [
        (None, 422),
        (5, 404),  # a number is read as its digits
        (["a"], 422),
        ({"a": 1}, 422),
        ("", 422),
        ("a\x00", 400),  # a NUL character makes the whole body invalid
        ("x" * 201, 422),
    ],
)
def test_a_token_that_is_none_is_refused(token: object, status: int, visitor: APIClient) -> None:
    for address, others in (("lookup", {}), ("accept", {"name": "G"})):
        answer = visitor.post(f"/api/v1/invitations/{address}", {"token": token, **others})
        assert code_of(answer)[0] == status


def test_an_account_must_be_signed_in_to_accept(outsider: Person, visitor: APIClient) -> None:
    _, token = invite(outsider.user.email, "administrator")
    assert code_of(accept(visitor, token)) == (409, "sign_in_first")
    outsider.user.refresh_from_db()
    assert not outsider.user.is_administrator
    assert visitor.get("/api/v1/me").json() == {"user": None}
    assert accept(outsider.browser, token).status_code == 200
    outsider.user.refresh_from_db()
    assert outsider.user.is_administrator


def test_accepting_does_not_rename_an_account(outsider: Person) -> None:
    _, token = invite(outsider.user.email)
    accept(outsider.browser, token, name="Somebody Else", password=PASSWORD)
    outsider.user.refresh_from_db()
    assert outsider.user.name == "Olga"
    assert not outsider.user.has_usable_password()


def test_another_account_cannot_accept(outsider: Person) -> None:
    invitation, token = invite()
    assert code_of(accept(outsider.browser, token)) == (409, "other_account")
    invitation.refresh_from_db()
    assert invitation.state == "open"
    assert User.objects.by_email(GUEST) is None


@pytest.mark.parametrize(
    "spelling", ["  GUEST@Example.ORG ", "guest@EXAMPLE.org", "Guest@example.org\n"]
)
def test_an_address_is_the_same_in_any_case(
    spelling: str, administrator: Person, visitor: APIClient
) -> None:
    answer = administrator.browser.post(
        "/api/v1/people/invitations", {"email": spelling, "role": "researcher"}
    )
    assert answer.json()["email"] == GUEST
    accept(visitor, answer.json()["link"].partition("#")[2])
    assert User.objects.get(email=GUEST)


def test_an_address_of_an_international_domain_is_one_address(visitor: APIClient) -> None:
    _, token = invite(" Ines@KLINIK-MÜNCHEN.de")
    accept(visitor, token)
    assert User.objects.by_email("INES@klinik-münchen.DE") is not None


def test_roles_combine(outsider: Person) -> None:
    for role in ("researcher", "administrator"):
        accept(outsider.browser, invite(outsider.user.email, role)[1])
    roles = outsider.browser.get("/api/v1/me").json()["user"]["roles"]
    assert roles == {"researcher": True, "administrator": True, "coordinator": False}


def test_a_role_that_was_given_in_the_meantime_stays(outsider: Person) -> None:
    read_before = User.objects.get(id=outsider.user.id)
    invitations.accept_invitation(
        token=invite(outsider.user.email, "researcher")[1], actor=outsider.user
    )
    invitations.accept_invitation(
        token=invite(outsider.user.email, "administrator")[1], actor=read_before
    )
    now = User.objects.get(id=outsider.user.id)
    assert (now.is_researcher, now.is_administrator) == (True, True)


def test_the_same_address_may_be_invited_twice(visitor: APIClient, db: None) -> None:
    tokens = [invite()[1], invite()[1]]
    assert [accept(visitor, token).status_code for token in tokens] == [200, 200]
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "password_too_short"),
        ("password", "password_too_common"),
        ("guest@example.org", "password_too_similar"),
    ],
)
def test_a_weak_password_is_refused_and_the_invitation_stays_open(
    password: str, code: str, visitor: APIClient
) -> None:
    invitation, token = invite()
    answer = accept(visitor, token, password=password)
    assert code_of(answer) == (422, "invalid")
    assert {"password"} == {fault["place"] for fault in answer.json()["errors"]}
    assert code in {fault["code"] for fault in answer.json()["errors"]}
    assert not User.objects.exists()
    invitation.refresh_from_db()
    assert invitation.state == "open"


def test_a_password_can_be_chosen_and_signs_in(visitor: APIClient) -> None:
    _, token = invite()
    spaced = f"  {PASSWORD} "
    assert accept(visitor, token, password=spaced).status_code == 200
    for password in (spaced, PASSWORD):
        answer = APIClient().post(
            "/_allauth/browser/v1/auth/login", {"email": GUEST, "password": password}
        )
        assert answer.status_code == 200


@pytest.mark.parametrize("name", ["", "   ", "Gita\nBcc: x@example.org", "a\u202eb", "x" * 121])
def test_a_name_is_needed_and_is_one_line(name: str, visitor: APIClient) -> None:
    _, token = invite()
    answer = accept(visitor, token, name=name)
    assert code_of(answer) == (422, "invalid")
    assert [fault["place"] for fault in answer.json()["errors"]] == ["name"]
    assert not User.objects.exists()


def test_the_holder_of_a_token_sees_what_it_is_for(
    administrator: Person, visitor: APIClient, study: Study
) -> None:
    _, token = invite_to(study, actor=administrator.user)
    result = look_up(visitor, token).json()
    del result["expires_at"]
    assert result == {
        "email": GUEST,
        "role": "expert",
        "state": "open",
        "invited_by": "Amara",
        "has_account": False,
        "signs_in": False,
        "study": {"id": str(study.id), "name": "Mechanisms"},
    }
    make_person("guest")
    assert look_up(visitor, token).json()["has_account"] is True


def test_accepting_makes_a_member_of_the_study(visitor: APIClient, study: Study) -> None:
    _, token = invite_to(study)
    assert accept(visitor, token).json() == {"role": "expert", "study_id": str(study.id)}
    joined = visitor.get("/api/v1/me").json()["user"]["studies"]
    assert joined == [{"id": str(study.id), "name": "Mechanisms", "roles": ["expert"]}]


def test_a_study_that_is_closed_undoes_the_acceptance(visitor: APIClient, study: Study) -> None:
    invitation, token = invite_to(study)
    Study.objects.update(status=Study.Status.CLOSED)
    assert code_of(accept(visitor, token)) == (409, "study_closed")
    invitation.refresh_from_db()
    assert invitation.state == "open"
    assert not User.objects.exists()
    assert visitor.get("/api/v1/me").json() == {"user": None}


def test_accepting_needs_the_csrf_token_even_of_a_visitor(db: None) -> None:
    _, token = invite()
    careful = APIClient(enforce_csrf_checks=True)
    assert code_of(accept(careful, token)) == (403, "csrf_failed")
    careful.get("/api/v1/me")
    careful.credentials(HTTP_X_CSRFTOKEN=careful.cookies["csrftoken"].value)
    assert accept(careful, token).status_code == 200


def test_accepting_gives_the_browser_a_new_session(visitor: APIClient) -> None:
    visitor.post("/_allauth/browser/v1/auth/code/request", {"email": "nobody@example.org"})
    planted = visitor.cookies["sessionid"].value
    accept(visitor, invite()[1])
    assert visitor.cookies["sessionid"].value != planted
    assert APIClient(HTTP_COOKIE=f"sessionid={planted}").get("/api/v1/me").json() == {"user": None}


def in_parallel(browsers: list[APIClient], tokens: list[str]) -> list[Response]:
    start = Barrier(len(browsers))

    def send(browser: APIClient, token: str) -> Response:
        try:
            start.wait()
            return accept(browser, token)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(browsers)) as pool:
        return list(pool.map(send, browsers, tokens))


@pytest.mark.django_db(transaction=True)
def test_of_twenty_at_once_one_accepts() -> None:
    _, token = invite()
    answers = in_parallel([APIClient() for _ in range(20)], [token] * 20)
    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 19
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_invitations_of_a_new_address_at_once_make_one_account() -> None:
    tokens = [invite()[1] for _ in range(10)]
    answers = in_parallel([APIClient() for _ in tokens], tokens)
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    refused = [answer for answer in answers if answer.status_code == 409]
    assert {answer.json()["code"] for answer in refused} == {"sign_in_first"}
    assert User.objects.count() == 1


def test_a_token_is_asked_for_twenty_times_a_minute(visitor: APIClient) -> None:
    _, token = invite()
    _, other = invite()
    answers = [look_up(visitor, token) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert code_of(answers[-1]) == (429, "throttled")
    assert int(answers[-1]["Retry-After"]) > 0
    assert look_up(visitor, other).status_code == 200


def test_the_limit_per_address_cannot_be_evaded_by_a_header(visitor: APIClient, db: None) -> None:
    statuses = set()
    for number in range(301):
        forged = f"10.{number // 250}.0.{number % 250}"
        answer = visitor.post(
            "/api/v1/invitations/lookup", {"token": f"t{number}"}, HTTP_X_FORWARDED_FOR=forged
        )
        statuses.add(answer.status_code)
    assert statuses == {404, 429}


def test_a_link_is_mailed_and_shown_once(administrator: Person, settings: Settings) -> None:
    settings.SITE_URL = "https://serendib.example"
    created = administrator.browser.post(
        "/api/v1/people/invitations", {"email": GUEST, "role": "researcher"}
    )
    link = created.json()["link"]
    assert (created.status_code, created.json()["mail_sent"]) == (201, True)
    assert link.startswith("https://serendib.example/invite#")
    [message] = mail.outbox
    assert (message.to, message.subject) == ([GUEST], "Invitation to Serendib")
    site, _, token = link.partition("#")
    assert f"{site}#{derive_mailed_token(token)}" in message.body
    assert token not in message.body
    assert "Amara invites you to Serendib as a researcher." in message.body
    listed = administrator.browser.get("/api/v1/people/invitations")
    assert link.partition("#")[2] not in listed.content.decode()


def test_a_mail_that_cannot_be_sent_loses_no_invitation(
    administrator: Person, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    created = administrator.browser.post(
        "/api/v1/people/invitations", {"email": GUEST, "role": "researcher"}
    )
    assert (created.status_code, created.json()["mail_sent"]) == (201, False)
    assert accept(APIClient(), created.json()["link"].partition("#")[2]).status_code == 200


def test_a_mail_that_is_only_printed_does_not_count_as_sent(
    administrator: Person, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    created = administrator.browser.post(
        "/api/v1/people/invitations", {"email": GUEST, "role": "researcher"}
    )
    assert (created.status_code, created.json()["mail_sent"]) == (201, False)
