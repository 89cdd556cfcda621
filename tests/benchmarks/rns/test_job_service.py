"""Computations: asked for once, held by one worker, cancelled, and seen by whom they concern."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.rns.jobs import build_request
from backend.benchmarks.rns.options import RnsOptions, partition_parameters
from backend.common.errors import Conflict, NotAllowed
from backend.graphs.models import Version
from backend.graphs.version_references import references_to
from backend.jobs.context import checkpoint_path
from backend.jobs.faults import LeaseLost
from backend.jobs.models import ALLOWED_TRANSITIONS, Job, JobState
from backend.jobs.runner import claim_job, run_job
from backend.jobs.services import cancel_job, request_job, sweep_jobs
from backend.jobs.transitions import transition
from backend.science.rns.measures import Weights
from tests.benchmarks.rns.factories import V1, drug, make_set
from tests.benchmarks.rns.job_scenarios import detail_of, embedding, walk
from tests.personas import Person

MAX_ATTEMPTS = 3  # the default of kinds of jobs
pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(version: Version, administrator: Person) -> Job:
    expected = build_request("rns-transition", version, RnsOptions().walk_json())
    return request_job(owner=administrator.user, request=expected).job


def sets_file(*lines: object) -> SimpleUploadedFile:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    return SimpleUploadedFile("sets.jsonl", text.encode())


ONE = {"id": "mine", "existing": [drug(1)], "serendipity": [drug(2)]}


def send_file(person: Person, version: Version, file: SimpleUploadedFile) -> Any:
    path = f"{V1}/graphs/{version.graph.slug}/rns-batches"
    return person.browser.post(path, {"file": file}, format="multipart")


def send(person: Person, version: Version, *lines: object) -> Any:
    return send_file(person, version, sets_file(*lines))


def test_the_same_asked_twice_is_one_computation(
    queued: Job, administrator: Person, version: Version
) -> None:
    expected = build_request("rns-transition", version, RnsOptions().walk_json())
    again = request_job(owner=None, request=expected)
    assert (again.job.pk, again.is_new) == (queued.pk, False)
    other = build_request("rns-transition", version, RnsOptions(direction="out").walk_json())
    assert request_job(owner=None, request=other).is_new
    cancel_job(actor=administrator.user, job=queued)
    assert request_job(owner=None, request=expected).is_new


def test_of_two_workers_one_gets_it(queued: Job) -> None:
    assert claim_job(queued.pk) is not None
    assert claim_job(queued.pk) is None
    assert claim_job(uuid.uuid4()) is None


def test_states_move_along_the_table_and_nowhere_else(queued: Job) -> None:
    for before in JobState:
        for to in JobState:
            Job.objects.update(state=before)
            queued.refresh_from_db()
            if to in ALLOWED_TRANSITIONS[before]:
                transition(queued, to)
                continue
            with pytest.raises(LeaseLost):
                transition(queued, to)


def test_a_worker_that_died_too_often_fails_it(queued: Job) -> None:
    for _ in range(MAX_ATTEMPTS):
        assert claim_job(queued.pk) is not None
        Job.objects.update(heartbeat_at=None)
        assert sweep_jobs() == 1
    queued.refresh_from_db()
    assert queued.state == JobState.FAILED and "3 times" in detail_of(queued)


def test_a_cancelled_one_stops_its_worker_and_leaves_nothing(
    version: Version,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    observed: list[str] = []
    questions = make_set(version)
    parameters = partition_parameters(questions.questions.count(), RnsOptions(), Weights(), None)
    expected = build_request("rns-partition", version, parameters, questions)
    queued = request_job(owner=None, request=expected, is_queued=False).job

    def record_progress(doing: str, _percent: float) -> None:
        if not observed:
            with django_capture_on_commit_callbacks(execute=True):
                cancel_job(actor=administrator.user, job=queued)
        observed.append(doing)

    assert run_job(queued.pk, on_progress=record_progress) is None
    queued.refresh_from_db()
    assert (queued.state, queued.result) == (JobState.CANCELLED, {})
    assert observed and not checkpoint_path(queued.pk).exists()
    assert not Partition.objects.filter(question__question_set=questions).exists()
    assert cancel_job(actor=administrator.user, job=queued).state == "cancelled"


def partition_of(questions: QuestionSet, version: Version, **options: Any) -> Job:
    parameters = partition_parameters(
        questions.questions.count(), RnsOptions(**options), Weights(), None
    )
    expected = build_request("rns-partition", version, parameters, questions)
    return request_job(owner=None, request=expected, is_queued=False).job


def test_a_set_that_is_deleted_under_its_partition_ends_it(version: Version) -> None:
    questions = make_set(version)
    queued = partition_of(questions, version)

    def record_progress(doing: str, _percent: float) -> None:
        if doing == "scoring splits":
            QuestionSet.objects.filter(pk=questions.pk).delete()

    assert run_job(queued.pk, on_progress=record_progress) is not None
    queued.refresh_from_db()
    assert queued.state == JobState.FAILED and "question set" in detail_of(queued)
    assert not Partition.objects.filter(method="rns").exists()


def test_two_partitions_of_a_set_at_once_are_two_versions_of_each(version: Version) -> None:
    questions = make_set(version)
    first = partition_of(questions, version)
    second = partition_of(questions, version, direction="out")
    between: list[object] = []

    def record_progress(doing: str, _percent: float) -> None:
        if doing == "scoring splits" and not between:
            between.append(run_job(second.pk))

    assert run_job(first.pk, on_progress=record_progress) is not None and between[0] is not None
    for question in questions.questions.all():
        created = question.partitions.filter(method="rns").order_by("number")
        assert [one.number for one in created] == [1, 2]
        assert [one.parameters["direction"] for one in created] == ["out", "both"]


def test_one_that_has_ended_is_not_cancelled(queued: Job, administrator: Person) -> None:
    assert run_job(queued.pk) is not None
    with pytest.raises(Conflict):
        cancel_job(actor=administrator.user, job=queued)


def test_only_who_asked_and_administrators_cancel(
    queued: Job, outsider: Person, researcher: Person
) -> None:
    for person in (outsider, researcher):
        with pytest.raises(NotAllowed):
            cancel_job(actor=person.user, job=queued)
        assert person.browser.post(f"{V1}/jobs/{queued.pk}/cancel").status_code == 404


def test_a_version_is_kept_while_something_is_computed_of_it(queued: Job, version: Version) -> None:
    assert references_to(version) == ["1 active job"]
    run_job(queued.pk)
    assert references_to(version) == []


def test_a_set_is_partitioned_by_a_worker_over_http(
    administrator: Person,
    version: Version,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    questions = make_set(version)
    parameters = {"graph": version.graph.slug, "question_set": str(questions.pk)}
    body = {"kind": "rns-partition", "parameters": parameters}
    with django_capture_on_commit_callbacks(execute=True):
        created = administrator.browser.post(f"{V1}/jobs", body)
    assert created.status_code == 202 and created.json()["state"] == "queued"
    with django_capture_on_commit_callbacks(execute=True):
        assert run_queued_tasks() == ["jobs.run"]
    result = administrator.browser.get(f"{V1}/jobs/{created.json()['id']}").json()
    assert (result["state"], result["percent"]) == ("succeeded", 100)
    assert result["result"]["questions"] == 4 and result["result"]["how"] == {"exact": 4}
    assert Partition.objects.filter(version=version, method="rns").count() == 4
    again = administrator.browser.post(f"{V1}/jobs", body)
    assert (again.status_code, again.json()["id"]) == (200, result["id"])


def test_a_file_of_sets_is_scored_line_by_line(
    researcher: Person,
    outsider: Person,
    version: Version,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    wrong = {"existing": [drug(1)], "serendipity": ["LOCAL:nothing"]}
    with django_capture_on_commit_callbacks(execute=True):
        created = send(researcher, version, ONE, "", "{", wrong, [1])
    assert created.status_code == 202
    with django_capture_on_commit_callbacks(execute=True):
        run_queued_tasks()
    path = f"{V1}/jobs/{created.json()['id']}"
    result = researcher.browser.get(path).json()["result"]
    assert (result["sets"], result["failed"]) == (4, 3)
    assert [one["line"] for one in result["faults"]] == [3, 4, 5]
    assert "LOCAL:nothing" in result["faults"][1]["message"]
    lines = researcher.browser.get(f"{path}/scores").content.decode().splitlines()
    output = [json.loads(line) for line in lines]
    assert [one["line"] for one in output] == [1, 3, 4, 5]
    assert output[0]["id"] == "mine" and output[0]["total"] > 0
    assert output[2]["error"]["code"] == "unknown_entity"
    assert outsider.browser.get(f"{path}/scores").status_code == 404


def test_a_person_has_a_quota_of_sets_and_one_file_at_a_time(
    researcher: Person, version: Version, settings: Settings
) -> None:
    assert send(researcher, version, ONE).status_code == 202
    second = send(researcher, version, {**ONE, "id": "other"})
    assert (second.status_code, second.json()["code"]) == (429, "quota")
    Job.objects.update(state=JobState.SUCCEEDED)
    settings.RNS_SETS_PER_DAY = 1
    assert send(researcher, version, {**ONE, "id": "third"}).status_code == 429
    Job.objects.update(state=JobState.FAILED)
    assert send(researcher, version, {**ONE, "id": "third"}).status_code == 202


@pytest.mark.parametrize("named", ["ö", "\ud800", "\x00\n", "a" * 499, 10**30, True])
def test_a_set_keeps_its_id_whatever_it_is(
    researcher: Person, version: Version, named: object
) -> None:
    file = sets_file({**ONE, "id": named}, '{"id": NaN, "existing": [NaN], "serendipity": "x"}')
    created = send_file(researcher, version, file).json()
    run_job(uuid.UUID(created["id"]))
    path = f"{V1}/jobs/{created['id']}/scores"
    one, other = researcher.browser.get(path).content.decode().splitlines()
    assert json.loads(one)["id"] == named and json.loads(one)["total"] > 0
    assert json.loads(other)["error"]["errors"][0]["place"] == "existing"


def test_an_empty_file_and_an_outsiders_are_refused(
    researcher: Person, outsider: Person, version: Version, visitor: APIClient
) -> None:
    assert send(researcher, version, "", " ").json()["code"] == "empty"
    assert send(outsider, version, ONE).status_code == 403
    path = f"{V1}/graphs/{version.graph.slug}/rns-batches"
    assert visitor.post(path, {"file": sets_file(ONE)}, format="multipart").status_code == 401


def test_a_page_of_jobs_is_described_with_one_query(
    version: Version, administrator: Person
) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            listed = administrator.browser.get(f"{V1}/jobs").json()["results"]
        assert {one["details"]["graph"] for one in listed} == {version.graph.slug}
        return len(queries)

    embedding(version, "propagation")
    few = count_queries()
    walk(version)
    walk(version, weighted=True)
    assert count_queries() == few
