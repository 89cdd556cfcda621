"""Authentication by the browser's session. A missing session is a 401, so a page can renew it."""

from http import HTTPStatus

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from backend.common.errors import DomainError


class CsrfTokenInvalid(DomainError):
    """The CSRF token is missing or stale. The page reads /api/v1/me, then sends the write again."""

    code = "csrf_failed"
    status = HTTPStatus.FORBIDDEN

    def __init__(self) -> None:
        super().__init__(
            "This page is out of date. Nothing was changed; reload the page and try again."
        )


class SessionCsrfAuthentication(SessionAuthentication):
    """Django's session with CSRF protection. DRF's own class answers a lost session with 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        """DRF checks signed-in users only; views that sign a visitor in call this themselves."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise CsrfTokenInvalid from error


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "backend.common.authentication.SessionCsrfAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
