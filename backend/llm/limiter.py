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
REPORT_S = 0.2  # at least this often, while calls are in flight or wait
LEASE_S = 10.0
COOLDOWN_S = 15.0
SHORTEST_PAUSE_S = 1.0  # after a refusal without Retry-After
LONGEST_PAUSE_S = 600.0


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
    async def slot(self) -> AsyncIterator[None]:
        """One request in flight."""
        await self._acquire()
        try:
            yield
        finally:
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

    @property
    def _is_open(self) -> bool:
        is_paused = asyncio.get_running_loop().time() < self._paused_until
        return self.in_flight < self.grant and not is_paused

    async def _acquire(self) -> None:
        if not self._waiting and self._is_open:
            self.in_flight += 1
            return
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        self._report_now.set()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.in_flight -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._is_open:
            future = self._waiting.popleft()
            if not future.done():
                self.in_flight += 1
                future.set_result(None)
        if self._waiting:
            self._report_now.set()

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
                async with asyncio.timeout(self._times.report_s):
                    await self._report_now.wait()
            await asyncio.sleep(self._times.report_s / 10)  # several events, one report

    async def _report(self) -> None:
        succeeded, failed, retry_after = self._succeeded, self._failed, self._retry_after_s
        self._waiting = deque(one for one in self._waiting if not one.done())
        self._succeeded = self._failed = 0
        self._retry_after_s = None
        reported: list[str | int] = [
            *(self._process, self.in_flight, len(self._waiting), succeeded),
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
