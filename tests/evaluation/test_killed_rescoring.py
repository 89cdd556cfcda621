"""A worker that is killed while it scores a release again: another one ends the work, once.

So does a later one after a full disk.
"""

import io
import signal
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation import rescoring
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.rescoring import RETRIED_AFTER
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.jobs.context import checkpoint_path
from backend.jobs.models import LEASE_DURATION, Job, JobState
from backend.jobs.runner import run_job
from backend.jobs.services import sweep_jobs
from backend.leaderboard.standings import update_standing
from tests.evaluation.number_releases import open_number_release, shifted
from tests.jobs.forked_worker import begin, die, end_all

pytestmark = pytest.mark.django_db(transaction=True)
ENTRIES = 6
MAX_ATTEMPTS = 3  # the default of kinds of jobs


@pytest.fixture(autouse=True)
def no_worker_is_left() -> Iterator[None]:
    yield
    end_all()


def run_killed(job: Job, function: str, times: int) -> int:
    """A worker that dies as by a power cut once it has called a function so many times."""
    original, calls = getattr(rescoring, function), count(1)

    def die_after(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        return die() if next(calls) == times else result

    with pytest.MonkeyPatch.context() as killed:
        killed.setattr(rescoring, function, die_after)
        return begin(job).end()


@pytest.fixture
def release(tmp_path: Path) -> Release:
    release = open_number_release(tmp_path)
    for number in range(ENTRIES):
        text = shifted(dict.fromkeys(range(10), 0.05 * (number + 1)))
        file = store_prediction_file(io.BytesIO(text.encode()), "numbers.jsonl")
        new = NewSubmission(release=release, model=get_or_create_model(f"M{number}"))
        run_job(submit_predictions(actor=None, new=new, file=file)[1].pk)
    update_standing(release, ReleaseSplit.TEST)
    return release


@pytest.mark.parametrize(
    ("function", "times", "stored"),
    [
        ("compute_evaluation", 4, 3),  # before the fourth is stored
        ("store_evaluation", 4, 4),
        ("supersede", 1, ENTRIES),  # inside the transaction that exchanges all
        ("waiting_submissions", 1, ENTRIES),
    ],
)
def test_a_killed_worker_leaves_the_old_board_and_another_ends_the_work(
    release: Release, function: str, times: int, stored: int
) -> None:
    rows = [{"key": ["n0"], "action": "withdraw"}]
    request = CorrectionRequest("Numbers 2", rows, "numbers-2")
    new, job = correct_release(actor=None, release=release, request=request)
    assert run_killed(job, function, times) == -signal.SIGKILL
    assert not new.submissions.exists()
    assert set(Release.objects.values_list("state", flat=True)) == {"open", "draft"}
    assert Evaluation.objects.filter(release=new).count() == stored

    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    Job.objects.update(heartbeat_at=timezone.now() - LEASE_DURATION - timedelta(seconds=1))
    run_job(job.pk)
    run_job(job.pk)  # delivered twice
    job.refresh_from_db()
    assert (job.state, job.result["submissions"]) == ("succeeded", ENTRIES)
    assert not checkpoint_path(job.pk).exists()
    carried = Submission.objects.filter(release=new)
    assert carried.standing().count() == carried.count() == ENTRIES
    assert Evaluation.objects.filter(release=new).count() == ENTRIES  # one a key
    states = dict(Release.objects.values_list("slug", "state"))
    assert states == {"numbers": "deprecated", "numbers-2": "open"}


def test_a_full_disk_leaves_the_old_board_until_the_work_is_done_again(release: Release) -> None:
    rows = [{"key": ["n0"], "action": "withdraw"}]
    request = CorrectionRequest("Numbers 2", rows, "numbers-2")
    new, job = correct_release(actor=None, release=release, request=request)
    standing = Submission.objects.standing()
    before = set(standing.values_list("pk", "evaluation"))
    for _ in range(MAX_ATTEMPTS):
        begin(job, largest_file=64).end()
    job.refresh_from_db()
    assert job.error is not None
    assert (job.state, job.error["code"]) == ("failed", "PLATFORM_DISK_FULL")
    assert set(standing.values_list("pk", "evaluation")) == before
    assert not new.submissions.exists() and not Evaluation.objects.filter(release=new).exists()
    assert set(Release.objects.values_list("state", flat=True)) == {"open", "draft"}

    waiting = Job.objects.active().filter(kind="rescoring")
    sweep_jobs()
    assert not waiting.exists()  # the disk is full for longer than a minute
    Job.objects.update(created_at=timezone.now() - RETRIED_AFTER)
    sweep_jobs()
    run_job(waiting.get().pk)
    assert standing.filter(release=new).count() == ENTRIES
    states = dict(Release.objects.values_list("slug", "state"))
    assert states == {"numbers": "deprecated", "numbers-2": "open"}
