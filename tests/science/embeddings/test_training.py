"""Loss and gradients of the network, compared with the formula, and its checkpoints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backend.runtime import checkpoint
from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.embeddings.embedding_store import MemoryOutput, NormalizingSink
from backend.science.embeddings.gcn import OFFSET, SHARPNESS, GraphNetwork
from backend.science.embeddings.negative_sampling import NegativeSampler
from backend.science.embeddings.training import TrainingSettings, train_gcn
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.transition.simd import aligned_zeros
from tests.science.embeddings.graphs import matrix, planted, random_multigraph, whole

SETTINGS = TrainingSettings(dimensions=16, epochs=7, seed=3)


def loss_of(
    walked: np.ndarray,
    query: UndirectedGraph,
    replaced: np.ndarray,
    given: np.ndarray,
    turn: np.ndarray,
) -> float:
    """The formula, in float64, entry by entry."""
    around = walked + np.eye(len(walked))
    mean = around / around.sum(axis=1, keepdims=True)
    last = mean @ np.maximum(mean @ given, 0) @ turn
    lengths = np.linalg.norm(last, axis=1, keepdims=True)
    unit = last / np.where(lengths > 0, lengths, 1)
    total = 0.0
    for entity in range(len(walked)):
        for place in range(query.offsets[entity], query.offsets[entity + 1]):
            alike = SHARPNESS * unit[entity] @ unit[query.neighbours[place]] - OFFSET
            apart = SHARPNESS * unit[entity] @ unit[replaced[place]] - OFFSET
            total += np.log1p(np.exp(-alike)) + np.log1p(np.exp(apart))
    return float(total / len(query.neighbours))


@pytest.mark.parametrize("seed", range(3))
def test_gradients_match_finite_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph, other = random_multigraph(seed, 30, 70), random_multigraph(seed + 9, 30, 40)
    query = whole(other)
    replaced = rng.integers(0, 30, len(query.neighbours)).astype(np.int32)
    inputs, weights = aligned_zeros(30, 16, np.float32), aligned_zeros(16, 16, np.float32)
    inputs[:] = rng.standard_normal((30, 16))
    weights[:] = np.eye(16) + 0.3 * rng.standard_normal((16, 16))
    network = GraphNetwork(30, 16, CancellationToken())
    network.forward(whole(graph), inputs, weights)
    loss = network.loss(query, replaced)
    by_inputs, by_weights = network.backward(weights)
    given, turn, walked = inputs.astype(float), weights.astype(float), matrix(graph)
    assert loss == pytest.approx(loss_of(walked, query, replaced, given, turn), rel=1e-5)
    for array, slope in ((given, by_inputs), (turn, by_weights)):
        for _ in range(40):
            at = tuple(rng.integers(array.shape).tolist())
            sides = []
            for step in (1e-6, -1e-6):
                array[at] += step
                sides.append(loss_of(walked, query, replaced, given, turn))
                array[at] -= step
            assert slope[at] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-3, abs=1e-6)


def trained(settings: TrainingSettings, place: Path | None = None, stop_at: int = -1) -> bytes:
    graph, output, stop = whole(planted(1)), MemoryOutput(), CancellationToken()

    def listen(_doing: str, epoch: int, _epochs: int) -> None:
        if epoch == stop_at:
            stop.cancel()

    train_gcn(
        graph,
        NormalizingSink(output, graph.entity_count, 16),
        settings,
        source="planted",
        checkpoint=place,
        progress=listen,
        stop=stop,
    )
    return output.to_array().tobytes()


def test_a_seed_gives_the_same_bytes() -> None:
    assert trained(SETTINGS) == trained(SETTINGS)
    assert trained(SETTINGS) != trained(replace(SETTINGS, seed=4))


@pytest.mark.parametrize("stop_at", range(7))
def test_resuming_after_any_epoch_gives_the_same_bytes(stop_at: int, tmp_path: Path) -> None:
    expected = trained(SETTINGS)
    with pytest.raises(Cancelled):
        trained(SETTINGS, tmp_path / "kept", stop_at)
    assert trained(SETTINGS, tmp_path / "kept") == expected


@pytest.fixture
def saving_each_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_INTERVAL_S", 0.0)


@pytest.mark.usefixtures("saving_each_epoch")
def test_a_killed_training_resumes_from_its_last_checkpoint(tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def die(_doing: str, epoch: int, _epochs: int) -> None:
        if epoch == 5:
            raise Killed

    received: list[int] = []
    graph, place = whole(planted(1)), tmp_path / "kept"
    for listen in (die, lambda _doing, epoch, _epochs: received.append(epoch)):
        output = MemoryOutput()
        sink = NormalizingSink(output, graph.entity_count, 16)
        try:
            train_gcn(
                graph,
                sink,
                SETTINGS,
                source="planted",
                checkpoint=place,
                progress=listen,
            )
        except Killed:
            continue
    assert received == [5, 6]
    assert output.to_array().tobytes() == trained(SETTINGS)


@pytest.mark.usefixtures("saving_each_epoch")
def test_a_checkpoint_of_another_training_is_ignored(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    trained(replace(SETTINGS, seed=4), place)
    assert trained(SETTINGS, place) == trained(SETTINGS)
    [damaged] = place.glob("*/inputs.value.npy")
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    assert trained(SETTINGS, place) == trained(SETTINGS)


def test_the_loss_decreases() -> None:
    graph = whole(planted(2))
    facts = train_gcn(
        graph, NormalizingSink(MemoryOutput(), graph.entity_count, 16), replace(SETTINGS, epochs=30)
    )
    assert np.mean(facts["losses"][-3:]) < 0.8 * np.mean(facts["losses"][:3])


def test_degree_matched_replacements_have_similar_degree() -> None:
    graph = whole(random_multigraph(7, 400, 4000))
    degrees = graph.degrees()
    ends = graph.neighbours
    for drawn, most in (("degree_matched", 0.1), ("uniform", 1.0)):
        sampler = NegativeSampler.of(graph, "uniform" if drawn == "uniform" else "degree_matched")
        result = sampler.draw(ends, np.random.default_rng(1))
        assert (degrees[result] > 0).all()
        off = np.abs(np.log(degrees[result] / degrees[ends]))
        assert (np.median(off) < most) and (len(np.unique(result)) > 300)
    uniform = NegativeSampler.of(graph, "uniform").draw(ends, np.random.default_rng(1))
    assert np.median(np.abs(np.log(degrees[uniform] / degrees[ends]))) > 0.1


def test_replacements_of_the_same_type_are_linked() -> None:
    world = random_multigraph(7, 400, 4000)
    graph, types = whole(world), np.array(world.types)
    sampler = NegativeSampler.of(graph, "same_type", types)
    drawn = sampler.draw(graph.neighbours, np.random.default_rng(1))
    assert (graph.degrees()[drawn] > 0).all()
    assert (types[drawn] == types[graph.neighbours]).all()
    assert len(np.unique(drawn)) > 300
    with pytest.raises(ValueError, match="need the types"):
        NegativeSampler.of(graph, "same_type")


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimensions": 20},
        {"epochs": -1},
        {"rate": 0.0},
        {"hidden": 1.0},
        {"negatives": "none"},
    ],
)
def test_invalid_settings_are_rejected(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"column|training|hidden"):
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_a_start_of_wrong_shape_is_rejected() -> None:
    graph = whole(planted(2))
    sink = NormalizingSink(MemoryOutput(), graph.entity_count, 16)
    with pytest.raises(ValueError, match=r"\(640, 16\) is needed"):
        train_gcn(graph, sink, SETTINGS, start_vectors=lambda: np.zeros((640, 32), np.float32))
