"""Solution of the marginal equation in a Krylov space: see `marginal`."""

import math

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads, split_evenly
from backend.science.transition.kernels import Floats
from backend.science.transition.transition_model import TransitionModel

MAX_DIMENSION, MIN_DIMENSION = 48, 12  # products until the space is restarted
MAX_BASIS_BYTES = 3 << 30  # limit of the basis, but at least MIN_DIMENSION vectors
CHUNK = 1 << 11  # elements per step, so that the basis stays in the cache
BREAKDOWN_TOLERANCE = 1e-14  # a new direction of at most this relative norm is rounding error


class KrylovSpace:
    """Arnoldi's orthonormal basis of r, P1^T r, (P1^T)^2 r, ... and the projection of P1^T.

    change: bound on the L1 length of the last update of the solution.
    """

    def __init__(self, model: TransitionModel, residual: Floats) -> None:
        self.model, count = model, model.entity_count
        self.max_dimension = min(
            MAX_DIMENSION, max(MIN_DIMENSION, MAX_BASIS_BYTES // (8 * count)), count
        )
        self.basis = np.empty((self.max_dimension + 1, count))
        self.shares = np.empty(count)
        self.basis[0] = residual
        self.length, size = vector_norms(residual)
        if self.length:
            self.basis[0] /= self.length
        self.sizes = [size / self.length if self.length else 0.0]
        self.matrix = np.zeros((self.max_dimension + 1, self.max_dimension))
        self.weights = np.zeros(0)
        self.change = math.inf
        self.products = 0

    def grow(self, stop: CancellationToken | None = None) -> bool:
        """Add one product; False if the space is exhausted or full."""
        done = self.products
        if done == self.max_dimension or not self.length or not self.change:
            return False
        new = self.basis[done + 1]
        np.multiply(self.basis[done], self.model.inverse_degrees, out=self.shares)
        self.model.pull_into(new, self.shares, stop=stop)
        whole, _ = vector_norms(new)
        self.matrix[: done + 1, done] = orthogonalize(self.basis[: done + 1], new)
        left, size = vector_norms(new)
        self.products += 1
        self.update_change(exact=left <= BREAKDOWN_TOLERANCE * whole)
        if self.change:
            self.matrix[done + 1, done] = left
            new /= left
            self.sizes.append(size / left)
        return True

    def update_change(self, *, exact: bool) -> None:
        before = np.append(self.weights, 0)
        self.weights = self.length * solve_projected(
            self.matrix[: self.products, : self.products], self
        )
        moved = float(np.abs(self.weights - before) @ np.array(self.sizes))
        self.change = 0.0 if exact else moved

    def restore_product(self, new: Floats, column: Floats, size: float) -> None:
        """Restore a product from a checkpoint: its vector, its column of the matrix and its L1
        length.

        The last element of the column is the norm that the vector was divided by.
        """
        done = self.products
        self.basis[done + 1] = new
        self.matrix[: done + 1, done] = column[:-1]
        self.products += 1
        self.update_change(exact=False)
        self.matrix[done + 1, done] = column[-1]
        self.sizes.append(size)

    def add_solution(self, to: Floats) -> None:
        """Add the solution to a vector [V]."""
        basis, weights = self.basis[: len(self.weights)], -self.weights
        run_in_threads(
            lambda a, b: subtract_projection(basis, weights, to, a, b), split_evenly(len(to))
        )


class SpaceCheckpoint:
    """Vectors of a space in a checkpoint; each step is written once."""

    def __init__(self, space: KrylovSpace, checkpoint: Checkpoint | None, number: int) -> None:
        self.space, self.checkpoint, self.number = space, checkpoint, number
        self.done = 0

    def restore(self) -> int:
        """Restore the saved vectors of this space; return their number."""
        while self.checkpoint is not None and self.done < self.space.max_dimension:
            step = self.checkpoint.load_latest_step(self.step_name(self.done))
            if step is None:
                break
            self.space.restore_product(
                step.arrays["new"], step.arrays["column"], step.facts["size"]
            )
            self.done += 1
        return self.done

    def save_if_due(self) -> None:
        """Save every vector that is not saved yet."""
        space = self.space
        if self.checkpoint is None or not self.checkpoint.is_due() or not space.change:
            return
        for at in range(self.done, space.products):
            column = space.matrix[: at + 2, at].copy()
            arrays = {"new": space.basis[at + 1], "column": column}
            self.checkpoint.save_step(self.step_name(at), arrays, {"size": space.sizes[at + 1]})
        self.done = space.products

    def step_name(self, at: int) -> str:
        return f"{step_prefix(self.number)}{at}"


def step_prefix(number: int) -> str:
    """Prefix of the names of a space's steps."""
    return f"space-{number}-"


def solve_projected(matrix: Floats, space: KrylovSpace) -> Floats:
    """f(H) e_1, with the polynomial evaluated by Horner's rule."""
    parameters = space.model.parameters
    whole = np.zeros_like(matrix)
    one = np.eye(len(matrix))
    for alpha in reversed(parameters.alphas):
        whole = (whole + alpha * one) @ matrix
    result: Floats = np.linalg.solve(one - parameters.damping * whole, one[0])
    return result


def orthogonalize(basis: Floats, new: Floats) -> Floats:
    """Subtract from `new` its projection on the basis, twice because of rounding; return the
    coefficients.

    Three passes over the basis: the first computes the coefficients, the second subtracts and
    computes the remaining ones. A matrix product is not used: its threads wait for each other
    beside other work.
    """
    parts = split_evenly(len(new))

    def measured_after(weights: Floats) -> Floats:
        result = run_in_threads(lambda a, b: subtract_projection(basis, weights, new, a, b), parts)
        total: Floats = np.sum(result, axis=0)
        return total

    once = measured_after(np.zeros(len(basis)))
    twice = measured_after(once)
    measured_after(twice)
    return once + twice


def vector_norms(vector: Floats) -> tuple[float, float]:
    """The L2 and the L1 norm."""
    result = run_in_threads(lambda a, b: norms_part(vector, a, b), split_evenly(len(vector)))
    squares, sizes = np.sum(result, axis=0).tolist()
    return math.sqrt(squares), sizes


@jit_compile
def subtract_projection(
    basis: Floats, weights: Floats, new: Floats, first: int, last: int
) -> Floats:
    """Subtract weights times the basis from new[first:last]; return its remaining coefficients."""
    result = np.zeros(len(basis))
    for start in range(first, last, CHUNK):
        end = min(start + CHUNK, last)
        for number in range(len(basis)):
            if weights[number] != 0:
                for place in range(start, end):
                    new[place] -= weights[number] * basis[number, place]
        for number in range(len(basis)):
            result[number] += dot_part(basis[number], new, start, end)
    return result


@jit_compile
def dot_part(one: Floats, other: Floats, first: int, last: int) -> float:
    """Dot product over a range, with four independent sums."""
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


@jit_compile
def norms_part(vector: Floats, first: int, last: int) -> Floats:
    """Sum of squares and sum of absolute values over a range."""
    result = np.zeros(2)
    for place in range(first, last):
        result[0] += vector[place] * vector[place]
        result[1] += abs(vector[place])
    return result
