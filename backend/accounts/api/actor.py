"""Who asks, as an account: what every view passes to its service."""

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from backend.accounts.models import User


def actor_of(request: Request) -> User:
    actor = get_actor(request)
    if actor is None:
        raise NotAuthenticated
    return actor


def get_actor(request: Request) -> User | None:
    return request.user if isinstance(request.user, User) else None
