"""The network's loss and gradients, beside the formula, and what a training leaves behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backend.science.embeddings.gcn import OFFSET, SHARPNESS, Network
from backend.science.embeddings.negatives import Sampler
from backend.science.embeddings.training import Settings, train_gcn
from backend.science.embeddings.undirected import Undirected
from backend.science.embeddings.vectors import Kept, Sink
from backend.science.stopping import Stop, Stopped
from backend.science.transition.lanes import aligned
from tests.science.embeddings.graphs import matrix, planted, random_multigraph, whole

SETTINGS = Settings(dimensions=16, epochs=7, seed=3)


def loss_of(
    walked: np.ndarray, asked: Undirected, replaced: np.ndarray, given: np.ndarray, turn: np.ndarray
) -> float:
    """The formula, in float64, entry by entry."""
    around = walked + np.eye(len(walked))
    mean = around / around.sum(axis=1, keepdims=True)
    last = mean @ np.maximum(mean @ given, 0) @ turn
    lengths = np.linalg.norm(last, axis=1, keepdims=True)
    unit = last / np.where(lengths > 0, lengths, 1)
    total = 0.0
    for entity in range(len(walked)):
        for place in range(asked.offsets[entity], asked.offsets[entity + 1]):
            alike = SHARPNESS * unit[entity] @ unit[asked.neighbours[place]] - OFFSET
            apart = SHARPNESS * unit[entity] @ unit[replaced[place]] - OFFSET
            total += np.log1p(np.exp(-alike)) + np.log1p(np.exp(apart))
    return float(total / len(asked.neighbours))


@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_those_of_finite_differences(seed: int) -> None:
    chance = np.random.default_rng(seed)
    graph, other = random_multigraph(seed, 30, 70), random_multigraph(seed + 9, 30, 40)
    asked = whole(other)
    replaced = chance.integers(0, 30, len(asked.neighbours)).astype(np.int32)
    inputs, weights = aligned(30, 16, np.float32), aligned(16, 16, np.float32)
    inputs[:] = chance.standard_normal((30, 16))
    weights[:] = np.eye(16) + 0.3 * chance.standard_normal((16, 16))
    network = Network(30, 16, Stop())
    network.forward(whole(graph), inputs, weights)
    loss = network.loss(asked, replaced)
    by_inputs, by_weights = network.backward(weights)
    given, turn, walked = inputs.astype(float), weights.astype(float), matrix(graph)
    assert loss == pytest.approx(loss_of(walked, asked, replaced, given, turn), rel=1e-5)
    for array, slope in ((given, by_inputs), (turn, by_weights)):
        for _ in range(40):
            at = tuple(chance.integers(array.shape).tolist())
            sides = []
            for step in (1e-6, -1e-6):
                array[at] += step
                sides.append(loss_of(walked, asked, replaced, given, turn))
                array[at] -= step
            assert slope[at] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-3, abs=1e-6)


def trained(
    settings: Settings, checkpoint: Path | None = None, stop_at: int = -1, every: int = 2
) -> bytes:
    graph, kept, stop = whole(planted(1)), Kept(), Stop()

    def listen(_doing: str, epoch: int, _epochs: int) -> None:
        if epoch == stop_at:
            stop.pull()

    train_gcn(
        graph,
        Sink(kept, graph.entity_count, 16),
        settings,
        source="planted",
        checkpoint=checkpoint,
        every=every,
        progress=listen,
        stop=stop,
    )
    return kept.whole().tobytes()


def test_a_seed_gives_the_same_bytes() -> None:
    assert trained(SETTINGS) == trained(SETTINGS)
    assert trained(SETTINGS) != trained(replace(SETTINGS, seed=4))


@pytest.mark.parametrize("stop_at", range(7))
def test_stopping_after_any_epoch_and_going_on_gives_the_same_bytes(
    stop_at: int, tmp_path: Path
) -> None:
    wanted = trained(SETTINGS)
    with pytest.raises(Stopped):
        trained(SETTINGS, tmp_path / "kept", stop_at)
    assert trained(SETTINGS, tmp_path / "kept") == wanted


def test_a_killed_training_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def die(_doing: str, epoch: int, _epochs: int) -> None:
        if epoch == 5:
            raise Killed

    heard: list[int] = []
    graph, place = whole(planted(1)), tmp_path / "kept"
    for listen in (die, lambda _doing, epoch, _epochs: heard.append(epoch)):
        kept = Kept()
        sink = Sink(kept, graph.entity_count, 16)
        try:
            train_gcn(
                graph,
                sink,
                SETTINGS,
                source="planted",
                checkpoint=place,
                every=2,
                progress=listen,
            )
        except Killed:
            continue
    assert heard == [4, 5, 6]
    assert kept.whole().tobytes() == trained(SETTINGS)


def test_a_checkpoint_of_another_training_is_not_gone_on_from(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    trained(replace(SETTINGS, seed=4), place)
    assert trained(SETTINGS, place) == trained(SETTINGS)
    damaged = place / "inputs.value.npy"
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    assert trained(SETTINGS, place) == trained(SETTINGS)


def test_the_loss_falls() -> None:
    graph = whole(planted(2))
    facts = train_gcn(graph, Sink(Kept(), graph.entity_count, 16), replace(SETTINGS, epochs=30))
    assert np.mean(facts["losses"][-3:]) < 0.8 * np.mean(facts["losses"][:3])


def test_replaced_ends_have_about_the_degree_where_that_is_wanted() -> None:
    graph = whole(random_multigraph(7, 400, 4000))
    degrees = graph.degrees()
    ends = graph.neighbours
    for drawn, most in (("degree_matched", 0.1), ("uniform", 1.0)):
        sampler = Sampler.of(graph, "uniform" if drawn == "uniform" else "degree_matched")
        found = sampler.draw(ends, np.random.default_rng(1))
        assert (degrees[found] > 0).all()
        off = np.abs(np.log(degrees[found] / degrees[ends]))
        assert (np.median(off) < most) and (len(np.unique(found)) > 300)
    uniform = Sampler.of(graph, "uniform").draw(ends, np.random.default_rng(1))
    assert np.median(np.abs(np.log(degrees[uniform] / degrees[ends]))) > 0.1


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
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"column|training|hidden"):
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_a_start_of_another_shape_is_refused() -> None:
    graph = whole(planted(2))
    sink = Sink(Kept(), graph.entity_count, 16)
    with pytest.raises(ValueError, match=r"\(640, 16\) is needed"):
        train_gcn(graph, sink, SETTINGS, begin=lambda: np.zeros((640, 32), np.float32))
