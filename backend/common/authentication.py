"""Who is asking: the browser's session. Its absence is a 401, so that a page can renew it."""

from http import HTTPStatus

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from backend.common.errors import DomainError


class CsrfFailed(DomainError):
    """The page's token is missing or stale: it reads /api/v1/me and sends the write again."""

    code = "csrf_failed"
    status = HTTPStatus.FORBIDDEN

    def __init__(self) -> None:
        super().__init__("This page is out of date. Nothing was changed; reload it and try again.")


class Session(SessionAuthentication):
    """Django's session with CSRF protection; DRF's own would answer 403 to a lost session."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        """Views that sign a visitor in call this themselves: DRF asks it of sessions only."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise CsrfFailed from error


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped base
    target_class = "backend.common.authentication.Session"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
