"""What the routes of the API answer, as text."""

from collections.abc import Collection, Iterable

from django.db import transaction
from django.http import HttpResponseBase

from tests.architecture.routes import ROUTES, World
from tests.architecture.test_permissions import METHODS, request_as, route_name
from tests.cache import empty_cache

MIN_ROUTES = 100


def content_of(response: HttpResponseBase) -> str:
    parts: Iterable[bytes] = getattr(response, "streaming_content", None) or [
        getattr(response, "content", b"")
    ]
    body = b"".join(parts).decode(errors="replace")
    return f"{response.headers}\n{body}"


def read_all_routes(world: World, who: str, methods: Collection[str] = METHODS) -> dict[str, str]:
    """What each route answers; what it changes is undone."""
    answers: dict[str, str] = {}
    for route in ROUTES:
        if route.method not in methods:
            continue
        empty_cache()
        with transaction.atomic():
            answers[route_name(route)] = content_of(request_as(world, route, who))
            transaction.set_rollback(True)
    return answers
