"""Builds an index on the disk. Memory is bounded but for the vocabulary and 4 bytes a document.

Postings of each batch are sorted and written to a file (a run). Runs are then merged, one range of
words after another, each small enough for the memory.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import ArtifactWriter, artifact_writer
from backend.science.bm25.postings import (
    DOCUMENT_BITS,
    Collected,
    Counts,
    Keys,
    Weighting,
    count_documents,
    split_keys,
    start_offsets,
)
from backend.science.bm25.word_index import KIND

POSTINGS_IN_MEMORY = 1 << 22
Run = tuple[Keys, NDArray[np.uint32]]
Progress = Callable[[float], None]
Number = TypeVar("Number", np.uint64, np.uint32)


def ignore_progress(share: float) -> None:
    """The default."""


def build_index(
    into: Path,
    batches: Iterable[Sequence[Sequence[str]]],
    *,
    source: str,
    postings_in_memory: int = POSTINGS_IN_MEMORY,
    progress: Progress = ignore_progress,
) -> int:
    """Index documents, given as batches of their words, and return how many there were.

    source: what the documents are, by which `open_index` knows that the index fits. progress:
    share of the merging done; who gives the batches knows how far the reading is.
    """
    into.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=into.parent, prefix=".runs-") as folder:
        collected = Collected()
        runs = _write_runs(Path(folder), collected, batches)
        frequencies = count_documents((keys for keys, _ in runs), len(collected.vocabulary))
        with artifact_writer(into, KIND, source, {}) as writer:
            writer.facts["documents"] = collected.documents
            writer.add("starts", start_offsets(frequencies))
            _write_words(writer, collected.vocabulary)
            _merge_runs(writer, runs, frequencies, collected, postings_in_memory, progress)
    return collected.documents


def _write_runs(
    folder: Path, collected: Collected, batches: Iterable[Sequence[Sequence[str]]]
) -> list[Run]:
    runs: list[Run] = []
    for number, batch in enumerate(batches):
        keys, counts = collected.add(batch)
        if len(keys):  # an empty file cannot be mapped
            runs.append(
                (
                    _spill(folder / f"{number}.keys.npy", keys),
                    _spill(folder / f"{number}.counts.npy", counts),
                )
            )
    return runs


def _spill(path: Path, array: NDArray[Number]) -> NDArray[Number]:
    """The array in a file, mapped."""
    np.save(path, array)
    mapped: NDArray[Number] = np.load(path, mmap_mode="r")
    return mapped


def _write_words(writer: ArtifactWriter, vocabulary: dict[str, int]) -> None:
    ordered = sorted(
        (word.encode("utf-8", "surrogatepass"), number) for word, number in vocabulary.items()
    )
    lengths = np.fromiter((len(word) for word, _ in ordered), np.int64, len(ordered))
    writer.add("word_starts", start_offsets(lengths))
    writer.add("word_numbers", np.fromiter((at for _, at in ordered), np.int64, len(ordered)))
    writer.add("word_pool", np.frombuffer(b"".join(word for word, _ in ordered), np.uint8))


def _merge_runs(
    writer: ArtifactWriter,
    runs: Sequence[Run],
    frequencies: Counts,
    collected: Collected,
    postings_in_memory: int,
    progress: Progress,
) -> None:
    weighting = Weighting.of(frequencies, collected)
    total = int(frequencies.sum())
    documents = writer.open_array("documents", (total,), "<i4")
    weights = writer.open_array("weights", (total,), "<f4")
    for first, last in split_word_ranges(frequencies, postings_in_memory):
        keys, counts = _read_range(runs, first, last)
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
        documents.write(split_keys(keys)[1])
        weights.write(weighting.weigh(keys, counts))
        progress(last / len(frequencies))


def split_word_ranges(frequencies: Counts, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of words with at most so many postings together, or of one word with more."""
    ends, first = np.cumsum(frequencies), 0
    while first < len(frequencies):
        before = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, before + most, "right")), first + 1)
        yield first, last
        first = last


def _read_range(runs: Sequence[Run], first: int, last: int) -> Run:
    low, high = (np.uint64(word << DOCUMENT_BITS) for word in (first, last))
    slices = [(*np.searchsorted(keys, [low, high]).tolist(), keys, counts) for keys, counts in runs]
    return (
        np.concatenate([keys[start:end] for start, end, keys, _ in slices]),
        np.concatenate([counts[start:end] for start, end, _, counts in slices]),
    )
