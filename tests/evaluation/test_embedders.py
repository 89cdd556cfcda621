"""The installed embedder: its weights have the hash of its name, its vectors the published numbers.

Without the optional package, what needs it is skipped.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from backend.evaluation.embedders import bind_embedder, load_embedder
from backend.jobs.faults import PlatformFault
from backend.tracks.biohopr.track import BioHopR, make_track, name_embedder
from backend.tracks.text_vectors import MINILM, PACKAGES, installed_embedder
from tests.embedder_weights import needs_weights

# Means of the tokens of 'Each sentence is converted', as PyTorch printed them for a user:
# github.com/ToluClassics/mlx-transformers/issues/23
PRINTED = [5.41010201e-01, 6.43181562e-01, 3.37639935e-02]


@pytest.fixture(autouse=True)
def forget() -> None:
    load_embedder.cache_clear()


@needs_weights
def test_vectors_are_those_that_pytorch_computes() -> None:
    encoder = load_embedder(MINILM).encoder
    mean = encoder.tokens(encoder.words.encode("Each sentence is converted")).mean(axis=0)
    assert mean.shape == (384,)
    assert mean[:3] == pytest.approx(PRINTED, abs=2e-5)


@needs_weights
def test_what_means_the_same_is_nearer_than_what_does_not() -> None:
    embedder = load_embedder(MINILM)
    first, same, other = embedder.embed(["type 2 diabetes mellitus", "Type II diabetes", "nausea"])
    assert first @ same > 0.8 > 0.4 > first @ other
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-5)
    assert make_track().embedder_name == MINILM
    assert bind_embedder(make_track()).embedder_name == MINILM


def install(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder / PACKAGES[MINILM]
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('it must not be imported')")
    (package / "model.zip").write_bytes(content)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


def test_weights_of_another_hash_are_refused_and_the_package_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, b"other weights", monkeypatch)
    assert installed_embedder() == MINILM
    with pytest.raises(PlatformFault) as fault:
        load_embedder(MINILM)
    assert fault.value.code == "wrong_embedder"


def test_without_the_package_metrics_of_the_cosine_are_absent_and_it_is_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("backend.tracks.text_vectors.find_spec", lambda name: None)
    monkeypatch.setattr("backend.evaluation.embedders.find_spec", lambda name: None)
    track = make_track()
    assert type(track) is BioHopR
    assert not [metric.id for metric in track.metrics if metric.id.startswith("similar")]
    assert "It has no embedder" in track.documentation()
    assert bind_embedder(track) is track
    with pytest.raises(PlatformFault) as fault:
        bind_embedder(name_embedder(MINILM)())
    assert fault.value.code == "no_embedder"
