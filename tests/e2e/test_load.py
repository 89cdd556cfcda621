"""Many at once, through real HTTP and WebSockets, a real worker and a real queue."""

import asyncio
import json
import random
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import redis
from websockets.asyncio.client import ClientConnection

from tests.e2e.stack import Stack
from tests.load import people, play
from tests.load.http import Browser
from tests.load.people import Work, expect
from tests.load.studies import board_socket, exported, first_work, new_study

EXPERTS = 20


async def agreement_is_fresh(coordinator: Browser, study: str, questions: int) -> Any:
    """The board once a worker has counted every answer; None before that."""
    board = expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
    agreement = board["batches"][0]["agreement"]
    done = agreement and not agreement["stale"] and agreement["questions"] == questions
    return board if done else None


def fresh(coordinator: Browser, study: str, questions: int) -> Callable[[], Awaitable[Any]]:
    return lambda: agreement_is_fresh(coordinator, study, questions)


def shuffled(work: Work, chance: random.Random) -> list[list[str]]:
    """An order that is not the prior: some of it moved, some of it tied."""
    order = [one for group in work.prior for one in group]
    while [[one] for one in order] == work.prior:
        chance.shuffle(order)
    return (
        [order[:2], *([one] for one in order[2:])]
        if chance.random() < 0.3
        else [[one] for one in order]
    )


def test_twenty_experts_at_once_lose_and_double_nothing(served: Stack) -> None:
    play(_twenty_experts(served))


async def _twenty_experts(served: Stack) -> None:
    coordinator, study = await new_study(served.url)
    experts = await people.experts_of(coordinator, study, EXPERTS)
    async with board_socket(coordinator, study) as socket:
        sent = [order for each in await asyncio.gather(*map(_rank_all, experts)) for order in each]
        board = await people.until(fresh(coordinator, study, 6), "agreement of all answers")
        versions = await versions_heard(socket, {"board", "agreement"})
    assert len(set(versions)) == len(versions)
    assert board["totals"]["answered"] == board["totals"]["expected"] == EXPERTS * 6
    kept = await exported(coordinator, study)
    assert all(len(assignment["revisions"]) == 1 for assignment in kept)
    stored = {assignment["id"]: assignment["revisions"][0]["ranking"] for assignment in kept}
    assert stored == dict(sent)


async def versions_heard(socket: ClientConnection, kinds: set[str]) -> list[int]:
    """Of what an open board was told, until each of these kinds was among it."""
    told: list[dict[str, Any]] = []
    async with asyncio.timeout(90):
        while not kinds <= {one["what"] for one in told}:
            told.append(json.loads(await socket.recv()))
    return [one["version"] for one in told]


async def _rank_all(expert: Browser) -> list[tuple[str, list[list[str]]]]:
    """Every question: a draft, then a submission; what she sent last for each."""
    chance = random.Random(expert.cookies["sessionid"])  # noqa: S311  orders, not secrets
    sent = []
    for work in await people.work_of(expert):
        order = shuffled(work, chance)
        expect(200, await work.put(work.write("save", order)))
        expect(200, await work.put(work.write("submit", order)))
        sent.append((work.assignment["id"], order))
    return sent


def test_fifty_copies_of_one_submission_are_one_answer(served: Stack) -> None:
    play(_fifty_copies(served))


async def _fifty_copies(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_work(coordinator, study)
    key, told = uuid.uuid4(), work.write("agree")
    answers = await asyncio.gather(*(put_from_elsewhere(work, told, key) for _ in range(50)))
    assert {status for status, _ in answers} == {200}
    assert len({json.dumps(body, sort_keys=True) for _, body in answers}) == 1
    assert [len(one["revisions"]) for one in await exported(coordinator, study)] == [1]


def test_fifty_tabs_with_one_version_leave_one_answer_and_show_both_to_the_rest(
    served: Stack,
) -> None:
    play(_fifty_tabs(served))


async def _fifty_tabs(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_work(coordinator, study)
    told = [work.write("agree", comment=f"tab {tab}") for tab in range(50)]
    answers = await asyncio.gather(*(put_from_elsewhere(work, one, uuid.uuid4()) for one in told))
    assert sorted(status for status, _ in answers) == [200] + [409] * 49
    winner = next(body["comment"] for status, body in answers if status == 200)
    refused = [body for status, body in answers if status == 409]
    assert {body["code"] for body in refused} == {"stale_version"}
    assert {body["current"]["comment"] for body in refused} == {winner}
    mine = {body["yours"]["comment"] for body in refused}
    assert mine == {one["comment"] for one in told} - {winner}
    assert [len(one["revisions"]) for one in await exported(coordinator, study)] == [1]


async def put_from_elsewhere(work: Work, told: Any, key: uuid.UUID) -> tuple[int, Any]:
    """The same person on a connection of its own."""
    tab = Browser(work.browser.address, dict(work.browser.cookies))
    answered = await tab.put(f"{work.path}/response", told, key)
    tab.hang_up()
    return answered.status, answered.json()


def test_a_lost_acknowledgement_is_answered_again_and_nothing_is_doubled(served: Stack) -> None:
    play(_lost_acknowledgement(served))


async def _lost_acknowledgement(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_work(coordinator, study)
    key, told = uuid.uuid4(), work.write("agree")
    for _ in range(3):
        headers = {"Idempotency-Key": str(key)}
        await work.browser.send("PUT", f"{work.path}/response", told, headers)
        work.browser.hang_up()
    answered = expect(200, await work.put(told, key))
    assert (answered["version"], answered["state"]) == (1, "confirmed")
    assert [len(one["revisions"]) for one in await exported(coordinator, study)] == [1]


def test_emptying_valkey_and_killing_the_worker_cost_no_answer(served: Stack) -> None:
    play(_without_queue_and_worker(served))


async def _without_queue_and_worker(served: Stack) -> None:
    """One answers while the queue is emptied, the other once the worker is killed."""
    coordinator, study = await new_study(served.url, 3)
    first, second = await people.experts_of(coordinator, study, 2)
    for work in await people.work_of(first):
        expect(200, await work.put(work.write("agree")))
        await asyncio.to_thread(empty_valkey, served)
    await asyncio.to_thread(served.kill, "worker")
    for work in await people.work_of(second):
        expect(200, await work.put(work.write("agree")))
    board = await people.until(fresh(coordinator, study, 3), "agreement after the loss")
    assert board["totals"]["answered"] == 6
    assert board["batches"][0]["agreement"]["kendall_w"]["value"] == 1.0


def empty_valkey(served: Stack) -> None:
    with redis.Redis.from_url(served.state()["redis_url"]) as valkey:
        valkey.flushall()
