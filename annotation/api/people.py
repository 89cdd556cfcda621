"""Who asks."""

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from backend.accounts.models import User


def signed_in(request: Request) -> User:
    """The account behind the request; the routes' permission already refused visitors."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
