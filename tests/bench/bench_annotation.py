"""Experts at work through real HTTP, beside empty views of the same server in the same run.

Server, worker, PostgreSQL and Valkey run as 'make run' starts them; the load comes from this
process, on the same machine, and takes a twentieth of one core. The database pool is the one
that 'make run' has. SIZE=small takes about a minute, SIZE=full is for figures to be quoted.
The web server's processor time of a request stands beside its latency: other programs on the
machine change it less. An answer that is lost, doubled or not the expected one ends the run.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.bench.figures import Figure, bench, run_size
from tests.bench.machine import processor_ms
from tests.e2e.stack import Stack
from tests.load import closed_loop, searches, virtual_users
from tests.load.closed_loop import Operation, Timed, side_by_side
from tests.load.http import Browser
from tests.load.studies import board_socket, export_responses, new_study
from tests.load.virtual_users import ExpertSession, expect_status

FULL = run_size() == "full"
ROUNDS = 4 if FULL else 2
REPETITIONS = (
    {1: 100, 20: 25, 200: 5} if FULL else {1: 25, 20: 5, 200: 2}
)  # crowd: each, in a round
QUESTIONS = 10
BOARDS = 30 if FULL else 8
PEER = "empty view"
SIGNED_IN = "empty view, signed in"
UNKNOWN = "/api/v1/assignments/00000000-0000-4000-8000-000000000000/response"
VISITORS, SAVING, SAVES = 50, 4, 250 if FULL else 50
MOST_SLOWDOWN = 3  # the goal for p95, beside an empty view and beside searches


@bench("annotation.load")
def load() -> Iterator[Figure]:
    """Requests per second and latency of what an expert's page does."""
    with Stack() as stack:
        yield from asyncio.run(_load(stack))


async def _load(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, QUESTIONS)
    experts = await virtual_users.experts_of(coordinator, study, max(REPETITIONS))
    work = [await virtual_users.work_of(expert) for expert in experts]
    operations = {
        "next_question": look(work),
        "save": save(work),
        "submit": submit(work),
        "activity": record(work),
    }
    figures: list[Figure] = []
    for crowd, each in REPETITIONS.items():
        figures += await measure_beside_empty(stack, operations, experts, crowd, each, ROUNDS)
    expected = sum(crowd * (each * ROUNDS + 1) for crowd, each in REPETITIONS.items())
    await check_nothing_lost(coordinator, study, expected)
    return figures


@bench("annotation.load_beside_searches")
def load_beside_searches() -> Iterator[Figure]:
    """Saving while visitors ask for expensive searches, beside saving in the quiet."""
    with Stack() as stack:
        yield from asyncio.run(_load_beside_searches(stack))


async def _load_beside_searches(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, QUESTIONS)
    experts = await virtual_users.experts_of(coordinator, study, SAVING)
    turn = save([await virtual_users.work_of(expert) for expert in experts])
    graph = await searches.import_hub_graph(stack.url)
    quiet, busy = Timed(), Timed()
    await closed_loop.run(turn, SAVING, 5, Timed())
    async with searches.searching(stack.url, graph, searches.addresses(1)):
        await closed_loop.run(turn, SAVING, 5, Timed())  # warm: kernels and what RNS needs
    for _ in range(ROUNDS):
        await closed_loop.run(turn, SAVING, SAVES, quiet)
        async with searches.searching(stack.url, graph, searches.addresses(VISITORS)) as visitors:
            await closed_loop.run(turn, SAVING, SAVES, busy)
        if visitors.unexplained:
            raise AssertionError(f"A search was answered {visitors.unexplained[0]}.")
    if busy.percentile(0.95) > MOST_SLOWDOWN * quiet.percentile(0.95):
        raise AssertionError(
            f"p95 of saving is {busy.percentile(0.95):.0f} ms beside searches, more than "
            f"{MOST_SLOWDOWN} times the {quiet.percentile(0.95):.0f} ms in the quiet."
        )
    size = f"{VISITORS} visitors, {SAVING} experts, {len(busy.latencies)} saves"
    return [
        Figure(
            f"annotation.save_beside_searches.p{share}",
            *(busy.percentile(share / 100), "ms", "lower"),
            *("quiet", quiet.percentile(share / 100), size),
        )
        for share in (50, 95, 99)
    ]


async def check_nothing_lost(coordinator: Browser, study: str, expected: int) -> None:
    """Every submission that was answered is there, once: a round's, and the one that warms up."""
    stored = sum(len(one["revisions"]) for one in await export_responses(coordinator, study))
    if stored != expected:
        raise AssertionError(f"{expected} submissions were answered and {stored} are stored.")


async def measure_beside_empty(
    stack: Stack,
    operations: Mapping[str, Operation],
    experts: list[Browser],
    crowd: int,
    each: int,
    rounds: int,
) -> list[Figure]:
    """Each operation beside both empty views, and the one with a session beside the other."""
    peers = [empty(experts), empty_signed_in(experts)]
    every = [*peers, *operations.values()]
    timed = await side_by_side(every, crowd, each, rounds, lambda: processor_ms(stack.pid("web")))
    figures = [*figures_of("signed_in", crowd, timed[1], PEER, timed[0])]
    for name, one in zip(operations, timed[2:], strict=True):
        figures += figures_of(name, crowd, one, PEER, timed[0])
        figures += figures_of(name, crowd, one, SIGNED_IN, timed[1])
    return figures


