"""A server with the interface of OpenAI that does what a script says, and logs every request.

It plays faults of real servers; nothing outside the tests may take it for a model. In a thread of
the tests, or as a process: `python -m tests.llm.scripted_server --delay 0.5` prints its port.
"""

import argparse
import asyncio
import json
import math
import re
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

import numpy as np
from aiohttp import web

PIECE = re.compile(r"[A-Za-z]{1,5}|\d{1,3}|[^\sA-Za-z\d]")


def count_tokens(text: str) -> int:
    """Of this server's own tokenizer, which is not the client's estimate."""
    return len(PIECE.findall(text))


@dataclass(frozen=True)
class Scripted:
    """What the server does with a request. text: of the answer. lie: factor of its counts."""

    text: str = '{"answer": "yes"}'
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "scripted fault"
    delay_s: float = 0.0
    finish_reason: str = "stop"
    model: str | None = None
    lie: float = 1.0
    reasoning_tokens: int = 0
    is_cut: bool = False  # closes the connection in the middle of the body
    raw_body: str | None = None
    has_usage: bool = True
    counts_schema: bool = True  # as a server whose model reads it
    logprobs: list[dict[str, Any]] | None = None


@dataclass
class Logged:
    """tokens_in, tokens_out: true counts, which the bill has. is_answered: the whole body was
    sent and the client had not gone away."""

    body: dict[str, Any]
    headers: dict[str, str]
    number: int  # from 1 among requests with the same messages
    arrived_at: float
    in_flight: int
    scripted: Scripted = field(default_factory=Scripted)
    tokens_in: int = 0
    tokens_out: int = 0
    is_answered: bool = False

    @property
    def user_text(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def is_paid(self) -> bool:
        return self.is_answered and self.scripted.status == 200


Script = Callable[[dict[str, Any], int], Scripted]


def always_yes(body: dict[str, Any], number: int) -> Scripted:
    return Scripted()


class ScriptedServer:
    """In a thread of its own. script: from the request and how often it came, to what happens."""

    def __init__(self, script: Script = always_yes) -> None:
        self.script = script
        self.log: list[Logged] = []
        self.in_flight = self.most_in_flight = 0
        self._numbers: Counter[str] = Counter()
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self.start(0))
        self._started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    async def start(self, port: int) -> None:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._complete)
        application.router.add_get("/most-in-flight", self._most_in_flight)
        self._runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port, backlog=2048)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _most_in_flight(self, request: web.Request) -> web.Response:
        """Since this was last requested."""
        most, self.most_in_flight = self.most_in_flight, 0
        return web.json_response(most)

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        digest = sha256(json.dumps(body["messages"]).encode()).hexdigest()
        self._numbers[digest] += 1
        number = self._numbers[digest]
        headers = {name.lower(): value for name, value in request.headers.items()}
        entry = Logged(body, headers, number, time.monotonic(), self.in_flight)
        self.log.append(entry)
        entry.scripted = scripted = self.script(body, number)
        if scripted.delay_s:
            await asyncio.sleep(scripted.delay_s)
        if scripted.status != 200:
            error = {"error": {"message": scripted.error, "type": "scripted"}}
            return web.json_response(error, status=scripted.status, headers=scripted.headers)
        content = self._body(body, entry).encode()
        fields = {"content-type": "application/json", **scripted.headers}
        response = web.StreamResponse(headers=fields)
        response.content_length = len(content)
        await response.prepare(request)
        if scripted.is_cut:
            await response.write(content[: len(content) // 2])
            assert request.transport is not None
            request.transport.abort()
            return response
        await response.write(content)
        entry.is_answered = True
        await response.write_eof()
        return response

    def _body(self, body: dict[str, Any], entry: Logged) -> str:
        scripted = entry.scripted
        entry.tokens_in = sum(count_tokens(one["content"]) + 4 for one in body["messages"])
        extra = body.get("tools") or body.get("response_format")
        if extra and scripted.counts_schema:
            entry.tokens_in += count_tokens(json.dumps(extra))
        entry.tokens_out = count_tokens(scripted.text) + scripted.reasoning_tokens
        if scripted.raw_body is not None:
            return scripted.raw_body
        answer: dict[str, Any] = {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": scripted.model or body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": self._message(body, scripted),
                    "finish_reason": scripted.finish_reason,
                    "logprobs": {"content": scripted.logprobs} if scripted.logprobs else None,
                }
            ],
        }
        if scripted.has_usage:
            answer["usage"] = {
                "prompt_tokens": math.ceil(entry.tokens_in * scripted.lie),
                "completion_tokens": math.ceil(entry.tokens_out * scripted.lie),
                "completion_tokens_details": {"reasoning_tokens": scripted.reasoning_tokens},
            }
        return json.dumps(answer)

    def _message(self, body: dict[str, Any], scripted: Scripted) -> dict[str, Any]:
        if not body.get("tools"):
            return {"role": "assistant", "content": scripted.text}
        name = body["tools"][0]["function"]["name"]
        function = {"name": name, "arguments": scripted.text}
        call = {"id": "1", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


def scripts(*steps: Scripted) -> Script:
    """The n-th request of the server gets the n-th step, the later ones the last."""
    taken = iter(steps)
    last = [steps[-1]]

    def script(body: dict[str, Any], number: int) -> Scripted:
        last[0] = next(taken, last[0])
        return last[0]

    return script


def seeded_faults(seed: int, rate: float, *, delay_s: float = 0.0) -> Script:
    """The first requests of an item meet faults, drawn by the seed and the item's own text."""
    faults: list[Scripted] = [
        Scripted(status=429, headers={"retry-after": "0.2"}, error="slow down"),
        Scripted(status=500),
        Scripted(is_cut=True),
        Scripted(text='Sure! ```json\n{"answer": "yes",}\n```'),
        Scripted(text='{"answer": "ye'),
        Scripted(text='{"other": 1}'),
        Scripted(raw_body='{"choices": ['),
        Scripted(model="another-model"),
        Scripted(lie=3.0),
        Scripted(text="", finish_reason="stop"),
        Scripted(text='{"answer":', finish_reason="length"),
    ]

    def script(body: dict[str, Any], number: int) -> Scripted:
        text = body["messages"][0]["content"]
        draws = np.random.default_rng([seed, *text.encode()])
        drawn = draws.choice(len(faults), 3, replace=False)
        planned = [faults[one] for one in drawn if draws.random() < rate]
        chosen = planned[number - 1] if number <= len(planned) else Scripted()
        return Scripted(**{**chosen.__dict__, "delay_s": chosen.delay_s or delay_s})

    return script


def most_repeated(log: list[Logged]) -> Mapping[str, int]:
    """How often each first message came and was answered in full, by its text."""
    counts: dict[str, int] = defaultdict(int)
    for entry in log:
        if entry.is_paid:
            counts[json.dumps(entry.body["messages"])] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    options = parser.parse_args()
    server = ScriptedServer(lambda body, number: Scripted(delay_s=options.delay))

    async def serve() -> None:
        await server.start(0)
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
