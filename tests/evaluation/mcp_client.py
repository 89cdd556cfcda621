"""The official client of the Model Context Protocol, against the server in the test's process."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar

import httpx2
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client as Browser
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = "http://testserver/mcp"
Mode = Literal["auto", "legacy"]
ResultT = TypeVar("ResultT")


class DjangoTransport(httpx2.AsyncBaseTransport):
    """Through the whole stack of Django, in the thread and the transaction of the test."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        answer = await sync_to_async(self.send, thread_sensitive=True)(request, body)
        return httpx2.Response(
            answer.status_code, headers=dict(answer.items()), content=answer.content
        )

    def send(self, request: httpx2.Request, body: bytes) -> Any:
        headers = dict(request.headers)
        kind = headers.pop("content-type", "")
        path = request.url.raw_path.decode()
        return Browser().generic(request.method, path, body, kind, headers=headers)


@asynccontextmanager
async def connect(headers: dict[str, str], mode: Mode) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(transport=DjangoTransport(), headers=headers) as http,
        Client(streamable_http_client(URL, http_client=http), mode=mode) as client,
    ):
        yield client


def with_client(
    use: Callable[[Client], Awaitable[ResultT]],
    *,
    token: str,
    mode: Mode = "auto",
    session: str = "",
) -> ResultT:
    headers = {"Authorization": f"Bearer {token}"}
    if session:
        headers["Serendib-Session"] = session

    async def run() -> ResultT:
        async with connect(headers, mode) as client:
            return await use(client)

    return async_to_sync(run)()
