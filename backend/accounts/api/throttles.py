"""Rate limits of invitation requests, strict per token and wide per address; and of API tokens.

Many users of one hospital share an address.
"""

import hashlib

from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from backend.accounts.models import ApiToken


class InvitationAddressThrottle(SimpleRateThrottle):
    scope = "invitation"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class ProviderThrottle(InvitationAddressThrottle):
    """Each request that begins a sign-in is one to the provider."""

    scope = "provider_sign_in"


class TokenThrottle(SimpleRateThrottle):
    """Counts requests with one token, whoever sends them."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        token = request.data.get("token") if isinstance(request.data, dict) else None
        if not isinstance(token, str):
            return None
        digest = hashlib.sha256(token.encode(errors="replace")).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": digest}


class InvitationTokenThrottle(TokenThrottle):
    scope = "invitation_token"


class LinkRenewalThrottle(TokenThrottle):
    """Each renewal is an e-mail."""

    scope = "sign_in_link_renewal"


class ApiTokenThrottle(SimpleRateThrottle):
    """Requests with one API token, on all routes together: a script in a loop, or a leaked token,
    leaves the account and its other tokens alone."""

    scope = "api_token"

    def __init__(self, token: ApiToken) -> None:
        super().__init__()
        self._token = token

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self._token.pk}


def require_token_rate(token: ApiToken, request: Request) -> None:
    """Raises Throttled."""
    throttle = ApiTokenThrottle(token)
    if not throttle.allow_request(request, request.parser_context["view"]):
        raise Throttled(throttle.wait())
