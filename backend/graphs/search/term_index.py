"""Memory-mapped index of names, identifiers and words of a snapshot.

The index is derived from the snapshot: it is never uploaded and can be rebuilt. Names and synonyms
('terms') are numbered in entity order, that is by descending degree, so the smallest numbers of any
set of terms are its best.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import lower_bound
from backend.graphs.snapshots.errors import InvalidSnapshot, translate_array_store_errors
from backend.graphs.snapshots.format import I32, I64, MANIFEST, PARSE_ERRORS, U8
from backend.graphs.snapshots.string_array import StringArray
from backend.runtime.array_store.array_files import RawArrayInfo, map_array
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
AFTER_UTF8 = b"\xff"  # greater than every byte of UTF-8
SUCCESSOR_SUFFIX = b"\x00"  # appended, gives the smallest greater string
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class IndexRange:
    """Positions first to last - 1."""

    first: int
    last: int

    def __len__(self) -> int:
        return max(self.last - self.first, 0)


def lower_position(texts: StringArray, text: bytes) -> int:
    """Number of sorted strings that precede `text`."""
    encoded = np.frombuffer(text, np.uint8)
    return int(lower_bound(texts.pool, texts.offsets, encoded))


def prefix_range(texts: StringArray, prefix: bytes) -> IndexRange:
    return IndexRange(lower_position(texts, prefix), lower_position(texts, prefix + AFTER_UTF8))


@dataclass(frozen=True, slots=True)
class TermColumn:
    """Sorted strings, each with its number; `entities` maps a number to its entity."""

    texts: StringArray
    numbers: Numbers
    entities: Numbers

    def exact_range(self, text: bytes) -> IndexRange:
        return IndexRange(
            lower_position(self.texts, text), lower_position(self.texts, text + SUCCESSOR_SUFFIX)
        )

    def numbers_in(self, places: IndexRange) -> Numbers:
        """The numbers in a range, ordered by string."""
        return self.numbers[places.first : places.last]

    def first_of(self, entity: int) -> int:
        """The first number of an entity."""
        return int(np.searchsorted(self.entities, np.int32(entity)))


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Distinct words, sorted, and the terms that contain each."""

    texts: StringArray
    starts: NDArray[np.int64]
    terms: Numbers
    letters: NDArray[np.uint64]

    def terms_in(self, places: IndexRange) -> Numbers:
        """The terms of a range of words; those of a single word are sorted and distinct."""
        return self.terms[self.starts[places.first] : self.starts[places.last]]

    def terms_of(self, places: NDArray[np.int64]) -> Numbers:
        """The terms of words at arbitrary positions."""
        parts = [self.terms_in(IndexRange(place, place + 1)) for place in places.tolist()]
        return np.concatenate([np.empty(0, np.int32), *parts])


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class TermIndex:
    """`words` is None if there are too many terms for a word index."""

    names: TermColumn
    identifiers: TermColumn
    words: WordIndex | None


def open_term_index(folder: Path, snapshot: str, entity_count: int) -> TermIndex:
    """Raises InvalidSnapshot if the index is missing, altered, or of another snapshot."""
    files = read_files(folder, snapshot)
    with translate_array_store_errors():
        arrays = {name: map_array(folder / name, info) for name, info in files.items()}
    try:
        return build_checked(arrays, entity_count)
    except PARSE_ERRORS as error:
        raise InvalidSnapshot(folder, f"its indices lead nowhere ({error})") from None


def read_files(folder: Path, snapshot: str) -> dict[str, RawArrayInfo]:
    path = folder / MANIFEST
    try:
        body: dict[str, Any] = json.loads(path.read_bytes())
        if (body["format"], body["version"]) != (FORMAT, VERSION):
            raise ValueError(f"this program reads version {VERSION} of {FORMAT}")
        if body["snapshot"] != snapshot:
            raise ValueError("it belongs to another snapshot")
        files = {name: RawArrayInfo(**entries) for name, entries in body["files"].items()}
        for name, info in files.items():
            if info.dtype != DTYPES[name.partition(".")[2]]:
                raise ValueError(f"{name} has elements of {info.dtype}, not of this version")
    except FileNotFoundError:
        raise InvalidSnapshot(path, "it is missing") from None
    except PARSE_ERRORS as error:
        raise InvalidSnapshot(path, f"it is not a manifest that can be read ({error})") from None
    return files


def encode_manifest(snapshot: str, files: dict[str, RawArrayInfo]) -> bytes:
    entries = {name: asdict(info) for name, info in sorted(files.items())}
    body = {"format": FORMAT, "version": VERSION, "snapshot": snapshot, "files": entries}
    return json.dumps(body, indent=1).encode() + b"\n"


def build_checked(arrays: dict[str, NDArray[Any]], entity_count: int) -> TermIndex:
    names, identifiers = (
        term_column(arrays, name, entity_count) for name in ("names", "identifiers")
    )
    words = word_index(arrays, len(names.numbers)) if "words.pool" in arrays else None
    return TermIndex(names, identifiers, words)


def term_column(arrays: dict[str, NDArray[Any]], name: str, entity_count: int) -> TermColumn:
    column = TermColumn(
        read_strings(arrays, name), arrays[f"{name}.numbers"], arrays[f"{name}.entities"]
    )
    check_length(f"{name}.numbers", column.numbers, len(column.texts))
    check_length(f"{name}.entities", column.entities, len(column.texts))
    check_range(f"{name}.numbers", column.numbers, len(column.texts))
    check_range(f"{name}.entities", column.entities, entity_count)
    return column


def word_index(arrays: dict[str, NDArray[Any]], terms: int) -> WordIndex:
    words = WordIndex(
        read_strings(arrays, "words"),
        arrays["words.starts"],
        arrays["words.terms"],
        arrays["words.letters"],
    )
    check_length("words.starts", words.starts, len(words.texts) + 1)
    check_length("words.letters", words.letters, len(words.texts))
    check_offsets("words.starts", words.starts, len(words.terms))
    check_range("words.terms", words.terms, terms)
    return words


def read_strings(arrays: dict[str, NDArray[Any]], name: str) -> StringArray:
    texts = StringArray(arrays[f"{name}.pool"], arrays[f"{name}.offsets"])
    check_offsets(f"{name}.offsets", texts.offsets, len(texts.pool))
    return texts
