"""The heads of pages about what was evaluated."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _built(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE = tmp_path / "bundle"
    settings.BUNDLE.mkdir()
    (settings.BUNDLE / "index.html").write_text("<title>Serendib</title>")


def head_of(path: str) -> tuple[str, str]:
    """Title and description."""
    page = Client().get(path).content.decode()
    [title] = re.findall(r"<title>(.*)</title>", page)
    [description] = re.findall(r'<meta name="description" content="([^"]*)"', page)
    return title, description


def test_releases_models_and_results_have_their_own(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    model = register_model(actor=researcher.user, name="Open one", organisation="Lab")
    lines = prediction_lines(range(60), wrong=range(3))
    result = submit_and_score(researcher.browser, form(lines, model=model.slug))
    assert head_of(f"/releases/{release.slug}")[0] == f"{release.name} · Serendib"
    assert head_of(f"/models/{model.slug}")[0] == "Open one · Serendib"
    title, description = head_of(f"/results/{result['id']}")
    assert title == f"Open one on {release.name} · Serendib"
    assert "rank 1" in description
