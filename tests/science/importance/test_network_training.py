"""Slopes beside differences; a trained network tells links of a planted graph from other pairs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.importance.dated_links import Floats
from backend.science.importance.integrated_gradients import integrated_gradients
from backend.science.importance.link_network import LinkNetwork, NetworkWeights
from backend.science.importance.network_training import (
    NetworkSettings,
    loss_and_slopes,
    train_network,
)

GROUPS, SIZE, WIDTH = 6, 15, 8


def planted_matrix(seed: int) -> csr_array[np.float64]:
    rng = np.random.default_rng(seed)
    group = np.arange(GROUPS * SIZE) // SIZE
    odds = np.where(group[:, None] == group, 0.4, 0.01)
    upper = np.triu(rng.random(odds.shape) < odds, 1)
    return csr_array((upper | upper.T).astype(np.float64))


def planted_features(seed: int) -> Floats:
    """Near the centre of the group, as vectors of walks are."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(GROUPS, WIDTH))
    rows = centres[np.arange(GROUPS * SIZE) // SIZE] + rng.normal(size=(GROUPS * SIZE, WIDTH)) / 2
    scaled: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def test_slopes_are_those_of_differences() -> None:
    rng = np.random.default_rng(1)
    layers = NetworkWeights(
        planted_features(1), rng.normal(size=(WIDTH, 5)), rng.normal(size=(5, 3))
    )
    network = LinkNetwork.of(planted_matrix(1), layers, has_loops=False)
    links, replaced = rng.integers(0, GROUPS * SIZE, (2, 40, 2))
    _, slopes = loss_and_slopes(network, links, replaced)
    for name, slope in zip(("first", "second"), slopes, strict=True):
        value: Floats = getattr(layers, name)
        for at in [(0, 0), (1, 2), (4, 1)]:
            losses = []
            for step in (1e-6, -1e-6):
                moved = value.copy()
                moved[at] += step
                changed = replace(network, weights=replace(layers, **{name: moved}))
                losses.append(loss_and_slopes(changed, links, replaced)[0])
            assert slope[at] == pytest.approx((losses[0] - losses[1]) / 2e-6, rel=1e-5, abs=1e-8)


def test_a_trained_network_scores_links_above_other_pairs_and_repeats_by_seed() -> None:
    matrix, features = planted_matrix(2), planted_features(2)
    network = train_network(matrix, features)
    vectors = network.vectors()
    scores = vectors @ vectors.T
    is_link = matrix.toarray() > 0
    places = np.triu_indices(len(scores), 1)
    links, others = scores[places][is_link[places]], scores[places][~is_link[places]]
    assert (links[:, None] > others).mean() > 0.9
    again = train_network(matrix, features)
    assert np.array_equal(again.vectors(), vectors)
    other = train_network(matrix, features, NetworkSettings(seed=1))
    assert not np.array_equal(other.vectors(), vectors)


def test_gradients_of_a_trained_network_sum_to_the_score_of_later_links() -> None:
    matrix = planted_matrix(3)
    network = train_network(matrix, planted_features(3), NetworkSettings(epochs=5))
    links = np.column_stack(matrix.nonzero()).astype(np.int64)
    links = links[links[:, 0] < links[:, 1]]
    later = np.array([[0, 7], [20, 29], [3, 80]])
    result = integrated_gradients(network, later, links)
    assert result.gradients == 1 and result.gap < 1e-9
    assert result.values.sum() == pytest.approx(network.score(later))


def test_without_links_or_when_cancelled_nothing_is_trained() -> None:
    with pytest.raises(ValueError, match="links"):
        train_network(csr_array((3, 3), dtype=np.float64), np.ones((3, 2)))
    stop = CancellationToken()
    stop.cancel()
    with pytest.raises(Cancelled):
        train_network(planted_matrix(1), planted_features(1), stop=stop)
