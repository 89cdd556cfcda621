"""Jobs over HTTP and the socket, with a kind that only a plugin knows."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.common.consumers import CLOSE_NOT_ALLOWED, CLOSE_SIGN_IN
from backend.jobs.models import Job, JobState
from backend.jobs.registry import get_kind
from backend.jobs.runner import claim_job, run_job
from backend.jobs.services import request_job
from tests.jobs.socket_client import JobSocket
from tests.personas import Person, make_person
from tests.plugins.job_kinds.running_sum import sum_request

pytestmark = pytest.mark.django_db
JOBS = "/api/v1/jobs"


def create(person: Person, kind: str = "test-sum", **parameters: Any) -> Any:
    body = {"kind": kind, "parameters": parameters}
    return person.browser.post(JOBS, body, format="json")


def test_a_job_of_a_plugin_is_created_run_and_read(
    outsider: Person,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        created = create(outsider, numbers=[1, 2, 3])
    assert created.status_code == 202
    job = created.json()
    assert (job["kind"], job["state"], job["details"]) == ("test-sum", "queued", {"count": 3})
    assert (job["is_owner"], job["can_cancel"], job["error"]) == (True, True, None)
    assert run_queued_tasks() == ["jobs.run"]
    ended = outsider.browser.get(f"{JOBS}/{job['id']}").json()
    assert (ended["state"], ended["percent"]) == ("succeeded", 100)
    assert ended["result"] == {"sum": 6, "added": 3} and ended["version"] > job["version"]
    again = create(outsider, numbers=[1, 2, 3])
    assert (again.status_code, again.json()["id"]) == (200, job["id"])


def test_a_waiting_job_counts_those_of_its_queue_before_it(
    outsider: Person, researcher: Person, administrator: Person
) -> None:
    sizes = ([1, 2], [3, 4], [5, 6])
    ids = [
        create(person, numbers=numbers).json()["id"]
        for person, numbers in zip((outsider, researcher, outsider), sizes, strict=True)
    ]
    jobs = administrator.browser.get(JOBS).json()["results"]
    assert {job["id"]: job["jobs_before"] for job in jobs} == dict(zip(ids, range(3), strict=True))
    # Neither a job that runs, nor one of another queue, waits before it.
    Job.objects.filter(pk=ids[0]).update(state=JobState.RUNNING)
    other = Job.objects.create(kind="gone", state=JobState.QUEUED)
    Job.objects.filter(pk=other.pk).update(created_at=timezone.now() - timedelta(days=1))
    assert get_kind("gone").queue != get_kind("test-sum").queue
    last = outsider.browser.get(f"{JOBS}/{ids[2]}").json()
    assert last["jobs_before"] == 1
    assert outsider.browser.get(f"{JOBS}/{ids[0]}").json()["jobs_before"] is None


def test_wrong_parameters_are_refused_with_their_place(outsider: Person) -> None:
    refused = create(outsider, numbers="many")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["place"] == "parameters.numbers"
    unknown = create(outsider, kind="no-such-kind")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_job_kind")
    assert not Job.objects.exists()


def test_the_list_shows_own_jobs_filtered_and_administrators_all(
    outsider: Person, researcher: Person, administrator: Person
) -> None:
    create(outsider, numbers=[1, 2])
    create(outsider, numbers=[1, 2, 3])
    create(researcher, numbers=[4])

    def counts(person: Person, query: str = "") -> list[int]:
        results = person.browser.get(f"{JOBS}?{query}").json()["results"]
        return [one["details"]["count"] for one in results]

    assert counts(outsider) == [3, 2]
    assert counts(outsider, "subject=sum-of:2") == [2]
    assert counts(outsider, "kind=test-sum&state=queued") == [3, 2]
    assert counts(outsider, "kind=graph-import") == []
    assert counts(administrator) == [1, 3, 2]
    assert outsider.browser.get(f"{JOBS}?state=lost").status_code == 422


def test_a_job_of_a_kind_that_is_not_installed_is_listed_read_and_cancelled(
    outsider: Person, researcher: Person
) -> None:
    job = create(outsider, numbers=[1, 2]).json()
    Job.objects.update(kind="removed-kind")
    address = f"{JOBS}/{job['id']}"
    (listed,) = outsider.browser.get(JOBS).json()["results"]
    assert (listed["kind"], listed["details"], listed["can_cancel"]) == ("removed-kind", {}, True)
    assert researcher.browser.get(address).status_code == 404
    assert outsider.browser.post(f"{address}/cancel").json()["state"] == "cancelled"


def test_a_job_of_another_person_is_not_found(queued: Job, researcher: Person) -> None:
    for answer in (
        researcher.browser.get(f"{JOBS}/{queued.pk}"),
        researcher.browser.post(f"{JOBS}/{queued.pk}/cancel"),
        researcher.browser.get(f"{JOBS}/{uuid.uuid4()}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_job_is_cancelled_by_its_owner(queued: Job, outsider: Person) -> None:
    cancelled = outsider.browser.post(f"{JOBS}/{queued.pk}/cancel").json()
    assert (cancelled["state"], cancelled["can_cancel"]) == ("cancelled", False)
    assert cancelled["error"]["code"] == "USER_CANCELLED"
    assert run_job(queued.pk) is None


def local_job(owner: Person) -> Job:
    return request_job(owner=owner.user, request=sum_request(1), is_queued=False).job


@pytest.mark.django_db(transaction=True)
async def test_the_socket_refuses_those_who_may_not_see_the_job() -> None:
    owner = await sync_to_async(make_person)("olga")
    other = await sync_to_async(make_person)("rohan")
    job = await sync_to_async(local_job)(owner)
    for user, query, code in (
        (other.user, f"job={job.pk}", CLOSE_NOT_ALLOWED),
        (owner.user, "job=none", CLOSE_NOT_ALLOWED),
        (AnonymousUser(), "", CLOSE_SIGN_IN),
    ):
        socket = JobSocket(user, query)
        await socket.connect()
        assert await socket.close_code() == code


@pytest.mark.django_db(transaction=True)
async def test_the_socket_announces_id_and_version_of_each_change() -> None:
    owner = await sync_to_async(make_person)("olga")
    job = await sync_to_async(local_job)(owner)
    sockets = [JobSocket(owner.user), JobSocket(owner.user, f"job={job.pk}")]
    for socket in sockets:
        await socket.connect()
    await sync_to_async(claim_job)(job.pk)
    for socket in sockets:
        event = await socket.receive()
        assert (event["what"], event["id"], event["version"]) == ("job", str(job.pk), 2)
        await socket.disconnect()
