"""Many at once, through real HTTP and WebSockets, a real worker and a real queue."""

import asyncio
import json
import os
import random
import signal
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import redis
from websockets.asyncio.client import ClientConnection

from tests.e2e.stack import Stack
from tests.load import play, searches, virtual_users
from tests.load.http import Browser, TimedResponse
from tests.load.studies import board_socket, export_responses, first_assignment_work, new_study
from tests.load.virtual_users import ExpertSession, expect_status

EXPERTS = 20


async def agreement_is_fresh(coordinator: Browser, study: str, questions: int) -> Any:
    """The board once a worker has counted every answer; None before that."""
    board = expect_status(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
    agreement = board["batches"][0]["agreement"]
    done = agreement and not agreement["stale"] and agreement["questions"] == questions
    return board if done else None


def is_fresh(coordinator: Browser, study: str, questions: int) -> Callable[[], Awaitable[Any]]:
    return lambda: agreement_is_fresh(coordinator, study, questions)


def shuffled(work: ExpertSession, chance: random.Random) -> list[list[str]]:
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
    experts = await virtual_users.experts_of(coordinator, study, EXPERTS)
    async with board_socket(coordinator, study) as socket:
        sent = [order for each in await asyncio.gather(*map(_rank_all, experts)) for order in each]
        board = await virtual_users.until(
            is_fresh(coordinator, study, 6), "agreement of all answers"
        )
        versions = await notified_versions(socket, {"board", "agreement"})
    assert len(set(versions)) == len(versions)
    assert board["totals"]["answered"] == board["totals"]["expected"] == EXPERTS * 6
    exported = await export_responses(coordinator, study)
    assert all(len(assignment["revisions"]) == 1 for assignment in exported)
    stored = {
        assignment["id"]: assignment["revisions"][0]["payload"]["ranking"]
        for assignment in exported
    }
    assert stored == dict(sent)


async def notified_versions(socket: ClientConnection, kinds: set[str]) -> list[int]:
    """The notifications of an open dashboard, until each of these kinds was among them."""
    notifications: list[dict[str, Any]] = []
    async with asyncio.timeout(90):
        while not kinds <= {one["what"] for one in notifications}:
            notifications.append(json.loads(await socket.recv()))
    return [one["version"] for one in notifications]


async def _rank_all(expert: Browser) -> list[tuple[str, list[list[str]]]]:
    """Every question: a draft, then a submission; what the expert sent last for each."""
    chance = random.Random(expert.cookies["sessionid"])  # noqa: S311  orders, not secrets
    sent = []
    for work in await virtual_users.work_of(expert):
        order = shuffled(work, chance)
        expect_status(200, await work.put(work.write("save", order)))
        expect_status(200, await work.put(work.write("submit", order)))
        sent.append((work.assignment["id"], order))
    return sent


def test_fifty_copies_of_one_submission_are_one_answer(served: Stack) -> None:
    play(_fifty_copies(served))


async def _fifty_copies(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_assignment_work(coordinator, study)
    key, write = uuid.uuid4(), work.write("agree")
    answers = await asyncio.gather(*(put_from_elsewhere(work, write, key) for _ in range(50)))
    assert {status for status, _ in answers} == {200}
    assert len({json.dumps(body, sort_keys=True) for _, body in answers}) == 1
    assert [len(one["revisions"]) for one in await export_responses(coordinator, study)] == [1]


def test_fifty_tabs_with_one_version_leave_one_answer_and_show_both_to_the_rest(
    served: Stack,
) -> None:
    play(_fifty_tabs(served))


async def _fifty_tabs(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_assignment_work(coordinator, study)
    write = [work.write("agree", comment=f"tab {tab}") for tab in range(50)]
    answers = await asyncio.gather(*(put_from_elsewhere(work, one, uuid.uuid4()) for one in write))
    assert sorted(status for status, _ in answers) == [200] + [409] * 49
    winner = next(body["payload"]["comment"] for status, body in answers if status == 200)
    refused = [body for status, body in answers if status == 409]
    assert {body["code"] for body in refused} == {"stale_version"}
    assert {body["server_version"]["payload"]["comment"] for body in refused} == {winner}
    mine = {body["client_version"]["payload"]["comment"] for body in refused}
    assert mine == {one["payload"]["comment"] for one in write} - {winner}
    assert [len(one["revisions"]) for one in await export_responses(coordinator, study)] == [1]


async def put_from_elsewhere(work: ExpertSession, write: Any, key: uuid.UUID) -> tuple[int, Any]:
    """The same person on a connection of its own."""
    tab = Browser(work.browser.address, dict(work.browser.cookies))
    answered = await tab.put(f"{work.path}/response", write, key)
    tab.hang_up()
    return answered.status, answered.json()


def test_a_lost_acknowledgement_is_answered_again_and_nothing_is_doubled(served: Stack) -> None:
    play(_lost_acknowledgement(served))


async def _lost_acknowledgement(served: Stack) -> None:
    coordinator, study = await new_study(served.url, 1)
    work = await first_assignment_work(coordinator, study)
    key, write = uuid.uuid4(), work.write("agree")
    for _ in range(3):
        headers = {"Idempotency-Key": str(key)}
        await work.browser.send("PUT", f"{work.path}/response", write, headers)
        work.browser.hang_up()
    answered = expect_status(200, await work.put(write, key))
    assert (answered["version"], answered["outcome"]) == (1, "confirmed")
    assert [len(one["revisions"]) for one in await export_responses(coordinator, study)] == [1]


@pytest.mark.disrupts
def test_emptying_valkey_and_killing_the_worker_cost_no_answer(stack: Stack) -> None:
    play(_without_queue_and_worker(stack))


async def _without_queue_and_worker(stack: Stack) -> None:
    """One answers while the queue is emptied, the other once the worker is killed."""
    coordinator, study = await new_study(stack.url, 3)
    first, second = await virtual_users.experts_of(coordinator, study, 2)
    for work in await virtual_users.work_of(first):
        expect_status(200, await work.put(work.write("agree")))
        await asyncio.to_thread(empty_valkey, stack)
    await asyncio.to_thread(stack.kill, "worker")
    for work in await virtual_users.work_of(second):
        expect_status(200, await work.put(work.write("agree")))
    board = await virtual_users.until(is_fresh(coordinator, study, 3), "agreement after the loss")
    assert board["totals"]["answered"] == 6
    measures = {one["name"]: one for one in board["batches"][0]["agreement"]["measures"]}
    assert measures["kendall_w"]["value"] == 1.0


@pytest.mark.disrupts
def test_writes_while_postgresql_restarts_are_saved_once_or_answered_503(stack: Stack) -> None:
    play(_writes_while_postgresql_restarts(stack))


async def _writes_while_postgresql_restarts(stack: Stack) -> None:
    """Three restarts, each in another way; nothing but 200 and 503 is answered."""
    coordinator, study = await new_study(stack.url, 1)
    experts = await virtual_users.experts_of(coordinator, study, 6)
    sessions = [(await virtual_users.work_of(expert))[0] for expert in experts]
    answers: list[TimedResponse] = []
    for ending in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        restarted = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for session in sessions:
                group.create_task(_save_until(restarted, session, answers))
            await asyncio.to_thread(restart_postgresql, stack, ending)
            restarted.set()
    assert len(answers) >= 500
    assert {one.status for one in answers} == {200, 503}
    refused = [one for one in answers if one.status == 503]
    assert {one.json()["code"] for one in refused} == {"unavailable"}
    assert all(int(dict(one.headers)["retry-after"]) > 0 for one in refused)
    stored = [one["response"]["version"] for one in await export_responses(coordinator, study)]
    assert sum(stored) == len(answers) - len(refused)


async def _save_until(
    restarted: asyncio.Event, session: ExpertSession, answers: list[TimedResponse]
) -> None:
    """Drafts, each under its key until it is saved; 30 more after the restart."""
    left = 30
    while left:
        left -= restarted.is_set()
        key, write = uuid.uuid4(), session.write("save", comment=str(len(answers)))
        while (answered := await session.put(write, key)).status != 200:
            answers.append(answered)
            assert answered.status == 503, answered.body
            await asyncio.sleep(0.2)
        answers.append(answered)


def restart_postgresql(served: Stack, ending: signal.Signals) -> None:
    """End the database server; the supervisor starts another, which is waited for."""
    pid_file = served.data / "postgres" / "postmaster.pid"
    ended = int(pid_file.read_text().split()[0])
    os.kill(ended, ending)
    served.wait_until(lambda: postmaster(pid_file) not in {None, ended} and served.is_healthy())


def postmaster(pid_file: Path) -> int | None:
    words = pid_file.read_text().split() if pid_file.exists() else []
    return int(words[0]) if words else None


@pytest.mark.disrupts
def test_expensive_searches_are_limited_and_no_save_fails(stack: Stack) -> None:
    play(_save_beside_searches(stack))


async def _save_beside_searches(stack: Stack) -> None:
    """3 visitors from an address each, and 18 who share one: two more than may wait there.

    Saves beside many more are measured: tests/bench/bench_annotation.py.
    """
    coordinator, study = await new_study(stack.url, 1)
    experts = await virtual_users.experts_of(coordinator, study, 4)
    sessions = [(await virtual_users.work_of(expert))[0] for expert in experts]
    graph = await searches.import_hub_graph(stack.url, 300)
    sources = [*searches.addresses(3), *["127.0.2.1"] * 18]
    async with searches.searching(stack.url, graph, sources) as visitors:
        for number in range(3):
            writes = [one.put(one.write("save", comment=str(number))) for one in sessions]
            assert [one.status for one in await asyncio.gather(*writes)] == [200] * 4
        await virtual_users.until(visitors.has_both_answers, "a search and a refusal")
    assert visitors.unexplained == []
    stored = [one["response"]["version"] for one in await export_responses(coordinator, study)]
    assert stored == [3] * 4


def empty_valkey(served: Stack) -> None:
    with redis.Redis.from_url(served.state()["redis_url"]) as valkey:
        valkey.flushall()
