"""Tasks are queued on commit, by name; the tests' own queue keeps them until worked off."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.common.queue import enqueue
from backend.config.celery import app

recorded_words: list[str] = []


@app.task(name="tests.hear")
def record_word(word: str) -> None:
    recorded_words.append(word)
    if word == "first":
        transaction.on_commit(lambda: enqueue("tests.hear", word="queued by the first"))


@pytest.mark.django_db
def test_a_task_waits_for_the_commit_and_runs_when_worked_off(
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    recorded_words.clear()
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        transaction.on_commit(lambda: enqueue("tests.hear", word="only"))
        assert run_queued_tasks() == []
    assert run_queued_tasks() == ["tests.hear"]
    assert recorded_words == ["only"]


@pytest.mark.django_db(transaction=True)
def test_what_a_task_queues_is_worked_off_too(run_queued_tasks: Callable[[], list[str]]) -> None:
    recorded_words.clear()
    enqueue("tests.hear", word="first")
    assert run_queued_tasks() == ["tests.hear", "tests.hear"]
    assert recorded_words == ["first", "queued by the first"]


@pytest.mark.parametrize("turn", [1, 2])
def test_no_test_sees_the_cache_of_another(turn: int) -> None:
    assert cache.get("seen") is None
    cache.set("seen", turn)
