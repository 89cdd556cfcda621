"""The people that tests start from. Each has a browser; the outsider is always tried.

Those of a study (an expert, a colleague, a coordinator) stand beside the studies they belong to.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.accounts.services import create_account

if TYPE_CHECKING:
    from rest_framework.test import _MonkeyPatchedResponse  # type: ignore[attr-defined]  # of the stubs

Response: TypeAlias = "_MonkeyPatchedResponse"

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PASSWORD = "a nebula over the harbour"


@dataclass
class Person:
    """Somebody with an account, at their browser."""

    user: User
    browser: APIClient = field(default_factory=APIClient)

    def __post_init__(self) -> None:
        self.browser.force_login(self.user, backend=BACKEND)


def make_person(address: str, *, name: str = "", **fields: Any) -> Person:
    """An account at example.org, signed in."""
    email = f"{address}@example.org"
    return Person(create_account(email=email, name=name or address.title(), **fields))


@pytest.fixture
def administrator(db: None) -> Person:
    return make_person("amara", is_administrator=True)


@pytest.fixture
def researcher(db: None) -> Person:
    return make_person("rohan", is_researcher=True)


@pytest.fixture
def outsider(db: None) -> Person:
    """The expert has an account and nothing else here is theirs."""
    return make_person("olga")


@pytest.fixture
def visitor(db: None) -> APIClient:
    """A browser in which nobody is signed in."""
    return APIClient()
