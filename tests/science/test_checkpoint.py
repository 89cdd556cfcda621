"""Work that goes on from its checkpoint: the same bytes, less work, and never another's steps."""

from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.science import checkpoint as module
from backend.science import threads
from backend.science.checkpoint import Checkpoint
from backend.science.embeddings import columns, propagation
from backend.science.embeddings.propagation import propagate
from backend.science.embeddings.undirected import Undirected
from backend.science.embeddings.vectors import Kept, Sink
from backend.science.folders import lock
from backend.science.transition import krylov
from backend.science.transition.marginal import Marginal
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import Parameters
from tests.science.dense_walks import Dense, random_graph
from tests.science.embeddings.graphs import planted, whole


class Killed(Exception):
    """Stands for kill -9: nobody catches it, and nothing is tidied up."""


@pytest.fixture(autouse=True)
def _every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.0)


def by_iteration() -> TransitionModel:
    return Dense(random_graph(3), Parameters(hops=1, damping=0.2)).model()


def by_arnoldi() -> TransitionModel:
    return Dense(planted(1, groups=4, size=20), Parameters("out")).model()


def steps_of(folder: Path, source: str = "graph", **parameters: object) -> Checkpoint:
    return Checkpoint(folder, "test", source, parameters)


class Fuse:
    """Counts steps, and blows at one of them."""

    def __init__(self, at: int = -1) -> None:
        self.at, self.count = at, 0

    def __call__(self, *_told: object) -> None:
        if self.count == self.at:
            raise Killed
        self.count += 1


def solved(model: TransitionModel, steps: Checkpoint | None = None, at: int = -1) -> Marginal:
    return model.marginal(tolerance=1e-12, checkpoint=steps, progress=Fuse(at))


