"""Training of the network that integrated gradients are taken of, on the links of its own graph.

The loss is the mean over links (i, j), each beside a pair (i, r) whose end is replaced by any
linked entity, of

    log(1 + exp(-f(i, j))) + log(1 + exp(f(i, r))),   f(i, j) = z_i · z_j     (see `link_network`)

and both layers make a step of Adam (Kingma and Ba, ICLR 2015) for each epoch. Features stay as they
are. Without loops and biases the network is homogeneous, so that its integrated gradients have a
closed form. The same seed gives the same bytes on the same machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from backend.runtime.cancellation import CancellationToken
from backend.science.importance.dated_links import Floats, Longs
from backend.science.importance.link_network import LinkNetwork, NetworkWeights

MOST_LINKS = 200_000  # of an epoch; of more, as many are drawn
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8
STREAM = 7  # of the seeds of this package


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """hidden, output: numbers of an entity after the first and the second layer."""

    hidden: int = 32
    output: int = 16
    epochs: int = 60
    rate: float = 0.03
    seed: int = 0


@dataclass
class AdamLayer:
    value: Floats

    def __post_init__(self) -> None:
        self.mean, self.square = np.zeros_like(self.value), np.zeros_like(self.value)

    def step(self, slope: Floats, rate: float, epoch: int) -> None:
        """Epochs are counted from 1."""
        self.mean += (1 - MEAN_DECAY) * (slope - self.mean)
        self.square += (1 - SQUARE_DECAY) * (slope * slope - self.square)
        mean = self.mean / (1 - MEAN_DECAY**epoch)
        square = self.square / (1 - SQUARE_DECAY**epoch)
        self.value -= rate * mean / (np.sqrt(square) + EPSILON)


def train_network(
    matrix: csr_array[np.float64],
    features: Floats,
    settings: NetworkSettings | None = None,
    *,
    stop: CancellationToken | None = None,
) -> LinkNetwork:
    """matrix: symmetric [V, V] with weights above 0 and no diagonal. features [V, f].

    Raises ValueError without links, and Cancelled.
    """
    settings = settings or NetworkSettings()
    links = np.column_stack(matrix.nonzero()).astype(np.int64)
    links = links[links[:, 0] < links[:, 1]]
    if not len(links):
        raise ValueError("a network is trained on links")
    rng = np.random.default_rng([settings.seed, STREAM])
    shapes = (features.shape[1], settings.hidden), (settings.hidden, settings.output)
    layers = [AdamLayer(rng.standard_normal(shape) * (2 / shape[0]) ** 0.5) for shape in shapes]
    network = LinkNetwork.of(
        matrix, NetworkWeights(features, layers[0].value, layers[1].value), has_loops=False
    )
    linked = np.flatnonzero(np.diff(matrix.indptr))
    for epoch in range(1, settings.epochs + 1):
        if stop is not None:
            stop.raise_if_cancelled()
        some = links if len(links) <= MOST_LINKS else links[rng.integers(0, len(links), MOST_LINKS)]
        ends = np.take_along_axis(some, rng.integers(0, 2, (len(some), 1)), axis=1).reshape(-1)
        replaced = np.column_stack([ends, linked[rng.integers(0, len(linked), len(some))]])
        _, slopes = loss_and_slopes(network, some, replaced)
        for layer, slope in zip(layers, slopes, strict=True):
            layer.step(slope, settings.rate, epoch)
        weights = NetworkWeights(features, layers[0].value, layers[1].value)
        network = replace(network, weights=weights)
    return network


def loss_and_slopes(
    network: LinkNetwork, links: Longs, replaced: Longs
) -> tuple[float, tuple[Floats, Floats]]:
    """The mean loss over links [n, 2] and replaced pairs [n, 2], and its slopes by both layers."""
    weights, pairs = network.weights, np.concatenate([links, replaced])
    signs = np.repeat([-1.0, 1.0], [len(links), len(replaced)])
    hidden = network.hidden(1)
    active = np.maximum(hidden, 0)
    vectors = network.spread(active @ weights.second, 1)
    signed = signs * (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
    loss = float(np.logaddexp(0, signed).sum()) / len(links)
    pulls = signs * np.exp(-np.logaddexp(0, -signed)) / len(links)
    count = len(vectors)
    spread = csr_array((pulls, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    arrived = network.spread(spread @ vectors + spread.T @ vectors, 1)
    below = network.spread((arrived @ weights.second.T) * (hidden > 0), 1)
    return loss, (weights.features.T @ below, active.T @ arrived)
