"""Embedders that tracks compare texts with. Their weights are installed as a package.

A package is used only if its weights have the SHA-256 that belongs to the embedder's name, so that
a name always means the same vectors.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import numpy as np

from backend.jobs.faults import PlatformFault
from backend.runtime.lru_cache import LruCache
from backend.science.sentence_encoder.encoder import SentenceEncoder
from backend.science.sentence_encoder.safetensors import read_arrays
from backend.science.sentence_encoder.wordpiece import WordPieces
from backend.tracks.base import AnyTrack
from backend.tracks.text_vectors import MINILM, PACKAGES, Vectors

WEIGHTS = "model.zip"
SHA256 = {MINILM: "0872f5d7d0e806c443e588b6dd6b933e9200cf589b0e757e85e3afd57539c592"}
LAYERS, HEADS, MOST_TOKENS = 6, 12, 256
LARGEST_MEMBER = 200_000_000
VECTORS_AT_ONCE = 50_000


@dataclass
class NamedEmbedder:
    """Vectors of texts that were embedded before come from memory."""

    name: str
    encoder: SentenceEncoder
    _vectors: "LruCache[Vectors]" = field(default_factory=lambda: LruCache(VECTORS_AT_ONCE))

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack(
            [self._vectors.get_or_create(one, partial(self._one, one)) for one in texts]
        )

    def _one(self, text: str) -> Vectors:
        vector: Vectors = self.encoder.embed([text])[0]
        return vector


ScoredTrack = TypeVar("ScoredTrack", bound=AnyTrack)


def bind_embedder(track: ScoredTrack) -> ScoredTrack:
    """The track as it scores. Raises PlatformFault if its embedder cannot be loaded."""
    name = track.embedder_name
    return track.with_embedder(load_embedder(name)) if name else track


@lru_cache(maxsize=1)
def load_embedder(name: str) -> NamedEmbedder:
    """Raises PlatformFault if the package is missing or has other weights."""
    spec = find_spec(PACKAGES[name])
    if spec is None or spec.origin is None:
        message = f"The embedder {name} is not installed. Install it, then start this again."
        raise PlatformFault("no_embedder", message)
    content = (Path(spec.origin).parent / WEIGHTS).read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        message = f"The embedder {name} has other weights than expected. Install it again."
        raise PlatformFault("wrong_embedder", message)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        vocabulary = json.loads(read_member(archive, "tokenizer.json"))["model"]["vocab"]
        weights = read_arrays(read_member(archive, "model.safetensors"))
    encoder = SentenceEncoder(WordPieces(vocabulary, MOST_TOKENS), weights, LAYERS, HEADS)
    return NamedEmbedder(name, encoder)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_MEMBER:
        message = f"{name} of the embedder is too large. Install the embedder again."
        raise PlatformFault("wrong_embedder", message)
    return archive.read(name)
