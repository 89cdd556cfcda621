"""Who may: every route and method, tried by everybody, and no route missing from the table."""

import uuid
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.db import transaction
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from rest_framework.test import APIClient

from backend.config.sockets import websocket_urlpatterns
from tests.architecture.routes import PAGES, ROUTES, SOCKETS, WHO, Route, World, make_world
from tests.cache import empty_cache

METHODS = ("get", "post", "put", "patch", "delete")
UNSAFE = [route for route in ROUTES if route.method != "get"]


@pytest.fixture
def world(db: None) -> World:
    return make_world()


def name_of(route: Route) -> str:
    return f"{route.method} {route.template}"


def ask(world: World, route: Route, who: str, browser: APIClient | None = None) -> int:
    browser = browser or APIClient()
    person = world.person(who)
    if person is not None:
        browser.force_login(person)
    call: Callable[..., object] = getattr(browser, route.method)
    answer = call(
        world.path(route.template),
        route.body(world),
        format=("multipart" if route.multipart else "json") if route.method != "get" else None,
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    return int(getattr(answer, "status_code"))  # noqa: B009  the stubs' answer is private


def ask_and_undo(world: World, route: Route, who: str, browser: APIClient | None = None) -> int:
    """Everybody is answered in the same world: what one did is not there for the next."""
    empty_cache()
    with transaction.atomic():
        status = ask(world, route, who, browser)
        transaction.set_rollback(True)
    return status


@pytest.mark.parametrize("route", ROUTES, ids=name_of)
def test_everybody_is_answered_as_the_table_says(world: World, route: Route) -> None:
    found = {who: ask_and_undo(world, route, who) for who in WHO}
    assert found == route.expected()


@pytest.mark.parametrize("route", UNSAFE, ids=name_of)
def test_no_write_is_taken_from_another_site(world: World, route: Route) -> None:
    """A page elsewhere can send her cookie, but not the token that is read with it."""
    for who in ("expert", "coordinator", "administrator"):
        browser = APIClient(enforce_csrf_checks=True)
        assert ask_and_undo(world, route, who, browser) == 403


def served(
    found: Iterable[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """Every route that Django knows, with the whole of its path."""
    for pattern in found:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from served(pattern.url_patterns, path)
        else:
            yield path, pattern


def methods_of(pattern: URLPattern) -> list[str]:
    """What its view answers; a plain function here is one that only reads."""
    view = getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)
    return [method for method in METHODS if hasattr(view, method)] if view else ["get"]


def test_no_route_is_missing_from_the_table() -> None:
    known = {
        (method, path)
        for path, pattern in served(get_resolver().url_patterns)
        for method in methods_of(pattern)
        if path not in PAGES
    }
    assert {(route.method, route.template) for route in ROUTES} == known
    assert len(ROUTES) == len(known)


def test_no_socket_is_missing_from_the_table() -> None:
    assert set(SOCKETS) == {str(pattern.pattern) for pattern in websocket_urlpatterns}
