"""R, N, S and RNS of one split, beside plain loops."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from backend.science.rns.candidates import Candidates, NoveltyForm
from backend.science.rns.errors import (
    EmptySet,
    InvalidNumbers,
    OverlappingSets,
    RepeatedCandidate,
    RnsError,
    SizeOutOfRange,
    UnknownCandidate,
    WeightsOffSimplex,
)
from backend.science.rns.jensen_shannon import (
    SplitSurprises,
    split_surprises,
)
from backend.science.rns.measures import (
    Weights,
    score_given_splits,
    score_singles,
)
from backend.science.rns.splits import all_splits
from tests.science.rns import oracle
from tests.science.rns.definitions import (
    jensen_shannon,
    mutual_information,
    novelty,
    relevance,
    score_sets,
)
from tests.science.rns.questions import question, weights_drawn

FORMS: tuple[NoveltyForm, ...] = ("printed", "conditional")
DIRECTIONS, DANGLING = ("both", "out"), ("self", "uniform")
OPTIONS = list(itertools.product(DIRECTIONS, DANGLING, (1, 2, 3, 4)))


def sets_drawn(seed: int, count: int) -> tuple[list[int], list[int]]:
    rng = np.random.default_rng(seed + 10_000)
    chosen = rng.permutation(count)[: int(rng.integers(3, count + 1))].tolist()
    cut = int(rng.integers(1, len(chosen)))
    return chosen[:cut], chosen[cut:]


@pytest.mark.parametrize("seed", range(200))
def test_every_measure_matches_plain_loops(seed: int) -> None:
    direction, dangling, hops = OPTIONS[seed % len(OPTIONS)]
    world = oracle.random_world(seed, hops=hops, direction=direction, dangling=dangling)
    known, new = sets_drawn(seed, len(world.rows))
    everyone = [*new, *known]
    candidates = oracle.candidates_of(world, everyone)
    first, rest = list(range(len(new))), list(range(len(new), len(everyone)))
    rows = oracle.columns_of(world, everyone)
    whole = jensen_shannon(rows[:, first].mean(axis=1), rows[:, rest].mean(axis=1))
    weights = weights_drawn(seed)

    expected_r = oracle.relevance(world, known, new)
    assert relevance(candidates, rest, first) == pytest.approx(expected_r, abs=1e-10)
    for support in ("all", "candidates"):
        expected_s = oracle.surprise(world, known, new, support)
        for form in FORMS:
            expected_mi = oracle.information(world, known, new, form)
            given = whole if support == "all" else None
            result = score_sets(candidates, rest, first, weights, novelty=form, surprise=given)
            assert result.mutual_information == pytest.approx(expected_mi, abs=1e-10)
            assert mutual_information(candidates, rest, first, form) == pytest.approx(expected_mi)
            assert novelty(candidates, rest, first, form) == pytest.approx(1 - expected_mi)
            assert result.surprise == pytest.approx(expected_s, abs=1e-10)
            alpha, beta, gamma = weights.values
            total = alpha * expected_r + beta * (1 - expected_mi) + gamma * expected_s
            assert result.total == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize("seed", range(0, 200, 5))
def test_a_single_candidate_score_is_rns_of_that_split(seed: int) -> None:
    world = oracle.random_world(seed)
    everyone = list(range(len(world.rows)))
    rows = oracle.columns_of(world, everyone)
    result = split_surprises(rows, all_splits(len(everyone), 1))
    bars = score_singles(oracle.candidates_of(world, everyone), surprises=result)
    for one in everyone:
        others = [other for other in everyone if other != one]
        assert bars.relevance[one] == pytest.approx(oracle.relevance(world, others, [one]))
        expected = oracle.surprise(world, others, [one], "all")
        assert bars.surprise[one] == pytest.approx(expected, abs=1e-10)
        information = oracle.information(world, others, [one], "printed")
        assert bars.mutual_information[one] == pytest.approx(information, abs=1e-10)


def test_entities_without_an_embedding_are_orthogonal_and_reported() -> None:
    some = question(6, 3)
    lacking = Candidates(
        some.transition,
        some.marginal,
        some.vectors,
        np.array([True, False, True, False, True, True]),
    )
    assert lacking.distances.diagonal().tolist() == [0] * 6
    assert lacking.distances[1, 0] == lacking.distances[1, 3] == pytest.approx(0.5**0.5)
    assert relevance(lacking, [0, 2], [1]) == pytest.approx(-(0.5**0.5))
    assert score_sets(lacking, [0, 1], [2]).unembedded == (1,)


def test_opposite_embeddings_are_one_apart_and_equal_ones_not_at_all() -> None:
    vectors = np.array([[1.0, 0.0], [-3.0, 0.0], [2.0, 0.0]])
    some = Candidates(np.eye(3), np.full(3, 1 / 3), vectors, np.ones(3, bool))
    assert relevance(some, [0], [1]) == -1 and relevance(some, [0], [2]) == 0


def test_embeddings_of_any_length_have_a_direction() -> None:
    unit = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    lengths = np.array([[1e-200], [1e250], [5e-324]])
    every = np.ones(3, bool)
    one, other = (
        Candidates(np.eye(3), np.full(3, 1 / 3), v, every) for v in (unit, unit * lengths)
    )
    assert other.distances == pytest.approx(one.distances, abs=1e-12)


def test_a_candidate_of_tiny_probability_has_finite_information() -> None:
    """P(j | i) / P(j) is then too large for a number, and its logarithm is not."""
    some = Candidates(np.full((2, 2), 0.5), np.array([1e-300, 5e-324]), np.eye(2), np.ones(2, bool))
    expected = 1e-300 * 0.5 * (-1 + 1074)
    assert mutual_information(some, [0], [1]) == pytest.approx(expected, rel=1e-12)


def test_scoring_many_splits_equals_scoring_each() -> None:
    some = question(9, 8)
    splits = all_splits(9, 3)
    for form in FORMS:
        result = score_given_splits(some, splits, novelty=form)
        for place in range(0, len(splits), 7):
            new = splits[place].tolist()
            known = [one for one in range(9) if one not in new]
            assert result.relevance[place] == pytest.approx(relevance(some, known, new), abs=1e-14)
            expected = mutual_information(some, known, new, form)
            assert result.mutual_information[place] == pytest.approx(expected, abs=1e-14)


def test_surprises_of_other_splits_are_rejected() -> None:
    some = question(4, 1)
    given = SplitSurprises(np.array([[7]]), np.zeros(1), 0.0)
    with pytest.raises(InvalidNumbers, match="from 0 to 3"):
        score_given_splits(some, given.splits, surprises=given)


def test_a_row_without_mass_among_the_candidates_counts_as_uniform() -> None:
    transition = np.array([[0.0, 0.0, 0.0], [0.2, 0.1, 0.1], [0.0, 0.5, 0.5]])
    some = Candidates(transition, np.full(3, 1 / 3), np.eye(3), np.ones(3, bool))
    assert some.restricted_rows[0].tolist() == [1 / 3] * 3
    assert some.restricted_rows.sum(axis=1) == pytest.approx(1)


def test_disjoint_rows_surprise_fully_and_equal_rows_not_at_all() -> None:
    some = Candidates(np.eye(4), np.full(4, 0.25), np.eye(4), np.ones(4, bool))
    assert score_sets(some, [0, 1], [2, 3]).surprise == pytest.approx(1)
    same = Candidates(np.full((4, 4), 0.1), np.full(4, 0.25), np.eye(4), np.ones(4, bool))
    assert score_sets(same, [0, 1], [2, 3]).surprise == pytest.approx(0, abs=1e-15)


def test_novelty_may_exceed_one() -> None:
    """Over subsets the 'mutual information' as printed is no divergence and may be negative."""
    transition = np.array([[0.9, 0.01], [0.01, 0.9]])
    some = Candidates(transition, np.array([0.5, 0.5]), np.eye(2), np.ones(2, bool))
    assert novelty(some, [0], [1]) > 1


@pytest.mark.parametrize(
    ("existing", "serendipity", "wrong", "place"),
    [
        ([], [1], EmptySet, "existing"),
        ([0], [], EmptySet, "serendipity"),
        ([0, 1], [1, 2], OverlappingSets, "serendipity"),
        ([0, 0], [1], RepeatedCandidate, "existing"),
        ([0], [2, 1, 2], RepeatedCandidate, "serendipity"),
        ([0], [4], UnknownCandidate, "serendipity"),
        ([-1], [2], UnknownCandidate, "existing"),
    ],
)
def test_invalid_sets_are_rejected_with_the_place(
    existing: list[int], serendipity: list[int], wrong: type[RnsError], place: str
) -> None:
    some = question(4, 1)
    for measure in (relevance, mutual_information, score_sets):
        with pytest.raises(wrong) as refused:
            measure(some, existing, serendipity)
        assert refused.value.place == place
        assert pickle.loads(pickle.dumps(refused.value)).place == place


@pytest.mark.parametrize("values", [(0.5, 0.5, 0.5), (-0.1, 0.6, 0.5), (float("nan"), 0.5, 0.5)])
def test_weights_off_the_simplex_are_rejected(values: tuple[float, float, float]) -> None:
    with pytest.raises(WeightsOffSimplex):
        Weights(*values)


def test_default_weights_are_equal() -> None:
    assert Weights().values == (1 / 3, 1 / 3, 1 / 3)


def test_arrays_of_wrong_shape_are_rejected_by_name() -> None:
    good = question(4, 1)
    bad = {
        "transition": (good.transition - 1, good.marginal, good.vectors, good.has_embedding),
        "marginal": (good.transition, good.marginal * 0, good.vectors, good.has_embedding),
        "vectors": (good.transition, good.marginal, good.vectors * 0, np.ones(4, bool)),
        "embedded": (good.transition, good.marginal, good.vectors, np.ones(3, bool)),
    }
    for name, arrays in bad.items():
        with pytest.raises(InvalidNumbers, match=name):
            Candidates(*arrays)


def test_one_candidate_cannot_be_split() -> None:
    with pytest.raises(SizeOutOfRange):
        score_singles(question(1, 1))
