"""A graph convolution network of two layers that scores pairs, and its gradient by each link.

    P = S X W₁ + b₁,  Z = S relu(P) W₂ + b₂,  f(i, j) = z_i · z_j,  S = a ∘ N + loops

N is the normalised adjacency D^-½ A D^-½ of the whole graph, with D the weighted degrees (plus 1
with loops, which are then D^-1 on the diagonal). It is fixed: `share` a scales the links alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads, split_evenly
from backend.science.importance.dated_links import Floats, Longs


@dataclass(frozen=True)
class NetworkWeights:
    """features [V, f], first [f, h], second [h, d]; biases [h] and [d], None without them."""

    features: Floats
    first: Floats
    second: Floats
    first_bias: Floats | None = None
    second_bias: Floats | None = None


@dataclass(frozen=True)
class LinkNetwork:
    """links: N, symmetric [V, V]. loops: the diagonal [V], None without loops."""

    links: csr_array[np.float64]
    loops: Floats | None
    weights: NetworkWeights

    @classmethod
    def of(
        cls, matrix: csr_array[np.float64], weights: NetworkWeights, *, has_loops: bool = True
    ) -> LinkNetwork:
        """matrix: A, symmetric [V, V] with weights above 0 and no diagonal."""
        degrees = np.asarray(matrix.sum(axis=1), dtype=np.float64) + has_loops
        scale = 1 / np.sqrt(np.where(degrees > 0, degrees, 1))
        links = csr_array(diags_array(scale) @ matrix @ diags_array(scale))
        return cls(links, scale**2 if has_loops else None, weights)

    @property
    def is_homogeneous(self) -> bool:
        """f grows with the fourth power of the links' share."""
        weights = self.weights
        return self.loops is None and weights.first_bias is None and weights.second_bias is None

    def spread(self, block: Floats, share: float) -> Floats:
        """S · block."""
        result: Floats = share * np.asarray(self.links @ block)
        return result if self.loops is None else result + self.loops[:, None] * block

    def hidden(self, share: float) -> Floats:
        """P."""
        product = self.spread(self.weights.features @ self.weights.first, share)
        return product if self.weights.first_bias is None else product + self.weights.first_bias

    def vectors(self, share: float = 1) -> Floats:
        """Z."""
        product = self.spread(np.maximum(self.hidden(share), 0) @ self.weights.second, share)
        return product if self.weights.second_bias is None else product + self.weights.second_bias

    def score(self, pairs: Longs, share: float = 1) -> float:
        """F = Σ f(i, j) over pairs [n, 2]."""
        vectors = self.vectors(share)
        return float((vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum())

    def link_gradients(self, targets: Longs, links: Longs, share: float = 1) -> Floats:
        """∂F / ∂a_e for each of the links [L, 2], a_e being that of link e alone.

        By back-propagation: G = ∂F/∂Z, D = (S G W₂ᵀ) ∘ (P > 0), and for a link (u, v) of weight n
        in N: n · (G_u·Q_v + G_v·Q_u + D_u·H_v + D_v·H_u) with Q = relu(P) W₂ and H = X W₁.
        """
        weights = self.weights
        hidden, vectors = self.hidden(share), self.vectors(share)
        slope = np.zeros_like(vectors)
        np.add.at(slope, targets[:, 0], vectors[targets[:, 1]])
        np.add.at(slope, targets[:, 1], vectors[targets[:, 0]])
        below = (self.spread(slope, share) @ weights.second.T) * (hidden > 0)
        result = np.zeros(len(links))
        add_products(links, slope, np.maximum(hidden, 0) @ weights.second, result)
        add_products(links, below, weights.features @ weights.first, result)
        normalised = np.asarray(self.links[links[:, 0], links[:, 1]]).reshape(-1)
        return result * normalised


def add_products(pairs: Longs, left: Floats, right: Floats, result: Floats) -> None:
    """result += left_u · right_v + left_v · right_u."""
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)

    def add(first: int, last: int) -> None:
        add_products_of(pairs, left, right, result, first, last)

    run_in_threads(add, split_evenly(len(pairs)))


@jit_compile
def add_products_of(
    pairs: Longs, left: Floats, right: Floats, result: Floats, first: int, last: int
) -> None:
    for at in range(first, last):
        one, other = pairs[at, 0], pairs[at, 1]
        total = 0.0
        for column in range(left.shape[1]):
            total += left[one, column] * right[other, column]
            total += left[other, column] * right[one, column]
        result[at] += total
