"""A lean HTTP/1.1 client: one kept-alive connection a person, so that the load generator costs
less than what it measures. It speaks what our server answers and nothing more: Content-Length or
chunked bodies, no compression, no redirects."""

import asyncio
import json
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class TimedResponse:
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Browser:
    """One user's browser: connection, cookies and CSRF token."""

    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    source: str = ""
    """The address that the connection comes from; by default, the system chooses."""

    async def get(self, path: str) -> TimedResponse:
        return await self.send("GET", path)

    async def post(self, path: str, reported: Any = None) -> TimedResponse:
        return await self.send("POST", path, reported)

    async def put(self, path: str, reported: Any, key: uuid.UUID | None = None) -> TimedResponse:
        return await self.send("PUT", path, reported, {"Idempotency-Key": str(key or uuid.uuid4())})

    async def upload(
        self, path: str, fields: dict[str, str], files: dict[str, bytes]
    ) -> TimedResponse:
        boundary = uuid.uuid4().hex
        parts = []
        for name, text in fields.items():
            head = f'Content-Disposition: form-data; name="{name}"'
            parts.append(f"--{boundary}\r\n{head}\r\n\r\n{text}\r\n".encode())
        for name, content in files.items():
            head = f'Content-Disposition: form-data; name="files"; filename="{name}"'
            parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return await self.send("POST", path, body, kind)

    async def send(
        self, method: str, path: str, reported: Any = None, headers: dict[str, str] | None = None
    ) -> TimedResponse:
        await self.write(method, path, reported, headers)
        return await self.receive()

    async def write(
        self, method: str, path: str, reported: Any = None, headers: dict[str, str] | None = None
    ) -> None:
        body = (
            reported
            if isinstance(reported, bytes)
            else b""
            if reported is None
            else json.dumps(reported).encode()
        )
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(self.address).netloc}"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        if method != "GET":
            lines += [f"Content-Length: {len(body)}", f"Origin: {self.address}"]
            lines.append(f"X-CSRFToken: {self.cookies.get('csrftoken', '')}")
        known = {"Content-Type": "application/json", **(headers or {})}
        lines += [f"{name}: {value}" for name, value in known.items()]
        if self.reader is None or self.reader.at_eof():  # the server ends idle connections
            await self.connect()
        assert self.writer is not None
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await self.writer.drain()

    async def connect(self) -> None:
        parts = urlsplit(self.address)
        local = (self.source, 0) if self.source else None
        self.reader, self.writer = await asyncio.open_connection(
            parts.hostname, parts.port, local_addr=local
        )

    async def receive(self) -> TimedResponse:
        assert self.reader is not None
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ", 2)[1])
        pairs = (line.split(": ", 1) for line in head[1:] if line)
        headers = [(name.lower(), value) for name, value in pairs]
        reported = dict(headers)
        body = await self._body(reported)
        self._keep_cookies(headers)
        if reported.get("connection") == "close":
            self.hang_up()
        return TimedResponse(status, headers, body)

    async def _body(self, headers: dict[str, str]) -> bytes:
        assert self.reader is not None
        if headers.get("transfer-encoding") != "chunked":
            return await self.reader.readexactly(int(headers.get("content-length", 0)))
        chunks = []
        while size := int(await self.reader.readline(), 16):
            chunks.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return b"".join(chunks)

    def _keep_cookies(self, headers: list[tuple[str, str]]) -> None:
        for name, value in headers:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]

    def hang_up(self) -> None:
        """Close without notice, possibly in the middle of a response."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None
