"""How many requests the server works on at once."""

import asyncio
import re

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from pytest_django import Settings

from backend.config.asgi_app import PREDICTION_CHECKS
from backend.config.asgi_app import SEARCHES as API_SEARCHES
from backend.config.concurrency_limit import (
    ConcurrencyLimitedHandler,
    RequestLimit,
    client_address,
)


class StubHandler(ASGIHandler):
    """Instead of Django's own work on a request; counts how many run."""

    def __init__(self) -> None:
        super().__init__()
        self.running = self.most = self.done = 0

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        self.done += 1
        if request.path == "/broken":
            raise RuntimeError
        return HttpResponse()


class LimitedHandler(ConcurrencyLimitedHandler, StubHandler):
    """The limit passes requests on to the stub."""


def request_for(path: str = "/") -> HttpRequest:
    request = HttpRequest()
    request.path, request.method = path, "GET"
    return request


async def test_no_more_requests_run_at_once_than_the_limit_allows() -> None:
    handler = LimitedHandler(at_once=3)
    await asyncio.gather(*(handler.get_response_async(request_for()) for _ in range(20)))
    assert handler.most == 3
    assert handler.done == 20


async def test_a_request_that_fails_gives_its_turn_back() -> None:
    handler = LimitedHandler(at_once=1)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            await handler.get_response_async(request_for("/broken"))
    await handler.get_response_async(request_for())
    assert handler.done == 4


SEARCHES = RequestLimit(re.compile("GET /search"), 2, 6, 4, "searches")


def search_from(address: str) -> HttpRequest:
    request = request_for("/search")
    request.META["REMOTE_ADDR"] = address
    return request


async def test_searches_leave_places_to_other_requests() -> None:
    handler = LimitedHandler(at_once=3, limits=[SEARCHES])
    await asyncio.gather(
        *(handler.get_response_async(search_from(f"10.0.0.{place}")) for place in range(6))
    )
    assert (handler.most, handler.done) == (2, 6)
    await asyncio.gather(*(handler.get_response_async(request_for()) for _ in range(6)))
    assert handler.most == 3


async def test_too_many_searches_are_refused_with_a_time_to_try_again() -> None:
    handler = LimitedHandler(at_once=9, limits=[SEARCHES])
    addresses = ["10.0.0.1"] * 5 + ["10.0.0.2"] * 3
    answers = await asyncio.gather(
        *(handler.get_response_async(search_from(address)) for address in addresses)
    )
    assert [answer.status_code for answer in answers] == [200] * 4 + [429, 200, 200, 503]
    assert [answer.get("Retry-After") for answer in (answers[4], answers[7])] == ["5", "5"]
    assert (await handler.get_response_async(search_from("10.0.0.1"))).status_code == 200


@pytest.mark.parametrize(("proxies", "address"), [(0, "10.0.0.9"), (1, "2.2.2.2"), (2, "1.1.1.1")])
def test_the_address_is_what_the_outermost_trusted_proxy_saw(
    settings: Settings, proxies: int, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = search_from("10.0.0.9")
    request.META["HTTP_X_FORWARDED_FOR"] = "6.6.6.6, 1.1.1.1, 2.2.2.2"
    assert client_address(request) == address


CHECKS = RequestLimit(re.compile("GET /check"), 1, 6, 4, "checks")


async def test_long_requests_of_one_kind_do_not_wait_for_those_of_another() -> None:
    handler = LimitedHandler(at_once=9, limits=[SEARCHES, CHECKS])
    paths = ["/search"] * 4 + ["/check"] * 4
    answers = await asyncio.gather(
        *(handler.get_response_async(request_for(path)) for path in paths)
    )
    assert (handler.most, {answer.status_code for answer in answers}) == (3, {200})


@pytest.mark.parametrize(
    ("limit", "method", "operation"),
    [
        (API_SEARCHES, "GET", "graphs/demo/paths"),
        (API_SEARCHES, "POST", "graphs/demo/subgraph"),
        (API_SEARCHES, "POST", "graphs/demo/rns"),
        (API_SEARCHES, "GET", "boards/demo/comparison"),
        (API_SEARCHES, "GET", "boards/demo/changes"),
        (API_SEARCHES, "GET", "boards/demo/entries.csv"),
        (PREDICTION_CHECKS, "POST", "validations"),
        (PREDICTION_CHECKS, "POST", "submissions"),
    ],
)
def test_the_long_requests_of_the_api_are_limited(
    limit: RequestLimit, method: str, operation: str
) -> None:
    path = f"/api/v1/{operation}"
    assert resolve(path) and limit.pattern.match(f"{method} {path}")


@pytest.mark.parametrize(
    "line", ["GET /api/v1/graphs/demo/search", "GET /api/v1/boards/demo", "GET /api/v1/submissions"]
)
def test_other_requests_do_not_wait_for_them(line: str) -> None:
    assert not any(limit.pattern.match(line) for limit in (API_SEARCHES, PREDICTION_CHECKS))
