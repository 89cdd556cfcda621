"""Construction of the term index of a snapshot. Memory grows with the number of names."""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import letter_masks
from backend.graphs.search.normalization import compounds, local_part, normalize
from backend.graphs.search.term_index import encode_manifest, read_files
from backend.graphs.snapshots.errors import translate_disk_full
from backend.graphs.snapshots.format import I32, I64, MANIFEST, U8
from backend.graphs.snapshots.records import EntityRecord
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.string_array import StringArray, offsets_from_lengths
from backend.runtime.array_store.array_files import write_file
from backend.runtime.array_store.raw_folder import RawFolderWriter, raw_folder_writer
from backend.runtime.atomic_dirs import link_or_copy, publish_or_reuse, workspace

IndexProgress = Callable[[str, int, int], None]
BATCH_SIZE = 20_000
# Above this only names, prefixes and identifiers are indexed: words would take gigabytes.
MOST_TERMS_WITH_WORDS = 6_000_000
SPACE = ord(" ")


def build_term_index(
    snapshot: Snapshot,
    folder: Path,
    progress: IndexProgress,
    *,
    most_terms: int = MOST_TERMS_WITH_WORDS,
) -> None:
    """Build the index in `folder` atomically; an existing one is replaced."""
    publish_index(
        snapshot, folder, lambda writer: write_index(snapshot, writer, progress, most_terms)
    )


def publish_index(
    snapshot: Snapshot, folder: Path, write: Callable[[RawFolderWriter], None]
) -> None:
    with translate_disk_full(), workspace(folder.parent) as temporary:
        index = temporary / "index"
        index.mkdir()
        with raw_folder_writer(index, {}) as writer:
            write(writer)
        write_file(index / MANIFEST, encode_manifest(snapshot.path.name, writer.files))
        publish_or_reuse(index, folder, aside=temporary / "replaced", is_current=lambda _: False)


def share_term_index(origin: Path, folder: Path, snapshot: Snapshot) -> None:
    """The index at `origin` for a snapshot with the same entities, as hard links.

    Raises InvalidSnapshot if there is no such index.
    """
    files = read_files(origin, origin.name.removesuffix(".search"))
    with translate_disk_full(), workspace(folder.parent) as temporary:
        index = temporary / "index"
        index.mkdir()
        for name in files:
            link_or_copy(origin / name, index / name)
        write_file(index / MANIFEST, encode_manifest(snapshot.path.name, files))
        publish_or_reuse(index, folder, aside=temporary / "replaced", is_current=lambda _: False)


def write_index(
    snapshot: Snapshot, writer: RawFolderWriter, progress: IndexProgress, most_terms: int
) -> None:
    names, identifiers, joined = TermCollector(), TermCollector(), TermCollector()
    records = snapshot.entities()
    while batch := list(islice(records, BATCH_SIZE)):
        progress("indexing names", batch[0].number, snapshot.entity_count)
        names.add(batch, lambda one: [normalize(text) for text in (one.name, *one.synonyms)])
        identifiers.add(batch, lambda one: [local_part(text) for text in (one.id, *one.xrefs)])
        joined.add(batch, compound_words)
    write_column(writer, "identifiers", identifiers)
    write_column(writer, "names", names)
    if names.count <= most_terms:
        progress("indexing words", snapshot.entity_count, snapshot.entity_count)
        write_words(writer, [names.texts(), joined.texts()])


def compound_words(one: EntityRecord) -> list[str]:
    return [" ".join(compounds(text)) for text in (one.name, *one.synonyms)]


class TermCollector:
    """Terms of entities, in entity order."""

    def __init__(self) -> None:
        self._texts: list[StringArray] = []
        self._entities: list[NDArray[np.int32]] = []
        self.count = 0

    def add(
        self, batch: Iterable[EntityRecord], texts_of: Callable[[EntityRecord], list[str]]
    ) -> None:
        result: list[bytes] = []
        entities: list[int] = []
        for one in batch:
            texts = texts_of(one)
            result += [text.encode(errors="replace") for text in texts]
            entities += [one.number] * len(texts)
        self._texts.append(StringArray.of(result))
        self._entities.append(np.array(entities, np.int32))
        self.count += len(result)

    def texts(self) -> StringArray:
        return StringArray.concatenate(self._texts) if self._texts else StringArray.empty(0)

    def entities(self) -> NDArray[np.int32]:
        return np.concatenate([np.empty(0, np.int32), *self._entities])


def write_column(writer: RawFolderWriter, name: str, gathered: TermCollector) -> None:
    texts = gathered.texts()
    order = texts.sort_order()
    write_texts(writer, name, texts.take(order))
    writer.append(f"{name}.numbers", order, I32)
    writer.append(f"{name}.entities", gathered.entities(), I32)


def write_texts(writer: RawFolderWriter, name: str, texts: StringArray) -> None:
    writer.append(f"{name}.pool", texts.pool, U8)
    writer.append(f"{name}.offsets", texts.offsets, I64)


def write_words(writer: RawFolderWriter, spaced: list[StringArray]) -> None:
    """Words of every term; string i of each list belongs to term i."""
    taken_apart = [split_words(texts) for texts in spaced]
    words = StringArray.concatenate([words for words, _ in taken_apart])
    terms = np.concatenate([terms for _, terms in taken_apart])
    order, firsts = group_words(words, terms)
    different = words.take(order[firsts])
    write_texts(writer, "words", different)
    writer.append("words.starts", np.append(firsts, len(order)), I64)
    writer.append("words.terms", terms[order], I32)
    letters = np.empty(len(different), np.uint64)
    letter_masks(different.pool, different.offsets, letters)
    writer.append("words.letters", letters, "<u8")


def split_words(texts: StringArray) -> tuple[StringArray, NDArray[np.int32]]:
    """All words in order, and the string that each belongs to."""
    owner = np.repeat(np.arange(len(texts), dtype=np.int32), texts.lengths)
    letter = texts.pool != SPACE
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | (owner[1:] != owner[:-1])
    number = np.cumsum(begins)[letter] - 1
    lengths = np.bincount(number, minlength=int(begins.sum()))
    return StringArray(texts.pool[letter], offsets_from_lengths(lengths)), owner[begins]


def group_words(
    words: StringArray, terms: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order by word, then term, without duplicates; and where each word starts."""
    by_text, hashes = words.sort_order(), words.hashes()
    sorted_hashes = hashes[by_text]
    new = np.ones(len(words), np.bool_)
    new[1:] = sorted_hashes[1:] != sorted_hashes[:-1]
    ranks = np.cumsum(new)
    order = by_text[np.lexsort((terms[by_text], ranks))]
    again = (terms[order][1:] == terms[order][:-1]) & (ranks[1:] == ranks[:-1])
    keep = np.append(True, ~again)[: len(order)]
    order, ranks = order[keep], ranks[keep]
    firsts = np.flatnonzero(np.append(True, ranks[1:] != ranks[:-1])[: len(order)])
    return order, firsts
