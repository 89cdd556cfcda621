"""The account of a request, which views pass to services as the actor."""

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from backend.accounts.models import User


def get_actor_or_raise(request: Request) -> User:
    actor = get_actor(request)
    if actor is None:
        raise NotAuthenticated
    return actor


def get_actor(request: Request) -> User | None:
    return request.user if isinstance(request.user, User) else None
