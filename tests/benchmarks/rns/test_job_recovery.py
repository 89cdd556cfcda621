"""Two workers at once, one that slept, a cancel in the middle, a full disk, an altered file."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import Settings

from backend.benchmarks.job_kinds import scoring as scoring_job
from backend.benchmarks.rns import artifacts
from backend.jobs.context import checkpoint_path
from backend.jobs.models import Job, JobState
from backend.jobs.runner import run_job
from backend.jobs.services import cancel_job, sweep_jobs
from backend.runtime.array_store.artifacts import open_artifact
from backend.runtime.atomic_dirs import UNFINISHED_PREFIX
from backend.runtime.lru_cache import LruCache
from tests.benchmarks.rns.factories import drug
from tests.benchmarks.rns.job_scenarios import (
    KINDS,
    Bench,
    beside,
    detail_of,
    partition,
    result_folder,
    rows,
    stored_files,
    walk,
)
from tests.jobs.forked_worker import ENDED, NOTHING, begin, end_all, stop
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bench() -> Iterator[Bench]:
    yield Bench.new()
    end_all()


def a_step(bench: Bench, kind: str) -> int:
    """A random one of the reported steps, by the seed of the kind."""
    return random.Random(kind).randrange(1, bench.count(kind, outside_transactions=True))  # noqa: S311  seeded


def test_of_two_workers_at_once_one_does_it(bench: Bench) -> None:
    expected = bench.undisturbed("partition")
    row = bench.create_job("partition")
    both = [begin(row), begin(row)]
    assert sorted(one.end() for one in both) == [ENDED, NOTHING]
    assert bench.left(row) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_that_slept_while_another_did_its_work_changes_nothing(
    kind: str, bench: Bench
) -> None:
    expected, at = bench.undisturbed(kind), a_step(bench, kind)
    row = bench.create_job(kind)
    sleeper = begin(row, stop, at, outside_transactions=True)
    assert sleeper.stopped()
    Job.objects.update(heartbeat_at=None)
    assert sweep_jobs() == 1
    assert run_job(row.pk) is not None
    assert bench.left(row) == expected
    sleeper.wake()
    assert sleeper.end() == NOTHING
    assert bench.left(row) == expected
    assert not checkpoint_path(row.pk).exists()
    assert not [one for one in beside(bench.version) if one.name.startswith(UNFINISHED_PREFIX)]


@pytest.mark.parametrize("kind", KINDS)
def test_one_that_is_cancelled_in_the_middle_leaves_what_was_there(
    kind: str, bench: Bench, administrator: Person
) -> None:
    expected, at = bench.undisturbed(kind), a_step(bench, kind)
    row = bench.create_job(kind)
    worker = begin(row, stop, at, outside_transactions=True)
    assert worker.stopped()
    there = whole(bench)
    cancel_job(actor=administrator.user, job=row)
    again = bench.create_job(kind)  # before the worker notices
    assert again.pk != row.pk
    query = sorted(one.name for one in checkpoint_path(again.pk).glob("*"))
    worker.wake()
    assert worker.end() == NOTHING
    assert whole(bench) == there and not rows(bench.questions)
    assert {*query} <= {one.name for one in checkpoint_path(again.pk).glob("*")}
    assert (scoring_job.INPUT_FILE in query) == (kind == "scoring")
    assert run_job(again.pk) is not None
    assert bench.left(again) == expected
    row.refresh_from_db()
    assert (row.state, row.result) == (JobState.CANCELLED, {})


def whole(bench: Bench) -> dict[str, str]:
    """What can be seen beside the snapshot, by its digest. Raises ArtefactRefused."""
    observed = [one for one in beside(bench.version) if not one.name.startswith(".")]
    return {one.name: open_artifact(one).digest for one in observed if ".rns-work-" not in one.name}


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_is_told_of_and_leaves_nothing_half_written(kind: str, bench: Bench) -> None:
    expected = bench.undisturbed(kind)
    before = walk(bench.version, direction="out")
    assert run_job(before.pk) is not None
    observed = whole(bench)
    largest = max(len(data) for data in expected[0].values())
    for limit in (300, largest - 1):
        row = bench.create_job(kind)
        assert begin(row, largest_file=limit).end() == ENDED
        row.refresh_from_db()
        assert row.state == JobState.FAILED and "disk is full" in detail_of(row), detail_of(row)
        assert row.result == {} and not rows(bench.questions)
        assert not checkpoint_path(row.pk).exists()
        assert not [*Path(settings.SNAPSHOTS).glob(f"{UNFINISHED_PREFIX}*")]
        assert observed.items() <= whole(bench).items()
    row = bench.create_job(kind)
    assert run_job(row.pk) is not None
    result = bench.left(row)
    assert expected[0].items() <= result[0].items() and result[1:] == expected[1:]


def test_partitions_serve_while_others_cannot_be_kept(bench: Bench, administrator: Person) -> None:
    row = partition(bench.questions, bench.version)
    assert run_job(row.pk) is not None
    question = bench.questions.questions.get(number=1)
    path = f"/api/v1/questions/{question.pk}/workbench"
    before = administrator.browser.get(path).json()
    assert before["partitions"]
    other = partition(bench.questions, bench.version, 2)
    assert begin(other, largest_file=2_000).end() == ENDED
    other.refresh_from_db()
    assert other.state == JobState.FAILED
    assert administrator.browser.get(path).json() == before


def alter(file: Path) -> None:
    data = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])


def forget_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process has opened and checked; as a process does that is new.

    Only a new process has empty caches: there is no other way to them.
    """
    for name in ("_marginals", "_embeddings", "_artifacts"):
        monkeypatch.setattr(artifacts, name, LruCache(8))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_altered_on_the_disk_is_told_of_and_computed_again_when_asked_for(
    kind: str, bench: Bench, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = bench.create_job(kind)
    assert run_job(row.pk) is not None
    expected = bench.left(row)
    for file in sorted(result_folder(row).iterdir()):
        forget_opened(monkeypatch)
        alter(file)
        with caplog.at_level(logging.WARNING):
            again = bench.create_job(kind)
        assert str(file) in caplog.text
        row.refresh_from_db()
        assert again.pk != row.pk and row.state == JobState.FAILED and "altered" in detail_of(row)
        assert run_job(again.pk) is not None
        assert stored_files(bench.version) == expected[0]
        row = again


def test_an_altered_marginal_of_a_large_graph_is_asked_for_while_others_serve(
    bench: Bench,
    administrator: Person,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = {way: walk(bench.version, direction=way) for way in ("both", "out")}
    for row in (*ways.values(), bench.create_job("embedding by propagation")):
        assert run_job(row.pk) is not None
    settings.RNS_COMPUTED_IN_REQUEST = 0
    alter(result_folder(ways["both"]) / "values.npy")
    forget_opened(monkeypatch)
    path = f"/api/v1/graphs/{bench.version.graph.slug}/rns"
    sets = {"existing": [drug(1)], "serendipity": [drug(2)]}
    refused = administrator.browser.post(path, {**sets, "direction": "both"})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_computed")
    assert "damaged" in refused.json()["detail"]
    assert administrator.browser.post(path, {**sets, "direction": "out"}).status_code == 200
