"""Files of predictions that were lost: they hold nobody else on an earlier version."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation import rescoring
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.queries import count_queries
from backend.evaluation.rescoring import request_missing_rescorings
from backend.jobs.faults import PlatformFault
from backend.jobs.models import Job
from backend.tracks.predictions import check_predictions
from backend.tracks.registry import load_tracks
from tests.evaluation.lost_files import ONE_WRONG, TWO_WRONG, board, lose
from tests.evaluation.truthhypo_files import key_of
from tests.personas import Person

pytestmark = pytest.mark.django_db
Submit = Callable[..., Submission]


@pytest.fixture
def entry(
    researcher: Person, release: Release, submit_and_work: Submit, sent_at_once: None
) -> Submission:
    register_model(actor=researcher.user, name="My model")
    scored: Submission = submit_and_work(researcher, ONE_WRONG, "my-model")
    assert scored.is_on_board
    mail.outbox.clear()
    return scored


@pytest.fixture
def raise_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(type(load_tracks()["truthhypo"]), "version", "2")


@pytest.fixture
def rescore(
    work: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> Callable[[str], Any]:
    def run(slug: str) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            call_command("rescore", "--release", slug)
        work()
        return Job.objects.filter(kind="rescoring").latest("created_at").result

    return run


def test_a_lost_file_holds_no_other_entry_on_the_old_version(
    visitor: APIClient,
    administrator: Person,
    researcher: Person,
    rival: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
    raise_version: Callable[[], None],
) -> None:
    before = visitor.get(f"/api/v1/results/{entry.pk}").json()
    lose(entry)
    raise_version()
    later = submit_and_work(rival, TWO_WRONG, "other")
    assert (later.state, later.error, later.is_on_board) == ("scored", None, True)
    assert board(visitor) == {"Other": "2"}
    assert count_queries(rival.user, release).used == 1

    entry.refresh_from_db()
    assert entry.error is not None
    assert (entry.state, entry.error["code"]) == ("scored", "PLATFORM_FILE_LOST")
    assert count_queries(researcher.user, release).used == 0
    (message,) = [one for one in mail.outbox if one.to == [researcher.user.email]]
    assert message.subject.startswith("Not scored: My model")
    assert "Submit it again." in message.body and "The query was given back." in message.body
    shown = visitor.get(f"/api/v1/results/{entry.pk}").json()
    assert (shown["evaluator_version"], shown["is_standing"]) == ("1", False)
    assert shown["entry"] == before["entry"]
    received = administrator.browser.get("/api/v1/releases/pairs/submissions").json()["results"]
    errors = {row["id"]: row["error"] for row in received}
    assert errors[str(entry.pk)]["code"] == "PLATFORM_FILE_LOST" and not errors[str(later.pk)]

    request_missing_rescorings()  # what was left out is not tried again by itself
    assert not Job.objects.active().filter(kind="rescoring").exists()
    again = submit_and_work(researcher, ONE_WRONG, "my-model")
    assert (again.pk != entry.pk, again.state, again.is_on_board) == (True, "scored", True)
    assert board(visitor) == {"My model": "2", "Other": "2"}
    assert count_queries(researcher.user, release).used == 1


def test_an_entry_is_back_once_its_file_is_restored_and_scored_again(
    visitor: APIClient,
    rival: Person,
    entry: Submission,
    submit_and_work: Submit,
    rescore: Callable[[str], Any],
    raise_version: Callable[[], None],
) -> None:
    content = lose(entry)
    raise_version()
    submit_and_work(rival, TWO_WRONG, "other")
    prediction_path(entry.file_digest).write_bytes(content)
    assert rescore("pairs") == {"release": "pairs", "submissions": 1, "left_out": []}
    entry.refresh_from_db()
    assert (entry.error, entry.is_on_board) == (None, True)
    assert board(visitor) == {"My model": "2", "Other": "2"}


def test_a_lost_file_holds_no_correction(
    visitor: APIClient,
    administrator: Person,
    researcher: Person,
    rival: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
    work: Callable[[], None],
    rescore: Callable[[str], Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    submit_and_work(rival, TWO_WRONG, "other")
    content = lose(entry)
    rows = [{"key": list(key_of(1)), "action": "withdraw"}]
    body = {"name": "Pairs 2", "slug": "pairs-2", "corrections": rows}
    with django_capture_on_commit_callbacks(execute=True):
        administrator.browser.post("/api/v1/releases/pairs/corrections", body)
    work()
    assert set(board(visitor, "pairs-2")) == {"Other"}
    assert set(board(visitor)) == {"My model", "Other"}
    failed = Submission.objects.get(rescored_from=entry)
    assert (failed.state, failed.evaluation) == ("failed", None)
    corrected = Release.objects.get(slug="pairs-2")
    assert count_queries(researcher.user, corrected).used == 0
    assert "has no score for Pairs 2" in mail.outbox[-1].body
    request_missing_rescorings()
    assert not Job.objects.active().filter(kind="rescoring").exists()

    prediction_path(entry.file_digest).write_bytes(content)
    rescore("pairs-2")
    assert set(board(visitor, "pairs-2")) == {"My model", "Other"}
    assert Submission.objects.get(rescored_from=entry).pk == failed.pk


def test_who_waits_for_a_rescoring_that_fails_gets_the_query_back(
    rival: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
    raise_version: Callable[[], None],
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise PlatformFault("unavailable", "The disk failed.")

    raise_version()
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(rescoring, "compute_evaluation", fail)
        waiting = submit_and_work(rival, TWO_WRONG, "other")
    job = Job.objects.get(kind="rescoring")
    assert waiting.error is not None
    assert (waiting.state, waiting.error["code"]) == ("failed", "PLATFORM_RESCORING_FAILED")
    assert (job.state, waiting.error["job"]) == ("failed", str(job.pk))
    assert count_queries(rival.user, release).used == 0
    assert submit_and_work(rival, TWO_WRONG, "other").state == "scored"
    assert count_queries(rival.user, release).used == 1


def test_an_empty_folder_is_no_loss_of_every_entry(
    visitor: APIClient,
    entry: Submission,
    work: Callable[[], None],
    raise_version: Callable[[], None],
    django_capture_on_commit_callbacks: Any,
) -> None:
    folder = Path(settings.PREDICTIONS)
    away = folder.rename(folder.with_name("away"))
    raise_version()
    with django_capture_on_commit_callbacks(execute=True):
        request_missing_rescorings()
    work()
    entry.refresh_from_db()
    assert (entry.error, entry.is_on_board) == (None, True)
    assert board(visitor) == {"My model": "1"}
    away.rename(folder)


def test_an_intact_file_that_the_evaluator_does_not_read_is_no_loss(
    researcher: Person,
    rival: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
    raise_version: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_none(*arguments: Any, is_rescored: bool, **named: Any) -> Any:
        checked = check_predictions(*arguments, is_rescored=is_rescored, **named)
        return replace(checked, components=None) if is_rescored else checked

    raise_version()
    monkeypatch.setattr("backend.evaluation.scoring.check_predictions", read_none)
    assert submit_and_work(rival, TWO_WRONG, "other").state == "failed"
    job = Job.objects.get(kind="rescoring")
    assert (job.error or {})["code"] == "PLATFORM_FILE_NOT_READ"
    entry.refresh_from_db()
    assert (entry.error, entry.is_on_board) == (None, True)
    assert count_queries(researcher.user, release).used == 1
