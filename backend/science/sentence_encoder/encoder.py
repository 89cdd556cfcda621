"""Sentence vectors of a small BERT: the mean of the last layer's tokens, of length 1.

Devlin et al. (2019) with the pooling of Reimers and Gurevych (2019). With n tokens and width d:

    X = norm(word + position + type)                           [n, d]
    A = softmax(Q Kᵀ / √(d / h)) V for each of h heads         [n, d]
    X = norm(X + A W + b);  X = norm(X + gelu(X U + c) W' + b')
    v = mean of X over the tokens, divided by its length       [d]

Each text is computed alone, so that its vector does not depend on the others of a call: the same
text has the same vector, bit for bit, on one machine. float32; gelu is the exact one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from backend.science.sentence_encoder.wordpiece import WordPieces

Weights = Mapping[str, NDArray[np.float32]]
Array = NDArray[np.float32]
NORM_EPSILON = 1e-12


@dataclass(frozen=True)
class SentenceEncoder:
    """weights: by the names of the published model. Raises KeyError if one is missing."""

    words: WordPieces
    weights: Weights
    layers: int
    heads: int

    def embed(self, texts: Sequence[str]) -> Array:
        """[n, d] of length 1. A text without a token is that of [CLS] and [SEP] alone."""
        width = self.weights["embeddings.LayerNorm.weight"].shape[0]
        vectors = np.zeros((len(texts), width), dtype=np.float32)
        for place, text in enumerate(texts):
            mean = self.tokens(self.words.encode(text)).mean(axis=0)
            vectors[place] = mean / np.linalg.norm(mean)
        return vectors

    def tokens(self, ids: Sequence[int]) -> Array:
        """The last layer [n, d]."""
        words = self.weights["embeddings.word_embeddings.weight"][list(ids)]
        positions = self.weights["embeddings.position_embeddings.weight"][: len(ids)]
        types = self.weights["embeddings.token_type_embeddings.weight"][0]
        states = self._norm(words + positions + types, "embeddings.LayerNorm")
        for layer in range(self.layers):
            states = self._layer(states, f"encoder.layer.{layer}")
        return states

    def _layer(self, states: Array, name: str) -> Array:
        attended = self._dense(self._attend(states, name), f"{name}.attention.output.dense")
        states = self._norm(states + attended, f"{name}.attention.output.LayerNorm")
        inner = gelu(self._dense(states, f"{name}.intermediate.dense"))
        return self._norm(
            states + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _attend(self, states: Array, name: str) -> Array:
        count, width = states.shape
        size = width // self.heads
        query, key, value = (
            self._dense(states, f"{name}.attention.self.{part}")
            .reshape(count, self.heads, size)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(size))
        attended: Array = softmax(scores) @ value
        return attended.transpose(1, 0, 2).reshape(count, width)

    def _dense(self, states: Array, name: str) -> Array:
        result: Array = states @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return result

    def _norm(self, states: Array, name: str) -> Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + np.float32(NORM_EPSILON))
        result: Array = scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return result


def gelu(values: Array) -> Array:
    result: Array = values * np.float32(0.5) * (1 + erf(values / np.float32(math.sqrt(2))))
    return result


def softmax(scores: Array) -> Array:
    """Over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Array = powers / powers.sum(axis=-1, keepdims=True)
    return result
