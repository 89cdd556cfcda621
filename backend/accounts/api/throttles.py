"""Limits of what visitors may ask. Keyed by token first: a hospital is one address."""

import hashlib

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class PerAddress(SimpleRateThrottle):
    scope = "invitation"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class PerToken(SimpleRateThrottle):
    scope = "invitation_token"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        token = request.data.get("token") if isinstance(request.data, dict) else None
        if not isinstance(token, str):
            return None
        digest = hashlib.sha256(token.encode(errors="replace")).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": digest}
