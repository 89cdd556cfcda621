"""An open release of made-up pairs, and a submission that the queue works off."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.accounts import mail_delivery
from backend.benchmarks.models import Release
from tests.evaluation.releases import open_pairs
from tests.evaluation.submission_forms import SUBMISSIONS, send


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
def sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail goes out in the thread of the test instead of in another one."""
    monkeypatch.setattr(mail_delivery, "send_in_background", mail_delivery.send)
