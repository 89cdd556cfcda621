"""A closed loop: each user sends the next request as soon as the last is answered."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

Operation = Callable[[int], Awaitable[None]]  # what person number i does once


@dataclass
class Timed:
    """Latencies in ms, and the wall-clock seconds in which all of them fell.

    processor_ms: that a server had in this time, where it was read.
    """

    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0
    processor_ms: float = 0.0

    def add_since(self, began: float) -> None:
        self.latencies.append(1000 * (time.perf_counter() - began))

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """The smallest latency that at least this share of the turns did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


async def run(operation: Operation, people: int, repetitions: int, into: Timed) -> None:
    """Everybody at once takes this many turns; what goes wrong ends the run loudly."""

    async def one(person: int) -> None:
        for _ in range(repetitions):
            began = time.perf_counter()
            await operation(person)
            into.add_since(began)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for person in range(people):
            group.create_task(one(person))
    into.seconds += time.perf_counter() - began


async def side_by_side(
    operations: Sequence[Operation],
    people: int,
    each: int,
    rounds: int,
    read_processor_ms: Callable[[], float] = lambda: 0.0,
) -> list[Timed]:
    """Each in turn, again and again, so that a machine that slows down slows all of them."""
    result = [Timed() for _ in operations]
    for operation in operations:  # warm: connections, caches, compiled queries
        await run(operation, people, 1, Timed())
    for _ in range(rounds):
        for operation, into in zip(operations, result, strict=True):
            before = read_processor_ms()
            await run(operation, people, each, into)
            into.processor_ms += read_processor_ms() - before
    return result