def count_products(
    model: TransitionModel, steps: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Products that are really made from here to the end."""
    made = Fuse()
    pull = TransitionModel.pull_into

    def counted(*words: Any, **named: Any) -> None:
        made()
        pull(*words, **named)

    with monkeypatch.context() as patched:
        patched.setattr(TransitionModel, "pull_into", counted)
        solved(model, steps)
    return made.count


@pytest.mark.parametrize("made", [by_iteration, by_arnoldi])
def test_a_marginal_that_was_killed_at_any_step_ends_the_same(
    made: Callable[[], TransitionModel], tmp_path: Path
) -> None:
    model, fuse = made(), Fuse()
    wanted = model.marginal(tolerance=1e-12, progress=fuse)
    assert wanted.method == {by_iteration: "iteration", by_arnoldi: "arnoldi"}[made]
    assert fuse.count > 5
    for at in range(0, fuse.count, 3):
        steps = steps_of(tmp_path / str(at))
        with pytest.raises(Killed):
            solved(model, steps, at)
        found = solved(model, steps)
        assert found.values.tobytes() == wanted.values.tobytes()
        assert replace(found, values=wanted.values) == wanted


@pytest.mark.parametrize("made", [by_iteration, by_arnoldi])
def test_a_marginal_that_goes_on_does_not_begin_again(
    made: Callable[[], TransitionModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, fuse = made(), Fuse()
    whole_work = model.marginal(tolerance=1e-12, progress=fuse).products
    late = fuse.count - 2
    with pytest.raises(Killed):
        solved(model, steps_of(tmp_path), late)
    left = count_products(model, steps_of(tmp_path), monkeypatch)
    per_step = len(model.parameters.alphas)
    assert left <= 3 * per_step < whole_work / 2


def test_a_marginal_whose_space_starts_anew_is_gone_on_with_in_any_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(krylov, "MOST", 6)
    monkeypatch.setattr(krylov, "FEWEST", 6)
    model, fuse = by_arnoldi(), Fuse()
    wanted = model.marginal(tolerance=1e-6, progress=fuse)
    assert wanted.products > 12
    for at in range(0, fuse.count, 3):
        steps = steps_of(tmp_path / str(at))
        with pytest.raises(Killed):
            model.marginal(tolerance=1e-6, checkpoint=steps, progress=Fuse(at))
        found = model.marginal(tolerance=1e-6, checkpoint=steps)
        assert found.values.tobytes() == wanted.values.tobytes()
        assert found.products == wanted.products
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


def test_steps_of_a_marginal_that_were_altered_are_not_used(tmp_path: Path) -> None:
    model, fuse = by_arnoldi(), Fuse()
    wanted = model.marginal(tolerance=1e-12, progress=fuse)
    with pytest.raises(Killed):
        solved(model, steps_of(tmp_path / "kept"), fuse.count - 2)
    for copy in damaged(tmp_path / "kept"):
        found = solved(model, steps_of(copy))
        assert (found.values.tobytes(), found.products) == (
            wanted.values.tobytes(),
            wanted.products,
        )


def test_steps_of_another_work_are_not_used(tmp_path: Path) -> None:
    model, other = by_arnoldi(), Dense(planted(1, groups=4, size=20), Parameters()).model()
    wanted = solved(model).values.tobytes()
    with pytest.raises(Killed):
        solved(other, steps_of(tmp_path, hops=3), 12)
    for steps in (steps_of(tmp_path, "another", hops=3), steps_of(tmp_path, hops=2)):
        assert steps.kept("search") is None
        assert solved(model, steps).values.tobytes() == wanted


def test_a_step_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    steps = steps_of(tmp_path)
    for number in range(3):
        steps.keep("a", {"x": np.full(4, number)}, {"number": number})
        steps.keep("a-1", {}, {})
    found = steps.kept("a")
    assert found is not None and found.facts == {"number": 2}
    assert {one.name for one in tmp_path.iterdir()} == {".lock", "a-2", "a-1-2"}
    steps.remove()
    assert not tmp_path.exists() and steps.kept("a") is None


def propagated(
    graph: Undirected, folder: Path, steps: Checkpoint | None = None, at: int = -1
) -> tuple[bytes, dict[str, float], int]:
    """The vectors, the facts, and how many blocks were filtered."""
    kept, fuse = Kept(), Fuse(at)
    sink = Sink(kept, graph.entity_count, 16)
    facts = propagate(graph, sink, scratch=folder, dimensions=16, progress=fuse, checkpoint=steps)
    return kept.whole().tobytes(), facts, fuse.count


BLOCKS = propagation.ROUNDS * 2  # of sixteen columns: those asked for, and the spare ones


@pytest.mark.parametrize("at", range(BLOCKS))
def test_a_propagation_that_was_killed_goes_on_from_its_last_block(at: int, tmp_path: Path) -> None:
    graph = whole(planted(3))
    vectors, facts, count = propagated(graph, tmp_path)
    assert count == BLOCKS
    steps = steps_of(tmp_path / "kept")
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps, at)
    assert propagated(graph, tmp_path, steps) == (vectors, facts, BLOCKS - at)


@pytest.mark.parametrize("kernel", ["rotate", "cross"])
def test_a_propagation_that_was_killed_while_it_settled_goes_on(
    kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `rotate`, a part of the space is written over by then."""
    monkeypatch.setattr(columns, "CHUNK", 100)
    monkeypatch.setattr(threads, "core_count", lambda: 1)
    graph = whole(planted(3))
    vectors, facts, _ = propagated(graph, tmp_path)
    steps, real, fuse = steps_of(tmp_path / "kept"), getattr(columns, kernel), Fuse(3)

    def dying(*words: object) -> None:
        fuse()
        real(*words)

    with monkeypatch.context() as patched:
        patched.setattr(columns, kernel, dying)
        with pytest.raises(Killed):
            propagated(graph, tmp_path, steps)
    assert propagated(graph, tmp_path, steps) == (vectors, facts, BLOCKS - 2)


def test_a_propagation_whose_columns_were_altered_begins_anew(tmp_path: Path) -> None:
    graph = whole(planted(3))
    wanted = propagated(graph, tmp_path)
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps_of(tmp_path / "kept"), 3)
    for copy in damaged(tmp_path / "kept"):
        vectors, facts, _ = propagated(graph, tmp_path, steps_of(copy))
        assert (vectors, facts) == wanted[:2], copy.name


def hold(path: Path, ready: Callable[[], object], done: Callable[[], object]) -> None:
    lock(path, wait=False)
    ready()
    done()


def test_two_that_propagate_the_same_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Who finds the columns held by a living process works in a room of its own."""
    graph = whole(planted(3))
    wanted = propagated(graph, tmp_path)
    with pytest.raises(Killed):
        propagated(graph, tmp_path, steps_of(tmp_path / "kept"), 3)
    fork = multiprocessing.get_context("fork")
    ready, done = fork.Event(), fork.Event()
    other = fork.Process(target=hold, args=(tmp_path / "kept" / "lock", ready.set, done.wait))
    other.start()
    try:
        assert ready.wait(60)
        before = [(tmp_path / "kept" / name).read_bytes() for name in ("space", "filtered")]
        assert propagated(graph, tmp_path, steps_of(tmp_path / "kept")) == wanted
        after = [(tmp_path / "kept" / name).read_bytes() for name in ("space", "filtered")]
        assert before == after
    finally:
        done.set()
        other.join()
    assert propagated(graph, tmp_path, steps_of(tmp_path / "kept"))[2] == BLOCKS - 3
