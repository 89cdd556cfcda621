"""What is asked of a transition model, and what can go wrong with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Direction = Literal["both", "out"]
Dangling = Literal["self", "uniform"]
Precision = Literal["float64", "float32"]


class BadParameters(ValueError):
    """A model cannot be made from these."""

    code = "bad_parameters"


class UnknownEntity(IndexError):
    """A number that no entity of the graph has."""

    code = "unknown_entity"


class NotConverged(ArithmeticError):
    """The marginal was not found to the tolerance; `error` is what was reached."""

    code = "not_converged"

    def __init__(self, error: float, tolerance: float, products: int) -> None:
        super().__init__(
            f"The marginal probabilities are known to an L1 error of {error:.2g} after "
            f"{products} products, and {tolerance:.2g} is asked for."
        )
        self.error, self.tolerance, self.products = error, tolerance, products


@dataclass(frozen=True, slots=True)
class Parameters:
    """How chance walks over the links (rns.md).

    direction  both: every edge either way, a self-loop once; out: from source to target
    dangling   an entity without links: self stays where it is, uniform goes anywhere
    hops       k of P_k = sum over h = 1..k of a_h P1^h, with a_h = h / (1 + ... + k)
    damping    lambda of the marginal
    weighted   links count with the weights that are given for their edges
    precision  of whole rows while they are made; sums are of float64 in both
    """

    direction: Direction = "both"
    dangling: Dangling = "self"
    hops: int = 3
    damping: float = 0.85
    weighted: bool = False
    precision: Precision = "float64"

    def __post_init__(self) -> None:
        known = {
            "direction": ("both", "out"),
            "dangling": ("self", "uniform"),
            "precision": ("float64", "float32"),
        }
        for name, values in known.items():
            if getattr(self, name) not in values:
                raise BadParameters(f"{name} is {' or '.join(values)}, not {getattr(self, name)!r}")
        if type(self.hops) is not int or not 1 <= self.hops <= 100:
            raise BadParameters(f"hops is a number from 1 to 100, not {self.hops!r}")
        if not 0 <= self.damping < 1:
            raise BadParameters(f"damping is at least 0 and below 1, not {self.damping!r}")

    @property
    def alphas(self) -> tuple[float, ...]:
        """a_1 to a_k, which sum to 1."""
        whole = self.hops * (self.hops + 1) // 2
        return tuple(hop / whole for hop in range(1, self.hops + 1))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
