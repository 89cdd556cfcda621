"""Raters of a pool who work on while servers are killed and leases expire, and what they leave."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg

from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.http import Browser, TimedResponse
from tests.load.studies import exported_questions, new_study
from tests.load.virtual_users import ExpertSession, expect_status

PARTS = ("web", "worker")
MOST_LEASES = 5
SAVED_SHARE, SKIPPED_SHARE = 0.3, 0.1
SECONDS = 1_800
EXPIRE = "UPDATE annotation_assignment SET leased_until = now() WHERE study_id = %s"


@dataclass(frozen=True)
class PoolSize:
    items: int
    raters: int
    kills: int
    overlap: int = 3

    @property
    def answers(self) -> int:
        return self.items * self.overlap


@dataclass
class PoolRun:
    """acknowledged: by assignment, the comment of the answer that the server confirmed; None for
    a skip. repeated: requests that were sent again, for want of an answer."""

    stack: Stack
    coordinator: Browser
    study: str
    size: PoolSize
    chance: random.Random
    acknowledged: dict[str, str | None] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    is_done: bool = False

    async def send(self, request: Callable[[], Awaitable[TimedResponse]], browser: Browser) -> Any:
        """Until it is answered: the same request, over a new connection after a loss."""
        while True:
            try:
                answered = await request()
            except (OSError, asyncio.IncompleteReadError):
                browser.hang_up()
            else:
                if answered.status != 503:
                    return expect_status(200, answered)
            self.repeated += 1
            await asyncio.sleep(0.1)


async def new_pool(stack: Stack, items: int, overlap: int) -> tuple[Browser, str]:
    """A study whose experts take plain questions from a pool, of a set that an import made."""
    coordinator, first = await new_study(stack.url, items)
    names = {one["id"]: one["name"] for one in await _results(coordinator, "studies")}
    sets = await _results(coordinator, "question-sets")
    chosen = next(one["id"] for one in sets if one["name"] == names[first])
    fields = {"name": f"Pool {names[first]}", "question_set": chosen, "overlap": overlap}
    created = expect_status(201, await coordinator.post("/api/v1/studies", fields))
    return coordinator, created["study"]["id"]


async def _results(browser: Browser, resource: str) -> Any:
    return expect_status(200, await browser.get(f"/api/v1/{resource}"))["results"]


async def run_pool(stack: Stack, size: PoolSize, *, seed: int) -> PoolRun:
    """Answer all of a pool, with kills and expired leases at random moments of the work."""
    coordinator, study = await new_pool(stack, size.items, size.overlap)
    run = PoolRun(stack, coordinator, study, size, random.Random(seed))  # noqa: S311  seeded
    raters = await virtual_users.experts_of(coordinator, study, size.raters)
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        group.create_task(_watch(run))
        group.create_task(_kill(run))
        for number, rater in enumerate(raters):
            group.create_task(_answer(run, rater, number))
    return run


async def check_pool(run: PoolRun) -> Counter[str]:
    """Every item has its answers exactly, and all that was acknowledged is stored, once.

    Returns how many assignments ended in each state.
    """
    states: Counter[str] = Counter()
    stored: dict[str, str | None] = {}
    for question in await exported_questions(run.coordinator, run.study):
        counted = Counter(map(_ending, question["assignments"]))
        assert counted["active"] == run.size.overlap, (question["id"], counted)
        states += counted
        experts = [one["expert"] for one in question["assignments"]]
        assert len(set(experts)) == len(experts), question["id"]
        stored |= {one["id"]: _comment(one) for one in question["assignments"] if one["revisions"]}
    assert stored == run.acknowledged
    return states


async def agreement_is_fresh(run: PoolRun) -> bool:
    board = await _read_board(run)
    agreement = board["batches"][0]["agreement"]
    return bool(agreement and not agreement["stale"] and agreement["questions"] == run.size.items)


async def _read_board(run: PoolRun) -> Any:
    path = f"/api/v1/studies/{run.study}/board"
    return await run.send(lambda: run.coordinator.get(path), run.coordinator)


def _ending(assignment: dict[str, Any]) -> str:
    """The state; of an assignment that counts but has no answer, another one."""
    is_active = assignment["state"] == "active"
    return "unanswered" if is_active and not assignment["revisions"] else assignment["state"]


def _comment(assignment: dict[str, Any]) -> str | None:
    [revision] = assignment["revisions"]
    comment: str = revision["payload"]["comment"]
    return None if revision["status"] == "skipped" else comment


async def _watch(run: PoolRun) -> None:
    while (await _read_board(run))["totals"]["answered"] < run.size.answers:
        await asyncio.sleep(0.2)
    run.is_done = True


async def _kill(run: PoolRun) -> None:
    """Each kill comes after a random number of answers, and the leases of all expire with it."""
    moments = sorted(run.chance.sample(range(1, run.size.answers * 9 // 10), run.size.kills))
    for number, moment in enumerate(moments):
        while len(run.acknowledged) < moment and not run.is_done:
            await asyncio.sleep(0.01)
        part = PARTS[number % len(PARTS)]
        await asyncio.to_thread(run.stack.kill, part)
        run.kills[part] += 1
        await asyncio.to_thread(_expire_leases, run)


def _expire_leases(run: PoolRun) -> None:
    with psycopg.connect(run.stack.state()["database_url"]) as database:
        database.execute(EXPIRE, [run.study])


async def _answer(run: PoolRun, rater: Browser, number: int) -> None:
    chance = random.Random(run.chance.random())  # noqa: S311  seeded
    batches = await run.send(lambda: rater.get("/api/v1/batches"), rater)
    path = f"/api/v1/batches/{batches['results'][0]['id']}/leases"
    while not run.is_done:
        count = {"count": chance.randint(1, MOST_LEASES)}
        leased = await run.send(lambda: rater.post(path, count), rater)  # noqa: B023  sent at once
        work = [one for one in leased["assignments"] if one["response"]["submitted"] is None]
        for one in work:
            session = ExpertSession(rater, path, one, one["response"]["version"])
            await _answer_one(run, session, number, chance)
        if not work:
            await asyncio.sleep(0.1)


async def _answer_one(
    run: PoolRun, session: ExpertSession, number: int, chance: random.Random
) -> None:
    """A draft at times, then an answer. Until the first kill one rater skips a few items; later
    the others could be too few for them, since a place that is lost does not come back."""
    comment = uuid.uuid4().hex
    skips = number == 0 and not run.kills and chance.random() < SKIPPED_SHARE
    intents = ["skip" if skips else "rank"]
    if chance.random() < SAVED_SHARE:
        intents.insert(0, "save")
    for intent in intents:
        body, key = session.write(intent, comment=comment), uuid.uuid4()
        await run.send(lambda: session.put(body, key), session.browser)  # noqa: B023  sent at once
    run.acknowledged[session.assignment["id"]] = None if skips else comment
