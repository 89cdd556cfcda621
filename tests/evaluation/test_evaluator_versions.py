"""A new evaluator version: all stored predictions are scored, then the board changes as a whole."""

import io
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.rescoring import Rescoring, request_missing_rescorings
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.jobs.faults import PlatformFault
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.jobs.services import sweep_jobs
from backend.leaderboard import standings
from backend.leaderboard.models import Standing
from backend.leaderboard.standings import update_standing
from backend.tracks.registry import load_tracks
from tests.evaluation.number_releases import open_number_release, shifted
from tests.personas import Person

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/boards/numbers"
# Version 1 counts errors, version 2 their squares: many small ones against few large ones.
SMALL, LARGE = dict.fromkeys(range(30), 0.2), dict.fromkeys(range(10), 0.45)


@pytest.fixture
def raise_version() -> Iterator[Callable[[str], None]]:
    track: Any = load_tracks()["nearest-number"]

    def change(version: str) -> None:
        track.version = version

    yield change
    track.version = "1"


@pytest.fixture
def release(db: None, tmp_path: Path) -> Release:
    return open_number_release(tmp_path)


def submit(release: Release, model: str, text: str) -> Submission:
    file = store_prediction_file(io.BytesIO(text.encode()), "numbers.jsonl")
    new = NewSubmission(release=release, model=get_or_create_model(model))
    submission, job = submit_predictions(actor=None, new=new, file=file)
    run_job(job.pk)
    submission.refresh_from_db()
    update_standing(release, ReleaseSplit.TEST)
    return submission


@pytest.fixture
def entries(release: Release) -> list[Submission]:
    return [submit(release, "small", shifted(SMALL)), submit(release, "large", shifted(LARGE))]


def names(client: APIClient, **query: str) -> list[str]:
    return [row["model"]["name"] for row in client.get(BOARD, query).json()["results"]]


def run_rescoring() -> Job:
    job = Job.objects.active().get(kind="rescoring")
    run_job(job.pk)
    job.refresh_from_db()
    return job


def fail(*_: Any) -> None:
    raise PlatformFault("unavailable", "The disk failed.")


def versions_of_submissions() -> set[str]:
    rows = Submission.objects.filter(state="scored")
    return set(rows.values_list("evaluation__evaluator_version", flat=True))