def figures_of(
    name: str, crowd: int, timed: Timed, peer_name: str, peer: Timed
) -> Iterator[Figure]:
    base = f"annotation.{name}"
    size = f"{crowd} at once, {len(timed.latencies)} requests"
    mine, theirs = timed.per_second, peer.per_second
    yield Figure(f"{base}.rate", mine, "requests/s", "higher", peer_name, theirs, size)
    for share in (50, 95, 99):
        mine, theirs = timed.percentile(share / 100), peer.percentile(share / 100)
        goal = MOST_SLOWDOWN if (share, peer_name) == (95, PEER) else None
        yield Figure(f"{base}.p{share}", mine, "ms", "lower", peer_name, theirs, size, goal=goal)
    mine, theirs = (one.processor_ms / len(one.latencies) for one in (timed, peer))
    yield Figure(f"{base}.processor", mine, "ms", "lower", peer_name, theirs, size)


def empty(experts: list[Browser]) -> Operation:
    """All middleware; neither session nor database."""

    async def turn(person: int) -> None:
        expect_status(204, await experts[person].get("/livez"))

    return turn


def empty_signed_in(experts: list[Browser]) -> Operation:
    """The route of a save, without a key: session, account, CSRF token and JSON are read, then it
    is refused before any other statement."""

    async def turn(person: int) -> None:
        expect_status(400, await experts[person].send("PUT", UNKNOWN, {"version": 0}))

    return turn


def look(work: list[list[ExpertSession]]) -> Operation:
    """What the page loads to show the next question: the batch, with all answers of the expert."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect_status(200, await one.browser.get(f"/api/v1/batches/{one.batch}/assignments"))

    return turn


def save(work: list[list[ExpertSession]]) -> Operation:
    """A draft that differs from the last one, as a moved card makes it."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect_status(200, await one.put(one.write("save", another(one))))

    return turn


def record(work: list[list[ExpertSession]]) -> Operation:
    """One entry of the activity log, as a moved card makes it."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        expect_status(200, await one.post_activity(event(one, "moved")))

    return turn


def submit(work: list[list[ExpertSession]]) -> Operation:
    """A new order: the answer and its revision, announced to board and worker."""

    async def turn(person: int) -> None:
        one = rotate(work[person])
        write = one.write("submit", another(one))
        expect_status(200, await one.put(write))

    return turn


def another(work: ExpertSession) -> list[list[str]]:
    """An order that is neither the one shown first nor the one sent last time."""
    ids = [one for group in work.prior for one in group]
    place = 1 + work.version % (len(ids) - 1)
    return [[one] for one in ids[place:] + ids[:place]]


def event(work: ExpertSession, kind: str) -> dict[str, Any]:
    order = {"old": work.prior, "new": another(work)} if kind == "moved" else {}
    at = datetime.now(UTC).isoformat()
    return {"id": str(uuid.uuid4()), "kind": kind, "old": None, "new": None, "at": at, **order}


def rotate(sessions: list[ExpertSession]) -> ExpertSession:
    sessions.append(sessions.pop(0))
    return sessions[-1]


@bench("annotation.submission_to_board")
def board() -> Iterator[Figure]:
    """From sending a submission to a push, and to a board that shows its new agreement."""
    with Stack() as stack:
        yield from asyncio.run(_board(stack))


async def _board(stack: Stack) -> list[Figure]:
    coordinator, study = await new_study(stack.url, BOARDS)
    experts = await virtual_users.experts_of(coordinator, study, 3)
    work = [await virtual_users.work_of(expert) for expert in experts]
    pushed, shown, empties = Timed(), Timed(), Timed()
    for number in range(BOARDS):
        for sessions in work[1:]:
            expect_status(200, await sessions[number].put(sessions[number].write("agree")))
        await settled(coordinator, study, 3 * number + 2)
        began = time.perf_counter()
        expect_status(204, await coordinator.get("/livez"))
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

    await virtual_users.until(done, "agreement before the measured submission")


async def agreed(coordinator: Browser, study: str, answered: int) -> bool:
    """Whether the board counts so many answers, and a worker has done so too."""
    dashboard = expect_status(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
    agreement = dashboard["batches"][0]["agreement"]
    fresh = bool(agreement and not agreement["stale"])
    return fresh and bool(dashboard["totals"]["answered"] == answered)


async def newer_board(socket: ClientConnection, version: int) -> None:
    while True:
        message = json.loads(await socket.recv())
        if message["what"] == "board" and message["version"] > version:
            return


async def watch_one(
    coordinator: Browser,
    study: str,
    work: ExpertSession,
    answered: int,
    pushed: Timed,
    shown: Timed,
) -> None:
    """As a page does: it waits for a push, reads the board, and waits for the next.

    An earlier message, or one of statistics or presence, is no push of this submission.
    """
    async with board_socket(coordinator, study) as socket, asyncio.timeout(90):
        before = expect_status(200, await coordinator.get(f"/api/v1/studies/{study}/board"))[
            "version"
        ]
        began = time.perf_counter()
        sending = asyncio.create_task(work.put(work.write("agree")))
        await newer_board(socket, before)
        pushed.add_since(began)
        while not await agreed(coordinator, study, answered):
            await socket.recv()
        shown.add_since(began)
        expect_status(200, await sending)
