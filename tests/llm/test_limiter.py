"""The limit of calls in flight: how it grows, falls, and is shared, by the script's own answers."""

import asyncio
import uuid
from collections.abc import Iterator

import pytest
from django.conf import settings
from redis import Redis

from backend.llm.limiter import RESTING, SCRIPT, START, Limiter, connect_redis
from backend.llm.models import Endpoint
from tests.llm.factories import SHORT

CALL_S = SHORT.report_s / 2
LEASE_MS, COOLDOWN_MS = 5_000, 0


class Shared:
    """The script of one endpoint, called for any number of processes."""

    def __init__(self, ceiling: int = 1_000, cooldown: int = COOLDOWN_MS) -> None:
        self._redis: Redis = Redis.from_url(settings.REDIS_URL)
        self._script = self._redis.register_script(SCRIPT)
        name = uuid.uuid4().hex
        self.keys = [f"test:{name}:state", f"test:{name}:grants"]
        self._ceiling, self._cooldown = ceiling, cooldown

    def report(
        self,
        process: str = "a",
        *,
        in_flight: int = 0,
        waiting: int = 0,
        succeeded: int = 0,
        retry_after_ms: int | None = None,
        failed: int = 0,
        lease: int = LEASE_MS,
    ) -> tuple[int, int, int]:
        limited = int(retry_after_ms is not None)
        arguments: list[str | int] = [
            process,
            in_flight,
            waiting,
            succeeded,
            limited,
            retry_after_ms or 0,
            failed,
        ]
        grant, pause, limit = self._script(
            self.keys, [*arguments, self._ceiling, START, lease, self._cooldown]
        )
        return int(grant), int(pause), int(limit)

    def clean_rounds(self, count: int) -> int:
        """The limit after so many rounds in which all of it was used."""
        limit = self.report(waiting=10_000)[2]
        for _ in range(count):
            limit = self.report(in_flight=limit, waiting=10_000, succeeded=limit)[2]
        return limit

    def close(self) -> None:
        self._redis.delete(*self.keys)
        self._redis.close()


@pytest.fixture
def shared() -> Iterator[Shared]:
    one = Shared()
    yield one
    one.close()


def test_the_limit_doubles_with_each_clean_round(shared: Shared) -> None:
    assert shared.clean_rounds(3) == 8 * START


def test_it_never_passes_the_ceiling() -> None:
    shared = Shared(ceiling=50)
    assert shared.clean_rounds(6) == 50
    shared.close()


def test_a_refusal_cuts_it_once_and_then_it_grows_slowly(shared: Shared) -> None:
    before = shared.clean_rounds(3)
    _, pause, cut = shared.report(in_flight=before, retry_after_ms=200)
    assert cut == int(0.8 * before) and 0 < pause <= 200
    # What was in flight at the cut is refused as well, within the time of Retry-After.
    assert shared.report(in_flight=before, retry_after_ms=200)[2] == cut


def test_after_a_cut_a_round_adds_a_twentieth(shared: Shared) -> None:
    before = shared.clean_rounds(3)
    cut = shared.report(in_flight=before, retry_after_ms=0)[2]
    after = shared.report(in_flight=cut, waiting=10_000, succeeded=cut)[2]
    assert after == int(cut * 1.05)


def test_a_limit_that_is_not_used_does_not_grow(shared: Shared) -> None:
    for _ in range(20):
        limit = shared.report(in_flight=2, succeeded=START)[2]
    assert limit == START


def test_faults_of_the_server_stop_growth_and_shrink_nothing(shared: Shared) -> None:
    shared.report(waiting=1_000)
    for _ in range(5):
        limit = shared.report(in_flight=START, waiting=99, succeeded=START, failed=1)[2]
    assert limit == START


def test_it_never_falls_below_one(shared: Shared) -> None:
    for _ in range(100):
        limit = shared.report(in_flight=1, retry_after_ms=0)[2]
    assert limit == 1


def test_processes_share_the_limit_fairly_and_never_exceed_it(shared: Shared) -> None:
    first = shared.report("a", waiting=100)[0]
    assert first == START
    assert shared.report("b", waiting=100)[0] == 0  # nothing is free yet
    shrunk = shared.report("a", in_flight=10, waiting=90)[0]
    assert shrunk == START // 2
    assert shared.report("b", waiting=100)[0] == START - shrunk


