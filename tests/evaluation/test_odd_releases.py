"""Releases with an empty split, with one cluster, that close during a check, with equal items."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation import services
from backend.evaluation.models import Submission
from backend.evaluation.validation import read_valid_predictions
from backend.jobs.models import Job
from backend.jobs.services import sweep_jobs
from backend.leaderboard.models import Standing
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.personas import Person

pytestmark = pytest.mark.django_db
Submit = Callable[..., Any]


@pytest.fixture(autouse=True)
def model(researcher: Person) -> None:
    register_model(actor=researcher.user, name="My model")


def open_release(folder: Path, slug: str, pairs: int) -> Release:
    request = ReleaseRequest(track="truthhypo", name=slug, slug=slug)
    release = make_release(actor=None, request=request, files=[write_source(folder, pairs)])
    Release.objects.update(state=Release.State.OPEN)
    return release


def test_a_split_without_items_takes_no_predictions(researcher: Person, release: Release) -> None:
    for path in (VALIDATIONS, SUBMISSIONS):
        file = SimpleUploadedFile("predictions.json", b"[]")
        refused = send(researcher.browser, path, form("", split="dev", file=file))
        assert (refused.status_code, refused.json()["code"]) == (422, "empty_split")
        assert refused.json()["detail"] == "This release has no dev items."
    assert not Submission.objects.exists()


def test_one_cluster_has_a_board_without_half_splits(
    visitor: APIClient, researcher: Person, tmp_path: Path, submit_and_score: Submit
) -> None:
    open_release(tmp_path, "pairs", pairs=1)
    assert submit_and_score(researcher.browser, form(prediction_lines(range(1))))["scores"]
    standing = Standing.objects.get()
    assert (standing.audit["stable_half_splits"], standing.audit["half_splits"]) == (0, 0)
    assert visitor.get("/api/v1/boards/pairs").status_code == 200


def test_a_ranking_that_fails_is_not_repeated_every_minute(
    researcher: Person,
    release: Release,
    submit_and_score: Submit,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    Standing.objects.all().delete()
    Job.objects.filter(kind="standing").update(state="failed", ended_at=timezone.now())
    jobs = Job.objects.filter(kind="standing")
    sweep_jobs()
    assert jobs.count() == 1
    Job.objects.filter(kind="standing").update(ended_at=timezone.now() - timedelta(hours=1))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_jobs()
    assert jobs.count() == 2


def test_a_model_with_results_on_a_draft_is_public_once_it_opens(
    visitor: APIClient, administrator: Person, release: Release, submit_and_score: Submit
) -> None:
    Release.objects.update(state=Release.State.DRAFT)
    register_model(actor=administrator.user, name="Early")
    submit_and_score(administrator.browser, form(prediction_lines(range(60)), model="early"))
    assert visitor.get("/api/v1/models/early").status_code == 404
    administrator.browser.post("/api/v1/releases/pairs/state", {"state": "open"})
    sweep_jobs()
    (row,) = visitor.get("/api/v1/boards/pairs").json()["results"]
    assert row["model"]["name"] == "Early"
    assert visitor.get("/api/v1/models/early").status_code == 200


def test_a_release_that_closes_during_the_check_takes_no_submission(
    researcher: Person, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = read_valid_predictions

    def close_meanwhile(*arguments: Any, **options: Any) -> Any:
        Release.objects.update(state=Release.State.CLOSED)
        return check(*arguments, **options)

    monkeypatch.setattr(services, "read_valid_predictions", close_meanwhile)
    refused = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    assert (refused.status_code, refused.json()["code"]) == (409, "release_not_open")
    assert not Submission.objects.exists()


def test_of_releases_with_equal_items_the_evaluator_version_is_that_of_the_submission(
    researcher: Person, release: Release, tmp_path: Path, submit_and_score: Submit
) -> None:
    open_release(tmp_path, "copy", pairs=60)
    text = prediction_lines(range(60))
    first = submit_and_score(researcher.browser, form(text))
    Release.objects.filter(slug="pairs").update(evaluator_version="0")
    second = submit_and_score(researcher.browser, form(text, release="copy"))
    assert (second["state"], second["key"]) == ("scored", first["key"])
    assert not Job.objects.filter(kind="rescoring").exists()
