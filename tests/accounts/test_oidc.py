"""Sign-in with a provider: the whole code flow, and each way in which it must fail."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from oidc_provider_mock import User as ProviderUser
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.config.env import SettingError
from backend.config.oidc import make_provider_id, provider_settings, read_provider
from tests.accounts.oidc_server import Provider, begin, come_back, run_provider
from tests.personas import PASSWORD, make_person

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "/api/v1/sign-in/provider"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with run_provider(ProviderUser(sub="nobody")) as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Provider:
    settings.SOCIALACCOUNT_PROVIDERS = running.settings()
    return running


@pytest.fixture
def gita() -> User:
    return make_person("gita").user


def state_gita(provider: Provider, gita: User, subject: str = "g1", **claims: object) -> None:
    stated = {"email": gita.email, "email_verified": True, "name": "Somebody Else", **claims}
    provider.state_claims(subject, **stated)


def sign_in(browser: APIClient, provider: Provider, subject: str, **changes: str) -> str:
    return come_back(browser, provider.approve(begin(browser), subject, **changes))


def email_of(browser: APIClient) -> str | None:
    user = browser.get("/api/v1/me").json()["user"]
    return user["email"] if user else None


def error_of(address: str) -> str:
    assert urlsplit(address).path == "/sign-in"
    return parse_qs(urlsplit(address).query).get("error", [""])[0]


def test_a_verified_address_signs_in_to_the_account_that_was_invited(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    state_gita(provider, gita, roles=["administrator"], is_staff=True)
    address = begin(visitor, "/explore?q=1")
    sent = parse_qs(urlsplit(address).query)
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["nonce"][0] and sent["state"][0] and sent["response_type"] == ["code"]
    back = come_back(visitor, provider.approve(address, "g1"))
    assert back == "/sign-in?next=%2Fexplore%3Fq%3D1"
    assert email_of(visitor) == gita.email
    assert provider.tokens[-1]["code_verifier"]
    unchanged = User.objects.get(pk=gita.pk)
    assert (unchanged.name, unchanged.is_administrator) == (gita.name, gita.is_administrator)
    account = SocialAccount.objects.get()
    assert (account.user_id, account.uid, account.extra_data) == (gita.pk, "g1", {})
    assert not SocialToken.objects.exists()


def test_a_linked_account_is_found_by_its_subject_alone(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    state_gita(provider, gita)
    sign_in(visitor, provider, "g1")
    visitor.logout()
    state_gita(provider, gita, email="other@elsewhere.net", email_verified=False)
    assert error_of(sign_in(visitor, provider, "g1")) == ""
    assert email_of(visitor) == gita.email
    assert SocialAccount.objects.get().extra_data == {}


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "false"},
        {"email_verified": "true"},
        {"email_verified": None},
        {"email": "nobody@example.org"},
        {"email": None},
        {"email": ""},
        {"email": ["gita@example.org"]},
        {"email": {"a": 1}},
        {"email": 7},
    ],
)
def test_nobody_is_signed_in_without_a_verified_address_of_an_account(
    visitor: APIClient, provider: Provider, gita: User, claims: dict[str, object]
) -> None:
    state_gita(provider, gita, "g2", **claims)
    people = User.objects.count()
    assert error_of(sign_in(visitor, provider, "g2")) in {"signup_closed", "unknown"}
    assert email_of(visitor) is None
    assert User.objects.count() == people
    assert not SocialAccount.objects.exists()


def test_an_address_outside_the_trusted_domains_is_not_linked(
    visitor: APIClient, provider: Provider, gita: User, settings: Settings
) -> None:
    state_gita(provider, gita, "g3")
    settings.SOCIALACCOUNT_PROVIDERS = provider.settings("uni.example")
    assert error_of(sign_in(visitor, provider, "g3")) == "signup_closed"
    settings.SOCIALACCOUNT_PROVIDERS = provider.settings("*")
    assert error_of(sign_in(visitor, provider, "g3")) == ""
    assert email_of(visitor) == gita.email


@pytest.mark.parametrize("change", [str.upper, str.title])
def test_the_case_of_a_stated_address_does_not_matter(
    visitor: APIClient, provider: Provider, gita: User, change: Callable[[str], str]
) -> None:
    state_gita(provider, gita, "g11", email=change(gita.email))
    assert error_of(sign_in(visitor, provider, "g11")) == ""
    assert email_of(visitor) == gita.email


def test_the_same_subject_of_another_provider_is_another_person(
    visitor: APIClient, provider: Provider, gita: User, settings: Settings
) -> None:
    state_gita(provider, gita, "g13")
    sign_in(visitor, provider, "g13")
    visitor.logout()
    with run_provider(ProviderUser(sub="g13")) as other:
        other.state_claims("g13", email="thief@example.org", email_verified=True)
        settings.SOCIALACCOUNT_PROVIDERS = other.settings()
        assert error_of(sign_in(visitor, other, "g13")) == "signup_closed"
        assert email_of(visitor) is None
        other.state_claims("g13", email=gita.email, email_verified=True)
        assert error_of(sign_in(visitor, other, "g13")) == ""
        assert email_of(visitor) == gita.email
    ids = set(SocialAccount.objects.values_list("provider", flat=True))
    assert ids == {make_provider_id(provider.url), make_provider_id(other.url)}


def test_a_provider_has_one_id_however_its_address_is_written() -> None:
    written = [
        "https://login.example.org/realm",
        "https://LOGIN.example.org/realm/",
        "HTTPS://login.example.org:443/realm/.well-known/openid-configuration",
    ]
    (only,) = {make_provider_id(address) for address in written}
    assert re.fullmatch(r"oidc-[0-9a-f]{12}", only)
    others = ["https://login.example.org/Realm", "https://login.example.org:444/realm"]
    assert len({only, *map(make_provider_id, others)}) == 3


def test_another_callback_address_signs_nobody_in(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    state_gita(provider, gita, "g14")
    back = provider.approve(begin(visitor), "g14")
    parts = urlsplit(back.replace("/oidc/oidc/", "/oidc/other/"))
    assert error_of(visitor.get(f"{parts.path}?{parts.query}")["Location"]) == "unknown"
    assert email_of(visitor) is None


def test_a_wrong_nonce_is_refused(visitor: APIClient, provider: Provider, gita: User) -> None:
    state_gita(provider, gita, "g4")
    assert error_of(sign_in(visitor, provider, "g4", nonce="n" * 32)) == "permission_denied"
    assert email_of(visitor) is None
    assert not SocialAccount.objects.exists()


def test_a_wrong_missing_foreign_or_repeated_state_is_refused(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    state_gita(provider, gita, "g5")
    assert error_of(sign_in(visitor, provider, "g5", state="s" * 16)) == "unknown"
    other = APIClient()
    begin(visitor)
    foreign = provider.approve(begin(other), "g5")
    assert error_of(come_back(visitor, foreign)) == "unknown"
    assert error_of(come_back(visitor, foreign.replace("state=", "other="))) == "unknown"
    assert email_of(visitor) is None
    assert error_of(come_back(other, foreign)) == ""
    other.logout()
    assert error_of(come_back(other, foreign)) == "unknown"
    assert email_of(other) is None


def test_a_code_of_another_request_fails_at_the_provider(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    """A stolen code, with a state of the thief's own session: the verifier does not match."""
    state_gita(provider, gita, "g6")
    stolen = parse_qs(urlsplit(provider.approve(begin(visitor), "g6")).query)["code"][0]
    thief = APIClient()
    own = provider.approve(begin(thief), "nobody")
    code = parse_qs(urlsplit(own).query)["code"][0]
    assert error_of(come_back(thief, own.replace(code, stolen))) == "unknown"
    assert email_of(thief) is None


