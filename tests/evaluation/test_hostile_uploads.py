"""Hostile files of predictions through the API: faults or a refusal, and nothing stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.throttling import ScopedRateThrottle

from backend.benchmarks.models import Release
from tests.child_processes import child_processes
from tests.evaluation.hostile_uploads import bytes_of, hostile_uploads
from tests.evaluation.submission_forms import VALIDATIONS
from tests.personas import Person

UPLOADS = list(hostile_uploads())


def files_below(*folders: Path) -> set[Path]:
    return {path for folder in folders for path in folder.rglob("*") if path.is_file()}


def check(person: Person, row: dict[str, Any]) -> Any:
    file = SimpleUploadedFile("p", bytes_of(row))
    file.name = row["name"]  # its own class would cut the folders
    body = {"release": "pairs", "file": file, **row.get("fields", {})}
    return person.browser.post(VALIDATIONS, body, format="multipart")


@pytest.mark.django_db
def test_hostile_uploads_are_faults_or_refused_and_nothing_stays(
    researcher: Person, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(UPLOADS) >= 200
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "predictions", None)
    folders = tmp_path, settings.PREDICTIONS.parent
    before, files = child_processes(), files_below(*folders)
    for row in UPLOADS:
        answer = check(researcher, row)
        named = json.dumps(row)[:300]
        assert answer.status_code == 200 or 400 <= answer.status_code < 500, named
        text = answer.content.decode()
        assert "Traceback" not in text and str(tmp_path) not in text, named
        if answer.status_code == 200:
            checked = answer.json()
            assert not checked["is_valid"] and checked["total"] and checked["faults"], named
    assert child_processes() == before
    assert files_below(*folders) == files
