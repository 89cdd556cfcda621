"""Experts at work through real HTTP, beside an empty view of the same server in the same run.

Server, worker, PostgreSQL and Valkey run as 'make run' starts them; the load comes from this
process, on the same machine, so the figures say what is left after it took its share.
SIZE=small takes about a minute, SIZE=full is for figures to be quoted.
"""

import asyncio
import json
import os
import time
from collections.abc import Iterator

from websockets.asyncio.client import connect
from websockets.typing import Origin

from tests.bench.figures import Figure, bench
from tests.e2e.stack import Stack
from tests.load import people
from tests.load.closed_loop import Timed, Turn, side_by_side
from tests.load.http import Browser
from tests.load.people import Work, expect
from tests.load.studies import new_study

SIZE = os.environ.get("SIZE", "small")
CROWDS = (1, 20, 200) if SIZE == "full" else (1, 20)
ROUNDS = 4
TURNS = {1: 100, 20: 25, 200: 5} if SIZE == "full" else {1: 25, 20: 5}  # a person, a round
QUESTIONS = 10
BOARDS = 30 if SIZE == "full" else 8
PEER = "empty view"


@bench("annotation.load")
def load() -> Iterator[Figure]:
    """Requests per second and latency of what an expert's page does."""
    with Stack() as stack:
        yield from asyncio.run(_load(stack))


async def _load(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, QUESTIONS)
    experts = await people.experts_of(coordinator, study, max(CROWDS))
    work = [await people.work_of(expert) for expert in experts]
    figures: list[Figure] = []
    for crowd in CROWDS:
        turns = {"next_question": look(work), "save": save(work), "submit": submit(work)}
        timed = await side_by_side([empty(experts), *turns.values()], crowd, TURNS[crowd], ROUNDS)
        for name, one in zip(turns, timed[1:], strict=True):
            figures += figures_of(name, crowd, one, timed[0])
    return figures


def figures_of(name: str, crowd: int, timed: Timed, peer: Timed) -> Iterator[Figure]:
    base, size = f"annotation.{name}", f"{crowd} experts, {len(timed.latencies)} requests"
    mine, theirs = timed.per_second, peer.per_second
    yield Figure(f"{base}.rate", mine, "requests/s", "higher", PEER, theirs, size)
    for share in (50, 95, 99):
        mine, theirs = timed.percentile(share / 100), peer.percentile(share / 100)
        yield Figure(f"{base}.p{share}", mine, "ms", "lower", PEER, theirs, size)


def empty(experts: list[Browser]) -> Turn:
    async def turn(person: int) -> None:
        expect(204, await experts[person].get("/livez"))

    return turn


def look(work: list[list[Work]]) -> Turn:
    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect(200, await one.browser.get(one.path))

    return turn


def save(work: list[list[Work]]) -> Turn:
    """A draft that differs from the last one, with one event, as a moved card makes it."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        order = one.prior[::-1] if one.version % 2 else one.prior
        expect(200, await one.put(one.write("save", order, comment=str(one.version))))

    return turn


def submit(work: list[list[Work]]) -> Turn:
    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect(200, await one.put(one.write("agree")))

    return turn


def rotate(hers: list[Work]) -> Work:
    hers.append(hers.pop(0))
    return hers[-1]


@bench("annotation.board")
def board() -> Iterator[Figure]:
    """From a submission's answer to the board that shows its recomputed agreement."""
    with Stack() as stack:
        yield from asyncio.run(_board(stack))


async def _board(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, BOARDS)
    experts = await people.experts_of(coordinator, study, 3)
    work = [await people.work_of(expert) for expert in experts]
    shown, empties = Timed(), Timed()
    for number in range(BOARDS):
        for hers in work[1:]:
            expect(200, await hers[number].put(hers[number].write("agree")))
        await settled(coordinator, study, number + 1)
        began = time.perf_counter()
        expect(204, await coordinator.get("/livez"))
        empties.latencies.append(1000 * (time.perf_counter() - began))
        shown.latencies.append(
            await until_shown(coordinator, study, work[0][number], 3 * number + 3)
        )
    return [
        Figure(
            f"annotation.submission_to_board.p{share}",
            shown.percentile(share / 100),
            "ms",
            "lower",
            PEER,
            empties.percentile(share / 100),
            f"{BOARDS} submissions, 3 experts",
        )
        for share in (50, 95)
    ]


async def settled(coordinator: Browser, study: str, questions: int) -> None:
    async def done() -> bool:
        told = expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
        agreement = told["batches"][0]["agreement"]
        return bool(agreement and not agreement["stale"] and agreement["questions"] >= questions)

    await people.until(done, "agreement before the measured submission")


async def until_shown(coordinator: Browser, study: str, work: Work, answered: int) -> float:
    """Milliseconds until a page that reads the board at each message sees the new statistics."""
    address = f"{coordinator.address.replace('http', 'ws', 1)}/ws/studies/{study}"
    headers = {"Cookie": f"sessionid={coordinator.cookies['sessionid']}"}
    origin = Origin(coordinator.address)
    async with connect(address, additional_headers=headers, origin=origin) as socket:
        began = time.perf_counter()
        expect(200, await work.put(work.write("agree")))
        while True:
            json.loads(await socket.recv())
            told = expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
            agreement = told["batches"][0]["agreement"]
            if told["totals"]["answered"] == answered and not agreement["stale"]:
                return 1000 * (time.perf_counter() - began)
