"""Django's ASGI handler with bounded concurrency: one limit for all requests, one for searches."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from backend.common.problems import RETRY_AFTER_S, problem_body


@dataclass(frozen=True)
class RequestLimit:
    """Limits of requests whose method and path match, in one process of the server.

    pattern: of `GET /path`. at_once run, `pending` run or wait, and of those at most `per_address`
    from one address. unit: what they are called, in the plural.
    """

    pattern: re.Pattern[str]
    at_once: int
    pending: int
    per_address: int
    unit: str


class _Slots:
    """The requests under one limit that run or wait."""

    def __init__(self, limit: RequestLimit) -> None:
        self.limit = limit
        self._free = asyncio.Semaphore(limit.at_once)
        self._pending: Counter[str] = Counter()

    def find_refusal(self, address: str) -> HttpResponseBase | None:
        if self._pending[address] >= self.limit.per_address:
            return _refuse(
                HTTPStatus.TOO_MANY_REQUESTS,
                "throttled",
                f"Too many {self.limit.unit} from your address are running. "
                "Try again in a few seconds.",
            )
        if self._pending.total() >= self.limit.pending:
            return _refuse(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "busy",
                f"The server is busy with other {self.limit.unit}. Try again in a few seconds.",
            )
        return None

    @asynccontextmanager
    async def take(self, address: str) -> AsyncIterator[None]:
        self._pending[address] += 1
        try:
            async with self._free:
                yield
        finally:
            self._pending[address] -= 1
            if not self._pending[address]:
                del self._pending[address]


class ConcurrencyLimitedHandler(ASGIHandler):
    """Runs as many requests at once as there are database connections.

    Other requests wait in the event loop, where that costs nothing: Django would give each a
    thread at once, and most threads would wait for a connection. A request is read before it
    waits, and its response is sent afterwards, so a slow client holds up nobody. Long requests
    of one kind wait for each other first, so that they never take all places of the others.
    """

    def __init__(self, at_once: int, limits: Sequence[RequestLimit] = ()) -> None:
        super().__init__()
        self._requests = asyncio.Semaphore(at_once)
        self._slots = [_Slots(limit) for limit in limits]

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        line = f"{request.method} {request.path}"
        slots = next((one for one in self._slots if one.limit.pattern.match(line)), None)
        if slots is None:
            return await self._respond(request)
        address = client_address(request)
        if (refusal := slots.find_refusal(address)) is not None:
            return refusal
        async with slots.take(address):
            return await self._respond(request)

    async def _respond(self, request: HttpRequest) -> HttpResponseBase:
        async with self._requests:
            return await super().get_response_async(request)


def client_address(request: HttpRequest) -> str:
    """The address that the outermost trusted proxy saw; without proxies, the peer's."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    proxies = settings.TRUSTED_PROXIES
    if proxies and forwarded[0]:
        return str(forwarded[-min(proxies, len(forwarded))]).strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def _refuse(status: HTTPStatus, code: str, detail: str) -> JsonResponse:
    return JsonResponse(
        problem_body(status, code, detail),
        status=status,
        content_type="application/problem+json",
        headers={"Retry-After": str(RETRY_AFTER_S)},
    )
