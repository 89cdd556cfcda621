from dataclasses import dataclass
from typing import Literal

Direction = Literal["both", "out"]
Dangling = Literal["self", "uniform"]
Precision = Literal["float64", "float32"]


class BadParameters(ValueError):
    """No model can be built from these parameters."""

    code = "bad_parameters"


class UnknownEntity(IndexError):
    """A number that is not an entity of the graph."""

    code = "unknown_entity"


class NotConverged(ArithmeticError):
    """The marginal was not found to the tolerance; `error` is the bound that was reached."""

    code = "not_converged"

    def __init__(self, error: float, tolerance: float, products: int) -> None:
        super().__init__(
            f"The marginal probabilities are known to an L1 error of {error:.2g} after "
            f"{products} products, and {tolerance:.2g} was requested."
        )
        self.error, self.tolerance, self.products = error, tolerance, products


@dataclass(frozen=True, slots=True)
class Parameters:
    """How the random walk uses the links (rns.md).

    direction  both: every edge either way, a self-loop once; out: from source to target
    dangling   an entity without links: self stays, uniform goes to any entity
    hops       k of P_k = sum over h = 1..k of a_h P1^h, with a_h = h / (1 + ... + k)
    damping    lambda of the marginal
    weighted   links count with the given edge weights
    precision  of whole rows while they are computed; sums are float64 in both cases
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
            raise BadParameters(f"hops must be a number from 1 to 100, not {self.hops!r}")
        if not 0 <= self.damping < 1:
            raise BadParameters(f"damping must be at least 0 and below 1, not {self.damping!r}")

    @property
    def alphas(self) -> tuple[float, ...]:
        """a_1 to a_k, which sum to 1."""
        whole = self.hops * (self.hops + 1) // 2
        return tuple(hop / whole for hop in range(1, self.hops + 1))
