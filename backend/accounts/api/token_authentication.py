"""Authentication by an API token: `Authorization: Bearer srd_…`.

Only views that name this class accept tokens, so that a token never reaches what is outside of its
purpose, such as the account or a study.
"""

from http import HTTPStatus

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from backend.accounts.api.throttles import require_token_rate
from backend.accounts.api_tokens import find_usable_token
from backend.accounts.models import ApiToken, User
from backend.common.authentication import SessionCsrfAuthentication
from backend.common.errors import DomainError, NotAllowed


class InvalidApiToken(DomainError):
    code = "invalid_token"
    status = HTTPStatus.UNAUTHORIZED


class ApiTokenAuthentication(BaseAuthentication):
    """Raises InvalidApiToken for a token that is unknown, revoked or expired, Throttled for one
    that sends too many requests."""

    accepts_reading_tokens = False  # for requests with a body

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).decode("ascii", "replace").split()
        if len(words) != 2 or words[0].lower() != "bearer":
            return None
        token = find_usable_token(words[1])
        if token is None:
            raise InvalidApiToken(
                "This token is unknown, revoked or expired. Create another on your account page."
            )
        require_token_rate(token, request)
        is_reading = request.method in SAFE_METHODS or self.accepts_reading_tokens
        if not is_reading and token.scope != ApiToken.Scope.SUBMIT:
            raise NotAllowed("This token may only read. Create one with the scope 'submit'.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class ReadingTokenAuthentication(ApiTokenAuthentication):
    """Tokens submit predictions; what changes a release needs its organiser's session."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        authenticated = super().authenticate(request)
        if authenticated is not None and request.method not in SAFE_METHODS:
            raise NotAllowed("A token cannot change this. Sign in and use the page.")
        return authenticated


class AnyTokenAuthentication(ApiTokenAuthentication):
    """For what changes nothing but the log of its own calls."""

    accepts_reading_tokens = True


TOKEN_OR_SESSION = [ApiTokenAuthentication, SessionCsrfAuthentication]
READING_TOKEN_OR_SESSION = [ReadingTokenAuthentication, SessionCsrfAuthentication]
ANY_TOKEN_OR_SESSION = [AnyTokenAuthentication, SessionCsrfAuthentication]


class ApiTokenScheme(OpenApiAuthenticationExtension):
    target_class = "backend.accounts.api.token_authentication.ApiTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class ReadingTokenScheme(ApiTokenScheme):
    target_class = "backend.accounts.api.token_authentication.ReadingTokenAuthentication"
    name = "reading_token"


class AnyTokenScheme(ApiTokenScheme):
    target_class = "backend.accounts.api.token_authentication.AnyTokenAuthentication"
    name = "any_token"
