"""Agreement of a large batch, beside the same averages by scipy, pair by pair."""

import itertools
import random
import time
from collections.abc import Iterator

import numpy as np
from scipy.stats import kendalltau

from backend.science.agreement import QuestionRankings, batch_agreement
from backend.science.rankings import mid_ranks
from tests.bench.figures import Figure, bench, run_size

QUESTIONS, RATERS, CANDIDATES, SEED = 350, 20, 8, 20_261_121
RUNS = 3 if run_size() == "full" else 1


@bench("science.batch_agreement")
def agreement() -> Iterator[Figure]:
    """W, tau-b and top-1 with intervals, against the mean pairwise tau-b alone."""
    questions = random_questions()
    mine, theirs = [], []
    for _ in range(RUNS):
        began = time.perf_counter()
        result = batch_agreement(questions, seed=SEED).average.tau_b.value
        mine.append(time.perf_counter() - began)
        began = time.perf_counter()
        oracle = pair_by_pair(questions)
        theirs.append(time.perf_counter() - began)
        if result is None or abs(result - oracle) > 1e-9:
            raise AssertionError(f"The two disagree: {result} and {oracle}.")
    size = f"{QUESTIONS} questions, {RATERS} experts, {CANDIDATES} candidates"
    peer = "scipy.stats.kendalltau, each pair"
    yield Figure("science.batch_agreement", min(mine), "s", "lower", peer, min(theirs), size, SEED)


def random_questions() -> list[QuestionRankings]:
    rng = random.Random(SEED)  # noqa: S311  test data
    ids = [f"c{number}" for number in range(CANDIDATES)]
    return [
        QuestionRankings(ids, [random_order(ids, rng) for _ in range(RATERS)])
        for _ in range(QUESTIONS)
    ]


def random_order(ids: list[str], chance: random.Random) -> list[list[str]]:
    order = chance.sample(ids, len(ids))
    cuts = sorted(chance.sample(range(1, len(ids)), chance.randint(len(ids) // 2, len(ids) - 1)))
    return [order[a:b] for a, b in itertools.pairwise([0, *cuts, len(ids)])]


def pair_by_pair(questions: list[QuestionRankings]) -> float:
    means = []
    for question in questions:
        ranks = [mid_ranks(groups, question.ids) for groups in question.rankings]
        pairs = itertools.combinations(ranks, 2)
        means.append(np.mean([kendalltau(a, b).statistic for a, b in pairs]))
    return float(np.mean(means))
