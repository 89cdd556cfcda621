"""The rest of a marginal from a Krylov space: see `marginal`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from backend.science.checkpoint import Checkpoint
from backend.science.compiled import compiled
from backend.science.stopping import Stop
from backend.science.threads import even_parts, in_threads
from backend.science.transition.kernels import Floats

if TYPE_CHECKING:
    from backend.science.transition.model import TransitionModel

MOST, FEWEST = 48, 12  # products until the space starts anew
MEMORY = 3 << 30  # bytes that its basis may take, unless that is fewer than the fewest
CHUNK = 1 << 11  # columns of the basis that stay in the cache while they are worked on
NOTHING = 1e-14  # a new direction as short as this, beside the old ones, is only rounding


class Krylov:
    """Arnoldi's orthonormal basis of r, P1^T r, (P1^T)^2 r, ... and P1^T seen from within.

    change: how far the answer moved with the last product, as a bound on its L1 length.
    """

    def __init__(self, model: TransitionModel, residual: Floats) -> None:
        self.model, count = model, model.entity_count
        self.most = min(MOST, max(FEWEST, MEMORY // (8 * count)), count)
        self.basis = np.empty((self.most + 1, count))
        self.shares = np.empty(count)
        self.basis[0] = residual
        self.length, size = lengths(residual)
        if self.length:
            self.basis[0] /= self.length
        self.sizes = [size / self.length if self.length else 0.0]
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
        np.multiply(self.basis[done], self.model.inverse, out=self.shares)
        self.model.pull_into(new, self.shares, stop=stop)
        whole, _ = lengths(new)
        self.matrix[: done + 1, done] = orthogonal(self.basis[: done + 1], new)
        left, size = lengths(new)
        self.products += 1
        self.note_change(exact=left <= NOTHING * whole)
        if self.change:
            self.matrix[done + 1, done] = left
            new /= left
            self.sizes.append(size / left)
        return True

    def note_change(self, *, exact: bool) -> None:
        before = np.append(self.weights, 0)
        self.weights = self.length * solved(self.matrix[: self.products, : self.products], self)
        moved = float(np.abs(self.weights - before) @ np.array(self.sizes))
        self.change = 0.0 if exact else moved

    def again(self, new: Floats, column: Floats, size: float) -> None:
        """A product that was made before: its vector, its column of the matrix and its L1 length.

        The column's last number is the length that the vector was divided by.
        """
        done = self.products
        self.basis[done + 1] = new
        self.matrix[: done + 1, done] = column[:-1]
        self.products += 1
        self.note_change(exact=False)
        self.matrix[done + 1, done] = column[-1]
        self.sizes.append(size)

    def add_answer(self, to: Floats) -> None:
        """Add what was found to a vector [V]."""
        basis, weights = self.basis[: len(self.weights)], -self.weights
        in_threads(lambda a, b: take_off(basis, weights, to, a, b), even_parts(len(to)))


class SpaceKept:
    """The vectors of a space in a checkpoint, each as a step that is never written again."""

    def __init__(self, space: Krylov, checkpoint: Checkpoint | None, number: int) -> None:
        self.space, self.checkpoint, self.number = space, checkpoint, number
        self.done = 0

    def go_on(self) -> int:
        """Take in what is left of this space; how many products that spares."""
        while self.checkpoint is not None and self.done < self.space.most:
            there = self.checkpoint.kept(self.name(self.done))
            if there is None:
                break
            self.space.again(there.arrays["new"], there.arrays["column"], there.facts["size"])
            self.done += 1
        return self.done

    def keep_if_due(self) -> None:
        """Every vector that is not there yet."""
        space = self.space
        if self.checkpoint is None or not self.checkpoint.is_due() or not space.change:
            return
        for at in range(self.done, space.products):
            column = space.matrix[: at + 2, at].copy()
            arrays = {"new": space.basis[at + 1], "column": column}
            self.checkpoint.keep(self.name(at), arrays, {"size": space.sizes[at + 1]})
        self.done = space.products

    def name(self, at: int) -> str:
        return f"{space_name(self.number)}{at}"


def space_name(number: int) -> str:
    """How the names of its steps begin."""
    return f"space-{number}-"


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
    parts = even_parts(len(new))

    def measured_after(weights: Floats) -> Floats:
        found = in_threads(lambda a, b: take_off(basis, weights, new, a, b), parts)
        total: Floats = np.sum(found, axis=0)
        return total

    once = measured_after(np.zeros(len(basis)))
    twice = measured_after(once)
    measured_after(twice)
    return once + twice


def lengths(vector: Floats) -> tuple[float, float]:
    """Its length in L2 and in L1."""
    found = in_threads(lambda a, b: norms(vector, a, b), even_parts(len(vector)))
    squares, sizes = np.sum(found, axis=0).tolist()
    return math.sqrt(squares), sizes


@compiled
def take_off(basis: Floats, weights: Floats, new: Floats, first: int, last: int) -> Floats:
    """From new[first:last], weights times the basis; then what is left along each of the basis."""
    found = np.zeros(len(basis))
    for start in range(first, last, CHUNK):
        end = min(start + CHUNK, last)
        for number in range(len(basis)):
            if weights[number] != 0:
                for place in range(start, end):
                    new[place] -= weights[number] * basis[number, place]
        for number in range(len(basis)):
            found[number] += along(basis[number], new, start, end)
    return found


@compiled
def along(one: Floats, other: Floats, first: int, last: int) -> float:
    """Their product over a part, in four sums that do not wait for each other."""
    a = b = c = d = 0.0
    whole = last - (last - first) % 4
    for place in range(first, whole, 4):
        a += one[place] * other[place]
        b += one[place + 1] * other[place + 1]
        c += one[place + 2] * other[place + 2]
        d += one[place + 3] * other[place + 3]
    for place in range(whole, last):
        a += one[place] * other[place]
    return (a + b) + (c + d)


@compiled
def norms(vector: Floats, first: int, last: int) -> Floats:
    """The sum of the squares, and that of the sizes, over a part."""
    found = np.zeros(2)
    for place in range(first, last):
        found[0] += vector[place] * vector[place]
        found[1] += abs(vector[place])
    return found
