"""What the calls of a run share in its event loop: the ledger, the limiters, the HTTP clients."""

import asyncio
import math
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Self

from backend.llm.budgets import BudgetExhausted, LimitIgnored, read_standing
from backend.llm.calls import Capabilities, JsonMode
from backend.llm.endpoints import read_capabilities, require_price, require_unchanged
from backend.llm.ledger import settle_dead_processes
from backend.llm.ledger_writer import LedgerWriter
from backend.llm.limiter import Limiter, LimiterTimes, connect_redis
from backend.llm.models import Budget, Endpoint
from backend.llm.transport import Transport


@dataclass(frozen=True)
class RetryRules:
    """How often a call is repeated after faults that may pass. Each timeout and each broken
    answer may have been paid for, so they are few."""

    most_rate_limits: int = 30
    most_failures: int = 3
    first_pause_s: float = 0.5
    longest_pause_s: float = 30.0
    poll_s: float = 0.25  # while another process has the same call open, or the budget is reserved
    check_s: float = 5.0  # a change of the endpoint reaches calls within this time


@dataclass
class EndpointAccess:
    """An endpoint with what the event loop needs for its calls. endpoint: as it was when the calls
    began; checked_at: when it last was so. mode: the strictest way to request JSON that it has not
    refused. ignores_limit: an answer was longer than max_tokens and cost more than was reserved."""

    endpoint: Endpoint
    capabilities: Capabilities
    transport: Transport
    limiter: Limiter
    mode: JsonMode
    key_locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    check_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    checked_at: float = -math.inf
    ignores_limit: bool = False


class CallsStopped(Exception):
    """The session makes no new calls; those in flight end."""


class SessionResources:
    """Entered once for each event loop."""

    def __init__(
        self, budget: Budget, rules: RetryRules | None = None, times: LimiterTimes | None = None
    ) -> None:
        self.budget = budget
        self.rules = rules or RetryRules()
        self.ledger = LedgerWriter()
        self.settled = asyncio.Event()  # set whenever money may have become free
        self.is_stopped = False
        self._times = times
        self._recovered_at = 0.0
        self._accesses: dict[str, EndpointAccess] = {}
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.ledger)
            self._redis = connect_redis()
            stack.push_async_callback(self._redis.aclose)
            await self.recover()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def recover(self) -> None:
        """Settle what killed processes have left open in this budget."""
        now = asyncio.get_running_loop().time()
        if now - self._recovered_at < self.rules.poll_s:
            return
        self._recovered_at = now
        own, budget = self.ledger.process, self.budget.pk
        await self.ledger.run(lambda: settle_dead_processes(own, budget))

    async def require_calls(self, access: EndpointAccess) -> None:
        """Raises CallsStopped, EndpointChanged, and LimitIgnored."""
        if self.is_stopped:
            raise CallsStopped
        if access.ignores_limit:
            raise LimitIgnored(access.endpoint.name)
        if not self._is_due(access):
            return
        async with access.check_lock:
            if self._is_due(access):
                await self.ledger.run(lambda: require_unchanged(access.endpoint, self.budget))
                access.checked_at = asyncio.get_running_loop().time()

    def _is_due(self, access: EndpointAccess) -> bool:
        return asyncio.get_running_loop().time() - access.checked_at >= self.rules.check_s

    async def access(self, endpoint: Endpoint) -> EndpointAccess:
        """Raises PriceUnknown, KeyMissing, EndpointAddressRefused."""
        known = self._accesses.get(str(endpoint.pk))
        if known is not None:
            return known
        require_price(endpoint)
        transport = Transport(endpoint)
        self._stack.push_async_callback(transport.close)
        limiter = Limiter(self._redis, endpoint, self._times)
        await self._stack.enter_async_context(limiter)
        capabilities = read_capabilities(endpoint)
        access = EndpointAccess(
            endpoint, capabilities, transport, limiter, capabilities.first_mode()
        )
        self._accesses[str(endpoint.pk)] = access
        return access

    async def exhausted(self, needed: Decimal) -> BudgetExhausted:
        standing = await self.ledger.run(lambda: read_standing(self.budget))
        return BudgetExhausted(standing, needed)

    async def wait_for_money(self) -> None:
        """Until a call of this process was settled, or others may have settled theirs."""
        self.settled.clear()
        try:
            async with asyncio.timeout(self.rules.poll_s):
                await self.settled.wait()
        except TimeoutError:
            await self.recover()
