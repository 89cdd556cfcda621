"""Queries of submissions as jobs: which queue, what the time limit counts, and killed workers."""

import json
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_states import change_release_state
from backend.evaluation import query_execution
from backend.evaluation.models import QueryOutcome, Submission, SubmissionState
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.query_execution import QueryExecution
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.graphs.cypher import query_session
from backend.graphs.cypher_service import (
    CYPHER_DATABASE,
    build_scoring_database,
    get_scoring_database,
)
from backend.graphs.demo import load_demo_graph
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.snapshot import Snapshot
from backend.jobs import services as job_services
from backend.jobs.models import Job, JobState
from backend.jobs.registry import get_kind
from backend.jobs.runner import run_job
from backend.jobs.services import enqueue_job, sweep_jobs
from backend.runtime import stopwatch
from tests.evaluation.serenqa_releases import answer_ids, demo_questions, make_serenqa_release
from tests.jobs.forked_worker import begin, die, end_all, nothing

QUESTIONS = 6


@pytest.fixture
def version() -> Version:
    return load_demo_graph()[0]


@pytest.fixture
def release(tmp_path: Path, version: Version) -> Release:
    return make_serenqa_release(tmp_path, version, test_share=0.0)


def submit(release: Release, *, queries: bool = True, query: str = "") -> tuple[Submission, Job]:
    def answer(question: Any) -> dict[str, Any]:
        return (
            {"cypher": query or question["cypher"]}
            if queries
            else {"answers": answer_ids(question)}
        )

    rows = [{"question_id": one["qid"], **answer(one)} for one in demo_questions()[:QUESTIONS]]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), "predictions.jsonl")
    model = register_model(actor=None, name=f"M{Submission.objects.count()}")
    new = NewSubmission(release=release, model=model, split=ReleaseSplit.DEV)
    return submit_predictions(actor=None, new=new, file=file)


