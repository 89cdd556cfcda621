"""Names of a graph by their normal form without spaces: 'IL-6', 'IL6' and 'il 6' are one.

Made once for each snapshot from its term index, in which names are normalized and numbered in the
order of their entities. A name takes 12 bytes of memory; the texts are memory maps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.term_index import TermIndex
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.string_array import StringArray, offsets_from_lengths
from backend.runtime.normal_form import normalize

NAMES_AT_ONCE = 200_000
MOST_OWNERS = 64  # names that are read of one form; those with most edges come first
SPACE = ord(" ")


@dataclass(frozen=True, slots=True)
class OwnedName:
    """A name of an entity as the graph writes it."""

    entity: int
    text: str
    is_synonym: bool


@dataclass(frozen=True, eq=False)
class NameTable:
    """hashes are sorted; equal ones by the number of the name, so by descending degree."""

    snapshot: Snapshot
    term_index: TermIndex
    hashes: NDArray[np.uint64]
    numbers: NDArray[np.int32]

    @classmethod
    def of(cls, snapshot: Snapshot, term_index: TermIndex) -> "NameTable":
        column = term_index.names
        hashes = np.empty(len(column.texts), np.uint64)
        for first in range(0, len(hashes), NAMES_AT_ONCE):
            last = min(first + NAMES_AT_ONCE, len(hashes))
            hashes[first:last] = without_spaces(column.texts.slice_strings(first, last)).hashes()
        order = np.lexsort((column.numbers, hashes))
        return cls(snapshot, term_index, hashes[order], column.numbers[order])

    def find(self, forms: Sequence[str]) -> dict[int, list[OwnedName]]:
        """Names by the position of the form; none for a form that no name has."""
        wanted = StringArray.of([form.encode(errors="replace") for form in forms]).hashes()
        firsts = np.searchsorted(self.hashes, wanted, "left")
        lasts = np.searchsorted(self.hashes, wanted, "right")
        places = np.flatnonzero(lasts > firsts).tolist()
        ranges = ((place, int(firsts[place]), int(lasts[place])) for place in places)
        result = {place: self._names(forms[place], first, last) for place, first, last in ranges}
        return {place: names for place, names in result.items() if names}

    def _names(self, form: str, first: int, last: int) -> list[OwnedName]:
        numbers = self.numbers[first : min(last, first + MOST_OWNERS)].tolist()
        names = map(self._name, numbers)
        return [one for one in names if normalize(one.text).replace(" ", "") == form]

    def _name(self, number: int) -> OwnedName:
        column = self.term_index.names
        entity = int(column.entities[number])
        position = number - column.first_of(entity)
        record = self.snapshot.entity(entity)
        text = record.synonyms[position - 1] if position else record.name
        return OwnedName(entity, text, position > 0)


def without_spaces(texts: StringArray) -> StringArray:
    letters = texts.pool != SPACE
    before = offsets_from_lengths(letters)
    return StringArray(texts.pool[letters], before[texts.offsets])
