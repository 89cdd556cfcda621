"""Names of a graph by their normal form without spaces: 'IL-6', 'IL6' and 'il 6' are one.

British and American spellings are looked up as one as well: 'anaemia', 'oedema' and 'tumour' as
'anemia', 'edema' and 'tumor'.

Made once for each snapshot from its term index, in which names are normalized and numbered in the
order of their entities. A name takes 12 bytes of memory; the texts are memory maps.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.term_index import TermIndex
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.string_array import StringArray, offsets_from_lengths
from backend.runtime.normal_form import normalize

NAMES_AT_ONCE = 200_000
MIN_RESPELT = 6  # letters: APOE is not APE
BRITISH = re.compile("[ao](?=e)|(?<=o)u(?=r)")
BYTE_A, BYTE_E, BYTE_O, BYTE_R, BYTE_U = b"aeoru"
MOST_OWNERS = 64  # names that are read of one form; those with most edges come first
SPACE = ord(" ")


@dataclass(frozen=True, slots=True)
class OwnedName:
    """A name of an entity as the graph writes it; is_respelt if that differs from the form."""

    entity: int
    text: str
    is_synonym: bool
    is_respelt: bool = False


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
            part = without_spaces(column.texts.slice_strings(first, last))
            hashes[first:last] = in_american(part).hashes()
        order = np.lexsort((column.numbers, hashes))
        return cls(snapshot, term_index, hashes[order], column.numbers[order])

    def find(self, forms: Sequence[str]) -> dict[int, list[OwnedName]]:
        """Names by the position of the form; none for a form that no name has."""
        spelt = [BRITISH.sub("", form).encode(errors="replace") for form in forms]
        target = StringArray.of(spelt).hashes()
        firsts = np.searchsorted(self.hashes, target, "left")
        lasts = np.searchsorted(self.hashes, target, "right")
        places = np.flatnonzero(lasts > firsts).tolist()
        ranges = ((place, int(firsts[place]), int(lasts[place])) for place in places)
        result = {place: self._names(forms[place], first, last) for place, first, last in ranges}
        return {place: names for place, names in result.items() if names}

    def _names(self, form: str, first: int, last: int) -> list[OwnedName]:
        numbers = self.numbers[first : min(last, first + MOST_OWNERS)].tolist()
        fitting = (fit_spelling(self._name(number), form) for number in numbers)
        return [one for one in fitting if one is not None]

    def _name(self, number: int) -> OwnedName:
        column = self.term_index.names
        entity = int(column.entities[number])
        position = number - column.first_of(entity)
        record = self.snapshot.entity(entity)
        text = record.synonyms[position - 1] if position else record.name
        return OwnedName(entity, text, position > 0)


def fit_spelling(name: OwnedName, form: str) -> OwnedName | None:
    """The name if it has this form, also in the other spelling; None for an equal hash alone."""
    own = normalize(name.text).replace(" ", "")
    if own == form:
        return name
    is_same = BRITISH.sub("", own) == BRITISH.sub("", form) and len(form) >= MIN_RESPELT
    return replace(name, is_respelt=True) if is_same else None


def without_spaces(texts: StringArray) -> StringArray:
    return take_bytes(texts, texts.pool != SPACE)


def in_american(texts: StringArray) -> StringArray:
    """As BRITISH.sub, of all texts at once."""
    pool = texts.pool
    after, before = np.zeros_like(pool), np.zeros_like(pool)
    after[:-1], before[1:] = pool[1:], pool[:-1]
    starts = texts.offsets[:-1][texts.lengths > 0]
    before[starts] = 0
    after[starts[starts > 0] - 1] = 0
    dropped = ((pool == BYTE_A) | (pool == BYTE_O)) & (after == BYTE_E)
    dropped |= (pool == BYTE_U) & (before == BYTE_O) & (after == BYTE_R)
    return take_bytes(texts, ~dropped)


def take_bytes(texts: StringArray, chosen: NDArray[np.bool_]) -> StringArray:
    before = offsets_from_lengths(chosen.view(np.uint8))
    return StringArray(texts.pool[chosen], before[texts.offsets])
