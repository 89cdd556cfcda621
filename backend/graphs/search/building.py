"""Building the words that lead to a snapshot's entities, in memory that grows with names only."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import letters_of
from backend.graphs.search.lexicon import manifest_of
from backend.graphs.search.normal import compounds, local_part, normal
from backend.graphs.snapshots.format import I32, I64, MANIFEST, U8
from backend.graphs.snapshots.opening import Snapshot
from backend.graphs.snapshots.records import EntityRecord
from backend.graphs.snapshots.strings import Texts, starts_of
from backend.graphs.snapshots.writing import FolderWriter, told_of_full_disks
from backend.science.folders import locked, publish, workspace

Progress = Callable[[str, int, int], None]
BATCH = 20_000
# Beyond, only whole names, their beginnings and identifiers are found: words would take gigabytes.
MOST_TERMS_WITH_WORDS = 6_000_000
LONGEST_WORD = 64  # bytes of a word that a mistyped one is compared with
SPACE = ord(" ")


def build_lexicon(snapshot: Snapshot, folder: Path, progress: Progress) -> None:
    """Make it in `folder`, all at once; what was there is replaced."""
    with told_of_full_disks(), workspace(folder.parent) as made:
        writer = FolderWriter(made)
        try:
            write_all(snapshot, writer, progress)
            writer.finish()
        finally:
            writer.abandon()
        (made / MANIFEST).write_bytes(manifest_of(snapshot.path.name, writer.files))
        (made / "lock").unlink(missing_ok=True)
        made.chmod(0o755)
        with locked(folder.parent / ".lock"):
            shutil.rmtree(folder, ignore_errors=True)
            publish(made, folder)


def write_all(snapshot: Snapshot, writer: FolderWriter, progress: Progress) -> None:
    names, identifiers, joined = Gathered(), Gathered(), Gathered()
    records = snapshot.entities()
    while batch := list(islice(records, BATCH)):
        progress("indexing names", batch[0].number, snapshot.entity_count)
        names.add(batch, lambda one: [normal(text) for text in (one.name, *one.synonyms)])
        identifiers.add(batch, lambda one: [local_part(text) for text in (one.id, *one.xrefs)])
        joined.add(batch, joined_words)
    write_column(writer, "identifiers", identifiers)
    write_column(writer, "names", names)
    if names.count <= MOST_TERMS_WITH_WORDS:
        progress("indexing words", snapshot.entity_count, snapshot.entity_count)
        write_words(writer, [names.texts(), joined.texts()])


def joined_words(one: EntityRecord) -> list[str]:
    return [" ".join(compounds(text)) for text in (one.name, *one.synonyms)]


class Gathered:
    """Texts of entities, in their order."""

    def __init__(self) -> None:
        self._texts: list[Texts] = []
        self._entities: list[NDArray[np.int32]] = []
        self.count = 0

    def add(
        self, batch: Iterable[EntityRecord], texts_of: Callable[[EntityRecord], list[str]]
    ) -> None:
        found: list[bytes] = []
        entities: list[int] = []
        for one in batch:
            texts = texts_of(one)
            found += [text.encode(errors="replace") for text in texts]
            entities += [one.number] * len(texts)
        self._texts.append(Texts.of(found))
        self._entities.append(np.array(entities, np.int32))
        self.count += len(found)

    def texts(self) -> Texts:
        return Texts.joined(self._texts) if self._texts else Texts.empty(0)

    def entities(self) -> NDArray[np.int32]:
        return np.concatenate([np.empty(0, np.int32), *self._entities])


def write_column(writer: FolderWriter, name: str, gathered: Gathered) -> None:
    texts = gathered.texts()
    order = texts.order()
    write_texts(writer, name, texts.take(order))
    writer.append(f"{name}.numbers", order, I32)
    writer.append(f"{name}.entities", gathered.entities(), I32)


def write_texts(writer: FolderWriter, name: str, texts: Texts) -> None:
    writer.append(f"{name}.pool", texts.pool, U8)
    writer.append(f"{name}.offsets", texts.offsets, I64)


def write_words(writer: FolderWriter, spaced: list[Texts]) -> None:
    """Words of every text; text i of each list is of term i."""
    taken_apart = [words_in(texts) for texts in spaced]
    words = Texts.joined([words for words, _ in taken_apart])
    terms = np.concatenate([terms for _, terms in taken_apart])
    order, firsts = grouped(words, terms)
    different = words.take(order[firsts])
    write_texts(writer, "words", different)
    writer.append("words.starts", np.append(firsts, len(order)), I64)
    writer.append("words.terms", terms[order], I32)
    letters = np.empty(len(different), np.uint64)
    letters_of(different.pool, different.offsets, letters)
    writer.append("words.letters", letters, "<u8")


def words_in(texts: Texts) -> tuple[Texts, NDArray[np.int32]]:
    """All words, text by text, and which text each is of."""
    owner = np.repeat(np.arange(len(texts), dtype=np.int32), texts.lengths)
    letter = texts.pool != SPACE
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | (owner[1:] != owner[:-1])
    number = np.cumsum(begins)[letter] - 1
    lengths = np.bincount(number, minlength=int(begins.sum()))
    return Texts(texts.pool[letter], starts_of(lengths)), owner[begins]


def grouped(words: Texts, terms: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order by word, then term, without a word's second place in a term; where words begin."""
    by_text, hashes = words.order(), words.hashes()
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
