"""Sign-in with a provider of OpenID Connect, as the environment describes it; off by default."""

from hashlib import sha256
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from backend.config import env

APPS = ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
PACKAGES = ("requests", "jwt", "oauthlib")
WELL_KNOWN = "/.well-known/openid-configuration"
DEFAULT_PORTS = {"https": 443, "http": 80}
ID_DIGITS = 12
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


def read_provider() -> dict[str, Any] | None:
    """The provider in allauth's form; None without OIDC_SERVER_URL. Raises SettingError."""
    server = env.text("OIDC_SERVER_URL").strip()
    if not server:
        return None
    _require_safe_address(server)
    _require_packages()
    return provider(
        server,
        client_id=_require("OIDC_CLIENT_ID"),
        secret=_require("OIDC_CLIENT_SECRET"),
        name=env.text("OIDC_NAME").strip() or "your organisation",
        email_domains=_read_domains(),
    )


def provider(
    server: str, *, client_id: str, secret: str, name: str, email_domains: list[str]
) -> dict[str, Any]:
    options = {"server_url": server, "email_domains": email_domains, "oauth_pkce_enabled": True}
    return {
        "provider_id": make_provider_id(server),
        "name": name,
        "client_id": client_id,
        "secret": secret,
        "settings": options,
    }


def make_provider_id(server: str) -> str:
    """One for each issuer: a subject means a person only at the provider that states it."""
    parts = urlsplit(server.strip())
    host = parts.hostname or ""
    if parts.port not in {None, DEFAULT_PORTS.get(parts.scheme)}:
        host = f"{host}:{parts.port}"
    path = parts.path.removesuffix(WELL_KNOWN).rstrip("/")
    issuer = f"{parts.scheme}://{host}{path}?{parts.query}"
    return f"oidc-{sha256(issuer.encode()).hexdigest()[:ID_DIGITS]}"


def provider_settings(provider: dict[str, Any] | None) -> dict[str, Any]:
    """The value of SOCIALACCOUNT_PROVIDERS."""
    return {
        "openid_connect": {
            "APPS": [provider] if provider else [],
            "provider_class": "backend.accounts.oidc_provider.SiteOidcProvider",
        }
    }


def _require_packages() -> None:
    if any(find_spec(name) is None for name in PACKAGES):
        raise env.SettingError(
            "OIDC_SERVER_URL needs more packages. Install them: "
            "pip install --require-hashes -r requirements-oidc.lock"
        )


def _read_domains() -> list[str]:
    domains = [domain.casefold() for domain in env.word_list("OIDC_EMAIL_DOMAINS", [])]
    if not domains:
        raise env.SettingError(
            "OIDC_EMAIL_DOMAINS must list the e-mail domains that the provider may vouch for."
        )
    return domains


def _require(name: str) -> str:
    value = env.text(name).strip()
    if not value:
        raise env.SettingError(f"OIDC_SERVER_URL is set, so {name} must be set as well.")
    return value


def _require_safe_address(server: str) -> None:
    parts = urlsplit(server)
    is_local = parts.scheme == "http" and parts.hostname in LOCAL_HOSTS
    if not parts.hostname or (parts.scheme != "https" and not is_local):
        raise env.SettingError("OIDC_SERVER_URL must begin with https:// and name a host.")
