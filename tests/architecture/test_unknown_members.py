"""A misspelt member of a body is refused with its name, by every route that takes a body."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponseBase
from rest_framework.test import APIClient

from tests.architecture.api_contract import openapi_document, openapi_path
from tests.architecture.routes import ROUTES, V1, Route, World
from tests.architecture.test_permissions import request_as, route_name
from tests.cache import empty_cache

MISSPELT = "misspelt_member"
# Whose members are not ours to name, or are refused in another way.
EXCEPTIONS: dict[str, str] = {}


def takes_body(route: Route) -> bool:
    if not route.template.startswith(V1) or route.method not in {"post", "put", "patch"}:
        return False
    operation = openapi_document()["paths"][openapi_path(route.template)][route.method]
    return "requestBody" in operation


def may_write(route: Route) -> bool:
    return any(200 <= status < 300 for status in route.statuses)


WRITES = [route for route in ROUTES if may_write(route) and takes_body(route)]


def with_misspelt(route: Route) -> Route:
    body: Callable[[World], Any] = route.body
    return replace(route, body=lambda world: {**body(world), MISSPELT: "1"})


def send(world: World, route: Route) -> HttpResponseBase:
    who = next(one for one, status in route.expected().items() if 200 <= status < 300)
    empty_cache()
    with transaction.atomic():
        response = request_as(world, with_misspelt(route), who, APIClient())
        transaction.set_rollback(True)
    return response


@pytest.mark.parametrize(
    "route", [one for one in WRITES if route_name(one) not in EXCEPTIONS], ids=route_name
)
def test_an_unknown_member_is_refused_by_name(world: World, route: Route) -> None:
    response: Any = send(world, route)
    assert response.status_code == 422, route_name(route)
    faults = json.loads(response.content)["errors"]
    assert (MISSPELT, "unknown_member") in {(one["place"], one["code"]) for one in faults}


def test_every_exception_is_a_route_that_takes_a_body() -> None:
    assert set(EXCEPTIONS) <= {route_name(route) for route in WRITES}
    assert len(WRITES) > 30
