"""An embedder that needs no package: texts with the same words are near each other."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from backend.tracks.text_vectors import Vectors


@dataclass
class HashedWords:
    """Directions of words, summed. texts: that were embedded."""

    name: str = "hashed-words"
    texts: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> Vectors:
        rows = [
            np.random.default_rng([ord(one) for one in word]).normal(size=16)
            for word in text.lower().split()
        ]
        total = np.sum(rows, axis=0)
        vector: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
        return vector
