"""A draft that is deleted while somebody begins to use it, over connections of their own."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_deletion import delete_draft
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import ToolSession
from backend.evaluation.models.runs import Run
from backend.graphs.demo import load_demo_graph
from backend.jobs.models import Job
from tests.evaluation.model_runs import PARAMETRIC
from tests.evaluation.serenqa_releases import make_serenqa_release
from tests.evaluation.truthhypo_files import write_source
from tests.llm.factories import make_endpoint
from tests.parallel import run_and_close, wait_until_somebody_waits_for_a_lock
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
DRAFT = "/api/v1/releases/draft"
Request = Callable[[], Any]


def begin_run(person: Person, folder: Path) -> Request:
    request = ReleaseRequest(track="truthhypo", name="Draft", slug="draft")
    make_release(actor=None, request=request, files=[write_source(folder)])
    body = {
        "release": "draft",
        "endpoint": str(make_endpoint("http://127.0.0.1:9").pk),
        "task": PARAMETRIC,
        "model": register_model(actor=person.user, name="Own").slug,
    }
    key = {"Idempotency-Key": str(uuid.uuid4())}
    return partial(person.browser.post, "/api/v1/runs", body, headers=key)


def begin_session(person: Person, folder: Path) -> Request:
    make_serenqa_release(folder, load_demo_graph()[0], slug="draft")
    return partial(person.browser.post, f"{DRAFT}/tool-sessions")


def begin_masked_graph(person: Person, folder: Path) -> Request:
    make_serenqa_release(folder, load_demo_graph()[0], slug="draft", masked_by="expert")
    return partial(person.browser.post, f"{DRAFT}/graphs", {"method": "expert"})


@pytest.mark.parametrize("begin", [begin_run, begin_session, begin_masked_graph])
def test_what_begins_on_a_draft_that_is_being_deleted_is_not_found(
    administrator: Person, tmp_path: Path, begin: Callable[[Person, Path], Request]
) -> None:
    request = begin(administrator, tmp_path)
    jobs = Job.objects.count()
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            release = Release.objects.get(slug="draft")
            delete_draft(actor=administrator.user, release=release)
            answer = thread.submit(run_and_close, request)
            wait_until_somebody_waits_for_a_lock()
        response = answer.result(timeout=30)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert not Run.objects.exists() and not ToolSession.objects.exists()
    assert Job.objects.count() == jobs
