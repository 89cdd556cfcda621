"""A training that was interrupted goes on from its checkpoint, to the same bytes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.runtime import checkpoint
from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.embeddings import node2vec as walks
from backend.science.embeddings.triple_models import TRIPLE_MODELS, Triples, TripleSettings
from backend.science.embeddings.triple_training import train_triples
from backend.science.embeddings.vector_models import VECTOR_MODELS
from tests.science.embeddings.graphs import planted, whole

GRAPH = planted(5, groups=4, size=20)
Train = Callable[[int, CancellationToken, Path | None], NDArray[np.float32]]


class Interrupted(CancellationToken):
    """Cancels at the check of this number, and counts them."""

    def __init__(self, at: int = 10**9) -> None:
        super().__init__()
        self.at, self.checks = at, 0

    def raise_if_cancelled(self) -> None:
        self.checks += 1
        if self.checks >= self.at:
            self.cancel()
        super().raise_if_cancelled()


def triples_trained(name: str) -> Train:
    heads, relations, tails = np.array(GRAPH.edges, dtype=np.int64).T
    types = np.array(GRAPH.types)

    def train(seed: int, stop: CancellationToken, folder: Path | None) -> NDArray[np.float32]:
        settings = TripleSettings(dimensions=8, epochs=6, batch=64, seed=seed)
        triples = Triples(heads, relations, tails)
        vectors = train_triples(
            TRIPLE_MODELS[name], triples, types, 1, settings, checkpoint=folder, stop=stop
        )
        return np.concatenate([vectors.entities.values, vectors.relations.values])

    return train


def vectors_trained(name: str) -> Train:
    def train(seed: int, stop: CancellationToken, folder: Path | None) -> NDArray[np.float32]:
        types = np.array(GRAPH.types)
        return VECTOR_MODELS[name](whole(GRAPH), types, seed, stop, folder)

    return train


TRAININGS = {
    **{name: triples_trained(name) for name in TRIPLE_MODELS},
    "node2vec": vectors_trained("node2vec"),
    "gcn": vectors_trained("gcn"),
    "propagation": vectors_trained("propagation"),
}


@pytest.mark.parametrize("name", sorted(TRAININGS))
def test_an_interrupted_training_goes_on_to_the_same_bytes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_INTERVAL_S", 0.0)
    monkeypatch.setattr(walks, "WALKS_AT_ONCE", 64)
    train, whole_run = TRAININGS[name], Interrupted()
    expected = train(1, whole_run, None)
    assert whole_run.checks > 10
    with pytest.raises(Cancelled):
        train(1, Interrupted(at=whole_run.checks * 3 // 4), tmp_path)
    rest = Interrupted()
    assert train(1, rest, tmp_path).tobytes() == expected.tobytes()
    assert rest.checks < whole_run.checks // 2
    other = Interrupted()
    assert train(2, other, tmp_path).tobytes() != expected.tobytes()
    assert other.checks == whole_run.checks, "another seed does not go on from this checkpoint"


def test_a_network_that_is_stopped_in_its_start_vectors_goes_on_from_them(tmp_path: Path) -> None:
    train, start = vectors_trained("gcn"), Interrupted()
    vectors_trained("propagation")(1, start, None)
    expected = train(1, whole_run := Interrupted(), None)
    with pytest.raises(Cancelled):
        train(1, Interrupted(at=start.checks - 1), tmp_path)
    rest = Interrupted()
    assert train(1, rest, tmp_path).tobytes() == expected.tobytes()
    assert rest.checks < whole_run.checks - start.checks // 2
