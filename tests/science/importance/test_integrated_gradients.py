"""Gradients beside complex steps, and what integrated gradients of a network sum to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from backend.science.importance.dated_links import Floats, Longs
from backend.science.importance.integrated_gradients import (
    TOLERANCE,
    integrate,
    integrated_gradients,
)
from backend.science.importance.link_network import LinkNetwork, NetworkWeights
from tests.science.importance.dated_worlds import random_world

STEP = 1e-30  # of a complex argument: its derivative is exact to the last digits


@dataclass(frozen=True)
class Case:
    network: LinkNetwork
    links: Longs
    targets: Longs


def make_case(seed: int, *, has_loops: bool, has_biases: bool) -> Case:
    draw = np.random.default_rng(seed)
    world = random_world(25, 70, seed)
    links = world.links.pairs[world.links.years <= 2006]
    weights = draw.integers(1, 6, len(world.links.pairs)).astype(float)
    layers = NetworkWeights(
        draw.normal(size=(25, 6)),
        draw.normal(size=(6, 5)),
        draw.normal(size=(5, 4)),
        draw.normal(size=5) if has_biases else None,
        draw.normal(size=4) if has_biases else None,
    )
    matrix = world.links.matrix(2006, weights)
    network = LinkNetwork.of(matrix, layers, has_loops=has_loops)
    return Case(network, links, world.links.pairs[world.links.years > 2006])


def dense_score(case: Case, shares: np.ndarray) -> np.ndarray:
    """F of one share a link, by dense products of complex numbers; `shares`: (..., links)."""
    network, layers = case.network, case.network.weights
    matrix = np.zeros((*shares.shape[:-1], *network.links.shape), dtype=complex)
    normal = network.links.toarray()
    for (one, other), share in zip(case.links.tolist(), np.moveaxis(shares, -1, 0), strict=True):
        matrix[..., one, other] = matrix[..., other, one] = share * normal[one, other]
    if network.loops is not None:
        matrix += np.diag(network.loops)
    hidden = matrix @ (layers.features @ layers.first)
    if layers.first_bias is not None:
        hidden = hidden + layers.first_bias
    vectors = matrix @ ((hidden * (hidden.real > 0)) @ layers.second)
    if layers.second_bias is not None:
        vectors = vectors + layers.second_bias
    products = vectors[..., case.targets[:, 0], :] * vectors[..., case.targets[:, 1], :]
    return np.asarray(products.sum(axis=(-2, -1)))


def step_gradients(case: Case, share: float) -> Floats:
    shares = np.full((len(case.links), len(case.links)), share, dtype=complex)
    np.fill_diagonal(shares, share + STEP * 1j)
    return np.asarray(dense_score(case, shares).imag / STEP)


KINDS = [(False, False), (True, False), (True, True)]


@pytest.mark.parametrize(("has_loops", "has_biases"), KINDS)
@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_gradients_are_those_of_complex_steps(
    share: float, has_loops: bool, has_biases: bool
) -> None:
    case = make_case(1, has_loops=has_loops, has_biases=has_biases)
    expected = step_gradients(case, share)
    values = case.network.link_gradients(case.targets, case.links, share)
    assert values == pytest.approx(expected, rel=1e-9, abs=1e-9)
    score = float(dense_score(case, np.full(len(case.links), share, dtype=complex)).real)
    assert case.network.score(case.targets, share) == pytest.approx(score, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("has_loops", "has_biases"), KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_values_sum_to_what_all_links_change(seed: int, has_loops: bool, has_biases: bool) -> None:
    case = make_case(seed, has_loops=has_loops, has_biases=has_biases)
    result = integrated_gradients(case.network, case.targets, case.links)
    change = case.network.score(case.targets) - case.network.score(case.targets, 0)
    assert result.is_complete
    assert result.values.sum() == pytest.approx(change, rel=TOLERANCE)
    fine = np.mean([step_gradients(case, (at + 0.5) / 400) for at in range(400)], axis=0)
    scale = np.abs(fine).max()
    assert result.values == pytest.approx(fine, abs=1e-2 * scale)


def test_without_loops_and_biases_a_quarter_of_the_gradient_is_the_integral() -> None:
    case = make_case(2, has_loops=False, has_biases=False)
    result = integrated_gradients(case.network, case.targets, case.links)
    assert result.gradients == 1
    steps = integrate(case.network, case.targets, case.links, 1)
    assert result.values == pytest.approx(steps, rel=1e-9, abs=1e-12)
    assert result.gap < 1e-9


def test_normalised_along_the_path_links_would_not_matter_but_at_its_start() -> None:
    case = make_case(3, has_loops=False, has_biases=False)
    world = random_world(25, 70, 3).links
    matrix = world.matrix(2006)
    scores = [
        LinkNetwork.of(share * matrix, case.network.weights, has_loops=False).score(case.targets)
        for share in (0.01, 0.5, 1)
    ]
    assert scores == pytest.approx([scores[0]] * 3)
    fixed = LinkNetwork.of(matrix, case.network.weights, has_loops=False)
    assert fixed.score(case.targets, 0.5) == pytest.approx(scores[0] / 16)


def test_a_link_far_from_all_targets_has_no_part() -> None:
    case = make_case(4, has_loops=True, has_biases=False)
    draw = np.random.default_rng(1)
    world = random_world(25, 70, 4).links
    pairs = np.concatenate([world.pairs, [[25, 26]]])
    rows = np.concatenate([pairs, pairs[:, ::-1]])
    links = type(case.network.links)((np.ones(len(rows)), tuple(rows.T)), shape=(27, 27))
    features = np.vstack([case.network.weights.features, draw.normal(size=(2, 6))])
    layers = replace(case.network.weights, features=features)
    result = integrated_gradients(LinkNetwork.of(links, layers), case.targets, pairs)
    assert result.values[-1] == 0
    assert result.is_complete
