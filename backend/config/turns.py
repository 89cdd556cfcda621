"""Django's ASGI handler, working on a bounded number of requests at once."""

import asyncio

from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class HandlerInTurns(ASGIHandler):
    """As many requests at work as there are database connections; the others wait their turn.

    They wait in the event loop, where it costs nothing. Django would give each a thread at once:
    two hundred threads slow one another down, and all but a few of them wait for a connection,
    which can run out of time. A request is read before its turn and its answer sent after it, so
    nobody's slow line holds up the others.
    """

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self.turns = asyncio.Semaphore(at_once)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        async with self.turns:
            return await super().get_response_async(request)
