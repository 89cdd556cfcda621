"""The marginal P of a transition model: the chance of every entity, whoever is asked about.

    P = lambda P_k^T P + (1 - lambda) / V        (SerenQA, section 3.1)

The iteration T(p) = lambda P_k^T p + (1 - lambda) / V shrinks L1 distances at least by lambda. Its
step size is not its error, so each answer is that of one true iteration y = T(p), with the bound

    |y - P| <= (lambda |y - p| + r) / (1 - lambda)

where r bounds what rounding can have done to y. One iteration is k products with P1.

What was done before a kill is kept in a checkpoint, where there is one: p, T(p), and each vector of
the Krylov space under way. Going on from it gives the same bytes.

Two methods: the iteration itself, where it will be done in fewer than 30 products; else what is
left is found in a Krylov space. With f(z) = 1 / (1 - lambda sum of a_h z^h), the rest of p with the
residual q = T(p) - p is f(P1^T) q, for which Arnoldi's basis V and matrix H of m products give
|q| V f(H) e_1. Where the basis would take too much memory, or misses the tolerance, it starts again
from the new residual.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from backend.science.checkpoint import Checkpoint
from backend.science.stopping import Stop
from backend.science.threads import even_parts, in_threads
from backend.science.transition.kernels import Floats, additions, distance
from backend.science.transition.krylov import Krylov, SpaceKept, space_name
from backend.science.transition.parameters import BadParameters, NotConverged

if TYPE_CHECKING:
    from backend.science.transition.model import TransitionModel

Method = Literal["iteration", "arnoldi"]
Progress = Callable[[float], None]  # the share that is done, from 0 to 1

WORTH = 30  # products of the iteration, from which on a Krylov space is quicker
SURE = 3  # times its last change an answer of a Krylov space is wrong; more, where that misled
CYCLES = 8
PRODUCTS = 600
UNIT = float(np.finfo(np.float64).eps) / 2
SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Marginal:
    """values  float64 [V], above zero, summing to 1 within the error
    error      a bound on the L1 distance of the values from the marginal
    method     how it was found, and with how many products with P1"""

    values: Floats
    error: float
    method: Method
    products: int


@dataclass(slots=True)
class Search:
    """A search for the marginal: p, the last that was tried; next = T(p); and what is known.

    leaps: how often a Krylov space was gone through to its end.
    """

    model: TransitionModel
    tolerance: float
    progress: Progress | None
    stop: Stop | None
    checkpoint: Checkpoint | None = None
    p: Floats = field(init=False)
    next: Floats = field(init=False)
    steps: list[float] = field(default_factory=list)
    error: float = math.inf
    products: int = 0
    sure: float = SURE
    leaps: int = 0

    def __post_init__(self) -> None:
        count = self.model.entity_count
        self.p, self.next = np.empty(count), np.full(count, 1 / count)
        there = self.checkpoint.kept(SEARCH) if self.checkpoint else None
        if there is not None:
            self.p[:], self.next[:] = there.arrays["p"], there.arrays["next"]
            facts = there.facts
            self.steps, self.error = list(facts["steps"]), facts["error"]
            self.products, self.sure, self.leaps = (
                facts[name] for name in ("products", "sure", "leaps")
            )

    def keep(self) -> None:
        """After a true iteration, while both p and T(p) are there."""
        if self.checkpoint is not None:
            facts = {"steps": self.steps, "error": self.error, "products": self.products}
            facts |= {"sure": self.sure, "leaps": self.leaps}
            self.checkpoint.keep(SEARCH, {"p": self.p, "next": self.next}, facts)
            self.checkpoint.forget(space_name(self.leaps - 1))

    @property
    def found(self) -> bool:
        return self.error <= self.tolerance

    def iterate(self) -> None:
        """One true iteration from `next`, and the bound on the error of what it gives."""
        self.p, self.next = self.next, self.p
        rounding = self.apply()
        parts = even_parts(len(self.p))
        step = sum(in_threads(lambda a, b: distance(self.next, self.p, a, b), parts))
        keep = self.model.parameters.damping
        self.steps.append(step)
        self.error = (keep * step * (1 + 1e-9) + rounding) / (1 - keep)
        self.tell(self.error)

    def apply(self) -> float:
        """next = T(p), from the inside out; gives what rounding can have done to it at most."""
        model, keep = self.model, self.model.parameters.damping
        alphas = model.parameters.alphas
        shares = self.p * model.inverse
        shares *= alphas[-1]
        room = self.next
        rounding = 0.0
        for hop in range(len(alphas) - 1, -1, -1):
            inside = hop > 0
            added = self.p if inside else None
            factor = alphas[hop - 1] if inside else 0.0
            model.pull_into(room, shares, added=added, factor=factor, share=inside, stop=self.stop)
            rounding += self.rounded(room, shared=inside)
            shares, room = room, shares
        self.products += len(alphas)
        shares *= keep
        shares += (1 - keep) / len(shares)
        self.next = shares
        return rounding * keep + 4 * UNIT

    def rounded(self, made: Floats, *, shared: bool) -> float:
        """A bound on the rounding of one product: as many additions as an entity has entries, and
        those of what goes anywhere."""
        model = self.model
        both = model.parameters.direction == "both"
        back = model.forward if both else None
        scale = model.inverse if shared else None
        parts = in_threads(
            lambda a, b: additions(model.reverse, back, made, scale, a, b), model.parts
        )
        loops = 3 if (model.own.weights < 0).any() else 1  # counted twice and taken off once
        return UNIT * (loops * sum(parts) + model.lost_additions)

    def is_slow(self) -> bool:
        """Whether the iteration, as fast as it was last, would be at it too long."""
        if len(self.steps) < 2:
            return False
        before, last = self.steps[-2:]
        if not 0 < last < before:
            return True  # rounding is all that is left
        left = math.log(self.error / self.tolerance) / math.log(before / last)
        return len(self.model.parameters.alphas) * (len(self.steps) + left) >= WORTH

    def leap(self) -> None:
        """Move `next` to where a Krylov space of the residual says that the marginal is."""
        self.keep()
        residual = np.subtract(self.next, self.p, out=self.next)
        space = Krylov(self.model, residual)
        steps = SpaceKept(space, self.checkpoint, self.leaps)
        self.products += steps.go_on()
        while space.grow(self.stop):
            self.products += 1
            self.tell(self.error if math.isinf(space.change) else self.sure * space.change)
            if self.sure * space.change <= self.tolerance:
                self.sure *= 10  # for the next space, should this one have misled
                break
            steps.keep_if_due()
        space.add_answer(self.p)
        np.maximum(self.p, 0, out=self.p)
        self.p, self.next = self.next, self.p
        self.leaps += 1

    def tell(self, error: float) -> None:
        if self.progress is not None and error > 0:
            done = math.log(2 / error) / math.log(2 / self.tolerance)
            self.progress(min(1.0, max(0.0, done)))

    def answer(self, method: Method) -> Marginal:
        return Marginal(self.next, self.error, method, self.products)


def solve_marginal(
    model: TransitionModel,
    tolerance: float = 1e-9,
    progress: Progress | None = None,
    stop: Stop | None = None,
    checkpoint: Checkpoint | None = None,
) -> Marginal:
    """The marginal to an L1 error that is stated, and not above the tolerance.

    checkpoint: of this model and tolerance; if something is left in it, that goes on.
    Raises NotConverged, with what was reached, and Stopped.
    """
    if not 0 < tolerance < 1:
        raise BadParameters(f"a tolerance is above 0 and below 1, not {tolerance!r}")
    search = Search(model, tolerance, progress, stop, checkpoint)
    while not search.leaps and not search.found and not search.is_slow():
        search.iterate()
        if checkpoint is not None and checkpoint.is_due():
            search.keep()
    if search.found:
        return search.answer("iteration")
    while search.leaps < CYCLES:
        before = search.error
        search.leap()
        search.iterate()
        if search.found:
            return search.answer("arnoldi")
        if search.error > before / 2 or search.products >= PRODUCTS:
            break
    raise NotConverged(search.error, tolerance, search.products)
