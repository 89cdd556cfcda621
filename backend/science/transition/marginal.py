"""The marginal P of a transition model: the stationary probability of every entity.

    P = lambda P_k^T P + (1 - lambda) / V        (SerenQA, section 3.1)

The iteration T(p) = lambda P_k^T p + (1 - lambda) / V contracts L1 distances by at least lambda.
Its step size is not its error, so each result is that of one exact iteration y = T(p), with the
bound

    |y - P| <= (lambda |y - p| + r) / (1 - lambda)

where r bounds the effect of rounding on y. One iteration is k products with P1.

A checkpoint holds p, T(p) and each vector of the current Krylov space. Resuming from it gives the
same bytes.

Two methods: the iteration itself, if it needs fewer than 30 products; otherwise the remainder is
found in a Krylov space. With f(z) = 1 / (1 - lambda sum of a_h z^h), the remainder for the residual
q = T(p) - p is f(P1^T) q, for which Arnoldi's basis V and matrix H of m products give
q| V f(H) e_1. If the basis would exceed the memory limit, or misses the tolerance, it is restarted
from the new residual; where that does not converge (as on long rings), the iteration completes.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.runtime.parallel import run_in_threads, split_evenly
from backend.science.transition.kernels import Floats, l1_distance, rounding_weight
from backend.science.transition.krylov import KrylovSpace, SpaceCheckpoint, step_prefix
from backend.science.transition.parameters import BadParameters, NotConverged
from backend.science.transition.transition_model import TransitionModel

SolverMethod = Literal["iteration", "arnoldi"]
MarginalProgress = Callable[[float], None]  # completed share, from 0 to 1

MIN_PRODUCTS_FOR_KRYLOV = 30  # from this many products on, a Krylov space is faster
SAFETY_FACTOR = (
    3  # error of a Krylov solution relative to its last change; increased if it was too optimistic
)
MAX_CYCLES = 8
MAX_PRODUCTS = 600
UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2
STEP_NAME = "search"


@dataclass(frozen=True, slots=True)
class Marginal:
    """values     float64 [V], positive, summing to 1 within the error
    error      bound on the L1 distance of the values from the marginal
    method     how it was computed, and with how many products with P1
    """

    values: Floats
    error: float
    method: SolverMethod
    products: int


@dataclass(slots=True)
class MarginalSolver:
    """State of the computation: p, the last iterate; next = T(p); and the error bounds.

    cycles: number of completed Krylov spaces; MAX_CYCLES if they are abandoned.
    """

    model: TransitionModel
    tolerance: float
    progress: MarginalProgress | None
    stop: CancellationToken | None
    checkpoint: Checkpoint | None = None
    p: Floats = field(init=False)
    next: Floats = field(init=False)
    steps: list[float] = field(default_factory=list)
    error: float = math.inf
    products: int = 0
    safety_factor: float = SAFETY_FACTOR
    cycles: int = 0

    def __post_init__(self) -> None:
        count = self.model.entity_count
        self.p, self.next = np.empty(count), np.full(count, 1 / count)
        step = self.checkpoint.load_latest_step(STEP_NAME) if self.checkpoint else None
        if step is not None:
            self.p[:], self.next[:] = step.arrays["p"], step.arrays["next"]
            facts = step.facts
            self.steps, self.error = list(facts["steps"]), facts["error"]
            self.products, self.safety_factor, self.cycles = (
                facts[name] for name in ("products", "sure", "leaps")
            )

    def save(self) -> None:
        """After an exact iteration, while both p and T(p) are available."""
        if self.checkpoint is not None:
            facts = {"steps": self.steps, "error": self.error, "products": self.products}
            facts |= {"sure": self.safety_factor, "leaps": self.cycles}
            self.checkpoint.save_step(STEP_NAME, {"p": self.p, "next": self.next}, facts)
            self.checkpoint.remove_steps(step_prefix(self.cycles - 1))

    def save_if_due(self) -> None:
        if self.checkpoint is not None and self.checkpoint.is_due():
            self.save()

    @property
    def is_converged(self) -> bool:
        return self.error <= self.tolerance

    def iterate(self) -> None:
        """One exact iteration from `next`, and the error bound of its result."""
        self.p, self.next = self.next, self.p
        rounding = self.apply_map()
        parts = split_evenly(len(self.p))
        step = sum(run_in_threads(lambda a, b: l1_distance(self.next, self.p, a, b), parts))
        keep = self.model.parameters.damping
        self.steps.append(step)
        self.error = (keep * step * (1 + 1e-9) + rounding) / (1 - keep)
        self.report_progress(self.error)

    def apply_map(self) -> float:
        """next = T(p), from the innermost hop out; returns a bound on the rounding error."""
        model, keep = self.model, self.model.parameters.damping
        alphas = model.parameters.alphas
        shares = self.p * model.inverse_degrees
        shares *= alphas[-1]
        buffer = self.next
        rounding = 0.0
        for hop in range(len(alphas) - 1, -1, -1):
            inside = hop > 0
            added = self.p if inside else None
            factor = alphas[hop - 1] if inside else 0.0
            model.pull_into(
                buffer, shares, added=added, factor=factor, share=inside, stop=self.stop
            )
            rounding += self.rounding_bound(buffer, shared=inside)
            shares, buffer = buffer, shares
        self.products += len(alphas)
        shares *= keep
        shares += (1 - keep) / len(shares)
        self.next = shares
        return rounding * keep + 4 * UNIT_ROUNDOFF

    def rounding_bound(self, out: Floats, *, shared: bool) -> float:
        """Bound on the rounding of one product: an addition per entry, and the teleported mass."""
        model = self.model
        both = model.parameters.direction == "both"
        back = model.forward if both else None
        scale = model.inverse_degrees if shared else None
        parts = run_in_threads(
            lambda a, b: rounding_weight(model.reverse, back, out, scale, a, b), model.parts
        )
        # Self-loops of both sides are counted twice and subtracted once.
        loops = 3 if (model.self_links.weights < 0).any() else 1
        return UNIT_ROUNDOFF * (loops * sum(parts) + model.teleport_additions)

    def is_slow(self) -> bool:
        """Whether the iteration, at its last rate, would need too many products."""
        if len(self.steps) < 2:
            return False
        before, last = self.steps[-2:]
        if not 0 < last < before:
            return True  # only rounding is left
        left = math.log(self.error / self.tolerance) / math.log(before / last)
        return (
            len(self.model.parameters.alphas) * (len(self.steps) + left) >= MIN_PRODUCTS_FOR_KRYLOV
        )

    def solve_in_krylov_space(self) -> None:
        """Move `next` to the solution of the residual equation in a Krylov space."""
        self.save()
        residual = np.subtract(self.next, self.p, out=self.next)
        space = KrylovSpace(self.model, residual)
        steps = SpaceCheckpoint(space, self.checkpoint, self.cycles)
        self.products += steps.restore()
        while space.grow(self.stop):
            self.products += 1
            self.report_progress(
                self.error if math.isinf(space.change) else self.safety_factor * space.change
            )
            if self.safety_factor * space.change <= self.tolerance:
                self.safety_factor *= 10  # for the next space, if this one is too optimistic
                break
            steps.save_if_due()
        space.add_solution(self.p)
        np.maximum(self.p, 0, out=self.p)
        self.p, self.next = self.next, self.p
        self.cycles += 1

    def report_progress(self, error: float) -> None:
        if self.progress is not None and error > 0:
            done = math.log(2 / error) / math.log(2 / self.tolerance)
            self.progress(min(1.0, max(0.0, done)))

    def iterate_to_tolerance(self) -> None:
        """Iterate until the tolerance or the rounding level, where steps stop decreasing."""
        share = (1 + self.model.parameters.damping) / 2
        while not self.is_converged and self.products < MAX_PRODUCTS:
            before = self.steps[-1]
            self.iterate()
            if self.steps[-1] > share * before:
                return
            self.save_if_due()


def solve_marginal(
    model: TransitionModel,
    tolerance: float = 1e-9,
    progress: MarginalProgress | None = None,
    stop: CancellationToken | None = None,
    checkpoint: Checkpoint | None = None,
) -> Marginal:
    """The marginal, with an L1 error bound of at most the tolerance.

    checkpoint: of this model and tolerance; the computation resumes from it. Raises NotConverged,
    with the error bound reached, and Cancelled.
    """
    if not 0 < tolerance < 1:
        raise BadParameters(f"a tolerance must be between 0 and 1, not {tolerance!r}")
    search = MarginalSolver(model, tolerance, progress, stop, checkpoint)
    while not search.cycles and not search.is_converged and not search.is_slow():
        search.iterate()
        search.save_if_due()
    method: SolverMethod = "iteration" if search.is_converged else "arnoldi"
    while search.cycles < MAX_CYCLES and not search.is_converged and search.products < MAX_PRODUCTS:
        before = search.error
        search.solve_in_krylov_space()
        search.iterate()
        if search.error > before / 2:
            search.cycles = MAX_CYCLES
    search.iterate_to_tolerance()
    if search.is_converged:
        return Marginal(search.next, search.error, method, search.products)
    raise NotConverged(search.error, tolerance, search.products)
