"""Items in memory: of a release, with what predictions are checked against, and of its files."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.number_lists import Numbers

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Prediction = TypeVar("Prediction")
Masks = dict[str, NDArray[np.bool_]]
Candidates = frozenset[int | str] | range
# Other spellings of the identifier of an entity of a type; None if the graph lacks the entity.
SpellingFinder = Callable[[str, str], Sequence[str] | None]
# The graph's own identifiers of the entities that an identifier may mean, by their types.
EntityFinder = Callable[[str], Mapping[str, str]]
# The graph's own identifiers, in order, of the entities that have a name; none if it has none.
NameFinder = Callable[[str], tuple[str, ...]]
# Whether an entity has an edge of a relation to another one, either way, by any spelling.
EdgeFinder = Callable[[str, str, str], bool]
# For each text the graph's own identifier of the entity, of one of the types if there are any;
# else the text.
IdentifierFinder = Callable[[Collection[str], Collection[str]], Mapping[str, str]]


@dataclass(frozen=True)
class ItemTable(Generic[Item]):
    """The public items of a release in their order, and the entities that predictions may name.

    `candidates` is None where the entities are not known, and a range where they are numbered
    without gaps, which is quicker to check. `find_entities` is None where no graph is known, and
    `has_edge` where paths are not compared with one.
    `takes_queries`: predictions may be queries, which the evaluator runs. `left_out`: positions of
    the items that are in no metric.
    """

    items: Sequence[Item]
    positions: Mapping[Hashable, int]
    candidates: Candidates | None = None
    takes_queries: bool = True
    find_entities: EntityFinder | None = None
    has_edge: EdgeFinder | None = None
    left_out: frozenset[int] = frozenset()

    def find_numbers(self, keys: Numbers) -> Numbers:
        """The positions of items whose keys are whole numbers, -1 where there is none."""
        known = self._number_keys
        if isinstance(known, range):
            is_known = (keys >= known.start) & (keys < known.stop)
            return np.where(is_known, keys - known.start, -1)
        ordered, order = known
        at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
        return np.where(ordered[at] == keys, order[at], -1)

    @cached_property
    def _number_keys(self) -> range | tuple[Numbers, Numbers]:
        """The keys in order, and the position of each; a range if items are numbered so."""
        keys: Iterable[Any] = self.positions
        known = np.fromiter(keys, dtype=np.int64, count=len(self.positions))
        if (known[1:] - known[:-1] == 1).all():
            first = int(known[0]) if len(known) else 0
            return range(first, first + len(known))
        order = np.argsort(known)
        return known[order], order


@dataclass
class Source(Generic[Item, Answer]):
    """Items and hidden answers, in the order of the files; incomplete if there are faults.

    parts: what a track keeps of one file for the next, where an item comes from several.
    """

    items: list[Item] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    faults: RowFaultList = field(default_factory=RowFaultList)
    parts: dict[str, Any] = field(default_factory=dict)
