"""Experts at work through real HTTP, beside an empty view of the same server in the same run.

Server, worker, PostgreSQL and Valkey run as 'make run' starts them; the load comes from this
process, on the same machine, and takes a twentieth of one core. The database pool is the one
that 'make run' has. SIZE=small takes about a minute, SIZE=full is for figures to be quoted.
An answer that is lost, doubled or not the expected one ends the run.
"""

import asyncio
import json
import os
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.bench.figures import Figure, bench
from tests.e2e.stack import Stack
from tests.load import people
from tests.load.closed_loop import Timed, Turn, side_by_side
from tests.load.http import Browser
from tests.load.people import Work, expect
from tests.load.studies import board_socket, exported, new_study

FULL = {"small": False, "full": True}[os.environ.get("SIZE", "small")]
ROUNDS = 4 if FULL else 2
TURNS = {1: 100, 20: 25, 200: 5} if FULL else {1: 25, 20: 5, 200: 2}  # crowd: each, in a round
QUESTIONS = 10
BOARDS = 30 if FULL else 8
PEER = "empty view"


@bench("annotation.load")
def load() -> Iterator[Figure]:
    """Requests per second and latency of what an expert's page does."""
    with Stack() as stack:
        yield from asyncio.run(_load(stack))


async def _load(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, QUESTIONS)
    experts = await people.experts_of(coordinator, study, max(TURNS))
    work = [await people.work_of(expert) for expert in experts]
    turns = {"next_question": look(work), "save": save(work), "submit": submit(work)}
    figures: list[Figure] = []
    for crowd, each in TURNS.items():
        timed = await side_by_side([empty(experts), *turns.values()], crowd, each, ROUNDS)
        for name, one in zip(turns, timed[1:], strict=True):
            figures += figures_of(name, crowd, one, timed[0])
    await check_nothing_lost(coordinator, study)
    return figures


async def check_nothing_lost(coordinator: Browser, study: str) -> None:
    """Every submission that was answered is there, once: a round's, and the one that warms up."""
    expected = sum(crowd * (each * ROUNDS + 1) for crowd, each in TURNS.items())
    kept = sum(len(one["revisions"]) for one in await exported(coordinator, study))
    if kept != expected:
        raise AssertionError(f"{expected} submissions were answered and {kept} are kept.")


def figures_of(name: str, crowd: int, timed: Timed, peer: Timed) -> Iterator[Figure]:
    base = f"annotation.{name}"
    size = f"{crowd} at once, {len(timed.latencies)} requests, batch of {QUESTIONS}"
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
    """What her page loads to show her next question: the batch, with all that she answered."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect(200, await one.browser.get(f"/api/v1/batches/{one.batch}/assignments"))

    return turn


def save(work: list[list[Work]]) -> Turn:
    """A draft that differs from the last one, with its event, as a moved card makes it."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect(200, await one.put(one.write("save", another(one), events=[event(one, "moved")])))

    return turn


def submit(work: list[list[Work]]) -> Turn:
    """An order of her own: the answer, its revision and its event, told to board and worker."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        told = one.write("submit", another(one), events=[event(one, "submitted")])
        expect(200, await one.put(told))

    return turn


def another(work: Work) -> list[list[str]]:
    """An order that is neither the one shown first nor the one sent last time."""
    ids = [one for group in work.prior for one in group]
    place = 1 + work.version % (len(ids) - 1)
    return [[one] for one in ids[place:] + ids[:place]]


def event(work: Work, kind: str) -> dict[str, Any]:
    order = {"old": work.prior, "new": another(work)} if kind == "moved" else {}
    at = datetime.now(UTC).isoformat()
    return {"id": str(uuid.uuid4()), "kind": kind, "old": None, "new": None, "at": at, **order}


def rotate(hers: list[Work]) -> Work:
    hers.append(hers.pop(0))
    return hers[-1]


@bench("annotation.submission_to_board")
def board() -> Iterator[Figure]:
    """From sending a submission to a push, and to a board that shows its new agreement."""
    with Stack() as stack:
        yield from asyncio.run(_board(stack))


async def _board(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, BOARDS)
    experts = await people.experts_of(coordinator, study, 3)
    work = [await people.work_of(expert) for expert in experts]
    pushed, shown, empties = Timed(), Timed(), Timed()
    for number in range(BOARDS):
        for hers in work[1:]:
            expect(200, await hers[number].put(hers[number].write("agree")))
        await settled(coordinator, study, 3 * number + 2)
        began = time.perf_counter()
        expect(204, await coordinator.get("/livez"))
        empties.add_since(began)
        await watch_one(coordinator, study, work[0][number], 3 * number + 3, pushed, shown)
    return [
        figure
        for name, timed in (("pushed", pushed), ("agreement_shown", shown))
        for figure in board_figures(name, timed, empties)
    ]


def board_figures(name: str, timed: Timed, peer: Timed) -> Iterator[Figure]:
    base, size = f"annotation.submission_to_board.{name}", f"{BOARDS} submissions, 3 experts"
    for share in (50, 95):
        mine, theirs = timed.percentile(share / 100), peer.percentile(share / 100)
        yield Figure(f"{base}.p{share}", mine, "ms", "lower", PEER, theirs, size)


async def settled(coordinator: Browser, study: str, answered: int) -> None:
    async def done() -> bool:
        return await agreed(coordinator, study, answered)

    await people.until(done, "agreement before the measured submission")


async def agreed(coordinator: Browser, study: str, answered: int) -> bool:
    """Whether the board counts so many answers, and a worker has done so too."""
    told = expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
    agreement = told["batches"][0]["agreement"]
    fresh = bool(agreement and not agreement["stale"])
    return fresh and bool(told["totals"]["answered"] == answered)


async def newer_board(socket: ClientConnection, version: int) -> None:
    while True:
        told = json.loads(await socket.recv())
        if told["what"] == "board" and told["version"] > version:
            return


async def watch_one(
    coordinator: Browser, study: str, work: Work, answered: int, pushed: Timed, shown: Timed
) -> None:
    """As a page does: it waits for a push, reads the board, and waits for the next.

    Whatever was told before, or of statistics and presence, is no push of this submission.
    """
    async with board_socket(coordinator, study) as socket, asyncio.timeout(90):
        before = expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))["version"]
        began = time.perf_counter()
        sending = asyncio.create_task(work.put(work.write("agree")))
        await newer_board(socket, before)
        pushed.add_since(began)
        while not await agreed(coordinator, study, answered):
            await socket.recv()
        shown.add_since(began)
        expect(200, await sending)
