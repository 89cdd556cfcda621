"""Partitions from rankings, agreement of two, and percentiles among random sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from backend.science.rankings import InvalidRanking
from backend.science.rns.errors import (
    EmptySet,
    InvalidNumbers,
    UnknownCandidate,
)
from backend.science.rns.partitions import (
    partition_agreement,
    partition_from_ranking,
)
from backend.science.rns.percentile import compute_percentile, draw_set

POOLS = {"drug": np.arange(0, 10), "disease": np.arange(10, 30)}


def test_the_top_fifth_of_a_ranking_is_serendipitous() -> None:
    ids = list("abcdefghij")
    result = partition_from_ranking([["i", "b"], ["j"], *([one] for one in "acdefgh")], ids)
    assert (result.serendipity, result.tied) == ((1, 8), ())
    assert result.existing == (0, 2, 3, 4, 5, 6, 7, 9)


def test_ties_at_the_boundary_follow_candidate_order_and_are_reported() -> None:
    ids = list("abcde")
    result = partition_from_ranking([["a", "c", "d"], ["b"], ["e"]], ids, 2)
    assert (result.serendipity, result.tied) == ((0, 2), (0, 2, 3))
    assert partition_from_ranking([["a", "c"], ["d"], ["b"], ["e"]], ids, 2).tied == ()


def test_a_consensus_gives_the_top_of_its_order() -> None:
    ids = ["a", "b", "c", "d", "e"]
    result = partition_from_ranking([["d"], ["b", "e"], ["a", "c"]], ids, 2)
    assert (result.serendipity, result.tied) == ((1, 3), (1, 4))
    with pytest.raises(InvalidRanking):
        partition_from_ranking([["d"]], ids)


def test_agreement_is_full_with_itself_and_none_with_another() -> None:
    same = partition_agreement(10, [1, 2], [2, 1])
    assert (same.overlap, same.tau_b.value) == (1, 1)
    assert partition_agreement(10, [1, 2], [3, 4]).overlap == 0
    opposite = partition_agreement(4, [0, 1], [2, 3])
    assert (opposite.overlap, opposite.tau_b.value) == (0, -1)


def test_chance_is_what_random_sets_agree_on_average() -> None:
    pairs = [partition_agreement(6, [0, 1], list(one)) for one in combinations(range(6), 2)]
    assert np.mean([pair.overlap for pair in pairs]) == pytest.approx(pairs[0].chance)
    assert np.mean([pair.tau_b.value or 0 for pair in pairs]) == pytest.approx(0)
    unequal = [partition_agreement(6, [0, 1, 2], list(one)) for one in combinations(range(6), 2)]
    assert np.mean([pair.overlap for pair in unequal]) == pytest.approx(unequal[0].chance)


def test_tau_b_of_two_partitions_is_that_of_scipy() -> None:
    result = partition_agreement(7, [0, 3], [3, 5, 6])
    one = [1 if n in (0, 3) else 2 for n in range(7)]
    other = [1 if n in (3, 5, 6) else 2 for n in range(7)]
    assert result.tau_b.value == pytest.approx(stats.kendalltau(one, other).statistic)


def test_sets_outside_the_candidates_are_rejected() -> None:
    with pytest.raises(EmptySet):
        partition_agreement(3, [], [1])
    with pytest.raises(EmptySet):
        partition_agreement(3, [1], [0, 1, 2])
    with pytest.raises(UnknownCandidate):
        partition_agreement(3, [1], [3])


def draw_sets(types: Sequence[str], draws: int, seed: int) -> list[list[int]]:
    places = {kind: [at for at, one in enumerate(types) if one == kind] for kind in types}
    rng = np.random.default_rng(seed)
    return [draw_set(places, POOLS, len(types), rng) for _ in range(draws)]


def test_the_percentile_is_the_share_of_random_sets_that_score_lower() -> None:
    scores = [float(new - old) for old, new in draw_sets(["drug", "disease"], 4000, seed=3)]
    everything = [new - old for new in range(10, 30) for old in range(10)]
    for own in (5.0, 15.0, 22.5):
        below = (
            np.mean([one < own for one in everything])
            + np.mean([one == own for one in everything]) / 2
        )
        assert compute_percentile(own, scores) == pytest.approx(100 * below, abs=3)
    assert compute_percentile(100, scores) == 100
    assert compute_percentile(-100, scores) == 0


def test_a_random_set_that_differs_only_by_rounding_counts_as_equal() -> None:
    assert compute_percentile(0.1 + 0.2, [0.3, 0.3, 0.29, 0.31]) == 50
    assert compute_percentile(0.3, [0.3 - 1e-11, 0.3 + 1e-11]) == 50


def test_random_sets_match_the_given_types_without_duplicates() -> None:
    types = ["drug", "disease", "drug", "drug", "disease"]
    drawn = draw_sets(types, 300, seed=1)
    assert compute_percentile(0.0, [0.0] * 300) == 50
    for entities in drawn:
        assert len(set(entities)) == 5
        assert [entity < 10 for entity in entities] == [True, False, True, True, False]
    assert {entity for entities in drawn for entity in entities} == set(range(30))
    assert draw_sets(types, 300, seed=1) == drawn


def test_a_score_that_is_not_finite_is_rejected() -> None:
    with pytest.raises(InvalidNumbers):
        compute_percentile(0.0, [1.0, float("nan")])
    with pytest.raises(InvalidNumbers):
        compute_percentile(float("inf"), [1.0])
