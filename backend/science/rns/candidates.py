"""One question's candidates as arrays, and the tables behind R, N and S.

Candidates are numbered from 0 in the caller's order, by identifier. That order breaks all ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from backend.science.rns.errors import (
    EmptySet,
    InvalidNumbers,
    OverlappingSets,
    RepeatedCandidate,
    UnknownCandidate,
)

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
NoveltyForm = Literal["printed", "conditional"]
ORTHOGONAL_DISTANCE: Final = 0.5**0.5  # half the distance of orthogonal unit vectors


@dataclass(frozen=True, eq=False)
class Candidates:
    """n candidates of one question.

    transition     float64 [n, n]: P_k(j | i) in row i, over the whole graph, so rows sum to <= 1
    marginal       float64 [n]: P(i) > 0
    vectors        float64 [n, d], of any length greater than 0
    has_embedding  bool [n]: False if there is no embedding; the vector is then ignored

    Raises InvalidNumbers, which names the array.
    """

    transition: Floats
    marginal: Floats
    vectors: Floats
    has_embedding: NDArray[np.bool_]

    def __post_init__(self) -> None:
        count = self.count
        _check("transition", self.transition, (count, count))
        _check("marginal", self.marginal, (count,))
        _check("vectors", self.vectors, (count, *self.vectors.shape[1:2]))
        _require(
            "embedded", self.has_embedding.shape == (count,), f"There must be {count} elements."
        )
        _require("transition", bool((self.transition >= 0).all()), "A probability is negative.")
        _require("marginal", bool((self.marginal > 0).all()), "A marginal is not above 0.")
        result = (self.vectors[self.has_embedding] != 0).any(axis=1)
        _require("vectors", bool(result.all()), "An embedding has no direction.")

    @property
    def count(self) -> int:
        return len(self.transition)

    @property
    def unembedded(self) -> tuple[int, ...]:
        return tuple(np.flatnonzero(~self.has_embedding).tolist())

    @cached_property
    def distances(self) -> Floats:
        """d(i, j) = |x_i - x_j| / 2 of unit vectors, float64 [n, n], from 0 to 1; 0 on the
        diagonal.

        Without an embedding: 1/sqrt(2) from all others.
        """
        result = np.full((self.count, self.count), ORTHOGONAL_DISTANCE)
        has = np.flatnonzero(self.has_embedding)
        unit = _normalize(self.vectors[has])
        for place, number in enumerate(has.tolist()):
            result[number, has] = np.linalg.norm(unit - unit[place], axis=1) / 2
        np.fill_diagonal(result, 0.0)
        return result

    @cached_property
    def information(self) -> Floats:
        """P(i) P(j | i) log2(P(j | i) / P(j)) in row i, float64 [n, n]; 0 where P(j | i) = 0."""
        given = self.transition
        logs = np.log2(given, out=np.zeros_like(given), where=given > 0) - np.log2(self.marginal)
        return np.asarray(self.marginal[:, None] * given * logs)

    @cached_property
    def restricted_rows(self) -> Floats:
        """Rows restricted to the candidates, each scaled to sum to 1; uniform if without mass."""
        mass = self.transition.sum(axis=1, keepdims=True)
        even = np.full_like(self.transition, 1 / self.count)
        np.divide(self.transition, mass, out=even, where=mass > 0)
        return even


def _normalize(vectors: Floats) -> Floats:
    """Unit vectors. Divides by the largest component first: no length over- or underflows."""
    near = vectors / np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    return np.asarray(near / np.linalg.norm(near, axis=1, keepdims=True))


def check_sets(
    count: int, existing: Sequence[int], serendipity: Sequence[int]
) -> tuple[Longs, Longs]:
    """Both sets as arrays.

    Raises EmptySet, RepeatedCandidate, UnknownCandidate or OverlappingSets, with the place.
    """
    for place, numbers in (("existing", existing), ("serendipity", serendipity)):
        if not len(numbers):
            raise EmptySet(place, "It contains no candidate.")
        for number in numbers:
            if not 0 <= number < count:
                raise UnknownCandidate(place, f"There is no candidate {number} among {count}.")
        if len(set(numbers)) < len(numbers):
            twice = next(one for one in numbers if list(numbers).count(one) > 1)
            raise RepeatedCandidate(place, f"Candidate {twice} is listed more than once.")
    both = sorted(set(existing) & set(serendipity))
    if both:
        raise OverlappingSets("serendipity", f"Candidate {both[0]} is in both sets.")
    return np.array(existing, np.int64), np.array(serendipity, np.int64)


def _check(name: str, array: Floats, shape: tuple[int, ...]) -> None:
    _require(name, array.shape == shape, f"The shape must be {shape}, and it is {array.shape}.")
    _require(name, bool(np.isfinite(array).all()), "A value is not finite.")


def _require(name: str, holds: bool, sentence: str) -> None:
    if not holds:
        raise InvalidNumbers(name, sentence)
