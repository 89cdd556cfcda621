"""RNS: the best partition beside recomputation, S of all splits beside numpy, and logarithms.

Questions are seeded, with rows of few large entries. The peer of a partition is algorithm 1 of
SerenQA as printed: from one start, RNS of every swap anew from its sets, in numpy. At 500
candidates it would take hours: of its swaps 2,000 are timed, and taken times as many as the same
climb needs at least.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_vectorize
from backend.science.rns.candidates import Candidates, Floats, Longs
from backend.science.rns.evaluated_splits import EvaluatedSplits
from backend.science.rns.fast_log2 import log2_float32, log2_float64
from backend.science.rns.greedy_swaps import climb_swaps
from backend.science.rns.jensen_shannon import split_surprises
from backend.science.rns.measures import Weights
from backend.science.rns.row_kernels import RowArray
from backend.science.rns.search import (
    CandidateSurprise,
    GreedySearch,
    best_partition,
    concatenate_scores,
    sort_splits,
)
from backend.science.rns.splits import all_splits, serendipity_size
from backend.science.rns.swap_tables import build_tables
from tests.bench.figures import Figure, Size, bench, run_size
from tests.science.rns.questions import question, weights_drawn

SEED, TIMED = 20_261_121, 2000
COUNTS: dict[Size, tuple[int, ...]] = {
    "tiny": (4, 20),
    "small": (4, 20, 100),
    "full": (4, 20, 100, 500),
}
SIZES = COUNTS[run_size()]
INSTANCES = {"tiny": 40, "small": 200, "full": 1000}[run_size()]
ENTITIES = {"tiny": 50_000, "small": 500_000, "full": 4_000_000}[run_size()]
PEER = "algorithm 1 in numpy, one start"


@bench("science.rns.partition")
def partition() -> Iterator[Figure]:
    for count in SIZES:
        some = question(count, SEED)
        start = first_start(some)
        whole = seconds(partial(best_partition, some))
        once = seconds(partial(one_climb, some, start))
        theirs, reached = recomputed(some, start)
        size, result = f"{count} candidates", best_partition(some)
        name, peer = f"science.rns.partition.{count}", PEER
        if reached is None:
            peer = f"{PEER} ({TIMED:,} swaps, extrapolated)"
        yield Figure(f"{name}.{result.method}", whole, "s", "lower", peer, theirs, size, SEED)
        yield Figure(f"{name}.climb", once, "s", "lower", peer, theirs, size, SEED)
        total = result.score.total
        yield Figure(f"{name}.total", total, "RNS", "higher", PEER, reached, size, SEED)


def seconds(work: Callable[[], object]) -> float:
    """The fastest of five, or of as many as go into ten seconds, after one to warm up."""
    work()
    result, began = list[float](), time.perf_counter()
    while len(result) < 5 and (not result or time.perf_counter() - began < 10):
        now = time.perf_counter()
        work()
        result.append(time.perf_counter() - now)
    return min(result)


def hunt_in(some: Candidates, weights: Weights) -> GreedySearch:
    size = serendipity_size(some.count)
    observed = EvaluatedSplits(some.count, size)
    return GreedySearch(
        some, weights, size, "printed", CandidateSurprise(some), CancellationToken(), observed
    )


def first_start(some: Candidates) -> Longs:
    """Random: the best singles would be an answer already."""
    return hunt_in(some, Weights()).starting_sets(SEED, 2)[1]


def one_climb(some: Candidates, start: Longs) -> Longs:
    return climb_swaps(build_tables(some, Weights(), "printed"), start, CancellationToken().flag)[0]


def recomputed(some: Candidates, start: Longs) -> tuple[float, float | None]:
    """Seconds of the printed algorithm, and RNS where it ended; None when that is extrapolated."""
    if some.count > 100:
        swaps = list(islice(swaps_of(start, some.count), TIMED))
        began = time.perf_counter()
        for swap in swaps:
            from_scratch(some, swap)
        each = (time.perf_counter() - began) / len(swaps)
        moved = len(np.setdiff1d(one_climb(some, start), start))
        return each * (moved + 1) * len(start) * (some.count - len(start)), None
    began = time.perf_counter()
    current, total = start, from_scratch(some, start)
    while True:
        totals = [(from_scratch(some, swap), swap) for swap in swaps_of(current, some.count)]
        best, chosen = max(totals, key=lambda one: one[0])
        if best <= total + 1e-12:
            return time.perf_counter() - began, total
        current, total = chosen, best


def swaps_of(chosen: Longs, count: int) -> Iterator[Longs]:
    for place in range(len(chosen)):
        for coming in np.setdiff1d(np.arange(count), chosen):
            swapped = chosen.copy()
            swapped[place] = coming
            yield swapped


def from_scratch(some: Candidates, chosen: Longs) -> float:
    """RNS with equal weights from the tables of distances, information and rows."""
    rest = np.ones(some.count, bool)
    rest[chosen] = False
    others = np.flatnonzero(rest)
    relevance = -some.distances[np.ix_(chosen, others)].mean()
    information = some.information[np.ix_(others, chosen)].sum()
    p, q = some.restricted_rows[chosen].mean(axis=0), some.restricted_rows[others].mean(axis=0)
    surprise = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
    return float(relevance + 1 - information + surprise) / 3


def entropy(p: Floats) -> float:
    return -float((p * np.log2(np.where(p > 0, p, 1))).sum())


@bench("science.rns.optimum")
def optimum() -> Iterator[Figure]:
    """Share of questions of up to 25 candidates whose optimum is found, by climbs alone and by the
    product.
    """
    rng = np.random.default_rng(SEED)
    reached: Counter[str] = Counter()
    for seed in range(INSTANCES):
        some = question(int(rng.integers(5, 26)), seed, dense=float(rng.uniform(0.2, 1)))
        hunt = hunt_in(some, weights_drawn(seed))
        best = best_of_all(hunt)
        starts = hunt.starting_sets(seed)
        result = {f"{count}_starts": hunt.search_greedy(starts[:count]) for count in (1, 10, 30)}
        result["best_partition"] = best_partition(some, hunt.weights, seed=seed)
        reached.update(name for name, one in result.items() if one.score.total > best - 1e-9)
    if reached["best_partition"] < INSTANCES:
        raise AssertionError(f"{INSTANCES - reached['best_partition']} questions miss the best.")
    size = f"{INSTANCES} questions, 5 to 25 candidates"
    for name, count in reached.items():
        share = 100 * count / INSTANCES
        yield Figure(f"science.rns.optimum.{name}", share, "%", "higher", "", None, size, SEED)


def best_of_all(hunt: GreedySearch) -> float:
    every = combinations(range(hunt.candidates.count), hunt.size)
    parts = []
    while some := list(islice(every, 20_000)):
        parts.append(hunt.score(np.array(some, np.int64)))
    assert sum(len(one.splits) for one in parts) == math.comb(hunt.candidates.count, hunt.size)
    return float(sort_splits(concatenate_scores(parts)).totals(hunt.weights).max())


@bench("science.rns.surprises")
def surprises() -> Iterator[Figure]:
    """S of all splits of one candidate each, in one pass over whole rows."""
    rng = np.random.default_rng(SEED)
    for count in (4, 16):
        exact = rng.random((ENTITIES, count)) ** 6 + 1e-9
        exact /= exact.sum(axis=0)
        expected = with_numpy(exact)
        for kind in ("float32", "float64"):
            rows = exact.astype(kind)
            mine = partial(split_surprises, rows, all_splits(count, 1))
            result = mine()
            off = float(np.abs(result.values - expected).max())
            if off > result.error + 1e-12:
                raise AssertionError(f"S is off by {off}, and the bound is {result.error}.")
            ours, theirs = seconds(mine), seconds(partial(with_numpy, rows))
            name, size = f"science.rns.surprises.{count}.{kind}", f"{ENTITIES:,} entities"
            yield Figure(name, ours, "s", "lower", "numpy, one thread", theirs, size, SEED)
            yield Figure(f"{name}.error", off, "S", "lower", "bound", result.error, size, SEED)


def with_numpy(rows: RowArray) -> Floats:
    total, result = rows.sum(axis=1), []
    for column in range(rows.shape[1]):
        p = rows[:, column]
        q = (total - p) / (rows.shape[1] - 1)
        both = p + q
        parts = p * logs(2 * p / both) + q * logs(2 * q / both)
        result.append(parts.sum(dtype=np.float64) / 2)
    return np.array(result)


def logs(values: RowArray) -> RowArray:
    """0 for what is not above 0: rounding may leave less than nothing of a row."""
    return np.log2(values, out=np.zeros_like(values), where=values > 0)


@bench("science.rns.logarithms")
def logarithms() -> Iterator[Figure]:
    """Nanoseconds of one logarithm, in the first cache."""
    values = np.random.default_rng(SEED).uniform(0.01, 2, 4096)
    single, double = values.astype(np.float32), values
    kernels = {
        "float32": partial(all_single, single, np.empty_like(single)),
        "float64": partial(all_double, double, np.empty_like(double)),
    }
    for kind, mine in kernels.items():
        given = values.astype(kind)
        ours = each(mine, len(given))
        theirs = each(partial(np.log2, given, out=np.empty_like(given)), len(given))
        name, size = f"science.rns.logarithms.{kind}", "4,096 numbers"
        yield Figure(name, ours, "ns", "lower", "numpy.log2", theirs, size, SEED)


def each(work: Callable[[], object], count: int) -> float:
    """The fastest of many: what else the machine does only adds."""
    work()
    fastest = math.inf
    for _ in range(500):
        began = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - began)
    return 1e9 * fastest / count


@jit_vectorize
def all_single(values: NDArray[np.float32], result: NDArray[np.float32]) -> None:
    for place in range(len(result)):
        result[place] = log2_float32(values[place])


@jit_vectorize
def all_double(values: NDArray[np.float64], result: NDArray[np.float64]) -> None:
    for place in range(len(result)):
        result[place] = log2_float64(values[place])
