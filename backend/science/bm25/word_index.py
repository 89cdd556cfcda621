"""Ranks documents by the words of a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import bm25s
import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import open_artifact
from backend.science.bm25.postings import (
    K1,
    B,
    Collected,
    Weighting,
    count_documents,
    split_keys,
    start_offsets,
)
from backend.science.bm25.tokenizer import split_words

KIND = "bm25"
Documents = NDArray[np.int64]
Scores = NDArray[np.float32]


class Vocabulary(Protocol):
    def get(self, word: str, /) -> int | None: ...


@dataclass(frozen=True)
class SortedWords:
    """A vocabulary in files: UTF-8 words in the order of their bytes, and the number of each."""

    pool: NDArray[np.uint8]
    starts: NDArray[np.int64]
    numbers: NDArray[np.int64]

    def get(self, word: str, /) -> int | None:
        target = word.encode("utf-8", "surrogatepass")
        low, high = 0, len(self.numbers)
        while low < high:
            middle = (low + high) // 2
            if self._word(middle) < target:
                low = middle + 1
            else:
                high = middle
        if low == len(self.numbers) or self._word(low) != target:
            return None
        return int(self.numbers[low])

    def _word(self, at: int) -> bytes:
        return self.pool[self.starts[at] : self.starts[at + 1]].tobytes()


@dataclass(frozen=True)
class WordIndex:
    """Documents are numbers from 0. The postings of word w are at starts[w] to starts[w + 1]."""

    vocabulary: Vocabulary
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    weights: NDArray[np.float32]
    count: int
    _retriever: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        retriever = bm25s.BM25(method="lucene", k1=K1, b=B)
        retriever.scores = {
            "data": self.weights,
            "indices": self.documents,
            "indptr": self.starts,
            "num_docs": self.count,
        }
        retriever.nonoccurrence_array = None  # this form has none
        object.__setattr__(self, "_retriever", retriever)

    def find_words(self, words: Sequence[str]) -> list[int]:
        """The numbers of those that any document has; a word twice counts twice."""
        matched = [self.vocabulary.get(word) for word in words]
        return [number for number in matched if number is not None]

    def score(self, words: Sequence[str]) -> Scores:
        """Of every document: Σ of the weights of the words; 0 where it has none of them."""
        known = self.find_words(words)
        if not known:
            return np.zeros(self.count, np.float32)
        scores: Scores = self._retriever.get_scores_from_ids(known)
        return scores

    def find_documents_with_all(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Documents that have every one of these words, ascending; none for no words."""
        numbers = [self.vocabulary.get(word) for word in dict.fromkeys(words)]
        known = [number for number in numbers if number is not None]
        if not known or len(known) < len(numbers):
            return np.zeros(0, np.int32)
        lists = sorted(map(self._documents_of, known), key=len)
        matched = lists[0]
        for other in lists[1:]:
            places = np.searchsorted(other, matched)
            places[places == len(other)] = 0
            matched = matched[other[places] == matched]
        return matched

    def _documents_of(self, word: int) -> NDArray[np.int32]:
        return self.documents[self.starts[word] : self.starts[word + 1]]


def index_texts(texts: Sequence[str]) -> WordIndex:
    """In memory."""
    collected = Collected()
    keys, counts = collected.add(split_words(texts))
    frequencies = count_documents([keys], len(collected.vocabulary))
    return WordIndex(
        collected.vocabulary,
        start_offsets(frequencies),
        split_keys(keys)[1],
        Weighting.of(frequencies, collected).weigh(keys, counts),
        collected.documents,
    )


def open_index(folder: Path, *, source: str, checksums: bool = False) -> WordIndex:
    """Map an index that `build_index` wrote. Raises InvalidArrayStore."""
    artifact = open_artifact(folder, kind=KIND, source=source, checksums=checksums)
    arrays: Mapping[str, NDArray[Any]] = artifact.arrays
    words = SortedWords(arrays["word_pool"], arrays["word_starts"], arrays["word_numbers"])
    return WordIndex(
        words,
        arrays["starts"],
        arrays["documents"],
        arrays["weights"],
        int(artifact.facts["documents"]),
    )


def rank_documents(scores: Scores, limit: int) -> Documents:
    """Documents of positive score, best first; of equal scores, the smaller number first."""
    matched = np.flatnonzero(scores > 0)
    if len(matched) > limit:
        least = np.partition(scores[matched], len(matched) - limit)[len(matched) - limit]
        matched = matched[scores[matched] >= least]
    return matched[np.argsort(-scores[matched], kind="stable")][:limit]
