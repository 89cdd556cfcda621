"""Judged scores corrected by people: coverage of intervals, and time beside ppi-python."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import ppi_py

from backend.science.judged_scores.claims import FloatArray, JudgedClaims, rationale_weights
from backend.science.judged_scores.corrected_mean import corrected_mean
from backend.science.judged_scores.verdict_sampling import choose_claims
from tests.bench.figures import Figure, bench
from tests.science.judged_scores.test_coverage import (
    JUDGE,
    active,
    clustered,
    clustered_and_active,
    plain,
    stratified,
)
from tests.science.judged_scores.worlds import (
    ACTIVE_TRUTH,
    CLUSTERED_TRUTH,
    SEED,
    STRATIFIED_TRUTH,
    coverage,
    estimates,
)

WORLDS, CLAIMS, VERDICTS, RUNS = 5_000, 100_000, 1_000, 15
DESIGNS = {
    "plain": (plain, JUDGE.truth),
    "rationales": (clustered, CLUSTERED_TRUTH),
    "active": (active, ACTIVE_TRUTH),
    "rationales, active": (clustered_and_active, ACTIVE_TRUTH),
    "strata": (stratified, STRATIFIED_TRUTH),
}


@bench("science.judged_scores.interval_coverage")
def interval_coverage() -> Iterator[Figure]:
    for name, (world, truth) in DESIGNS.items():
        share = coverage(estimates(world, WORLDS), truth)
        title = f"science.judged_scores.interval_coverage, {name}"
        yield Figure(title, 100 * share, "%", "higher", "nominal", 95, f"{WORLDS} worlds", SEED)


@bench("science.judged_scores.corrected_mean")
def corrected_mean_time() -> Iterator[Figure]:
    truth, judge = JUDGE.claims(np.random.default_rng(SEED), CLAIMS)
    people = np.where(np.arange(CLAIMS) < VERDICTS, truth, np.nan)
    labels = np.arange(CLAIMS) // 5
    weights = rationale_weights(labels)
    size = f"{CLAIMS} claims, {VERDICTS} verdicts"

    def theirs() -> None:
        known, judged, rest = truth[:VERDICTS], judge[:VERDICTS], judge[VERDICTS:]
        ppi_py.ppi_mean_pointestimate(known, judged, rest)
        ppi_py.ppi_mean_ci(known, judged, rest, alpha=0.05)

    peer = milliseconds(theirs)
    mine = milliseconds(lambda: corrected_mean(JudgedClaims.of(judge, people)))
    by_rationale = milliseconds(
        lambda: corrected_mean(JudgedClaims.of(judge, people, clusters=labels, weights=weights))
    )
    title = "science.judged_scores.corrected_mean"
    yield Figure(title, mine, "ms", "lower", "ppi-python", peer, size, SEED)
    title, peer_name = f"{title}, rationales", "ppi-python, single claims"
    yield Figure(title, by_rationale, "ms", "lower", peer_name, peer, size, SEED)


@bench("science.judged_scores.choice")
def choice_time() -> Iterator[Figure]:
    scores: FloatArray = np.random.default_rng(SEED).random(CLAIMS)
    took = milliseconds(lambda: choose_claims(scores, 30_000, seed=SEED))
    size = f"{CLAIMS} claims, 30000 verdicts"
    yield Figure("science.judged_scores.choice", took, "ms", "lower", size=size, seed=SEED)


def milliseconds(work: Callable[[], object]) -> float:
    """The median of RUNS runs, after one that is not timed."""
    work()
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1_000 * float(np.median(times))
