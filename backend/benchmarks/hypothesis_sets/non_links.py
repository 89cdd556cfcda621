"""Pairs of entities that no article links, drawn by chance for each relation type."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.hypothesis_sets.linked_pairs import Hypothesis, Keys
from backend.benchmarks.hypothesis_sets.statements import SHIFT
from backend.common.errors import DomainError
from backend.tracks.truthhypo.track import NO_RELATION

MAX_LISTED_PAIRS = 1_000_000  # beyond it pairs are drawn and rejected, not listed
DRAWS_AT_ONCE = 1 << 14
MAX_ROUNDS = 1_000


@dataclass(frozen=True)
class KindRange:
    """The entities of one type: their names are sorted, so they lie together."""

    first: int
    last: int

    @classmethod
    def of(cls, names: Sequence[str], kind: str) -> "KindRange":
        after_bar = chr(ord("|") + 1)
        return cls(bisect_left(names, f"{kind}|"), bisect_left(names, f"{kind}{after_bar}"))

    def __len__(self) -> int:
        return self.last - self.first


def draw_non_links(
    names: Sequence[str], kinds: tuple[str, str], linked: Keys, count: int, seed: int
) -> list[Hypothesis]:
    """Distinct unlinked pairs of different entities, each pair equally likely.

    linked: sorted keys of all linked pairs. Raises DomainError if there are too few.
    """
    x, y = (KindRange.of(names, kind) for kind in kinds)
    rng = np.random.default_rng([seed, *"&".join(kinds).encode()])
    possible = len(x) * (len(x) - 1) // 2 if x == y else len(x) * len(y)
    if possible <= MAX_LISTED_PAIRS:
        keys = exclude(list_pairs(x, y), linked)
        drawn = rng.choice(keys, min(count, len(keys)), replace=False)
    else:
        drawn = draw_by_rejection(rng, x, y, linked, count)
    if len(drawn) < count:
        raise DomainError(
            f"{' & '.join(kinds)} has {len(drawn):,} pairs without a link; {count:,} are needed.",
            code="too_few_non_links",
        )
    ends = [(key >> 32, key & 0xFFFFFFFF) for key in drawn.tolist()]
    return [Hypothesis(names[low], names[high], NO_RELATION) for low, high in ends]


def list_pairs(x: KindRange, y: KindRange) -> Keys:
    first, second = (np.arange(one.first, one.last, dtype=np.uint64) for one in (x, y))
    low, high = np.repeat(first, len(second)), np.tile(second, len(first))
    return (low << SHIFT | high)[(low < high) if x == y else slice(None)]


def draw_by_rejection(
    rng: np.random.Generator, x: KindRange, y: KindRange, linked: Keys, count: int
) -> Keys:
    drawn: dict[int, None] = {}
    for keys in candidate_rounds(rng, x, y):
        for key in exclude(keys, linked).tolist():
            drawn.setdefault(key)
        if len(drawn) >= count:
            break
    return np.array(list(drawn)[:count], np.uint64)


def candidate_rounds(rng: np.random.Generator, x: KindRange, y: KindRange) -> Iterator[Keys]:
    for _ in range(MAX_ROUNDS):
        first, second = (
            rng.integers(one.first, one.last, DRAWS_AT_ONCE).astype(np.uint64) for one in (x, y)
        )
        low, high = np.minimum(first, second), np.maximum(first, second)
        yield (low << SHIFT | high)[low != high]


def exclude(keys: Keys, linked: Keys) -> Keys:
    """The keys that are not among the sorted ones."""
    if not len(linked):
        return keys
    at: NDArray[np.intp] = np.minimum(np.searchsorted(linked, keys), len(linked) - 1)
    is_free: NDArray[np.bool_] = linked[at] != keys
    return keys[is_free]
