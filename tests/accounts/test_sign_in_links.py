"""A link in an e-mail signs in once, for one account, and survives programs that open it."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from rest_framework.test import APIClient

from backend.accounts.email_verification import replace_password
from backend.accounts.models import SignInLink, User
from backend.accounts.sign_in_links import create_sign_in_link
from tests.accounts.mailbox import wait_until_sent
from tests.personas import PASSWORD, Person, Response, make_person


def make_link(user: User) -> str:
    address, _ = create_sign_in_link(user=user, path="/next?study=1")
    assert "/continue#" in address
    return address.partition("#")[2]


def use(browser: APIClient, token: str) -> Response:
    return browser.post("/api/v1/sign-in-links/use", {"token": token})


def email_of(browser: APIClient) -> str | None:
    user = browser.get("/api/v1/me").json()["user"]
    return user["email"] if user else None


def code_of(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_link_signs_in_and_names_its_page(visitor: APIClient, db: None) -> None:
    user = make_person("gita").user
    answer = use(visitor, make_link(user))
    assert (answer.status_code, answer.json()) == (200, {"path": "/next?study=1"})
    assert email_of(visitor) == user.email


def test_opening_the_page_of_a_link_does_not_use_it(visitor: APIClient, db: None) -> None:
    token = make_link(make_person("gita").user)
    APIClient().get("/continue")
    APIClient().get("/api/v1/sign-in-links/use", {"token": token})
    assert use(visitor, token).status_code == 200


def test_a_link_works_once(visitor: APIClient, db: None) -> None:
    token = make_link(make_person("gita").user)
    use(APIClient(), token)
    assert code_of(use(visitor, token)) == (410, "link_ended")
    assert email_of(visitor) is None


def test_whoever_is_signed_in_already_uses_nothing_up(visitor: APIClient, db: None) -> None:
    person = make_person("gita")
    token = make_link(person.user)
    assert use(person.browser, token).status_code == 200
    assert use(visitor, token).status_code == 200


def test_a_link_ends_after_its_time(visitor: APIClient, db: None) -> None:
    token = make_link(make_person("gita").user)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert code_of(use(visitor, token)) == (410, "link_ended")


def test_a_new_password_ends_a_link(visitor: APIClient, db: None) -> None:
    user = make_person("gita", password=PASSWORD).user
    token = make_link(user)
    replace_password(user=user, password="another nebula")
    assert code_of(use(visitor, token)) == (410, "link_ended")


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_administrator": True}])
def test_no_link_signs_in_to_a_closed_account_or_an_administrators(
    change: dict[str, bool], visitor: APIClient, db: None
) -> None:
    user = make_person("gita").user
    token = make_link(user)
    User.objects.filter(pk=user.pk).update(**change)
    assert code_of(use(visitor, token)) == (404, "link_unknown")
    assert email_of(visitor) is None


def test_another_account_is_not_replaced(outsider: Person) -> None:
    token = make_link(make_person("gita").user)
    assert code_of(use(outsider.browser, token)) == (409, "other_account")
    assert email_of(outsider.browser) == outsider.user.email


def test_an_ended_link_shows_no_address_to_another_account(outsider: Person) -> None:
    user = make_person("gita").user
    token = make_link(user)
    use(APIClient(), token)
    answer = use(outsider.browser, token)
    assert code_of(answer) == (410, "link_ended")
    assert user.email not in answer.content.decode()


def test_only_the_hash_of_a_link_is_stored(db: None) -> None:
    token = make_link(make_person("gita").user)
    assert not SignInLink.objects.filter(token_hash=token).exists()
    assert SignInLink.objects.get().token_hash != token


def test_using_a_link_needs_the_csrf_token_even_of_a_visitor(db: None) -> None:
    token = make_link(make_person("gita").user)
    strict = APIClient(enforce_csrf_checks=True)
    assert code_of(use(strict, token)) == (403, "csrf_failed")


def test_using_a_link_gives_the_browser_a_new_session(visitor: APIClient, db: None) -> None:
    visitor.get("/api/v1/me")
    before = visitor.cookies.get("sessionid")
    use(visitor, make_link(make_person("gita").user))
    assert visitor.cookies["sessionid"] != before


def test_an_ended_link_is_renewed_to_its_own_address_alone(
    visitor: APIClient, db: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    user = make_person("gita").user
    token = make_link(user)
    use(APIClient(), token)
    with django_capture_on_commit_callbacks(execute=True):
        answer = visitor.post("/api/v1/sign-in-links/renew", {"token": token})
    wait_until_sent()
    assert (answer.status_code, answer.content) == (204, b"")
    [message] = mail.outbox
    assert message.to == [user.email]
    renewed = str(message.body).partition("/continue#")[2].split()[0]
    assert use(visitor, renewed).status_code == 200


def test_an_unknown_link_mails_nobody(visitor: APIClient, db: None) -> None:
    answer = visitor.post("/api/v1/sign-in-links/renew", {"token": "forged"})
    assert code_of(answer) == (404, "link_unknown")
    assert not mail.outbox


def test_a_link_is_renewed_five_times_an_hour(visitor: APIClient, db: None) -> None:
    token = make_link(make_person("gita").user)
    statuses = [
        visitor.post("/api/v1/sign-in-links/renew", {"token": token}).status_code for _ in range(6)
    ]
    assert statuses == [204] * 5 + [429]
