"""An open release of made-up pairs, and a submission that the queue works off."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.accounts import mail_delivery
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from tests.evaluation.masked_release import MaskedRelease, make_masked_release
from tests.evaluation.releases import open_pairs
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.llm.scripted_server import ScriptedServer
from tests.personas import Person, make_person


@pytest.fixture
def release(db: None, tmp_path: Path) -> Release:
    return open_pairs(tmp_path)


@pytest.fixture
def submit_and_score(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> Callable[..., Any]:
    def submit(client: APIClient, body: dict[str, Any]) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            answer = send(client, SUBMISSIONS, body)
        assert answer.status_code == 202, answer.json()
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
        run_queued_tasks()  # the board's
        return client.get(f"{SUBMISSIONS}/{answer.json()['id']}").json()

    return submit


@pytest.fixture
def rival(db: None) -> Person:
    """Another researcher, with a model 'Other'."""
    person = make_person("ruth", is_researcher=True)
    register_model(actor=person.user, name="Other")
    return person


@pytest.fixture
def work(
    run_queued_tasks: Callable[[], list[str]], django_capture_on_commit_callbacks: Any
) -> Callable[[], None]:
    """Run all jobs, and those that they queue."""

    def run() -> None:
        for _ in range(4):
            with django_capture_on_commit_callbacks(execute=True):
                run_queued_tasks()

    return run


@pytest.fixture
def submit_and_work(
    work: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> Callable[..., Submission]:
    def submit(person: Person, text: str, model: str) -> Submission:
        with django_capture_on_commit_callbacks(execute=True):
            answer = send(person.browser, SUBMISSIONS, form(text, model=model))
        assert answer.status_code == 202, answer.json()
        work()
        return Submission.objects.get(pk=answer.json()["id"])

    return submit


@pytest.fixture
def sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail goes out in the thread of the test instead of in another one."""
    monkeypatch.setattr(mail_delivery, "send_in_background", mail_delivery.send)


@pytest.fixture(scope="module")
def masked_module(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[MaskedRelease]:
    """In a transaction that ends with the module: making it takes seconds."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_masked_release(tmp_path_factory.mktemp("files"))
        transaction.set_rollback(True)


@pytest.fixture
def masked(masked_module: MaskedRelease, db: None) -> MaskedRelease:
    return masked_module


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as started:
        yield started
