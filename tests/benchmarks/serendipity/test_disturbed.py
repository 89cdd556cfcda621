"""Two workers at once, one that slept, a cancel in the middle, a full disk, an altered file."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from backend.benchmarks.models import Computation, Progress
from backend.benchmarks.serendipity import artefacts, files
from backend.benchmarks.serendipity.computations import (
    cancel_computation,
    sweep_computations,
    work_folder,
)
from backend.benchmarks.serendipity.kept import Kept
from backend.benchmarks.serendipity.results import result_folder
from backend.benchmarks.serendipity.working import run_computation
from backend.science.artefact import open_artefact
from backend.science.folders import UNFINISHED
from tests.benchmarks.serendipity.disturbed import KINDS, Bench, beside, kept, partition, rows, walk
from tests.benchmarks.serendipity.making import drug
from tests.benchmarks.serendipity.worker import ENDED, NOTHING, begin, end_all, stop
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bench() -> Iterator[Bench]:
    yield Bench.new()
    end_all()


def a_step(bench: Bench, kind: str) -> int:
    """A seeded one of those that are told of."""
    return random.Random(kind).randrange(1, bench.count(kind, only_told=True))  # noqa: S311  seeded


def test_of_two_workers_at_once_one_does_it(bench: Bench) -> None:
    wanted = bench.undisturbed("partition")
    row = bench.ask("partition")
    both = [begin(row), begin(row)]
    assert sorted(one.end() for one in both) == [ENDED, NOTHING]
    assert bench.left(row) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_that_slept_while_another_did_its_work_changes_nothing(
    kind: str, bench: Bench
) -> None:
    wanted, at = bench.undisturbed(kind), a_step(bench, kind)
    row = bench.ask(kind)
    sleeper = begin(row, stop, at, only_told=True)
    assert sleeper.stopped()
    Computation.objects.update(heartbeat=None)
    assert sweep_computations() == 1
    assert run_computation(row.pk) is not None
    assert bench.left(row) == wanted
    sleeper.wake()
    assert sleeper.end() == NOTHING
    assert bench.left(row) == wanted
    assert not work_folder(row).exists()
    assert not [one for one in beside(bench.version) if one.name.startswith(UNFINISHED)]


@pytest.mark.parametrize("kind", KINDS)
def test_one_that_is_cancelled_in_the_middle_leaves_what_was_there(
    kind: str, bench: Bench, administrator: Person
) -> None:
    wanted, at = bench.undisturbed(kind), a_step(bench, kind)
    row = bench.ask(kind)
    worker = begin(row, stop, at, only_told=True)
    assert worker.stopped()
    there = whole(bench)
    cancel_computation(actor=administrator.user, computation=row)
    again = bench.ask(kind)  # before the worker hears of it
    assert again.pk != row.pk
    asked = sorted(one.name for one in work_folder(again).glob("*"))
    worker.wake()
    assert worker.end() == NOTHING
    assert whole(bench) == there and not rows(bench.questions)
    assert {*asked} <= {one.name for one in work_folder(again).glob("*")}
    assert (files.INPUT in asked) == (kind == "scoring")
    assert run_computation(again.pk) is not None
    assert bench.left(again) == wanted
    row.refresh_from_db()
    assert (row.state, row.result) == (Progress.CANCELLED, {})


def whole(bench: Bench) -> dict[str, str]:
    """What can be seen beside the snapshot, by its digest. Raises ArtefactRefused."""
    seen = [one for one in beside(bench.version) if not one.name.startswith(".")]
    return {one.name: open_artefact(one).digest for one in seen if ".rns-work-" not in one.name}


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_is_told_of_and_leaves_nothing_half_written(kind: str, bench: Bench) -> None:
    wanted = bench.undisturbed(kind)
    before = walk(bench.version, direction="out")
    assert run_computation(before.pk) is not None
    seen = whole(bench)
    largest = max(len(data) for data in wanted[0].values())
    for room in (300, largest - 1):
        row = bench.ask(kind)
        assert begin(row, largest_file=room).end() == ENDED
        row.refresh_from_db()
        assert row.state == Progress.FAILED and "no room on the disk" in row.fault, row.fault
        assert row.result == {} and not rows(bench.questions)
        assert not work_folder(row).exists()
        assert not [*Path(settings.SNAPSHOTS).glob(f"{UNFINISHED}*")]
        assert seen.items() <= whole(bench).items()
    row = bench.ask(kind)
    assert run_computation(row.pk) is not None
    found = bench.left(row)
    assert wanted[0].items() <= found[0].items() and found[1:] == wanted[1:]


def test_partitions_serve_while_others_cannot_be_kept(bench: Bench, administrator: Person) -> None:
    row = partition(bench.questions, bench.version)
    assert run_computation(row.pk) is not None
    question = bench.questions.questions.get(number=1)
    path = f"/api/v1/questions/{question.pk}/workbench"
    before = administrator.browser.get(path).json()
    assert before["partitions"]
    other = partition(bench.questions, bench.version, 2)
    assert begin(other, largest_file=2_000).end() == ENDED
    other.refresh_from_db()
    assert other.state == Progress.FAILED
    assert administrator.browser.get(path).json() == before


def alter(file: Path) -> None:
    data = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])


def forget_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process has opened and checked; as a process does that is new."""
    for name in ("_marginals", "_embeddings", "_artefacts"):
        monkeypatch.setattr(artefacts, name, Kept(8))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_altered_on_the_disk_is_told_of_and_computed_again_when_asked_for(
    kind: str, bench: Bench, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = bench.ask(kind)
    assert run_computation(row.pk) is not None
    wanted = bench.left(row)
    for file in sorted(result_folder(row).iterdir()):
        forget_opened(monkeypatch)
        alter(file)
        with caplog.at_level(logging.WARNING):
            again = bench.ask(kind)
        assert str(file) in caplog.text
        row.refresh_from_db()
        assert again.pk != row.pk and row.state == Progress.FAILED and "altered" in row.fault
        assert run_computation(again.pk) is not None
        assert kept(bench.version) == wanted[0]
        row = again


def test_an_altered_marginal_of_a_large_graph_is_asked_for_while_others_serve(
    bench: Bench, administrator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = {way: walk(bench.version, direction=way) for way in ("both", "out")}
    for row in (*ways.values(), bench.ask("embedding by propagation")):
        assert run_computation(row.pk) is not None
    monkeypatch.setattr(artefacts, "AT_ONCE", 0)
    alter(result_folder(ways["both"]) / "values.npy")
    forget_opened(monkeypatch)
    path = f"/api/v1/graphs/{bench.version.graph.slug}/rns"
    sets = {"existing": [drug(1)], "serendipity": [drug(2)]}
    refused = administrator.browser.post(path, {**sets, "direction": "both"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_computed")
    assert "damaged" in refused.json()["detail"]
    assert administrator.browser.post(path, {**sets, "direction": "out"}).status_code == 200
