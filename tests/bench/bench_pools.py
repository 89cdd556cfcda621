"""Raters of a pool through real HTTP: their speed beside an empty view, and kills of servers.

As `bench_annotation`, with questions that are leased. A rater who loads the next question leases
one more; a submission is the first one of a leased question. The goal: p95 of saving and of
submitting within three times that of the empty view, at 200 raters. `/livez` reads no session and
no account, so an empty view that does is measured beside it.
"""

import asyncio
import time
from collections.abc import Iterator

from tests.bench.bench_annotation import FULL, check_nothing_lost, measure_beside_empty
from tests.bench.figures import Figure, bench
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.closed_loop import Operation
from tests.load.http import Browser
from tests.load.pools import PoolSize, check_pool, new_pool, run_pool
from tests.load.virtual_users import ExpertSession, expect_status

ROUNDS, EACH = (4, 5) if FULL else (2, 3)
CROWDS = (20, 200)
OVERLAP = 3  # with an item for each two answers, so that nobody runs out of items
KILLS = (
    PoolSize(items=500, raters=20, kills=16) if FULL else PoolSize(items=100, raters=20, kills=6)
)
SEED = 14


class PoolRater:
    """One expert's page: the open questions that are leased, oldest first."""

    def __init__(self, browser: Browser, batch: str) -> None:
        self.browser, self.batch = browser, batch
        self.open: list[ExpertSession] = []

    async def lease(self) -> None:
        body = {"count": len(self.open) + 1}
        leased = await self.browser.post(f"/api/v1/batches/{self.batch}/leases", body)
        known = {one.assignment["id"] for one in self.open}
        for one in expect_status(200, leased)["assignments"]:
            if one["id"] not in known and one["response"]["submitted"] is None:
                self.open.append(ExpertSession(self.browser, self.batch, one))

    async def save(self) -> None:
        one = self.open[-1]
        write = one.write("save", comment=f"draft {one.version}")
        expect_status(200, await one.put(write))

    async def submit(self) -> None:
        one = self.open.pop()
        expect_status(200, await one.put(one.write("rank")))


@bench("annotation.pool")
def pool() -> Iterator[Figure]:
    """Requests per second and latency of experts who take questions from a pool."""
    with Stack() as stack:
        yield from asyncio.run(_pool(stack))


async def _pool(stack: Stack) -> list[Figure]:
    answers = sum(CROWDS) * (ROUNDS * EACH + 1)
    coordinator, study = await new_pool(stack, answers // 2, OVERLAP)
    experts = await virtual_users.experts_of(coordinator, study, max(CROWDS))
    raters = [PoolRater(one, await _batch_of(one)) for one in experts]
    operations: dict[str, Operation] = {
        "lease": lambda person: raters[person].lease(),
        "pool_save": lambda person: raters[person].save(),
        "pool_submit": lambda person: raters[person].submit(),
    }
    figures: list[Figure] = []
    for crowd in CROWDS:
        figures += await measure_beside_empty(stack, operations, experts, crowd, EACH, ROUNDS)
    await check_nothing_lost(coordinator, study, answers)
    return figures


async def _batch_of(expert: Browser) -> str:
    [batch] = expect_status(200, await expert.get("/api/v1/batches"))["results"]
    return str(batch["id"])


@bench("annotation.kills")
def kills() -> Iterator[Figure]:
    """Answers of a pool while web server and worker are killed; a lost or doubled one ends it."""
    with Stack() as stack:
        yield from asyncio.run(_kills(stack))


async def _kills(stack: Stack) -> list[Figure]:
    began = time.perf_counter()
    run = await run_pool(stack, KILLS, seed=SEED)
    seconds = time.perf_counter() - began
    states = await check_pool(run)
    base = "annotation.kills"
    size = f"{KILLS.items} items, {KILLS.raters} raters, kills: {dict(run.kills)}"
    peer = ("requested", float(KILLS.answers), size, SEED)
    measured = (
        ("surplus", states["surplus"], "answers"),
        ("skipped_or_lost_leases", states["released"], "assignments"),
        ("repeated", run.repeated, "requests"),
        ("seconds", seconds, "s"),
    )
    return [
        Figure(f"{base}.counted", states["active"], "answers", "higher", *peer),
        *(
            Figure(f"{base}.{name}", value, unit, "lower", size=size, seed=SEED)
            for name, value, unit in measured
        ),
    ]
