"""Signing in by code or password, limited per account and telling strangers nothing."""

import json
import re

import pytest
from django.core import mail
from rest_framework.test import APIClient

from backend.accounts.models import User
from tests.accounts.mailbox import wait_until_sent
from tests.personas import PASSWORD, Person, Response, make_person

ALLAUTH = "/_allauth/browser/v1"


@pytest.fixture
def physician(db: None) -> User:
    return make_person("ines", password=PASSWORD).user


@pytest.fixture
def colleague(db: None) -> User:
    return make_person("carl", password=PASSWORD).user


def send_request(browser: APIClient, address: str, **data: object) -> Response:
    return browser.post(f"{ALLAUTH}/{address}", data, format="json")


def sign_in(browser: APIClient, email: str, password: str = PASSWORD) -> Response:
    return send_request(browser, "auth/login", email=email, password=password)


def signed_in_email(browser: APIClient) -> str | None:
    user = browser.get("/api/v1/me").json()["user"]
    return user and str(user["email"])


def sent_to() -> list[str]:
    wait_until_sent()
    return [message.to[0] for message in mail.outbox]


def last_code() -> str:
    wait_until_sent()
    result = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", str(mail.outbox[-1].body), re.MULTILINE)
    assert result, mail.outbox[-1].body
    return result[1]


def test_a_password_signs_in(physician: User, visitor: APIClient) -> None:
    assert sign_in(visitor, "Ines@Example.org ").status_code == 200
    assert signed_in_email(visitor) == physician.email


def test_a_code_signs_in_an_account_without_a_password(visitor: APIClient) -> None:
    person = make_person("nora").user
    assert send_request(visitor, "auth/code/request", email="NORA@example.org").status_code == 401
    assert sent_to() == [person.email]
    assert mail.outbox[0].subject == "Your code for Serendib"
    assert send_request(visitor, "auth/code/confirm", code=last_code()).status_code == 200
    assert signed_in_email(visitor) == person.email


def test_a_wrong_code_can_be_tried_three_times(physician: User, visitor: APIClient) -> None:
    send_request(visitor, "auth/code/request", email=physician.email)
    code = last_code()
    tries = [
        send_request(visitor, "auth/code/confirm", code="XXXX-XXXX").status_code for _ in range(3)
    ]
    assert tries == [400, 400, 400]
    assert send_request(visitor, "auth/code/confirm", code=code).status_code == 409
    assert signed_in_email(visitor) is None


def test_a_code_works_only_in_the_browser_that_asked(physician: User, visitor: APIClient) -> None:
    send_request(visitor, "auth/code/request", email=physician.email)
    stranger = APIClient()
    assert send_request(stranger, "auth/code/confirm", code=last_code()).status_code == 409


def test_wrong_passwords_are_limited_per_account(
    physician: User, colleague: User, visitor: APIClient
) -> None:
    for _ in range(5):
        assert sign_in(visitor, physician.email, "wrong").status_code == 400
    limited = sign_in(visitor, physician.email)
    assert limited.status_code == 400
    assert limited.json()["errors"][0]["code"] == "too_many_login_attempts"
    assert sign_in(APIClient(), colleague.email).status_code == 200


def test_the_limit_follows_the_account_to_another_address_and_host_header(
    physician: User, visitor: APIClient
) -> None:
    for number in range(5):
        browser = APIClient(REMOTE_ADDR=f"10.0.0.{number}", HTTP_HOST=f"localhost:{8000 + number}")
        assert sign_in(browser, physician.email, "wrong").status_code == 400
    elsewhere = APIClient(REMOTE_ADDR="10.9.9.9", HTTP_HOST="localhost:9999")
    limited = sign_in(elsewhere, physician.email.upper())
    assert limited.json()["errors"][0]["code"] == "too_many_login_attempts"


def test_signing_in_rightly_uses_up_no_tries(physician: User) -> None:
    for _ in range(7):
        assert sign_in(APIClient(), physician.email).status_code == 200


