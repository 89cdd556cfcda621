"""Responses that a browser saves as a file."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import IO

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request

CHUNK_BYTES = 64 * 1024


def download_headers(name: str) -> dict[str, str]:
    disposition = content_disposition_header(True, name) or "attachment"
    return {"Content-Disposition": disposition, "Cache-Control": "no-store"}


def send_file(
    request: Request, write: Callable[[IO[bytes]], None], name: str, media_type: str
) -> StreamingHttpResponse:
    """What `write` writes to a temporary file, which is closed once it was sent or collected."""
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile())
        write(file)
        size = file.seek(0, os.SEEK_END)
        stack.pop_all()
    file.seek(0)
    # Over ASGI the file is read in a thread, so that other requests are served meanwhile.
    over_asgi = isinstance(request._request, ASGIRequest)
    chunks = _chunks_async(file) if over_asgi else _chunks(file)
    headers = {**download_headers(name), "Content-Length": str(size)}
    return StreamingHttpResponse(chunks, content_type=media_type, headers=headers)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


async def _chunks_async(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk
