"""Which documents have which words, how often, and what each is worth.

A posting is a pair of a word and a document. Postings are sorted by word, then document; a key is
word · 2³² + document, so that sorted keys are sorted postings.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

K1, B = 1.5, 0.75
DOCUMENT_BITS = 32
DOCUMENT_MASK = np.uint64(2**DOCUMENT_BITS - 1)
Keys = NDArray[np.uint64]
Counts = NDArray[np.int64]
Weights = NDArray[np.float32]


@dataclass
class Collected:
    """What is counted while documents are read: their words by number, and their lengths."""

    vocabulary: dict[str, int] = field(default_factory=dict)
    lengths: list[NDArray[np.uint32]] = field(default_factory=list)
    documents: int = 0
    total_length: int = 0

    def add(self, texts: Sequence[Sequence[str]]) -> tuple[Keys, NDArray[np.uint32]]:
        """The postings of further documents: their keys, and how often each word occurs."""
        known = self.vocabulary
        words = [known.setdefault(word, len(known)) for text in texts for word in text]
        lengths = np.fromiter(map(len, texts), np.uint32, len(texts))
        numbers = np.arange(self.documents, self.documents + len(texts), dtype=np.uint64)
        keys = np.array(words, np.uint64) << np.uint64(DOCUMENT_BITS)
        unique, counts = np.unique(keys | np.repeat(numbers, lengths), return_counts=True)
        self.lengths.append(lengths)
        self.documents += len(texts)
        self.total_length += len(words)
        return unique, counts.astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25 in the form of Lucene, k1 = 1.5, b = 0.75.

    idf · f / (f + k1 (1 - b + b |d| / mean |d|)) with idf = ln(1 + (N - n + ½) / (n + ½)), where f
    is how often the word is in the document d, and n of N documents have the word. Robertson and
    Zaragoza (2009); Kamphuis et al. (2020) for the form.
    """

    inverse_frequencies: NDArray[np.float64]
    relative_lengths: NDArray[np.float64]

    @classmethod
    def of(cls, frequencies: Counts, collected: Collected) -> "Weighting":
        """frequencies: in how many documents each word is."""
        count = collected.documents
        inverse = np.log1p((count - frequencies + 0.5) / (frequencies + 0.5))
        lengths = np.concatenate([*collected.lengths, np.zeros(0, np.uint32)])
        mean = max(collected.total_length / max(count, 1), math.ulp(1))
        return cls(inverse, lengths / mean)

    def weigh(self, keys: Keys, counts: NDArray[np.uint32]) -> Weights:
        words, documents = split_keys(keys)
        length = K1 * (1 - B + B * self.relative_lengths[documents])
        weights = self.inverse_frequencies[words] * counts / (counts + length)
        return weights.astype(np.float32)


def split_keys(keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Words and documents."""
    words = (keys >> np.uint64(DOCUMENT_BITS)).astype(np.int64)
    return words, (keys & DOCUMENT_MASK).astype(np.int32)


def count_documents(parts: Iterable[Keys], words: int) -> Counts:
    """In how many documents each word is."""
    frequencies = np.zeros(words, np.int64)
    for keys in parts:
        counted = np.bincount(split_keys(keys)[0], minlength=1)
        frequencies[: len(counted)] += counted
    return frequencies


def start_offsets(frequencies: Counts) -> Counts:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(frequencies)])
