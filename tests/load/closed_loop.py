"""A closed loop: each person asks again as soon as she is answered, without a pause to think."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

Turn = Callable[[int], Awaitable[None]]  # what person number i does once


@dataclass
class Timed:
    """Latencies in ms, and the wall-clock seconds in which all of them fell."""

    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add_since(self, began: float) -> None:
        self.latencies.append(1000 * (time.perf_counter() - began))

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """The smallest latency that at least this share of the turns did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


async def run(turn: Turn, people: int, turns: int, into: Timed) -> None:
    """Everybody at once takes this many turns; what goes wrong ends the run loudly."""

    async def one(person: int) -> None:
        for _ in range(turns):
            began = time.perf_counter()
            await turn(person)
            into.add_since(began)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for person in range(people):
            group.create_task(one(person))
    into.seconds += time.perf_counter() - began


async def side_by_side(turns: Sequence[Turn], people: int, each: int, rounds: int) -> list[Timed]:
    """Each in turn, again and again, so that a machine that slows down slows all of them."""
    found = [Timed() for _ in turns]
    for turn in turns:  # warm: connections, caches, compiled queries
        await run(turn, people, 1, Timed())
    for _ in range(rounds):
        for turn, into in zip(turns, found, strict=True):
            await run(turn, people, each, into)
    return found
