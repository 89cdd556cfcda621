"""Statistics of judgements: coverage of intervals over raters and items, and time."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from backend.science.judgements.alpha import krippendorff_alpha
from backend.science.judgements.bradley_terry_intervals import board_of_arms
from backend.science.judgements.kappa import chance_corrected_agreement
from backend.science.judgements.two_way import two_way_mean
from backend.science.optional_statistic import Statistic
from tests.bench.figures import Figure, bench
from tests.science.judgements.ranked_worlds import (
    MEASURES,
    MODEL_BOARDS,
    agreement_coverage,
    model_rank_coverage,
)
from tests.science.judgements.test_bradley_terry import SIDE, simulated
from tests.science.judgements.worlds import (
    ALPHA,
    coverage,
    crossed_effects,
    graded_raters,
    over_worlds,
)

SEED, WORLDS, ITEMS, DRAWS = 20_261_122, 1_000, 60, 300
RATERS = (3, 5, 10, 20)
SPREADS = {
    "all effects": (1, 1, 1),
    "raters": (1, 0, 0.3),
    "items": (0, 1, 0.3),
    "noise": (0, 0, 1),
}


@bench("science.judgements.interval_coverage")
def interval_coverage() -> Iterator[Figure]:
    for raters in RATERS:
        for name, (estimate, truth) in estimators(raters).items():
            share = coverage(over_worlds(WORLDS, estimate), truth)
            size = f"{WORLDS} worlds, {raters} raters, {ITEMS} items, {DRAWS} draws"
            title = f"science.judgements.interval_coverage, {name}"
            yield Figure(title, 100 * share, "%", "higher", "nominal", 95, size, SEED)


def estimators(raters: int) -> dict[str, tuple[Callable[[np.random.Generator], Statistic], float]]:
    """What is estimated in a world, and its truth."""

    def alpha(rng: np.random.Generator) -> Statistic:
        values = graded_raters(rng, raters, ITEMS)
        return krippendorff_alpha(values, level="nominal", seed=SEED, draws=DRAWS)

    def gwet(rng: np.random.Generator) -> Statistic:
        values = graded_raters(rng, raters, ITEMS)
        return chance_corrected_agreement(values, "gwet", seed=SEED, draws=DRAWS)

    def side(rng: np.random.Generator) -> Statistic:
        comparisons = simulated(int(rng.integers(2**31)), raters=raters)
        return board_of_arms(comparisons, seed=SEED, draws=1).side

    named: dict[str, tuple[Callable[[np.random.Generator], Statistic], float]] = {
        f"mean, {name}": (mean_of(raters, spreads), 0.0) for name, spreads in SPREADS.items()
    }
    named |= {"alpha": (alpha, ALPHA), "AC1": (gwet, ALPHA)}
    return named | ({"side of pairs": (side, SIDE)} if raters >= 5 else {})


def mean_of(
    raters: int, spreads: tuple[float, float, float]
) -> Callable[[np.random.Generator], Statistic]:
    return lambda rng: two_way_mean(
        crossed_effects(rng, raters, ITEMS, spreads), seed=SEED, draws=DRAWS
    )


@bench("science.judgements.model_rank_coverage")
def model_ranks() -> Iterator[Figure]:
    for raters in (6, 12, 20):
        for name, truth in MODEL_BOARDS.items():
            share, separated = model_rank_coverage(truth, worlds=WORLDS, raters=raters)
            size = f"{WORLDS} boards, {raters} raters, {ITEMS} pairs of models, 5 judge each"
            title = f"science.judgements.model_rank_coverage, {name}"
            yield Figure(title, 100 * share, "%", "higher", "nominal", 95, size, SEED)
            yield Figure(
                f"{title}, separated", 100 * separated, "%", "higher", "", None, size, SEED
            )


@bench("science.judgements.agreement_coverage")
def mean_agreement() -> Iterator[Figure]:
    cases = [(name, spread) for name, (_, truth, _) in MEASURES.items() for spread in truth]
    for raters in (3, 4, 6, 20):
        for measure, spread in cases:
            share = agreement_coverage(measure, raters, spread, worlds=WORLDS)
            size = f"{WORLDS} worlds, {raters} raters, 30 questions"
            title = f"science.judgements.agreement_coverage, {measure}, spread {spread}"
            yield Figure(title, 100 * share, "%", "higher", "nominal", 95, size, SEED)


@bench("science.judgements.alpha")
def alpha_time() -> Iterator[Figure]:
    values = np.random.default_rng(SEED).integers(1, 6, (20, 500)).astype(np.float64)
    began = time.perf_counter()
    krippendorff_alpha(values, level="ordinal", seed=SEED)
    took = time.perf_counter() - began
    size = "20 raters, 500 items, 1000 draws"
    yield Figure("science.judgements.alpha", took, "s", "lower", size=size, seed=SEED)


@bench("science.judgements.model_board")
def board_time() -> Iterator[Figure]:
    comparisons = simulated(SEED, rows=2_000, raters=20, strengths=np.linspace(-1, 1, 20))
    began = time.perf_counter()
    board_of_arms(comparisons, seed=SEED)
    took = time.perf_counter() - began
    size = "20 models, 2000 pairs, 20 raters, 1000 draws"
    yield Figure("science.judgements.model_board", took, "s", "lower", size=size, seed=SEED)
