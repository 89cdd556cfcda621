"""Calls through the client, or through a bare aiohttp loop, in a process of their own.

python -m tests.bench.llm_calls (client|bare) PORT IN_FLIGHT CALLS SUBJECT: prints seconds and
seconds of processor time, as JSON. The client has made as many calls before, so that its limit is
reached; the bare loop has opened its connections.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from decimal import Decimal

import aiohttp
import django

Complete = Callable[[int], Awaitable[None]]


async def timed(complete: Complete, in_flight: int, calls: int) -> dict[str, float]:
    """in_flight callers, each one call after the other; the first half is not counted."""

    async def work(numbers: range) -> None:
        slots = asyncio.Semaphore(in_flight)

        async def one(number: int) -> None:
            async with slots:
                await complete(number)

        await asyncio.gather(*(one(number) for number in numbers))

    await work(range(calls))
    began, processor = time.monotonic(), time.process_time()
    await work(range(calls, 2 * calls))
    return {"seconds": time.monotonic() - began, "cpu": time.process_time() - processor}


async def bare(port: int, in_flight: int, calls: int) -> dict[str, float]:
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def complete(number: int) -> None:
            message = {"role": "user", "content": f"Is item {number} a gene?"}
            body = {"model": "scripted-1", "messages": [message], "max_tokens": 64}
            async with session.post(url, json=body) as response:
                assert (await response.json())["choices"]

        return await timed(complete, in_flight, calls)


def through_client(port: int, in_flight: int, calls: int, subject: str) -> dict[str, float]:
    django.setup()
    from backend.llm.budgets import open_budget
    from backend.llm.client import ModelSession
    from backend.llm.endpoints import set_endpoint
    from tests.llm.factories import make_request

    given = {
        "base_url": f"http://127.0.0.1:{port}/v1",
        "model": "scripted-1",
        "price_in": Decimal(1),
        "price_out": Decimal(1),
        "max_in_flight": in_flight,
        "is_private": True,
    }
    endpoint = set_endpoint(name=f"bench {in_flight}", given=given)
    budget = open_budget(subject=subject, amount=Decimal(1000))

    async def run() -> dict[str, float]:
        async with ModelSession(budget) as session:

            async def complete(number: int) -> None:
                assert (await session.complete(endpoint, make_request(f"{subject} {number}"))).value

            return await timed(complete, 2 * in_flight, calls)

    return asyncio.run(run())


def main() -> None:
    kind, port, in_flight, calls, subject = sys.argv[1:]
    if kind == "bare":
        result = asyncio.run(bare(int(port), int(in_flight), int(calls)))
    else:
        result = through_client(int(port), int(in_flight), int(calls), subject)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
