"""Names by which work is queued and scheduled, checked because nothing imports them."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from backend.config.celery import app

QUEUE_CALL = re.compile(r"""\benqueue(?:_on_commit)?\(\s*["']([^"']+)["']""")
TASK_PACKAGES = ("backend", "annotation")


@pytest.fixture
def tasks() -> set[str]:
    app.loader.import_default_modules()
    return set(app.tasks)


def queued_names() -> set[str]:
    sources = [
        path for package in TASK_PACKAGES for path in (settings.ROOT / package).rglob("*.py")
    ]
    return {name for source in sources for name in QUEUE_CALL.findall(Path(source).read_text())}


def test_every_queued_name_is_a_task(tasks: set[str]) -> None:
    names = queued_names()
    assert "annotation.recompute_agreement" in names
    assert names <= tasks


def test_every_scheduled_name_is_a_task(tasks: set[str]) -> None:
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled
    assert scheduled <= tasks


def test_a_task_is_named_for_its_package(tasks: set[str]) -> None:
    ours = [task for task in app.tasks.values() if task.__module__.startswith(TASK_PACKAGES)]
    assert ours
    for task in ours:
        assert task.name.split(".")[0] in task.__module__.split(".")
