"""Tasks are queued on commit, by name; the tests' own queue keeps them until worked off."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.common.queue import enqueue_on_commit
from backend.config.celery import app

heard: list[str] = []


@app.task(name="tests.hear")
def hear(word: str) -> None:
    heard.append(word)
    if word == "first":
        enqueue_on_commit("tests.hear", word="queued by the first")


@pytest.mark.django_db
def test_a_task_waits_for_the_commit_and_runs_when_worked_off(
    work_off: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    heard.clear()
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        enqueue_on_commit("tests.hear", word="only")
        assert work_off() == []
    assert work_off() == ["tests.hear"]
    assert heard == ["only"]


@pytest.mark.django_db(transaction=True)
def test_what_a_task_queues_is_worked_off_too(work_off: Callable[[], list[str]]) -> None:
    heard.clear()
    enqueue_on_commit("tests.hear", word="first")
    assert work_off() == ["tests.hear", "tests.hear"]
    assert heard == ["first", "queued by the first"]


@pytest.mark.parametrize("turn", [1, 2])
def test_no_test_sees_the_cache_of_another(turn: int) -> None:
    assert cache.get("seen") is None
    cache.set("seen", turn)
