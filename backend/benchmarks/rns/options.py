"""Options of RNS: the random walk, the support of S and the embedding of R."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from backend.common.errors import DomainError
from backend.science.rns.candidates import NoveltyForm
from backend.science.rns.errors import RnsError
from backend.science.rns.measures import Weights
from backend.science.transition.parameters import (
    BadParameters,
    Dangling,
    Direction,
    Parameters,
    Precision,
)
from backend.validation.faults import Fault

Support = Literal["all", "candidates"]
EmbeddingMethod = Literal["propagation", "gcn"]
FLOAT32_THRESHOLD = 5_000_000  # entities; rows of larger graphs are float32

DIRECTIONS: tuple[str, ...] = get_args(Direction)
METHODS: tuple[str, ...] = get_args(EmbeddingMethod)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "direction": DIRECTIONS,
    "dangling": get_args(Dangling),
    "support": get_args(Support),
    "novelty": get_args(NoveltyForm),
    "method": METHODS,
}


class SetsInvalid(DomainError):
    code = "sets_invalid"

    @classmethod
    def of(cls, error: RnsError) -> SetsInvalid:
        fault = Fault(error.place, error.sentence, error.code)
        return cls(error.sentence, code=error.code, faults=[fault])


@dataclass(frozen=True, slots=True)
class RnsOptions:
    """The choices that docs/rns.md leaves open, with their defaults."""

    direction: Direction = "both"
    dangling: Dangling = "self"
    support: Support = "all"
    novelty: NoveltyForm = "printed"
    method: EmbeddingMethod = "propagation"
    hops: int = 3
    damping: float = 0.85
    weighted: bool = False

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> RnsOptions:
        """Read the known options and ignore other keys. Raises DomainError for an invalid value."""
        known = {one.name for one in fields(cls)}
        instance = cls(
            **{name: given[name] for name in known & {*given} if given[name] is not None}
        )
        for name, values in CHOICES.items():
            if getattr(instance, name) not in values:
                raise DomainError(
                    f"{name} is {' or '.join(values)}, not {getattr(instance, name)!r}.",
                    code="bad_parameters",
                )
        try:
            instance.walk_parameters()
        except BadParameters as error:
            raise DomainError(f"{error}.", code=error.code) from error
        return instance

    def walk_parameters(self, precision: Precision = "float64") -> Parameters:
        return Parameters(
            self.direction, self.dangling, self.hops, self.damping, self.weighted, precision
        )

    def walk_json(self) -> dict[str, Any]:
        """The options that the transition model depends on."""
        summary = asdict(self.walk_parameters())
        del summary["precision"]  # only of whole rows, not of the marginal
        return summary

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def row_precision(entities: int) -> Precision:
    return "float32" if entities >= FLOAT32_THRESHOLD else "float64"


def parse_weights(values: Mapping[str, float] | None) -> Weights:
    """Equal weights if None. Raises SetsInvalid."""
    try:
        return Weights(**values) if values else Weights()
    except RnsError as error:
        raise SetsInvalid.of(error) from error


def weights_payload(weights: Weights) -> dict[str, float]:
    alpha, beta, gamma = weights.values
    return {"relevance": alpha, "novelty": beta, "surprise": gamma}


def partition_parameters(
    question_count: int, options: RnsOptions, weights: Weights, size: int | None
) -> dict[str, Any]:
    """What the splits of a set depend on. Questions may be added to a set, but never change."""
    return {
        **options.as_json(),
        "weights": weights_payload(weights),
        "size": size,
        "questions": question_count,
    }
