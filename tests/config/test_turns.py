"""How many requests the server works on at once."""

import asyncio

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse

from backend.config.turns import HandlerInTurns


class Work:
    """Stands in for Django's own work on a request; notes how many are in hand."""

    def __init__(self) -> None:
        self.in_hand = self.most = self.done = 0

    async def __call__(self, handler: object, request: HttpRequest) -> HttpResponse:
        self.in_hand += 1
        self.most = max(self.most, self.in_hand)
        await asyncio.sleep(0)
        self.in_hand -= 1
        self.done += 1
        if request.path == "/broken":
            raise RuntimeError
        return HttpResponse()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()

    async def respond(handler: object, request: HttpRequest) -> HttpResponse:
        return await work(handler, request)

    monkeypatch.setattr(ASGIHandler, "get_response_async", respond)
    return work


def asked(path: str = "/") -> HttpRequest:
    request = HttpRequest()
    request.path = path
    return request


async def test_no_more_requests_are_worked_on_at_once_than_there_are_turns(work: Work) -> None:
    handler = HandlerInTurns(at_once=3)
    await asyncio.gather(*(handler.get_response_async(asked()) for _ in range(20)))
    assert work.most == 3
    assert work.done == 20


async def test_a_request_that_fails_gives_its_turn_back(work: Work) -> None:
    handler = HandlerInTurns(at_once=1)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            await handler.get_response_async(asked("/broken"))
    await handler.get_response_async(asked())
    assert work.done == 4
