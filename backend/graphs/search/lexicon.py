"""The words that lead to a snapshot's entities, as memory maps beside it.

Everything in it follows from the snapshot, so it is never sent anywhere and can be made anew.
Names and synonyms ('terms') are numbered in the order of their entities, thus by falling degree;
the smallest numbers of any set of terms are therefore its best.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import lower_bound
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import I32, I64, MANIFEST, U8, UNREADABLE, FileInfo
from backend.graphs.snapshots.mapping import map_array
from backend.graphs.snapshots.strings import Texts
from backend.science.adjacency import check_length, check_offsets, check_range

FORMAT, VERSION = "serendib-lexicon", 1
DTYPES = {
    "pool": U8,
    "offsets": I64,
    "starts": I64,
    "numbers": I32,
    "entities": I32,
    "terms": I32,
    "letters": "<u8",
}
AFTER = b"\xff"  # behind every byte of UTF-8
BEFORE = b"\x00"  # makes the next text
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Range:
    """Places first to last - 1."""

    first: int
    last: int

    def __len__(self) -> int:
        return max(self.last - self.first, 0)


def place_of(texts: Texts, text: bytes) -> int:
    """How many of the sorted texts lie before it."""
    wanted = np.frombuffer(text, np.uint8)
    return int(lower_bound(texts.pool, texts.offsets, wanted))


def beginning(texts: Texts, prefix: bytes) -> Range:
    return Range(place_of(texts, prefix), place_of(texts, prefix + AFTER))


@dataclass(frozen=True, slots=True)
class Column:
    """Texts in their own order, each with its number; `entities` has the entity of a number."""

    texts: Texts
    numbers: Numbers
    entities: Numbers

    def exactly(self, text: bytes) -> Range:
        return Range(place_of(self.texts, text), place_of(self.texts, text + BEFORE))

    def beginning(self, prefix: bytes) -> Range:
        return beginning(self.texts, prefix)

    def within(self, places: Range) -> Numbers:
        """The numbers there, in the order of the texts."""
        return self.numbers[places.first : places.last]

    def first_of(self, entity: int) -> int:
        """The number of an entity's first text."""
        return int(np.searchsorted(self.entities, np.int32(entity)))


@dataclass(frozen=True, slots=True)
class Words:
    """Each different word, in order, and the terms that it stands in."""

    texts: Texts
    starts: NDArray[np.int64]
    terms: Numbers
    letters: NDArray[np.uint64]

    def beginning(self, prefix: bytes) -> Range:
        return beginning(self.texts, prefix)

    def within(self, places: Range) -> Numbers:
        """The terms of neighbouring words; those of one word in order, and none of it twice."""
        return self.terms[self.starts[places.first] : self.starts[places.last]]

    def of_places(self, places: NDArray[np.int64]) -> Numbers:
        """The terms of words here and there."""
        parts = [self.within(Range(place, place + 1)) for place in places.tolist()]
        return np.concatenate([np.empty(0, np.int32), *parts])


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Lexicon:
    """Words are missing where there are more terms than are taken apart."""

    names: Column
    identifiers: Column
    words: Words | None


def open_lexicon(folder: Path, snapshot: str, entity_count: int) -> Lexicon:
    """Raises SnapshotRefused when it is missing, altered, or of another snapshot."""
    files = read_files(folder, snapshot)
    arrays = {name: map_file(folder / name, info) for name, info in files.items()}
    try:
        return checked(arrays, entity_count)
    except UNREADABLE as error:
        raise SnapshotRefused(folder, f"its indices lead nowhere ({error})") from None


def map_file(path: Path, info: FileInfo) -> NDArray[Any]:
    try:
        return map_array(path, info)
    except FileNotFoundError:
        raise SnapshotRefused(path, "it is missing") from None


def read_files(folder: Path, snapshot: str) -> dict[str, FileInfo]:
    path = folder / MANIFEST
    try:
        body: dict[str, Any] = json.loads(path.read_bytes())
        if (body["format"], body["version"]) != (FORMAT, VERSION):
            raise ValueError(f"this program reads version {VERSION} of {FORMAT}")
        if body["snapshot"] != snapshot:
            raise ValueError("it belongs to another snapshot")
        files = {name: FileInfo(**told) for name, told in body["files"].items()}
        for name, info in files.items():
            if info.dtype != DTYPES[name.partition(".")[2]]:
                raise ValueError(f"{name} has elements of {info.dtype}, not of this version")
    except FileNotFoundError:
        raise SnapshotRefused(path, "it is missing") from None
    except UNREADABLE as error:
        raise SnapshotRefused(path, f"it is not a manifest that can be read ({error})") from None
    return files


def manifest_of(snapshot: str, files: dict[str, FileInfo]) -> bytes:
    told = {name: asdict(info) for name, info in sorted(files.items())}
    body = {"format": FORMAT, "version": VERSION, "snapshot": snapshot, "files": told}
    return json.dumps(body, indent=1).encode() + b"\n"


def checked(arrays: dict[str, NDArray[Any]], entity_count: int) -> Lexicon:
    names, identifiers = (
        column_of(arrays, name, entity_count) for name in ("names", "identifiers")
    )
    words = words_of(arrays, len(names.numbers)) if "words.pool" in arrays else None
    return Lexicon(names, identifiers, words)


def column_of(arrays: dict[str, NDArray[Any]], name: str, entity_count: int) -> Column:
    column = Column(texts_in(arrays, name), arrays[f"{name}.numbers"], arrays[f"{name}.entities"])
    check_length(f"{name}.numbers", column.numbers, len(column.texts))
    check_length(f"{name}.entities", column.entities, len(column.texts))
    check_range(f"{name}.numbers", column.numbers, len(column.texts))
    check_range(f"{name}.entities", column.entities, entity_count)
    return column


def words_of(arrays: dict[str, NDArray[Any]], terms: int) -> Words:
    words = Words(
        texts_in(arrays, "words"),
        arrays["words.starts"],
        arrays["words.terms"],
        arrays["words.letters"],
    )
    check_length("words.starts", words.starts, len(words.texts) + 1)
    check_length("words.letters", words.letters, len(words.texts))
    check_offsets("words.starts", words.starts, len(words.terms))
    check_range("words.terms", words.terms, terms)
    return words


def texts_in(arrays: dict[str, NDArray[Any]], name: str) -> Texts:
    texts = Texts(arrays[f"{name}.pool"], arrays[f"{name}.offsets"])
    check_offsets(f"{name}.offsets", texts.offsets, len(texts.pool))
    return texts