@pytest.mark.django_db
def test_submissions_with_queries_run_in_the_queue_of_long_jobs(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []

    def record(task: str, **options: Any) -> bool:
        sent.append(options)
        return True

    monkeypatch.setattr(job_services, "enqueue", record)
    for queries in (True, False):
        enqueue_job(submit(release, queries=queries)[1])
    assert [one["queue"] for one in sent] == ["long", "quick"]
    assert sent[0]["time_limit_s"] > settings.CYPHER_FILE_SECONDS + 3600 > sent[1]["time_limit_s"]


@pytest.mark.django_db
def test_loading_the_engine_takes_nothing_of_the_time_of_a_file(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(lost=0.0)
    clock.monotonic = lambda: time.monotonic() + clock.lost
    build, wait = build_scoring_database, query_session._Worker.wait_until_open

    def build_slowly(snapshot: Any, until: int | None) -> Any:
        clock.lost += settings.CYPHER_FILE_SECONDS
        return build(snapshot, until)

    def open_slowly(worker: Any) -> None:
        wait(worker)
        clock.lost += settings.CYPHER_FILE_SECONDS

    monkeypatch.setattr(stopwatch, "time", clock)
    monkeypatch.setattr(query_execution, "build_scoring_database", build_slowly)
    monkeypatch.setattr(query_session._Worker, "wait_until_open", open_slowly)
    _, job = submit(release)
    run_job(job.pk)
    assert clock.lost >= 2 * settings.CYPHER_FILE_SECONDS
    assert QueryOutcome.objects.get().failures == []


@pytest.mark.django_db
@pytest.mark.parametrize("work", ["is_any_known", "find_identifiers", "answers_of_result"])
def test_reading_and_finding_what_a_query_returns_takes_time_of_the_file(
    work: str, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(lost=0.0)
    clock.monotonic = lambda: time.monotonic() + clock.lost
    act = getattr(query_execution, work)

    def act_slowly(*arguments: Any) -> Any:
        clock.lost += settings.CYPHER_FILE_SECONDS
        return act(*arguments)

    monkeypatch.setattr(stopwatch, "time", clock)
    monkeypatch.setattr(query_execution, work, act_slowly)
    run_job(submit(release)[1].pk)
    kinds = [one["kind"] for one in QueryOutcome.objects.get().failures]
    assert kinds == ["out_of_time"] * (QUESTIONS - 1)


@pytest.mark.django_db
def test_all_texts_of_a_query_are_looked_up_at_once(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one, a file whose queries return many texts would take hours."""
    texts = "list_transform(range(1, 20000), x -> concat('x', cast(x AS STRING)))"
    lookups: list[int] = []
    find = Snapshot.find_numbers

    def count(snapshot: Snapshot, identifiers: Sequence[str]) -> Any:
        lookups.append(len(identifiers))
        return find(snapshot, identifiers)

    monkeypatch.setattr(Snapshot, "find_numbers", count)
    run_job(submit(release, query=f"RETURN {texts}")[1].pk)
    (outcome,) = QueryOutcome.objects.all()
    assert [one["kind"] for one in outcome.failures] == ["no_entity"] * QUESTIONS
    large = [size for size in lookups if size >= 20_000]
    assert len(large) <= 3 * QUESTIONS and len(lookups) < 1_000


@pytest.mark.django_db
def test_queries_beyond_the_time_of_a_file_are_not_run(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "CYPHER_FILE_SECONDS", 0)
    run_job(submit(release)[1].pk)
    kinds = [one["kind"] for one in QueryOutcome.objects.get().failures]
    assert kinds == ["out_of_time"] * (QUESTIONS - 1)


@pytest.mark.django_db
def test_the_engine_loads_the_graph_when_the_release_opens(
    release: Release, version: Version, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "CYPHER", tmp_path / "cypher")
    snapshot = open_version_snapshot(version)
    assert get_scoring_database(snapshot, None) is None
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    job = Job.objects.get(kind=CYPHER_DATABASE)
    assert get_kind(CYPHER_DATABASE).queue_of(job) == "long"
    run_job(job.pk)
    database = get_scoring_database(snapshot, None)
    assert database is not None and database.path.exists()
    Release.objects.update(state=Release.State.CLOSED)
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    assert Job.objects.filter(kind=CYPHER_DATABASE).count() == 1


@pytest.mark.django_db
def test_an_engine_that_fails_is_no_fault_of_the_submitter(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_session, "OPENING_SECONDS", -1)
    job = submit(release)[1]
    Job.objects.filter(pk=job.pk).update(attempts=2)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.error is not None and job.error["code"] == "PLATFORM_QUERY_ENGINE"
    assert not QueryOutcome.objects.exists()


@pytest.fixture
def no_worker_is_left() -> Iterator[None]:
    yield
    end_all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("moment", ["loading", "querying"])
def test_a_worker_killed_among_its_queries_leaves_one_result(
    moment: str,
    release: Release,
    no_worker_is_left: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(settings, "CYPHER", tmp_path / "cypher")
    submission, job = submit(release)
    with monkeypatch.context() as killed:
        if moment == "loading":
            killed.setattr("backend.graphs.cypher.database_builder.publish_directory", die_of)
        else:
            run, count = QueryExecution._run, iter(range(100))

            def die_at_the_third(self: Any, item: Any, query: str) -> Any:
                return die() if next(count) == 2 else run(self, item, query)

            killed.setattr(QueryExecution, "_run", die_at_the_third)
        assert begin(job, nothing, -1).end() == -signal.SIGKILL
    Job.objects.filter(state=JobState.RUNNING).update(heartbeat_at=None)
    sweep_jobs()
    run_job(job.pk)
    submission.refresh_from_db()
    assert submission.state == SubmissionState.SCORED
    outcome = QueryOutcome.objects.get()
    assert (outcome.queries, outcome.failures) == (QUESTIONS, [])


def die_of(*arguments: object) -> None:
    die()
