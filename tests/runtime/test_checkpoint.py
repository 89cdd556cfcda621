"""Resuming from checkpoints: the same bytes, less work, and never another run's steps."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.runtime.atomic_dirs import acquire_lock
from backend.runtime.checkpoint import Checkpoint
from backend.science.embeddings import column_file, propagation
from backend.science.embeddings.embedding_store import MemoryOutput, NormalizingSink
from backend.science.embeddings.propagation import propagate
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.transition import krylov
from backend.science.transition.marginal import Marginal, solve_marginal
from backend.science.transition.parameters import Parameters
from backend.science.transition.transition_model import TransitionModel
from tests.science.dense_walks import Dense, random_graph
from tests.science.embeddings.graphs import planted, whole


class Killed(Exception):
    """Stands for kill -9: it is never caught and nothing is cleaned up."""


def by_iteration() -> TransitionModel:
    return Dense(random_graph(3), Parameters(hops=1, damping=0.2)).model()


def by_arnoldi() -> TransitionModel:
    return Dense(planted(1, groups=4, size=20), Parameters("out")).model()


def steps_of(folder: Path, source: str = "graph", **parameters: object) -> Checkpoint:
    """Saves every step."""
    return Checkpoint(folder, "test", source, parameters, interval_s=0.0)


class Fuse:
    """Counts calls and raises at one of them."""

    def __init__(self, at: int = -1) -> None:
        self.at, self.count = at, 0

    def __call__(self, *_progress: object) -> None:
        if self.count == self.at:
            raise Killed
        self.count += 1


def solved(model: TransitionModel, steps: Checkpoint | None = None, at: int = -1) -> Marginal:
    return solve_marginal(model, tolerance=1e-12, checkpoint=steps, progress=Fuse(at))


def count_products(
    model: TransitionModel, steps: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Number of products until completion, counted where they are computed.

    The result counts those of the earlier run as well.
    """
    created = Fuse()
    pull = TransitionModel.pull_into

    def counted(*words: Any, **named: Any) -> None:
        created()
        pull(*words, **named)

    with monkeypatch.context() as patched:
        patched.setattr(TransitionModel, "pull_into", counted)
        solved(model, steps)
    return created.count


@pytest.mark.parametrize("build_model", [by_iteration, by_arnoldi])
def test_a_marginal_killed_at_any_step_resumes_to_the_same_bytes(
    build_model: Callable[[], TransitionModel], tmp_path: Path
) -> None:
    model, fuse = build_model(), Fuse()
    expected = solve_marginal(model, tolerance=1e-12, progress=fuse)
    assert expected.method == {by_iteration: "iteration", by_arnoldi: "arnoldi"}[build_model]
    assert fuse.count > 5
    for at in range(0, fuse.count, 3):
        steps = steps_of(tmp_path / str(at))
        with pytest.raises(Killed):
            solved(model, steps, at)
        result = solved(model, steps)
        assert result.values.tobytes() == expected.values.tobytes()
        assert replace(result, values=expected.values) == expected