def test_the_board_changes_as_a_whole_and_shows_what_changed(
    visitor: APIClient,
    release: Release,
    entries: list[Submission],
    raise_version: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert names(visitor) == ["large", "small"]
    before = timezone.now().isoformat()
    raise_version("2")
    call_command("rescore", "--all", "--json")
    (row,) = json.loads(capsys.readouterr().out)["releases"]
    assert (row["before"], row["evaluator_version"], row["submissions"]) == ("1", "2", 2)
    assert names(visitor) == ["large", "small"]  # whole, until the new standing is computed
    assert visitor.get(BOARD).json()["evaluator_version"] == "1"
    assert visitor.get(f"{BOARD}/changes").json()["is_pending"]
    update_standing(release, ReleaseSplit.TEST)
    assert names(visitor) == ["small", "large"]
    assert visitor.get(BOARD).json()["evaluator_version"] == "2"
    assert names(visitor, at=before) == ["large", "small"]
    shown = visitor.get(f"{BOARD}/changes").json()
    (change,) = shown["changes"]
    assert not shown["is_pending"]
    assert (change["kind"], change["reordered"]) == ("version", 2)
    assert [change[side]["evaluator_version"] for side in ("before", "after")] == ["1", "2"]
    assert Evaluation.objects.count() == 4  # the old ones stay


def test_a_submission_by_the_new_version_waits_and_brings_the_others_along(
    visitor: APIClient,
    release: Release,
    entries: list[Submission],
    raise_version: Callable[[str], None],
) -> None:
    raise_version("2")
    waiting = submit(release, "new", shifted({0: 0.1}))
    assert waiting.state == "queued"
    assert versions_of_submissions() == {"1"}
    assert names(visitor) == ["large", "small"]
    assert run_rescoring().state == "succeeded"
    waiting.refresh_from_db()
    assert (waiting.state, waiting.is_standing) == ("scored", True)
    assert versions_of_submissions() == {"2"}
    update_standing(release, ReleaseSplit.TEST)
    assert names(visitor) == ["new", "small", "large"]
    assert set(Standing.objects.values_list("evaluator_version", flat=True)) == {"1", "2"}


def test_the_ladder_compares_scores_of_one_version(
    release: Release, entries: list[Submission], raise_version: Callable[[str], None]
) -> None:
    Submission.objects.update(is_free=False)
    raise_version("2")
    # Its squared error is below the standing one's plain error, and above its squared error.
    worse = submit(release, "small", shifted(dict.fromkeys(range(30), 0.3)))
    Submission.objects.filter(pk=worse.pk).update(is_free=False)
    run_rescoring()
    worse.refresh_from_db()
    assert (worse.state, worse.is_improvement, worse.is_standing) == ("scored", False, False)


@pytest.mark.parametrize(("computed", "stored"), [("1", "2"), ("2", "1")])
def test_a_score_that_was_computed_by_another_version_is_not_stored_as_one_of_this(
    release: Release,
    entries: list[Submission],
    raise_version: Callable[[str], None],
    computed: str,
    stored: str,
) -> None:
    """Workers of two versions of the code run beside each other."""
    raise_version(stored)
    call_command("rescore", "--release", "numbers")
    raise_version(computed)
    late = submit(release, "late", shifted({0: 0.1}))
    assert (late.state, versions_of_submissions()) == ("queued", {stored})
    raise_version(stored)
    assert run_rescoring().state == "succeeded"
    late.refresh_from_db()
    assert (late.state, versions_of_submissions()) == ("scored", {stored})


def test_a_new_version_begins_by_itself_once(
    visitor: APIClient,
    release: Release,
    entries: list[Submission],
    raise_version: Callable[[str], None],
) -> None:
    sweep_jobs()
    assert not Job.objects.filter(kind="rescoring").exists()
    raise_version("2")
    for _ in range(2):
        sweep_jobs()
    assert names(visitor) == ["large", "small"]
    assert run_rescoring().state == "succeeded"
    update_standing(release, ReleaseSplit.TEST)
    assert names(visitor) == ["small", "large"]
    raise_version("1")  # a worker that still has the earlier code
    sweep_jobs()
    assert Job.objects.filter(kind="rescoring").count() == 1


def test_a_submission_that_waits_is_not_left_behind(
    release: Release, entries: list[Submission], raise_version: Callable[[str], None]
) -> None:
    raise_version("2")
    waiting = submit(release, "new", shifted({0: 0.1}))
    Job.objects.filter(kind="rescoring").delete()  # a lost job
    request_missing_rescorings()
    run_rescoring()
    waiting.refresh_from_db()
    assert waiting.state == "scored"


def test_a_command_that_submits_brings_the_others_along(
    tmp_path: Path,
    entries: list[Submission],
    raise_version: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    raise_version("2")
    path = tmp_path / "new.jsonl"
    path.write_text(shifted({0: 0.1}))
    call_command("submit", str(path), "--release", "numbers", "--model", "new", "--json")
    assert json.loads(capsys.readouterr().out)["state"] == "scored"
    assert versions_of_submissions() == {"2"}


def test_scoring_again_twice_changes_nothing(
    release: Release, entries: list[Submission], raise_version: Callable[[str], None]
) -> None:
    raise_version("2")
    for expected in (2, 0):
        call_command("rescore", "--release", "numbers")
        assert Job.objects.filter(kind="rescoring").latest("created_at").result == {
            "release": "numbers",
            "submissions": expected,
            "left_out": [],
        }
    assert Evaluation.objects.count() == 4


def test_a_damaged_file_leaves_its_entry_out_and_no_other(
    visitor: APIClient,
    release: Release,
    entries: list[Submission],
    raise_version: Callable[[str], None],
) -> None:
    digest = entries[0].file_digest
    path = Path(settings.PREDICTIONS) / digest[:2] / digest
    content = path.read_bytes()
    path.write_bytes(content[:-30])
    raise_version("2")
    sweep_jobs()
    job = run_rescoring()
    assert (job.state, job.result["left_out"]) == ("succeeded", [str(entries[0].pk)])
    update_standing(release, ReleaseSplit.TEST)
    assert names(visitor) == ["large"]
    entries[0].refresh_from_db()
    assert entries[0].error is not None and str(entries[0].pk) in entries[0].error["detail"]
    path.write_bytes(content)
    call_command("rescore", "--release", "numbers")
    assert versions_of_submissions() == {"2"}
    update_standing(release, ReleaseSplit.TEST)
    assert names(visitor) == ["small", "large"]


def test_a_rescoring_that_failed_is_not_begun_again_by_itself(
    entries: list[Submission],
    raise_version: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raise_version("2")
    sweep_jobs()
    with monkeypatch.context() as broken:
        broken.setattr(Rescoring, "exchange", fail)
        assert run_rescoring().state == "failed"
    Job.objects.update(created_at=timezone.now() - timedelta(days=1))
    sweep_jobs()
    assert not Job.objects.active().filter(kind="rescoring").exists()
    assert versions_of_submissions() == {"1"}


def test_a_stale_standing_is_not_stored_after_a_newer_one(
    release: Release, entries: list[Submission], raise_version: Callable[[str], None]
) -> None:
    old = standings.standing_submissions(release, ReleaseSplit.TEST)
    digest = standings.compute_digest(old)
    raise_version("2")
    call_command("rescore", "--release", "numbers")
    newest = update_standing(release, ReleaseSplit.TEST)
    assert standings._store(release, ReleaseSplit.TEST, digest, {}, []) == newest


def test_only_organisers_start_it(
    administrator: Person,
    researcher: Person,
    entries: list[Submission],
) -> None:
    path = "/api/v1/releases/numbers/rescore"
    assert researcher.browser.post(path).status_code == 403
    assert administrator.browser.post(path).status_code == 202
