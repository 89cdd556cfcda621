"""A provider of OpenID Connect in a thread, and a browser that signs in with it.

The provider is oidc-provider-mock (authlib and Flask). It ignores PKCE, so a layer before it holds
the verifier of each code against its challenge, as RFC 7636 has it.
"""

import base64
import hashlib
import io
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
from oidc_provider_mock import User, app
from rest_framework.test import APIClient
from werkzeug.serving import make_server

from backend.config.oidc import provider, provider_settings

CLIENT, SECRET = "serendib", "a secret of tests"
WSGI = Callable[[dict[str, Any], Any], Iterable[bytes]]


@dataclass
class Provider:
    """`challenges`: by code. `tokens`: the forms of the requests for tokens."""

    url: str = ""
    challenges: dict[str, str] = field(default_factory=dict)
    tokens: list[dict[str, str]] = field(default_factory=list)

    def settings(self, *domains: str) -> dict[str, Any]:
        return provider_settings(
            provider(
                self.url,
                client_id=CLIENT,
                secret=SECRET,
                name="Colombo University",
                email_domains=[*domains] or ["example.org"],
            )
        )

    def state_claims(self, subject: str, **claims: object) -> None:
        httpx.put(f"{self.url}/users/{subject}", json=claims).raise_for_status()

    def approve(self, address: str, subject: str, **changes: str) -> str:
        """The way back after a person has signed in at the provider."""
        parts = urlsplit(address)
        query = {**dict(parse_qsl(parts.query)), **changes}
        page = f"{self.url}{parts.path}?{urlencode(query)}"
        answer = httpx.post(page, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        back = answer.headers["Location"]
        code = parse_qs(urlsplit(back).query)["code"][0]
        self.challenges[code] = query["code_challenge"]
        return str(back)

    def checking_pkce(self, inner: WSGI) -> WSGI:
        def outer(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            if environ["PATH_INFO"] != "/oauth2/token":
                return inner(environ, start)
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            form = dict(parse_qsl(body.decode()))
            self.tokens.append(form)
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            if self.challenges.get(form.get("code", "")) != challenge:
                start("400 Bad Request", [("Content-Type", "application/json")])
                return [b'{"error": "invalid_grant"}']
            environ["wsgi.input"] = io.BytesIO(body)
            return inner(environ, start)

        return outer


@contextmanager
def run_provider(*users: User) -> Iterator[Provider]:
    provider = Provider()
    served = app(require_nonce=True, user_claims=users)
    server = make_server("127.0.0.1", 0, provider.checking_pkce(served.wsgi_app), threaded=True)
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()


def begin(browser: APIClient, path: str = "") -> str:
    answer = browser.post("/api/v1/sign-in/provider", {"next": path})
    assert answer.status_code == 200, answer.content
    return str(answer.json()["url"])


def come_back(browser: APIClient, address: str) -> str:
    """The page that the site leads to after the provider."""
    parts = urlsplit(address)
    assert parts.path == "/_allauth/oidc/oidc/callback"  # registered at the provider
    answer = browser.get(f"{parts.path}?{parts.query}")
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])
