"""Files of components that were lost: they are computed again from the stored predictions."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation import prediction_files
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.queries import count_queries
from backend.jobs.models import Job
from backend.leaderboard.job_kinds import request_missing_standings
from backend.runtime import atomic_files
from tests.evaluation.lost_files import ONE_WRONG, TWO_WRONG, board, lose, lose_components
from tests.evaluation.submission_forms import SUBMISSIONS
from tests.evaluation.truthhypo_files import key_of, prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
Submit = Callable[..., Submission]


@pytest.fixture
def entry(researcher: Person, release: Release, submit_and_work: Submit) -> Submission:
    register_model(actor=researcher.user, name="My model")
    scored: Submission = submit_and_work(researcher, ONE_WRONG, "my-model")
    assert scored.is_on_board
    return scored


def test_lost_components_are_computed_again_as_the_board_is_ranked(
    visitor: APIClient, rival: Person, entry: Submission, submit_and_work: Submit
) -> None:
    path, content = lose_components(entry)
    assert submit_and_work(rival, TWO_WRONG, "other").is_on_board
    assert set(board(visitor)) == {"My model", "Other"}
    assert path.read_bytes() == content


def test_lost_components_are_computed_again_as_the_ladder_compares(
    researcher: Person, release: Release, entry: Submission, submit_and_work: Submit
) -> None:
    path, content = lose_components(entry)
    path.write_bytes(content[:200])  # half of it
    worse = submit_and_work(researcher, prediction_lines(range(60), range(20)), "my-model")
    assert (worse.state, worse.is_improvement) == ("scored", False)
    assert path.read_bytes() == content
    assert count_queries(researcher.user, release).used == 2


def test_equal_predictions_bring_lost_components_back(
    rival: Person, entry: Submission, submit_and_work: Submit
) -> None:
    path, content = lose_components(entry)
    lose(entry)
    equal = submit_and_work(rival, ONE_WRONG, "other")
    assert (equal.state, equal.evaluation_id) == ("scored", entry.evaluation_id)
    assert (path.read_bytes(), Evaluation.objects.count()) == (content, 1)


def test_an_entry_without_components_and_predictions_is_left_out(
    visitor: APIClient,
    researcher: Person,
    rival: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
) -> None:
    lose_components(entry)
    lose(entry)
    assert submit_and_work(rival, TWO_WRONG, "other").is_on_board
    assert set(board(visitor)) == {"Other"}
    entry.refresh_from_db()
    assert entry.error is not None and entry.error["code"] == "PLATFORM_FILE_LOST"
    assert count_queries(researcher.user, release).used == 0
    request_missing_standings()
    assert not Job.objects.active().exists()
    worse = submit_and_work(researcher, prediction_lines(range(60), range(20)), "my-model")
    assert (worse.state, worse.is_on_board) == ("scored", True)
    assert set(board(visitor)) == {"My model", "Other"}
    assert count_queries(researcher.user, release).used == 1
    shown = researcher.browser.get(f"{SUBMISSIONS}/{entry.pk}").json()
    assert (shown["is_standing"], shown["error"]["code"]) == (False, "PLATFORM_FILE_LOST")


def test_the_names_of_new_files_are_flushed_to_the_disk(
    rival: Person, entry: Submission, submit_and_work: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[Path] = set()
    for module in (atomic_files, prediction_files):
        monkeypatch.setattr(module, "fsync_directory", flushed.add)
    submit_and_work(rival, TWO_WRONG, "other")
    folder = prediction_path(hashlib.sha256(TWO_WRONG.encode()).hexdigest()).parent
    assert flushed == {folder, Path(settings.EVALUATIONS)}


def test_a_page_that_reads_lost_components_names_what_is_lost(
    visitor: APIClient,
    rival: Person,
    administrator: Person,
    release: Release,
    entry: Submission,
    submit_and_work: Submit,
) -> None:
    other = submit_and_work(rival, TWO_WRONG, "other")
    lose_components(entry)
    assert entry.evaluation is not None
    pair = {"first": str(entry.pk), "second": str(other.pk)}
    answer = visitor.get("/api/v1/boards/pairs/comparison", pair)
    assert (answer.status_code, answer.json()["code"]) == (503, "result_lost")
    assert answer.json()["detail"] == (
        f"The scores by item of evaluation {entry.evaluation.key} are lost or damaged. "
        "An administrator must restore the file."
    )
    reports = "/api/v1/releases/pairs/reports"
    body = {"item": list(key_of(1)), "kind": "wrong_answer", "text": "See PMID 1."}
    assert rival.browser.post(reports, body).status_code == 201
    (listed,) = administrator.browser.get(reports).json()["results"]
    sides = {"credited": [], "not_credited": ["Other"], "lost": ["My model"], "total": 2}
    assert listed["entries"] == sides
