"""BM25 as its formula reads, a document at a time, without arrays."""

import math
from collections.abc import Sequence

K1, B = 1.5, 0.75


class PlainBm25:
    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self.documents = documents
        self.mean = sum(map(len, documents)) / max(len(documents), 1)
        self.frequencies: dict[str, int] = {}
        for document in documents:
            for word in set(document):
                self.frequencies[word] = self.frequencies.get(word, 0) + 1

    def score(self, query: Sequence[str], document: Sequence[str]) -> float:
        """Σ idf(w) · f / (f + k1 (1 - b + b |d| / mean)), idf = ln(1 + (N - n + ½) / (n + ½))."""
        result = 0.0
        for word in query:
            f = document.count(word)
            if f == 0:
                continue
            n = self.frequencies[word]
            idf = math.log(1 + (len(self.documents) - n + 0.5) / (n + 0.5))
            result += idf * f / (f + K1 * (1 - B + B * len(document) / self.mean))
        return result

    def scores(self, query: Sequence[str]) -> list[float]:
        return [self.score(query, document) for document in self.documents]