def test_a_disabled_account_stays_out(visitor: APIClient, provider: Provider, gita: User) -> None:
    state_gita(provider, gita, "g7")
    sign_in(visitor, provider, "g7")
    visitor.logout()
    User.objects.filter(pk=gita.pk).update(is_active=False)
    assert error_of(sign_in(visitor, provider, "g7")) == "permission_denied"
    SocialAccount.objects.all().delete()
    assert error_of(sign_in(visitor, provider, "g7")) in {"permission_denied", "signup_closed"}
    assert email_of(visitor) is None


def test_the_first_verified_sign_in_ends_an_unverified_password(
    visitor: APIClient, provider: Provider, gita: User
) -> None:
    EmailAddress.objects.filter(user=gita).update(verified=False)
    state_gita(provider, gita, "g8")
    assert error_of(sign_in(visitor, provider, "g8")) == ""
    assert email_of(visitor) == gita.email
    assert EmailAddress.objects.get(user=gita).verified
    assert not User.objects.get(pk=gita.pk).has_usable_password()


def test_who_cancels_at_the_provider_is_told_so(visitor: APIClient, provider: Provider) -> None:
    state = parse_qs(urlsplit(begin(visitor)).query)["state"][0]
    answer = visitor.get(f"/_allauth/oidc/oidc/callback?error=access_denied&state={state}")
    assert error_of(answer["Location"]) == "cancelled"


