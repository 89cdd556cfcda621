"""API tokens on the account page: shown once, stored as a hash, revoked by their owner alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.accounts import api_tokens
from backend.accounts.api.throttles import ApiTokenThrottle
from backend.accounts.models import ApiToken
from backend.accounts.services import hash_token
from tests.personas import Person

TOKENS = "/api/v1/tokens"


def create_token(person: Person, scope: str = "submit") -> dict[str, str]:
    answer = person.browser.post(TOKENS, {"name": "Laptop", "scope": scope})
    assert answer.status_code == 201
    result: dict[str, str] = answer.json()
    return result


def test_a_token_is_shown_once_and_only_its_hash_is_stored(researcher: Person) -> None:
    created = create_token(researcher)
    secret = created.pop("token")
    assert secret.startswith(created["prefix"])
    assert len(secret) > 40
    stored = ApiToken.objects.get()
    assert stored.token_hash == hash_token(secret)
    assert secret not in {str(value) for value in vars(stored).values()}
    assert researcher.browser.get(TOKENS).json() == [created]


def test_a_token_is_usable_until_it_is_revoked(researcher: Person) -> None:
    created = create_token(researcher)
    token = api_tokens.find_usable_token(created["token"])
    assert token is not None
    assert token.user == researcher.user
    for _ in range(2):
        answer = researcher.browser.delete(f"{TOKENS}/{created['id']}")
        assert answer.json()["revoked_at"] is not None
    assert api_tokens.find_usable_token(created["token"]) is None


def test_a_token_expires_and_ends_with_its_account(researcher: Person) -> None:
    secret = create_token(researcher)["token"]
    ApiToken.objects.update(expires_at=timezone.now())
    assert api_tokens.find_usable_token(secret) is None
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    assert api_tokens.find_usable_token(secret) is not None
    researcher.user.is_active = False
    researcher.user.save()
    assert api_tokens.find_usable_token(secret) is None


def test_a_token_expires_after_the_days_that_its_owner_chose(researcher: Person) -> None:
    body: dict[str, object]
    for days in (1, 30, None):
        body = {"name": "Laptop", "scope": "read", **({"expires_in_days": days} if days else {})}
        created = researcher.browser.post(TOKENS, body).json()
        lifetime = ApiToken.objects.get(pk=created["id"]).expires_at - timezone.now()
        assert lifetime.days + 1 == (days or 365)
    for wrong in (0, 366, "soon"):
        body = {"name": "Laptop", "scope": "read", "expires_in_days": wrong}
        refused = researcher.browser.post(TOKENS, body)
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (
            422,
            "expires_in_days",
        )


def test_the_last_use_is_recorded_once_a_minute(researcher: Person) -> None:
    secret = create_token(researcher)["token"]
    first = api_tokens.find_usable_token(secret)
    again = api_tokens.find_usable_token(secret)
    assert first is not None
    assert again is not None
    assert first.last_used_at == again.last_used_at
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    later = api_tokens.find_usable_token(secret)
    assert later is not None
    assert later.last_used_at is not None
    assert later.last_used_at > timezone.now() - timedelta(minutes=1)


def test_nobody_sees_or_revokes_the_token_of_another(researcher: Person, outsider: Person) -> None:
    created = create_token(researcher)
    assert outsider.browser.get(TOKENS).json() == []
    answer = outsider.browser.delete(f"{TOKENS}/{created['id']}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert ApiToken.objects.get().revoked_at is None


def test_the_number_of_usable_tokens_is_limited(researcher: Person) -> None:
    for _ in range(api_tokens.MAX_USABLE_TOKENS):
        created = create_token(researcher)
    answer = researcher.browser.post(TOKENS, {"name": "One more", "scope": "read"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_tokens")
    researcher.browser.delete(f"{TOKENS}/{created['id']}")
    create_token(researcher)


@pytest.mark.parametrize(
    "fields", [{"name": "x"}, {"name": "x", "scope": "all"}, {"scope": "read"}]
)
def test_a_token_needs_a_name_and_a_known_scope(researcher: Person, fields: dict[str, str]) -> None:
    assert researcher.browser.post(TOKENS, fields).status_code == 422


def test_the_requests_of_one_token_are_limited_on_all_addresses_together(
    researcher: Person, visitor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ApiTokenThrottle, "rate", "3/min", raising=False)
    one, other = (create_token(researcher, scope)["token"] for scope in ("submit", "read"))

    def read(path: str, secret: str) -> Any:
        return visitor.get(f"/api/v1/{path}", HTTP_AUTHORIZATION=f"Bearer {secret}")

    paths = ("submissions", "releases", "submissions", "releases", "submissions")
    assert [read(path, one).status_code for path in paths] == [200, 200, 200, 429, 429]
    refused = read("releases", one)
    assert refused.json()["detail"] == "Too many requests. Wait a moment, then try again."
    assert 0 < int(refused["Retry-After"]) <= 61
    assert read("submissions", other).status_code == 200
    assert researcher.browser.get("/api/v1/submissions").status_code == 200
