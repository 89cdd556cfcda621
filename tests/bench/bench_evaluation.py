"""Statistics of leaderboard entries: speed beside bare matrix products, and coverage."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.metrics import FloatArray
from backend.science.evaluation.rank_sets import rank_sets
from tests.bench.figures import Figure, bench, run_size
from tests.bench.memory import peak
from tests.science.evaluation import ladder_attack
from tests.science.evaluation.worlds import (
    F1,
    INTERVAL_WORLDS,
    MEAN,
    RANK_BOARDS,
    coverage,
    rank_set_coverage,
)

SEED, ITEMS, ENTRIES, MANY_ENTRIES = 20_261_122, 2_000, 100, 10_000
RUNS = 5 if run_size() == "full" else 3
WORLDS, ATTACKS = 1_000, 100
# Coverage in %: of intervals from 100 clusters on, of rank sets 95 less the simulation's error.
NOMINAL, MOST_DEVIATION, LEAST_TOGETHER = 95, 2, 93.6
MOST_STEPS = 2.5
RANK_DRAWS = 2_000  # of the coverage of rank sets, where 10,000 would take five times as long


@bench("evaluation.draws")
def draws() -> Iterator[Figure]:
    """All draws of a board, beside one float64 product of counts of the same size."""
    for name, metric, sums in (("f1", F1, confusion_board()), ("mrr", MEAN, rank_board(ENTRIES))):
        clusters = ClusterDraws(ITEMS, SEED)
        counts = np.concatenate(list(clusters.counts(1_000, np.float64)))
        flat = np.ascontiguousarray(sums.transpose(1, 0, 2)).reshape(ITEMS, -1)
        mine, product = fastest(
            lambda: drawn_values(BoardSums.of(sums), [metric], clusters),  # noqa: B023  called before the loop goes on
            lambda: counts @ flat,  # noqa: B023  called before the loop goes on
        )
        size = f"{clusters.draws} draws, {ENTRIES} entries, {ITEMS} items, {flat.shape[1]} columns"
        title = f"evaluation.draws.{name}"
        yield Figure(title, mine, "s", "lower", "numpy, bare product", product, size, SEED, goal=3)


@bench("evaluation.rank_sets")
def ranks() -> Iterator[Figure]:
    size = f"{ENTRIES} entries, {ITEMS} items, 10000 draws"
    for name, metric, sums in (("f1", F1, confusion_board()), ("mrr", MEAN, rank_board(ENTRIES))):
        [took] = fastest(lambda: rank_sets(sums, metric, ClusterDraws(ITEMS, SEED)))  # noqa: B023  called before the loop goes on
        yield Figure(f"evaluation.rank_sets.{name}", took, "s", "lower", size=size, seed=SEED)


@bench("evaluation.many_ranks")
def many_ranks() -> Iterator[Figure]:
    """In a process of its own, whose memory is measured above that of its input."""
    command = [sys.executable, "-m", "tests.bench.bench_evaluation"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    took, memory, whole = map(float, done.stdout.split())
    size = f"{MANY_ENTRIES} entries, {ITEMS} items, 10000 draws"
    yield Figure("evaluation.many_ranks", took, "s", "lower", size=size, seed=SEED)
    peer = "the sums themselves"
    yield Figure("evaluation.many_ranks.memory", memory, "MB", "lower", peer, whole, size, SEED)


def covering(title: str, share: float, size: str, goal: float | None = None) -> Figure:
    return Figure(title, 100 * share, "%", "higher", "nominal", NOMINAL, size, SEED, goal)


@bench("evaluation.interval_coverage")
def interval_coverage() -> Iterator[Figure]:
    """Below 50 clusters they are a jackknife's, or Wilson's."""
    for name, worlds in INTERVAL_WORLDS.items():
        for clusters in (20, 49, 100, 1_000):
            share = coverage(worlds(WORLDS, clusters, SEED), SEED)
            size = f"{WORLDS} worlds, {clusters} clusters"
            title = f"evaluation.interval_coverage, {name}"
            yield covering(title, share, size)
            if clusters >= 100:
                deviation, most = abs(100 * share - NOMINAL), MOST_DEVIATION
                title = f"evaluation.interval_deviation, {name}"
                peer = "allowed deviation"
                yield Figure(title, deviation, "points", "lower", peer, most, size, SEED, goal=1)


@bench("evaluation.rank_set_coverage")
def rank_coverage() -> Iterator[Figure]:
    for name, truth in RANK_BOARDS.items():
        share = rank_set_coverage(truth, WORLDS, SEED, RANK_DRAWS)
        size = f"{WORLDS} boards, 400 items, {RANK_DRAWS} draws"
        title = f"evaluation.rank_set_coverage, {name}"
        yield covering(title, share, size, LEAST_TOGETHER / NOMINAL)


@bench("evaluation.ladder")
def ladder() -> Iterator[Figure]:
    """Mean gain of the boosting attack, in steps, beside that on a board that shows each score."""
    seeds = [[SEED, attack] for attack in range(ATTACKS)]
    here = np.mean([ladder_attack.ladder_gain(seed) for seed in seeds]) / ladder_attack.STEP
    naive = np.mean([ladder_attack.naive_gain(seed) for seed in seeds]) / ladder_attack.STEP
    size = f"{ATTACKS} attacks, {ladder_attack.QUERIES} queries, {ladder_attack.ITEMS} items"
    title = "evaluation.ladder.gain"
    yield Figure(title, float(here), "steps", "lower", "naive board", float(naive), size, SEED)
    yield Figure(title, float(here), "steps", "lower", "goal", MOST_STEPS, size, SEED, goal=1)


def fastest(*works: Callable[[], object]) -> list[float]:
    """Shortest time of each, one after the other in turns, so that a busy machine slows all."""
    took = []
    for _ in range(RUNS):
        marks = [time.perf_counter()]
        for work in works:
            work()
            marks.append(time.perf_counter())
        took.append(np.diff(marks))
    return [float(one) for one in np.min(took, axis=0)]


def confusion_board() -> FloatArray:
    """TP, FP, FN and TN of entries of which a few are better."""
    rng = np.random.default_rng(SEED)
    linked = rng.random(ITEMS) < 0.4
    quality = rng.uniform(0.6, 0.9, ENTRIES)[:, None]
    predicted = np.where(rng.random((ENTRIES, ITEMS)) < quality, linked, ~linked)
    cells = [predicted & linked, predicted & ~linked, ~predicted & linked, ~predicted & ~linked]
    return np.stack(cells, axis=-1).astype(np.float64)


def rank_board(entries: int) -> FloatArray:
    """Reciprocal ranks of queries of shared difficulty."""
    rng = np.random.default_rng(SEED)
    difficulty = rng.uniform(0.05, 0.4, ITEMS)
    sums = np.ones((entries, ITEMS, 2))
    for row, skill in zip(sums, rng.uniform(0.5, 1.5, entries), strict=True):
        row[:, 0] = 1 / rng.geometric(difficulty * skill)
    return sums


def rank_many() -> None:
    sums = rank_board(MANY_ENTRIES)
    before, began = peak(), time.perf_counter()
    sets = rank_sets(sums, MEAN, ClusterDraws(ITEMS, SEED))
    took = time.perf_counter() - began
    if not (sets.best > 1).any():
        raise AssertionError("no entry of a large board is significantly different")
    sys.stdout.write(f"{took} {(peak() - before) / 2**20} {sums.nbytes / 2**20}\n")


if __name__ == "__main__":
    rank_many()
