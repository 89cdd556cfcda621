"""What RNS is asked with: how chance walks, over what S is summed, which embedding R uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from backend.common.errors import DomainError, Fault
from backend.science.rns.candidates import Novelty
from backend.science.rns.errors import RnsError
from backend.science.rns.measures import Weights
from backend.science.transition.parameters import (
    BadParameters,
    Dangling,
    Direction,
    Parameters,
    Precision,
)

Support = Literal["all", "candidates"]
Method = Literal["propagation", "gcn"]
NARROW = 5_000_000  # entities from which on whole rows are of float32

DIRECTIONS: tuple[str, ...] = get_args(Direction)
METHODS: tuple[str, ...] = get_args(Method)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "direction": DIRECTIONS,
    "dangling": get_args(Dangling),
    "support": get_args(Support),
    "novelty": get_args(Novelty),
    "method": METHODS,
}


class SetsInvalid(DomainError):
    """The two sets, their weights or an option are not what RNS can be asked with."""

    code = "sets_invalid"

    @classmethod
    def of(cls, error: RnsError) -> SetsInvalid:
        fault = Fault(error.place, error.sentence, error.code)
        return cls(error.sentence, code=error.code, faults=[fault])


@dataclass(frozen=True, slots=True)
class Options:
    """The choices that rns.md leaves open, with its defaults."""

    direction: Direction = "both"
    dangling: Dangling = "self"
    support: Support = "all"
    novelty: Novelty = "printed"
    method: Method = "propagation"
    hops: int = 3
    damping: float = 0.85
    weighted: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Those that are named among others. Raises DomainError for a value that is not known."""
        known = {one.name for one in fields(cls)}
        made = cls(**{name: given[name] for name in known & {*given} if given[name] is not None})
        for name, values in CHOICES.items():
            if getattr(made, name) not in values:
                raise DomainError(
                    f"{name} is {' or '.join(values)}, not {getattr(made, name)!r}.",
                    code="bad_parameters",
                )
        try:
            made.walk()
        except BadParameters as error:
            raise DomainError(f"{error}.", code=error.code) from error
        return made

    def walk(self, precision: Precision = "float64") -> Parameters:
        return Parameters(
            self.direction, self.dangling, self.hops, self.damping, self.weighted, precision
        )

    def of_walk(self) -> dict[str, Any]:
        """Those that the transition model depends on."""
        told = self.walk().as_json()
        del told["precision"]  # of whole rows, which its marginal does not need
        return told

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def precision_for(entities: int) -> Precision:
    return "float32" if entities >= NARROW else "float64"


def weights_of(values: Mapping[str, float] | None) -> Weights:
    """A third each unless they are given. Raises SetsInvalid."""
    try:
        return Weights(**values) if values else Weights()
    except RnsError as error:
        raise SetsInvalid.of(error) from error