def test_codes_are_limited_per_account(physician: User, colleague: User) -> None:
    answers = [
        send_request(APIClient(), "auth/code/request", email=physician.email) for _ in range(6)
    ]
    assert [answer.status_code for answer in answers] == [401] * 5 + [400]
    assert send_request(APIClient(), "auth/code/request", email=colleague.email).status_code == 401
    assert sent_to().count(physician.email) == 5
    assert sent_to().count(colleague.email) == 1


def test_many_colleagues_sign_in_from_one_hospital_address(db: None) -> None:
    people = [make_person(f"expert{number}").user for number in range(40)]
    answers = [
        send_request(APIClient(), "auth/code/request", email=person.email) for person in people
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert sorted(sent_to()) == sorted(person.email for person in people)


def same_answers(one: Response, other: Response) -> bool:
    return (one.status_code, one.content) == (other.status_code, other.content)


@pytest.mark.parametrize("address", ["auth/code/request", "auth/password/request"])
def test_asking_for_mail_reveals_no_account(address: str, physician: User) -> None:
    known = send_request(APIClient(), address, email=physician.email)
    unknown = send_request(APIClient(), address, email="nobody@example.org")
    assert same_answers(known, unknown)
    assert sent_to() == [physician.email]


def test_a_wrong_password_reveals_no_account(physician: User) -> None:
    known = sign_in(APIClient(), physician.email, "wrong")
    assert same_answers(known, sign_in(APIClient(), "nobody@example.org", "wrong"))


def test_confirming_a_code_reveals_no_account(physician: User) -> None:
    browsers = [APIClient(), APIClient()]
    for browser, email in zip(browsers, [physician.email, "nobody@example.org"], strict=True):
        send_request(browser, "auth/code/request", email=email)
    known, unknown = [
        send_request(browser, "auth/code/confirm", code="BBBB-CCCC") for browser in browsers
    ]
    assert same_answers(known, unknown)


@pytest.mark.django_db
def test_unknown_addresses_are_limited_like_known_ones() -> None:
    answers = [
        send_request(APIClient(), "auth/code/request", email="nobody@example.org") for _ in range(6)
    ]
    assert [answer.status_code for answer in answers] == [401] * 5 + [400]


@pytest.mark.parametrize(
    "address", ["auth/signup", "account/email", "account/phone", "auth/email/verify"]
)
def test_what_would_make_or_change_an_account_does_not_exist(
    address: str, outsider: Person, visitor: APIClient
) -> None:
    data = {"email": "new@example.org", "password": PASSWORD}
    for browser in (outsider.browser, visitor):
        answer = send_request(browser, address, **data)
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"
    assert User.objects.by_email("new@example.org") is None


def test_an_inactive_account_cannot_sign_in(physician: User, visitor: APIClient) -> None:
    physician.is_active = False
    physician.save()
    assert sign_in(visitor, physician.email).status_code == 401
    send_request(visitor, "auth/code/request", email=physician.email)
    assert sent_to() == []
    assert signed_in_email(visitor) is None


def test_signing_in_gives_the_browser_a_new_session(physician: User, visitor: APIClient) -> None:
    send_request(visitor, "auth/code/request", email=physician.email)
    planted = visitor.cookies["sessionid"].value
    sign_in(visitor, physician.email)
    assert visitor.cookies["sessionid"].value != planted
    assert signed_in_email(APIClient(HTTP_COOKIE=f"sessionid={planted}")) is None


def test_signing_out_ends_the_session(physician: User, visitor: APIClient) -> None:
    sign_in(visitor, physician.email)
    session = visitor.cookies["sessionid"].value
    visitor.delete(f"{ALLAUTH}/auth/session")
    assert signed_in_email(visitor) is None
    assert signed_in_email(APIClient(HTTP_COOKIE=f"sessionid={session}")) is None


def test_signing_in_needs_the_csrf_token(physician: User) -> None:
    careful = APIClient(enforce_csrf_checks=True)
    refused = sign_in(careful, physician.email)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    assert refused["Content-Type"] == "application/problem+json"
    careful.get("/api/v1/me")
    careful.credentials(HTTP_X_CSRFTOKEN=careful.cookies["csrftoken"].value)
    assert sign_in(careful, physician.email).status_code == 200


def reset_link() -> str:
    wait_until_sent()
    result = re.search(r"http://\S+/reset-password#(\S+)", str(mail.outbox[-1].body))
    assert result, mail.outbox[-1].body
    return result[1]


def test_a_forgotten_password_is_reset_once_by_mail(physician: User, visitor: APIClient) -> None:
    send_request(visitor, "auth/password/request", email=physician.email)
    key, new = reset_link(), "quite another harbour"
    weak = send_request(visitor, "auth/password/reset", key=key, password="password")
    assert weak.status_code == 400
    assert send_request(visitor, "auth/password/reset", key=key, password=new).status_code == 401
    assert sign_in(visitor, physician.email, new).status_code == 200
    assert (
        send_request(APIClient(), "auth/password/reset", key=key, password="third").status_code
        == 400
    )


def test_a_reset_ends_every_other_session_and_the_lockout(
    physician: User, visitor: APIClient
) -> None:
    elsewhere = APIClient()
    sign_in(elsewhere, physician.email)
    for _ in range(6):
        sign_in(visitor, physician.email, "wrong")
    send_request(visitor, "auth/password/request", email=physician.email)
    send_request(visitor, "auth/password/reset", key=reset_link(), password="quite another harbour")
    assert signed_in_email(elsewhere) is None
    assert sign_in(visitor, physician.email, "quite another harbour").status_code == 200


def test_an_account_without_a_password_can_set_one(outsider: Person) -> None:
    answer = send_request(outsider.browser, "account/password/change", new_password=PASSWORD)
    assert answer.status_code == 200
    assert sign_in(APIClient(), outsider.user.email).status_code == 200
    assert signed_in_email(outsider.browser) == outsider.user.email


def test_changing_a_password_needs_the_current_one(physician: User, visitor: APIClient) -> None:
    sign_in(visitor, physician.email)
    change = {"new_password": "quite another harbour"}
    for wrong in ({}, {"current_password": "wrong"}):
        assert (
            send_request(visitor, "account/password/change", **change, **wrong).status_code == 400
        )
    right = send_request(visitor, "account/password/change", **change, current_password=PASSWORD)
    assert right.status_code == 200


HOSTILE: dict[str, object] = {
    "null": None,
    "a number": 5,
    "a list": ["a"],
    "an object": {"a": 1},
    "nothing": "",
    "a zero byte": "a\x00@example.org",
    "half a pair": "\ud800",
    "half a pair in a domain": "a@\ud800.org",
    "very long": "a" * 99_999,
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize(
    "address",
    [
        "auth/login",
        "auth/code/request",
        "auth/code/confirm",
        "auth/password/request",
        "auth/password/reset",
        "account/password/change",
        "auth/reauthenticate",
    ],
)
def test_nonsense_is_no_error_of_ours_and_changes_nothing(
    address: str, kind: str, outsider: Person, visitor: APIClient
) -> None:
    send_request(visitor, "auth/code/request", email=outsider.user.email)
    names = ["password", "code", "key", "new_password", "current_password"]
    nonsense = dict.fromkeys(names, HOSTILE[kind])
    for browser, email in (
        (visitor, HOSTILE[kind]),
        (visitor, outsider.user.email),
        (outsider.browser, HOSTILE[kind]),
    ):
        body = json.dumps({**nonsense, "email": email})
        answer = browser.generic("POST", f"{ALLAUTH}/{address}", body, "application/json")
        assert answer.status_code < 500
    assert signed_in_email(visitor) is None
    assert outsider.browser.get("/api/v1/me").json()["user"]["has_password"] is False


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["[" * 100_000, "{", "[]", "\x00", "\xff"])
def test_a_body_that_is_no_json_object_is_refused(body: str, visitor: APIClient) -> None:
    answer = visitor.generic("POST", f"{ALLAUTH}/auth/login", body, "application/json")
    assert answer.status_code == 400
