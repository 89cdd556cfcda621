"""How many calls may be in flight at an endpoint, over all processes.

Every process reports to one script in Redis (limiter.lua) and gets a grant; the sum of the grants
is within the limit. The limit doubles with each clean round, until the endpoint first refuses a
request for its rate; then it falls to 0.8 of what it was, waits, and grows by a twentieth a round.
A limit that is not nearly reached does not grow. What Redis loses is found out again.
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from backend.llm.models import Endpoint

logger = logging.getLogger(__name__)

SCRIPT = Path(__file__).with_suffix(".lua").read_text(encoding="utf-8")
START = 20
REPORT_S = 0.2  # at least this often, while a report may change what is granted
RESTING = 5  # times as long, while it cannot; another process that begins waits as long
LEASE_S = 10.0
COOLDOWN_S = 15.0
SHORTEST_PAUSE_S = 1.0  # after a refusal without Retry-After
LONGEST_PAUSE_S = 600.0
AHEAD = 0.25  # of what may be in flight, and at least one: calls that are reserved and not sent


@dataclass(frozen=True)
class LimiterTimes:
    """Tests have shorter ones."""

    report_s: float = REPORT_S
    lease_s: float = LEASE_S
    cooldown_s: float = COOLDOWN_S
    shortest_pause_s: float = SHORTEST_PAUSE_S


class Limiter:
    """Of one endpoint, in one event loop."""

    def __init__(
        self, redis: "Redis", endpoint: Endpoint, times: LimiterTimes | None = None
    ) -> None:
        self._script = redis.register_script(SCRIPT)
        prefix = f"serendib:{settings.CACHES['default']['KEY_PREFIX']}:llm:{endpoint.identity}"
        self._keys = [f"{prefix}:state", f"{prefix}:grants"]
        self._process = uuid.uuid4().hex
        self._ceiling = endpoint.max_in_flight
        self._times = times or LimiterTimes()
        self.in_flight = self.grant = self.limit = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._to_prepare: deque[asyncio.Future[None]] = deque()
        self._preparing = 0  # also while they wait for their slot
        self._succeeded = self._failed = 0
        self._retry_after_s: float | None = None
        self._paused_until = 0.0
        self._report_now = asyncio.Event()
        self._is_closed = False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._report_for_ever())
        return self

    async def __aexit__(self, *_: object) -> None:
        # Not cancelled: a report that is cut off leaves its connection in the middle of an answer.
        self._is_closed = True
        self._report_now.set()
        await self._task
        with suppress(RedisError, OSError):
            await self._report()

    @asynccontextmanager
    async def preparation(self) -> AsyncIterator[None]:
        """Reserve a call in here and acquire its slot last, so that no slot is held meanwhile."""
        await self._wait_in(self._to_prepare)
        try:
            yield
        finally:
            self._preparing -= 1
            self._wake()

    async def acquire(self) -> None:
        await self._wait_in(self._waiting)

    def release(self) -> None:
        self.in_flight -= 1
        self._wake()

    def record_success(self) -> None:
        self._succeeded += 1

    def record_failure(self) -> None:
        """A fault of the server, which is no reason to send less, and none to send more."""
        self._failed += 1

    def record_rate_limit(self, retry_after_s: float | None) -> None:
        pause = min(max(retry_after_s or self._times.shortest_pause_s, 0.0), LONGEST_PAUSE_S)
        self._retry_after_s = max(self._retry_after_s or 0.0, pause)
        self._pause(pause)
        self._report_now.set()

    def _pause(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._paused_until = max(self._paused_until, now + seconds)

    def _take(self, queue: deque[asyncio.Future[None]]) -> bool:
        """Whether one more may pass, which is counted then."""
        if asyncio.get_running_loop().time() < self._paused_until:
            return False
        if queue is self._waiting:
            is_free = self.in_flight < self.grant
            self.in_flight += is_free
        else:
            is_free = self._preparing < max(1, int(AHEAD * self.grant))
            self._preparing += is_free
        return is_free

    def _give_back(self, queue: deque[asyncio.Future[None]]) -> None:
        if queue is self._waiting:
            self.in_flight -= 1
        else:
            self._preparing -= 1
        self._wake()

    async def _wait_in(self, queue: deque[asyncio.Future[None]]) -> None:
        if not queue and self._take(queue):
            return
        future = asyncio.get_running_loop().create_future()
        queue.append(future)
        self._request_report()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._give_back(queue)
            raise

    def _wake(self) -> None:
        for queue in (self._waiting, self._to_prepare):
            self._drop_cancelled(queue)
            while queue and self._take(queue):
                queue.popleft().set_result(None)
                self._drop_cancelled(queue)
        if self._waiting or self._to_prepare:
            self._request_report()

    def _request_report(self) -> None:
        """A process that has all that the endpoint may ever get waits for its own calls alone."""
        if self.grant < self._ceiling:
            self._report_now.set()

    def _report_within_s(self) -> float:
        """Until the next report, and until calls that are paused are woken after it. A report is a
        round trip to Redis, and several for each call are many where few are in flight."""
        left = self._paused_until - asyncio.get_running_loop().time()
        within = self._times.report_s * (1 if self._has_news() else RESTING)
        return min(within, left) if left > 0 else within

    def _has_news(self) -> bool:
        """Whether the others, or this process, may have more or less than what is granted now."""
        needed = self.in_flight + self._count_waiting()
        if needed != self.grant:
            return needed < self.grant or self.grant < self._ceiling
        return self.limit < self._ceiling and self._succeeded + self._failed > 0

    def _count_waiting(self) -> int:
        """Who prepares waits for a slot now or soon; there are slots without preparation too."""
        waiting = max(self._preparing, sum(not one.done() for one in self._waiting))
        return waiting + sum(not one.done() for one in self._to_prepare)

    @staticmethod
    def _drop_cancelled(queue: deque[asyncio.Future[None]]) -> None:
        while queue and queue[0].done():
            queue.popleft()

    async def _report_for_ever(self) -> None:
        while not self._is_closed:
            try:
                await self._report()
            except (RedisError, OSError):
                # With what was granted last, or one at a time.
                self.grant = self.grant or 1
                logger.warning("The limiter of model calls cannot reach Redis.")
            self._wake()
            if not self._is_closed:
                self._report_now.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._report_within_s()):
                    await self._report_now.wait()
            await asyncio.sleep(self._times.report_s / 10)  # several events, one report

    async def _report(self) -> None:
        succeeded, failed, retry_after = self._succeeded, self._failed, self._retry_after_s
        waiting = self._count_waiting()
        self._succeeded = self._failed = 0
        self._retry_after_s = None
        reported: list[str | int] = [
            *(self._process, self.in_flight, waiting, succeeded),
            *(int(retry_after is not None), round(1000 * (retry_after or 0)), failed),
            *(self._ceiling, START, round(1000 * self._times.lease_s)),
            round(1000 * self._times.cooldown_s),
        ]
        grant, pause_ms, limit = await self._script(keys=self._keys, args=reported)
        self.grant, self.limit = int(grant), int(limit)
        if pause_ms:
            self._pause(int(pause_ms) / 1000)


def connect_redis() -> "Redis":
    client: Redis = Redis.from_url(settings.REDIS_URL)
    return client