def test_a_removed_provider_signs_nobody_in_and_leaves_the_password(
    visitor: APIClient, provider: Provider, gita: User, settings: Settings
) -> None:
    EmailAddress.objects.filter(user=gita).update(verified=True)
    gita.set_password(PASSWORD)
    gita.save()
    state_gita(provider, gita, "g9")
    sign_in(visitor, provider, "g9")
    visitor.logout()
    back = provider.approve(begin(visitor), "g9")
    settings.SOCIALACCOUNT_PROVIDERS = provider_settings(None)
    assert error_of(come_back(visitor, back)) == "unknown"
    assert email_of(visitor) is None
    assert visitor.get(ADDRESS).json() == {"name": ""}
    assert visitor.post(ADDRESS, {}).json()["code"] == "not_found"
    body = {"email": gita.email, "password": PASSWORD}
    assert visitor.post("/_allauth/browser/v1/auth/login", body).status_code == 200


def test_a_provider_that_does_not_answer_is_a_problem(
    visitor: APIClient, provider: Provider, settings: Settings
) -> None:
    settings.SOCIALACCOUNT_PROVIDERS = Provider("http://127.0.0.1:9").settings()
    answer = visitor.post(ADDRESS, {})
    assert (answer.status_code, answer.json()["code"]) == (503, "provider_unavailable")
    settings.SOCIALACCOUNT_PROVIDERS = Provider(f"{provider.url}/users").settings()
    assert visitor.post(ADDRESS, {}).json()["code"] == "provider_unavailable"


def test_the_page_is_shown_the_name_alone(visitor: APIClient, provider: Provider) -> None:
    assert visitor.get(ADDRESS).json() == {"name": "Colombo University"}


@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "javascript:x", "a"])
def test_only_pages_of_this_site_follow(
    visitor: APIClient, provider: Provider, gita: User, path: str
) -> None:
    state_gita(provider, gita, "g10")
    assert come_back(visitor, provider.approve(begin(visitor, path), "g10")) == "/sign-in"


def test_who_is_signed_in_begins_nothing(provider: Provider) -> None:
    person = make_person("hema")
    assert person.browser.post(ADDRESS, {}).json()["code"] == "signed_in"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OIDC_SERVER_URL", "http://login.example.org"),
        ("OIDC_SERVER_URL", "login.example.org"),
        ("OIDC_CLIENT_ID", ""),
        ("OIDC_CLIENT_SECRET", " "),
        ("OIDC_EMAIL_DOMAINS", ","),
    ],
)
def test_an_incomplete_configuration_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    complete = {
        "OIDC_SERVER_URL": "https://login.example.org",
        "OIDC_CLIENT_ID": "a",
        "OIDC_CLIENT_SECRET": "b",
        "OIDC_EMAIL_DOMAINS": "Example.org, uni.example",
    }
    for key, text in complete.items():
        monkeypatch.setenv(key, text)
    provider = read_provider()
    assert provider is not None
    assert provider["settings"]["email_domains"] == ["example.org", "uni.example"]
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=name):
        read_provider()


def test_without_a_provider_none_of_its_libraries_is_imported() -> None:
    """But for requests, which the REST framework imports wherever it is installed."""
    program = (
        "import django, sys\n"
        "django.setup()\n"
        "import backend.config.urls\n"
        "loaded = [it for it in ('jwt', 'oauthlib', 'allauth.socialaccount.models')"
        " if it in sys.modules]\n"
        "print(loaded)\n"
    )
    environment = {name: value for name, value in os.environ.items() if "OIDC" not in name}
    environment |= {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
