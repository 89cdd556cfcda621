"""The rest of a marginal from a Krylov space: see `marginal`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from backend.science.stopping import Stop
from backend.science.transition.kernels import Floats

if TYPE_CHECKING:
    from backend.science.transition.model import TransitionModel

MOST, FEWEST = 48, 12  # products until the space starts anew
MEMORY = 3 << 30  # bytes that its basis may take, unless that is fewer than the fewest
CHUNK = 1 << 15  # columns of the basis that stay in the cache while they are worked on
NOTHING = 1e-14  # a new direction as short as this, beside the old ones, is only rounding


class Krylov:
    """Arnoldi's orthonormal basis of r, P1^T r, (P1^T)^2 r, ... and P1^T seen from within.

    change: how far the answer moved with the last product, as a bound on its L1 length.
    """

    def __init__(self, model: TransitionModel, residual: Floats) -> None:
        self.model, count = model, model.entity_count
        self.most = min(MOST, max(FEWEST, MEMORY // (8 * count)), count)
        self.length = float(np.sqrt(np.sum(np.square(residual))))
        self.basis = np.empty((self.most + 1, count))
        self.basis[0] = residual / self.length if self.length else 0
        self.sizes = [float(np.abs(self.basis[0]).sum())]
        self.matrix = np.zeros((self.most + 1, self.most))
        self.weights = np.zeros(0)
        self.change = math.inf
        self.products = 0

    def grow(self, stop: Stop | None = None) -> bool:
        """One more product; False when there is nothing left to find, or no room."""
        done = self.products
        if done == self.most or not self.length or not self.change:
            return False
        new = self.basis[done + 1]
        self.model.pulled(self.basis[done] * self.model.inverse, new, stop=stop)
        whole = math.sqrt(float(np.sum(np.square(new))))
        self.matrix[: done + 1, done] = orthogonal(self.basis[: done + 1], new)
        left = math.sqrt(float(np.sum(np.square(new))))
        self.products += 1
        self.note_change(exact=left <= NOTHING * whole)
        if self.change:
            self.matrix[done + 1, done] = left
            new /= left
            self.sizes.append(float(np.abs(new).sum()))
        return True

    def note_change(self, *, exact: bool) -> None:
        before = np.append(self.weights, 0)
        self.weights = self.length * solved(self.matrix[: self.products, : self.products], self)
        moved = float(np.abs(self.weights - before) @ np.array(self.sizes))
        self.change = 0.0 if exact else moved

    def answer(self) -> Floats:
        """float64 [V]."""
        found = np.empty(self.model.entity_count)
        basis = self.basis[: len(self.weights)]
        for first in range(0, len(found), CHUNK):
            some = slice(first, first + CHUNK)
            found[some] = self.weights @ basis[:, some]
        return found


def solved(matrix: Floats, space: Krylov) -> Floats:
    """f(H) e_1, by Horner's rule for the polynomial."""
    asked = space.model.parameters
    whole = np.zeros_like(matrix)
    one = np.eye(len(matrix))
    for alpha in reversed(asked.alphas):
        whole = (whole + alpha * one) @ matrix
    found: Floats = np.linalg.solve(one - asked.damping * whole, one[0])
    return found


def orthogonal(basis: Floats, new: Floats) -> Floats:
    """Take off `new` what lies along the basis, twice, for once leaves rounding; how much it was.

    Three passes over the basis: the first measures, the second takes off and measures again.
    """
    chunks = [slice(first, first + CHUNK) for first in range(0, len(new), CHUNK)]
    once, twice = np.zeros(len(basis)), np.zeros(len(basis))
    for some in chunks:
        once += basis[:, some] @ new[some]
    for some in chunks:
        new[some] -= once @ basis[:, some]
        twice += basis[:, some] @ new[some]
    for some in chunks:
        new[some] -= twice @ basis[:, some]
    return once + twice
