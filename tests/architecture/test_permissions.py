"""Permissions: every route and method for every persona, and no route missing from the table.

Every answer is also checked against the OpenAPI schema.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from rest_framework.test import APIClient

from backend.config.routing import websocket_urlpatterns
from tests.architecture.api_contract import find_violations
from tests.architecture.routes import PAGES, PERSONAS, ROUTES, SOCKETS, V1, Route, World
from tests.cache import empty_cache

METHODS = ("get", "post", "put", "patch", "delete")
UNSAFE = [route for route in ROUTES if route.method != "get"]


def route_name(route: Route) -> str:
    return f"{route.method} {route.template}"


@dataclass(frozen=True)
class Outcome:
    """The status of a request, and what its answer has that the OpenAPI schema does not."""

    status: int
    violations: tuple[str, ...]


def request_as(
    world: World, route: Route, who: str, browser: APIClient | None = None
) -> HttpResponseBase:
    browser = browser or APIClient()
    world.sign_in(who, browser)
    call: Callable[..., HttpResponseBase] = getattr(browser, route.method)
    return call(
        world.path(route.template),
        route.body(world),
        format=("multipart" if route.multipart else "json") if route.method != "get" else None,
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )


def send_request(world: World, route: Route, who: str, browser: APIClient | None) -> Outcome:
    response = request_as(world, route, who, browser)
    documented = route.template.startswith(V1)
    violations = find_violations(route.method, route.template, response) if documented else []
    return Outcome(response.status_code, tuple(violations))


def request_and_roll_back(
    world: World, route: Route, who: str, browser: APIClient | None = None
) -> Outcome:
    """Every persona meets the same world: the changes of one request are undone."""
    empty_cache()
    with transaction.atomic():
        outcome = send_request(world, route, who, browser)
        transaction.set_rollback(True)
    return outcome


@pytest.mark.parametrize("route", ROUTES, ids=route_name)
def test_everybody_is_answered_as_the_table_and_the_schema_state(
    world: World, route: Route
) -> None:
    outcomes = {who: request_and_roll_back(world, route, who) for who in PERSONAS}
    assert {who: outcome.status for who, outcome in outcomes.items()} == route.expected()
    assert {who: one.violations for who, one in outcomes.items() if one.violations} == {}


@pytest.mark.parametrize("route", UNSAFE, ids=route_name)
def test_no_write_is_taken_from_another_site(world: World, route: Route) -> None:
    """A page elsewhere can send the cookie, but not the token that is read with it."""
    for who in ("expert", "coordinator", "administrator"):
        browser = APIClient(enforce_csrf_checks=True)
        outcome = request_and_roll_back(world, route, who, browser)
        assert (outcome.status, outcome.violations) == (403, ())


def url_routes(
    result: Iterable[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """Every route that Django knows, with the whole of its path."""
    for pattern in result:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from url_routes(pattern.url_patterns, path)
        else:
            yield path, pattern


def methods_of(pattern: URLPattern) -> list[str]:
    """What its view answers; a plain function here is one that only reads."""
    view = getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)
    return [method for method in METHODS if hasattr(view, method)] if view else ["get"]


def test_no_route_is_missing_from_the_table() -> None:
    known = {
        (method, path)
        for path, pattern in url_routes(get_resolver().url_patterns)
        for method in methods_of(pattern)
        if path not in PAGES
    }
    assert {(route.method, route.template) for route in ROUTES} == known
    rows = [(route.method, route.template, route.body) for route in ROUTES]
    assert len(set(rows)) == len(rows)


def test_no_socket_is_missing_from_the_table() -> None:
    assert set(SOCKETS) == {str(pattern.pattern) for pattern in websocket_urlpatterns}
