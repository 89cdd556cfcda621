"""Hostile files of predictions: faults, a refusal or a scored zero, and nothing read or left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.throttling import ScopedRateThrottle

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.graphs.models import Version
from tests.child_processes import child_processes
from tests.evaluation.hostile_uploads import as_queries, bytes_of, hostile_uploads
from tests.evaluation.serenqa_releases import demo_questions, make_serenqa_release
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS
from tests.personas import Person

pytestmark = pytest.mark.django_db
MARK = "canary-51cf"
PERMANENT = settings.PREDICTIONS.parent
ZEROS = {"hit": 0, "f1": 0, "executability": 0}


def files_below(*folders: Path) -> set[Path]:
    return {path for folder in folders for path in folder.rglob("*") if path.is_file()}


@dataclass(frozen=True)
class Sender:
    """Sends each file from a researcher's browser. secret: what no answer may have read."""

    person: Person
    temporary: Path
    secret: Path

    def rows(self) -> Iterator[dict[str, Any]]:
        return hostile_uploads(self.secret)

    def send(self, address: str, release: str, row: dict[str, Any], **form: str) -> Any:
        file = SimpleUploadedFile("p", bytes_of(row))
        file.name = row["name"]  # its own class would cut the folders
        body = {"release": release, "file": file, **form, **row.get("fields", {})}
        answer = self.person.browser.post(address, body, format="multipart")
        text = answer.content.decode()
        for unseen in ("Traceback", str(self.temporary), MARK):
            assert unseen not in text, describe(row)
        return answer


def describe(row: dict[str, Any]) -> str:
    return json.dumps(row)[:300]


@pytest.fixture
def sender(
    researcher: Person,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Sender]:
    """No process and no file stays of what is sent, in the end."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "predictions", None)
    secret = tmp_path_factory.mktemp("outside") / "secret.jsonl"
    secret.write_text(json.dumps({"x_id": MARK, "y_id": MARK, "label": MARK}))
    register_model(actor=researcher.user, name="M")
    before, content = child_processes(), secret.read_bytes()
    yield Sender(researcher, temporary, secret)
    assert child_processes() == before
    assert files_below(temporary, secret.parent) == {secret}
    assert secret.read_bytes() == content


def test_the_check_of_hostile_uploads_finds_faults(release: Release, sender: Sender) -> None:
    rows, files = list(sender.rows()), files_below(PERMANENT)
    assert len(rows) >= 200
    for row in rows:
        answer = sender.send(VALIDATIONS, release.slug, row)
        assert answer.status_code == 200 or 400 <= answer.status_code < 500, describe(row)
        if answer.status_code == 200:
            checked = answer.json()
            assert not checked["is_valid"] and checked["total"] and checked["faults"], describe(row)
    assert files_below(PERMANENT) == files


def test_hostile_uploads_are_not_submitted(release: Release, sender: Sender) -> None:
    files = files_below(PERMANENT)
    for row in sender.rows():
        answer = sender.send(SUBMISSIONS, release.slug, row, model="m")
        assert 400 <= answer.status_code < 500, describe(row)
    assert not Submission.objects.exists()
    assert files_below(PERMANENT) == files


def test_hostile_uploads_of_queries_are_refused_or_scored_zeros(
    demo_graph: Version,
    sender: Sender,
    tmp_path: Path,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    slug = make_serenqa_release(tmp_path, demo_graph, test_share=0.0).slug
    Release.objects.filter(slug=slug).update(state=Release.State.OPEN)
    questions = [str(one["qid"]) for one in demo_questions()[:2]]
    files, accepted = files_below(settings.PREDICTIONS), set()
    with django_capture_on_commit_callbacks(execute=True):
        for row in sender.rows():
            answer = sender.send(
                SUBMISSIONS, slug, as_queries(row, *questions), model="m", split="dev"
            )
            assert answer.status_code == 202 or 400 <= answer.status_code < 500, describe(row)
            if answer.status_code == 202:
                accepted.add(answer.json()["id"])
                assert row["kind"] in {"files", "text", "types"}, describe(row)
    run_queued_tasks()
    submissions = Submission.objects.select_related("evaluation")
    assert {str(one.pk) for one in submissions} == accepted and len(accepted) > 10
    for one in submissions:
        assert one.evaluation is not None, one.error
        scores = one.evaluation.scores.filter(slice="all")
        assert {score.metric: score.value for score in scores} == ZEROS
        report = sender.person.browser.get(f"{SUBMISSIONS}/{one.pk}/query-report").content
        assert MARK not in report.decode()
    stored = {path.name for path in files_below(settings.PREDICTIONS) - files}
    assert stored == {one.file_digest for one in submissions}
