"""Orders of judging unjudged answers: how near the board comes to the truth in made-up worlds."""

import time
from collections.abc import Iterator

import numpy as np

from tests.bench.figures import Figure, bench
from tests.science.pooling_worlds import ENTRIES, ITEMS, LABELLED, VERDICTS, PoolingWorld, taus

WORLDS, FIRST_SEED = 100, 1_000
SIZE = (
    f"{WORLDS} worlds, {ENTRIES} entries, {ITEMS} items, {LABELLED:.0%} labels, {VERDICTS} verdicts"
)


@bench("science.answer_pools.order")
def order_of_judging() -> Iterator[Figure]:
    """Kendall's tau to the true board after the verdicts, beside random judging of the pool."""
    pairs = [taus(FIRST_SEED + world) for world in range(WORLDS)]
    wins = sum(bool(by_effect > at_random) for by_effect, at_random in pairs)
    name = "science.answer_pools.order"
    yield Figure(
        f"{name}, nearer than random", wins, "worlds", "higher", "goal", 95, SIZE, FIRST_SEED, 1
    )
    by_effect, at_random = np.mean(pairs, axis=0).tolist()
    yield Figure(
        f"{name}, mean tau", by_effect, "tau", "higher", "random", at_random, SIZE, FIRST_SEED
    )


@bench("science.answer_pools.bounds")
def bounds() -> Iterator[Figure]:
    """How many bounds of entries hold the value of the true board."""
    inside = 0
    for world in (PoolingWorld.draw(FIRST_SEED + number) for number in range(WORLDS)):
        pool, true = world.pool(), world.true_board()
        limits = [world.bounds(pool, entry) for entry in range(ENTRIES)]
        inside += sum(
            bool(low <= one <= high) for (low, high), one in zip(limits, true, strict=True)
        )
    every = WORLDS * ENTRIES
    yield Figure(
        "science.answer_pools.bounds", inside, "bounds", "higher", "all", every, SIZE, FIRST_SEED, 1
    )


@bench("science.answer_pools.speed")
def speed() -> Iterator[Figure]:
    """Pool and order of one world."""
    world = PoolingWorld.draw(FIRST_SEED)
    start = time.perf_counter()
    pool = world.pool()
    world.order(pool)
    yield Figure(
        "science.answer_pools.speed",
        time.perf_counter() - start,
        "s",
        "lower",
        size=f"{len(pool.items):,} pooled answers of {ENTRIES} entries",
        seed=FIRST_SEED,
    )
