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
    SizeOutOfRange,
    TooFewOfType,
    UnknownCandidate,
)
from backend.science.rns.partitions import (
    agreement,
    partition_from_ranking,
    partition_from_scores,
)
from backend.science.rns.percentile import percentile_of, random_percentile
from backend.science.stopping import Stop

POOLS = {"drug": np.arange(0, 10), "disease": np.arange(10, 30)}


def test_the_top_fifth_of_the_mean_scores_is_serendipitous() -> None:
    scores = [[1, 9, 3, 4, 5, 6, 0, 2, 8, 7], [3, 7, 3, 4, 5, 6, 0, 2, 9, 7]]
    found = partition_from_scores(scores)
    assert (found.serendipity, found.tied) == ((1, 8), ())
    assert found.existing == (0, 2, 3, 4, 5, 6, 7, 9)


def test_ties_at_the_edge_go_by_the_order_of_candidates_and_are_named() -> None:
    found = partition_from_scores([5, 1, 5, 5, 0], 2)
    assert (found.serendipity, found.tied) == ((0, 2), (0, 2, 3))
    assert partition_from_scores([5, 1, 5, 4, 0], 2).tied == ()


def test_the_order_of_the_raters_breaks_no_tie() -> None:
    """0.1 + 0.2 + 0.3 is another floating-point number than 0.3 + 0.2 + 0.1."""
    found = partition_from_scores([[0.3, 0.1], [0.2, 0.2], [0.1, 0.3]], 1)
    assert (found.serendipity, found.tied) == ((0,), (0, 1))
    found = partition_from_scores([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]], 1)
    assert (found.serendipity, found.tied) == ((0,), (0, 1))
    absent = float("nan")
    assert partition_from_scores([[0.1, 0.1], [0.1, 0.1], [0.1, absent]], 1).tied == (0, 1)
    assert partition_from_scores([[1.0, 1.0 + 1e-9]], 1).serendipity == (1,)
    assert partition_from_scores([[1.6e308, 1.7e308], [1.6e308, 1.7e308]]).serendipity == (1,)


def test_a_rater_who_left_a_candidate_out_does_not_count_for_it() -> None:
    nobody = float("nan")
    assert partition_from_scores([[4.0, nobody, 1.0], [0.0, 3.0, 1.0]]).serendipity == (1,)
    unusable: list[list[list[float]]] = [[[1, nobody], [2, nobody]], [[1, float("inf")]]]
    for scores in unusable:
        with pytest.raises(InvalidNumbers):
            partition_from_scores(scores)


def test_a_consensus_gives_the_top_of_its_order() -> None:
    ids = ["a", "b", "c", "d", "e"]
    found = partition_from_ranking([["d"], ["b", "e"], ["a", "c"]], ids, 2)
    assert (found.serendipity, found.tied) == ((1, 3), (1, 4))
    with pytest.raises(InvalidRanking):
        partition_from_ranking([["d"]], ids)


def test_agreement_is_full_with_itself_and_none_with_another() -> None:
    same = agreement(10, [1, 2], [2, 1])
    assert (same.overlap, same.tau_b.value) == (1, 1)
    assert agreement(10, [1, 2], [3, 4]).overlap == 0
    opposite = agreement(4, [0, 1], [2, 3])
    assert (opposite.overlap, opposite.tau_b.value) == (0, -1)


def test_chance_is_what_random_sets_agree_on_average() -> None:
    pairs = [agreement(6, [0, 1], list(one)) for one in combinations(range(6), 2)]
    assert np.mean([pair.overlap for pair in pairs]) == pytest.approx(pairs[0].chance)
    assert np.mean([pair.tau_b.value or 0 for pair in pairs]) == pytest.approx(0)
    unequal = [agreement(6, [0, 1, 2], list(one)) for one in combinations(range(6), 2)]
    assert np.mean([pair.overlap for pair in unequal]) == pytest.approx(unequal[0].chance)


def test_tau_b_of_two_partitions_is_that_of_scipy() -> None:
    found = agreement(7, [0, 3], [3, 5, 6])
    one = [1 if n in (0, 3) else 2 for n in range(7)]
    other = [1 if n in (3, 5, 6) else 2 for n in range(7)]
    assert found.tau_b.value == pytest.approx(stats.kendalltau(one, other).statistic)


def test_sets_that_are_no_part_of_the_candidates_are_refused() -> None:
    with pytest.raises(EmptySet):
        agreement(3, [], [1])
    with pytest.raises(EmptySet):
        agreement(3, [1], [0, 1, 2])
    with pytest.raises(UnknownCandidate):
        agreement(3, [1], [3])


def total(existing: Sequence[int], new: Sequence[int]) -> float:
    return float(sum(new) - sum(existing))


def test_the_percentile_is_the_share_of_random_sets_that_score_lower() -> None:
    def ask(own: float) -> float:
        found = random_percentile(["drug"], ["disease"], POOLS, total, own=own, draws=4000, seed=3)
        return found.percentile

    everything = [new - old for new in range(10, 30) for old in range(10)]
    for own in (5.0, 15.0, 22.5):
        below = (
            np.mean([one < own for one in everything])
            + np.mean([one == own for one in everything]) / 2
        )
        assert ask(own) == pytest.approx(100 * below, abs=3)
    assert ask(100) == 100 and ask(-100) == 0


def test_a_random_set_that_differs_only_by_rounding_counts_as_equal() -> None:
    found = percentile_of(0.1 + 0.2, [0.3, 0.3, 0.29, 0.31])
    assert found.percentile == 50
    assert percentile_of(0.3, [0.3 - 1e-11, 0.3 + 1e-11]).percentile == 50


def test_random_sets_have_the_types_of_ones_own_and_no_entity_twice() -> None:
    seen = []

    def record(existing: Sequence[int], new: Sequence[int]) -> float:
        seen.append((tuple(existing), tuple(new)))
        return 0.0

    kinds = ["drug", "disease", "drug"], ["drug", "disease"]
    found = random_percentile(*kinds, POOLS, record, own=0.0, draws=300, seed=1)
    assert (found.percentile, found.draws) == (50, 300)
    for existing, new in seen:
        entities = [*existing, *new]
        assert len(set(entities)) == 5
        assert [entity < 10 for entity in entities] == [True, False, True, True, False]
    assert {entity for sets in seen for entity in (*sets[0], *sets[1])} == set(range(30))
    again = list(seen)
    seen.clear()
    random_percentile(*kinds, POOLS, record, own=0.0, draws=300, seed=1)
    assert seen == again


def test_a_stop_ends_the_drawing_with_what_there_is() -> None:
    stop = Stop()
    stop.pull()
    found = random_percentile(
        ["drug"], ["drug"], POOLS, total, own=0.0, draws=50, seed=0, stop=stop
    )
    assert found.draws == 1


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(TooFewOfType) as few:
        random_percentile(["gene"], ["drug"], POOLS, total, own=0.0, draws=5, seed=0)
    assert few.value.place == "gene"
    with pytest.raises(SizeOutOfRange):
        random_percentile(["drug"], ["drug"], POOLS, total, own=0.0, draws=0, seed=0)
    with pytest.raises(InvalidNumbers):
        random_percentile(
            ["drug"], ["drug"], POOLS, lambda a, b: float("nan"), own=0.0, draws=3, seed=0
        )