def test_a_process_with_all_slots_in_use_begins_no_call_above_its_share(shared: Shared) -> None:
    shared.report("a", waiting=100)
    assert shared.report("b", waiting=100)[0] == 0
    assert shared.report("a", in_flight=START, waiting=90)[0] == START // 2
    assert shared.report("b", waiting=100)[0] == 0  # they are in flight
    assert shared.report("a", in_flight=START // 2, waiting=90)[0] == START // 2
    assert shared.report("b", waiting=100)[0] == START // 2


def test_what_one_process_does_not_need_is_the_others(shared: Shared) -> None:
    assert shared.report("a", waiting=3)[0] == 3
    assert shared.report("b", waiting=100)[0] == START - 3


def test_a_process_that_reports_no_more_gives_its_share_back(shared: Shared) -> None:
    shared.report("a", waiting=100)
    assert shared.report("b", waiting=100)[0] == 0
    assert shared.report("b", waiting=100, lease=-1)[0] == START


def test_an_emptied_redis_costs_nothing_but_the_limit(shared: Shared) -> None:
    shared.clean_rounds(3)
    shared._redis.delete(*shared.keys)
    assert shared.report(waiting=100)[2] == START


async def test_slots_are_never_more_than_the_limit_and_all_get_one() -> None:
    endpoint = Endpoint(base_url=f"http://{uuid.uuid4()}", model="m", max_in_flight=3)
    redis, most = connect_redis(), 0
    async with Limiter(redis, endpoint, SHORT) as limiter:

        async def hold() -> None:
            nonlocal most
            await limiter.acquire()
            try:
                most = max(most, limiter.in_flight)
                await asyncio.sleep(0.001)
                limiter.record_success()
            finally:
                limiter.release()

        await asyncio.gather(*(hold() for _ in range(30)))
        cancelled = asyncio.create_task(hold())
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        await hold()
        assert limiter.in_flight == 0
    await redis.aclose()
    assert most == 3


class CountedLimiter(Limiter):
    reports = 0

    async def _report(self) -> None:
        self.reports += 1
        await super()._report()


async def test_a_process_that_has_every_slot_reports_seldom() -> None:
    endpoint = Endpoint(base_url=f"http://{uuid.uuid4()}", model="m", max_in_flight=1)
    redis, loop = connect_redis(), asyncio.get_running_loop()
    async with CountedLimiter(redis, endpoint, SHORT) as limiter:
        await limiter.acquire()
        limiter.release()
        before, began = limiter.reports, loop.time()

        async def call_often() -> None:
            for _ in range(40):
                async with limiter.preparation():
                    await limiter.acquire()
                await asyncio.sleep(CALL_S)
                limiter.record_success()
                limiter.release()

        await asyncio.gather(call_often(), call_often())
        reports, took = limiter.reports - before, loop.time() - began
    await redis.aclose()
    assert reports <= took / (RESTING * SHORT.report_s) + 2


async def test_a_process_that_begins_later_gets_its_share_of_slots_that_another_has() -> None:
    endpoint = Endpoint(base_url=f"http://{uuid.uuid4()}", model="m", max_in_flight=4)
    redis, is_shared = connect_redis(), asyncio.Event()
    async with Limiter(redis, endpoint, SHORT) as first, Limiter(redis, endpoint, SHORT) as second:

        async def call_until_shared() -> None:
            while not is_shared.is_set():
                await first.acquire()
                await asyncio.sleep(CALL_S)
                first.release()

        calls = asyncio.gather(*(call_until_shared() for _ in range(8)))
        while first.grant < endpoint.max_in_flight:
            await asyncio.sleep(CALL_S)
        await asyncio.wait_for(asyncio.gather(second.acquire(), second.acquire()), 60)
        assert first.grant == second.grant == 2
        is_shared.set()
        await calls
        second.release()
        second.release()
    await redis.aclose()


async def test_few_calls_are_reserved_before_they_have_a_slot() -> None:
    endpoint = Endpoint(base_url=f"http://{uuid.uuid4()}", model="m", max_in_flight=8)
    redis, preparing, most_preparing, most = connect_redis(), 0, 0, 0
    is_full = asyncio.Event()
    async with Limiter(redis, endpoint, SHORT) as limiter:

        async def call() -> None:
            nonlocal preparing, most_preparing, most
            async with limiter.preparation():
                preparing += 1
                most_preparing = max(most_preparing, preparing)
                await asyncio.sleep(0.001)
                await limiter.acquire()
                preparing -= 1
            most = max(most, limiter.in_flight)
            if most == endpoint.max_in_flight:
                is_full.set()
            await asyncio.wait_for(is_full.wait(), 60)  # however slowly slots are taken
            await asyncio.sleep(0.005)
            limiter.release()

        tasks = [asyncio.create_task(call()) for _ in range(60)]
        tasks[50].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert limiter.in_flight == 0
        await call()
    await redis.aclose()
    assert (most_preparing, most) == (2, 8)
