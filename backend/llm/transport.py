"""One HTTP request to an endpoint, and what its answer means.

An HTTP client without a model of the interface: the body is read here, since answers of compatible
servers lack members that an SDK's models require, and an SDK takes a millisecond of the processor
for each call. Nothing is repeated here: each attempt has a row in the ledger.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from backend.llm.addresses import AddressNotPublic, PublicResolver, require_allowed
from backend.llm.calls import REASON_LENGTH, JsonMode, ModelRequest, Outcome
from backend.llm.key_removal import KeyRemoval
from backend.llm.keys import read_key
from backend.llm.models import Endpoint
from backend.llm.replies import MAX_BODY, Reply, read_reply
from backend.llm.structured_output import request_options
from backend.tracks.model_tasks import Message
from backend.validation.faults import printable

NO_KEY = "none"  # some servers want any
CONNECT_S = 15
NEW_LIMIT_NAME = "max_completion_tokens"  # of servers that refuse max_tokens
# Statuses and words with which servers refuse a way to request JSON.
UNSUPPORTED_WORDS = ("response_format", "json_schema", "json_object", "tool", "schema", "grammar")


@dataclass(frozen=True)
class Response:
    """content: at most a byte more than MAX_BODY."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class Transport:
    """The HTTP client of an endpoint, for one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        require_allowed(endpoint)
        self._endpoint = endpoint
        self._key = read_key(endpoint)
        self._removal = KeyRemoval(self._key)
        self._limit_name = "max_tokens"
        self._url = f"{endpoint.base_url}/chat/completions"
        self._session: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"Transport({self._endpoint.name!r})"

    def _open_session(self) -> aiohttp.ClientSession:
        """When first needed, as it belongs to the event loop."""
        if self._session is None:
            resolver = None if self._endpoint.is_private else PublicResolver()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, resolver=resolver, keepalive_timeout=30),
                cookie_jar=aiohttp.DummyCookieJar(),
                # `send` has one for the whole; that for the connection shows that nothing was sent.
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
                trust_env=False,
                headers={
                    "accept": "application/json",
                    "authorization": f"Bearer {self._key or NO_KEY}",
                    "content-type": "application/json",
                    "user-agent": "Serendib",
                },
            )
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(
        self, request: ModelRequest, messages: Sequence[Message], mode: JsonMode
    ) -> Reply:
        """Never raises for what the server does."""
        began, limit_name = time.monotonic(), self._limit_name
        try:
            async with asyncio.timeout(self._endpoint.timeout_s):
                response = await self._post(self._body(request, messages, mode))
            if response.is_success:
                # Also in answers, which may be published: a gateway's page may show the request.
                reply = read_reply(self._removal.clean(response.content), mode, request)
            elif limit_name != NEW_LIMIT_NAME and wants_new_limit_name(response):
                reply = self._adapt(response)
            else:
                reply = self._refusal(response, request, mode)
        except (aiohttp.ClientError, OSError) as error:  # TimeoutError is an OSError
            reply = self._broken(error)
        return replace(reply, latency_ms=round(1000 * (time.monotonic() - began)))

    def _body(
        self, request: ModelRequest, messages: Sequence[Message], mode: JsonMode
    ) -> dict[str, Any]:
        options: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            self._limit_name: request.max_tokens,
            "temperature": request.temperature,
            **request_options(request, mode),
        }
        if request.top_p is not None:
            options["top_p"] = request.top_p
        if request.seed is not None:
            options["seed"] = request.seed
        if request.logprobs:
            options |= {"logprobs": True, "top_logprobs": 5}
        return options

    async def _post(self, options: dict[str, Any]) -> Response:
        body = json.dumps(options).encode()
        session = self._open_session()
        async with session.post(self._url, data=body, allow_redirects=False) as response:
            content = bytearray()
            async for part in response.content.iter_any():
                content += part
                if len(content) > MAX_BODY:
                    response.close()
                    break
            return Response(response.status, response.headers, bytes(content[: MAX_BODY + 1]))

    def _adapt(self, response: Response) -> Reply:
        """The other requests in flight have the older name, too: each of them is repeated."""
        self._limit_name = NEW_LIMIT_NAME
        reason = self._without_key(_message_of(response))
        return Reply(Outcome.UNSUPPORTED, status=response.status, reason=reason, is_adapted=True)

    def _refusal(self, response: Response, request: ModelRequest, mode: JsonMode) -> Reply:
        status = response.status
        reason = self._without_key(_message_of(response))
        retry_after = _retry_after(response.headers)
        if status == 429 or (status == 503 and retry_after is not None):
            outcome = Outcome.RATE_LIMITED
        elif request.schema is not None and mode != JsonMode.TEXT and _is_unsupported(response):
            outcome = Outcome.UNSUPPORTED
        elif status >= 500 or status in {408, 409, 425}:
            outcome = Outcome.SERVER_ERROR
        else:
            outcome = Outcome.REJECTED
        return Reply(outcome, status=status, retry_after_s=retry_after, reason=reason)

    def _broken(self, error: Exception) -> Reply:
        causes = [*_causes_of(error)]
        is_unsent = any(isinstance(one, UNSENT) for one in causes)
        if isinstance(error, TimeoutError) and not is_unsent:
            limit = self._endpoint.timeout_s
            return Reply(Outcome.TIMED_OUT, reason=f"No answer came within {limit} s.")
        return Reply(Outcome.BROKEN, reason=_failure_of(causes), is_unsent=is_unsent)

    def _without_key(self, text: str) -> str:
        """Servers repeat keys in their errors, and commands print these to a terminal."""
        return printable(self._removal.clean_text(text), REASON_LENGTH)


def wants_new_limit_name(response: Response) -> bool:
    return response.status == 400 and NEW_LIMIT_NAME in _message_of(response)


def _is_unsupported(response: Response) -> bool:
    text = _message_of(response).lower()
    return response.status in {400, 404, 415, 422, 501} and any(
        word in text for word in UNSUPPORTED_WORDS
    )


def _message_of(response: Response) -> str:
    """The server's own words, which may be any JSON or none."""
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = None
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    if not isinstance(message, str):
        message = response.content.decode("utf-8", "replace")
    return f"Status {response.status}: {message}"


def _causes_of(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


UNSENT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
FAILURES: Sequence[tuple[type[BaseException], str]] = (
    (AddressNotPublic, "The server's address is not public."),
    (aiohttp.ClientConnectorDNSError, "The server's name could not be resolved."),
    (aiohttp.ClientSSLError, "The server's certificate was not accepted."),
    *((kind, "No connection to the server could be made.") for kind in UNSENT),
)


def _failure_of(causes: Sequence[BaseException]) -> str:
    """In words of ours: those of the library have the address, which administrators alone see."""
    for kind, sentence in FAILURES:
        if any(isinstance(one, kind) for one in causes):
            return sentence
    return "The server closed the connection before its answer was complete."


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds: a number of them, or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        at = parsedate_to_datetime(headers["retry-after"])
        return max(0.0, at.timestamp() - time.time())
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