@pytest.mark.parametrize("build_model", [by_iteration, by_arnoldi])
def test_a_resumed_marginal_skips_completed_work(
    build_model: Callable[[], TransitionModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, fuse = build_model(), Fuse()
    all_products = solve_marginal(model, tolerance=1e-12, progress=fuse).products
    late = fuse.count - 2
    with pytest.raises(Killed):
        solved(model, steps_of(tmp_path), late)
    left = count_products(model, steps_of(tmp_path), monkeypatch)
    per_step = len(model.parameters.alphas)
    assert left <= 3 * per_step < all_products / 2


def test_a_marginal_with_restarted_spaces_resumes_in_any_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small graphs are solved before a space of the real dimension is full.
    monkeypatch.setattr(krylov, "MAX_DIMENSION", 6)
    monkeypatch.setattr(krylov, "MIN_DIMENSION", 6)
    model, fuse = by_arnoldi(), Fuse()
    expected = solve_marginal(model, tolerance=1e-6, progress=fuse)
    assert expected.products > 12
    for at in range(0, fuse.count, 3):
        steps = steps_of(tmp_path / str(at))
        with pytest.raises(Killed):
            solve_marginal(model, tolerance=1e-6, checkpoint=steps, progress=Fuse(at))
        result = solve_marginal(model, tolerance=1e-6, checkpoint=steps)
        assert result.values.tobytes() == expected.values.tobytes()
        assert result.products == expected.products
        spaces = {one.name.split("-")[1] for one in (tmp_path / str(at)).glob("space-*")}
        assert len(spaces) <= 2  # those that were gone through are given back


def damaged(folder: Path) -> Iterator[Path]:
    """Copies of a checkpoint, each with another file of it altered or cut short."""
    files = [one for one in sorted(folder.rglob("*")) if one.is_file() and one.stat().st_size]
    assert files
    for number, file in enumerate(files):
        for name, change in (("altered", flipped), ("short", lambda data: data[:-1])):
            copy = folder.with_name(f"{folder.name}-{number}-{name}")
            shutil.copytree(folder, copy)
            place = copy / file.relative_to(folder)
            place.chmod(0o644)
            place.write_bytes(change(place.read_bytes()))
            yield copy


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def test_altered_checkpoints_of_a_marginal_are_ignored(tmp_path: Path) -> None:
    model, fuse = by_arnoldi(), Fuse()
    expected = solve_marginal(model, tolerance=1e-12, progress=fuse)
    with pytest.raises(Killed):
        solved(model, steps_of(tmp_path / "kept"), fuse.count - 2)
    for copy in damaged(tmp_path / "kept"):
        result = solved(model, steps_of(copy))
        assert (result.values.tobytes(), result.products) == (
            expected.values.tobytes(),
            expected.products,
        )


def test_checkpoints_of_another_run_are_ignored(tmp_path: Path) -> None:
    model, other = by_arnoldi(), Dense(planted(1, groups=4, size=20), Parameters()).model()
    expected = solved(model).values.tobytes()
    with pytest.raises(Killed):
        solved(other, steps_of(tmp_path, hops=3), 12)
    for steps in (steps_of(tmp_path, "another", hops=3), steps_of(tmp_path, hops=2)):
        assert steps.load_latest_step("search") is None
        assert solved(model, steps).values.tobytes() == expected


def test_a_step_replaces_the_previous_one(tmp_path: Path) -> None:
    steps = steps_of(tmp_path)
    for number in range(3):
        steps.save_step("a", {"x": np.full(4, number)}, {"number": number})
        steps.save_step("a-1", {}, {})
    result = steps.load_latest_step("a")
    assert result is not None and result.facts == {"number": 2}
    assert {one.name for one in tmp_path.iterdir()} == {".lock", "a-2", "a-1-2"}
    steps.remove()
    assert not tmp_path.exists() and steps.load_latest_step("a") is None


def propagated(
    graph: UndirectedGraph, folder: Path, steps: Checkpoint | None = None, at: int = -1
) -> tuple[bytes, dict[str, float], int]:
    """The vectors, the facts, and how many blocks were filtered."""
    output, fuse = MemoryOutput(), Fuse(at)
    sink = NormalizingSink(output, graph.entity_count, 16)
    facts = propagate(graph, sink, scratch=folder, dimensions=16, progress=fuse, checkpoint=steps)
    return output.to_array().tobytes(), facts, fuse.count


BLOCKS = propagation.ROUND_COUNT * 2  # of sixteen columns: those asked for, and the spare ones


@pytest.mark.parametrize("at", range(BLOCKS))
def test_a_killed_propagation_resumes_from_its_last_block(at: int, tmp_path: Path) -> None:
    graph = whole(planted(3))
    vectors, facts, count = propagated(graph, tmp_path)
    assert count == BLOCKS
    steps = steps_of(tmp_path / "kept")
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps, at)
    assert propagated(graph, tmp_path, steps) == (vectors, facts, BLOCKS - at)


@pytest.mark.parametrize("kernel", ["rotate_rows", "add_weighted_product"])
def test_a_propagation_killed_during_rayleigh_ritz_resumes(
    kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `rotate_rows`, a part of the space is written over by then."""
    # Several chunks from a small graph, and a death inside a kernel: neither has another seam.
    monkeypatch.setattr(column_file, "CHUNK_ROWS", 100)
    monkeypatch.setenv("PYTHON_CPU_COUNT", "1")
    graph = whole(planted(3))
    vectors, facts, _ = propagated(graph, tmp_path)
    steps, real, fuse = steps_of(tmp_path / "kept"), getattr(column_file, kernel), Fuse(3)

    def dying(*words: object) -> None:
        fuse()
        real(*words)

    with monkeypatch.context() as patched:
        patched.setattr(column_file, kernel, dying)
        with pytest.raises(Killed):
            propagated(graph, tmp_path, steps)
    assert propagated(graph, tmp_path, steps) == (vectors, facts, BLOCKS - 2)


def test_a_propagation_with_altered_columns_restarts(tmp_path: Path) -> None:
    graph = whole(planted(3))
    expected = propagated(graph, tmp_path)
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps_of(tmp_path / "kept"), 3)
    for copy in damaged(tmp_path / "kept"):
        vectors, facts, _ = propagated(graph, tmp_path, steps_of(copy))
        assert (vectors, facts) == expected[:2], copy.name


def hold(path: Path, ready: Callable[[], object], done: Callable[[], object]) -> None:
    acquire_lock(path, wait=False)
    ready()
    done()


def test_concurrent_propagations_of_one_graph_do_not_interfere(tmp_path: Path) -> None:
    """A run that finds the column files in use works in a folder of its own."""
    graph = whole(planted(3))
    expected = propagated(graph, tmp_path)
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps_of(tmp_path / "kept"), 3)
    fork = multiprocessing.get_context("fork")
    ready, done = fork.Event(), fork.Event()
    other = fork.Process(target=hold, args=(tmp_path / "kept" / "lock", ready.set, done.wait))
    other.start()
    try:
        assert ready.wait(60)
        before = [(tmp_path / "kept" / name).read_bytes() for name in ("space", "filtered")]
        assert propagated(graph, tmp_path, steps_of(tmp_path / "kept")) == expected
        after = [(tmp_path / "kept" / name).read_bytes() for name in ("space", "filtered")]
        assert before == after
    finally:
        done.set()
        other.join()
    assert propagated(graph, tmp_path, steps_of(tmp_path / "kept"))[2] == BLOCKS - 3
