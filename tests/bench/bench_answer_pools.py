"""Orders of judging unjudged answers: how near the board comes to the truth in made-up worlds."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from tests.bench.figures import Figure, bench
from tests.science.pooling_worlds import (
    ENTRIES,
    ITEMS,
    LABELLED,
    VERDICTS,
    MicroF1,
    PoolingRun,
    PoolingWorld,
    ReciprocalRank,
    run_world,
)

WORLDS, FIRST_SEED = 100, 1_000
SIZE = (
    f"{WORLDS} worlds, {ENTRIES} entries, {ITEMS} items, {LABELLED:.0%} labels, {VERDICTS} verdicts"
)


@bench("science.answer_pools.order")
def order_of_judging() -> Iterator[Figure]:
    """Kendall's tau to the true board after the verdicts, beside random judging of the pool.

    The second metric is F1 of all answers of all items, which is no mean over items. Bounds: how
    many of them, before and after the verdicts, hold the value that all verdicts lead to.
    """
    for metric, chosen in (("MRR", ReciprocalRank()), ("F1", MicroF1())):
        yield from figures_of(metric, [run_world(FIRST_SEED + at, chosen) for at in range(WORLDS)])


def figures_of(metric: str, runs: Sequence[PoolingRun]) -> Iterator[Figure]:
    name = f"science.answer_pools.order, {metric}"
    wins = sum(one.is_nearer for one in runs)
    yield Figure(
        f"{name}, nearer than random", wins, "worlds", "higher", "goal", 95, SIZE, FIRST_SEED, 1
    )
    by_effect, at_random = np.mean([(one.by_effect, one.at_random) for one in runs], axis=0)
    yield Figure(
        *(f"{name}, mean tau", float(by_effect), "tau", "higher", "random", float(at_random)),
        *(SIZE, FIRST_SEED),
    )
    every = 2 * WORLDS * ENTRIES
    inside = every - sum(one.outside for one in runs)
    yield Figure(f"{name}, bounds", inside, "bounds", "higher", "all", every, SIZE, FIRST_SEED, 1)


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
