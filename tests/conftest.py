"""Shared fixtures. Rules: tests start from people, touch the real services, leave nothing behind.

The addresses of the services, and what else differs from a running Serendib, are in settings.py.
"""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
from kombu.message import Message

from backend.config.celery import app
from tests.cache import empty_cache
from tests.database_template import use_template

# How long one example takes is a figure, not a fault: a busy machine fails no test.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

# Journeys run in a process of their own, with tests/e2e/pytest.ini.
collect_ignore = ["e2e"]
pytest_plugins = ["tests.personas"]


# What is loaded before the first test stays to the end: no collection needs to look at it again.
GARBAGE_THRESHOLDS = (20_000, 20, 50)


def pytest_sessionstart() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: Any,
) -> None:
    with django_db_blocker.unblock():
        use_template()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Every test begins with an empty cache."""
    empty_cache()


@pytest.fixture
def take_headers() -> Iterator[Callable[[str], list[dict[str, Any]]]]:
    """Take every message of a queue; their headers, the oldest first. The queues begin empty."""
    with app.connection_for_read() as connection:
        queues = {name: connection.SimpleQueue(name) for name in ("quick", "long", "models")}
        for queue in queues.values():
            queue.clear()

        def take(name: str) -> list[dict[str, Any]]:
            messages = [queues[name].get(block=False) for _ in range(queues[name].qsize())]
            for message in messages:
                message.ack()
            return [dict(message.headers) for message in messages]

        yield take


@pytest.fixture
def run_queued_tasks() -> Iterator[Callable[[], list[str]]]:
    """Run every queued task, and those that they queue, in order; the names of what ran.

    The queue is empty at the start of the test. Tasks are queued on commit: use
    django_capture_on_commit_callbacks(execute=True), or a test with transactions.
    """
    app.loader.import_default_modules()
    with app.connection_for_read() as connection:
        queues = [connection.SimpleQueue(name) for name in ("quick", "long", "models")]
        for queue in queues:
            queue.clear()

        def work() -> list[str]:
            ran = []
            while queue := next((one for one in queues if one.qsize()), None):
                message: Message = queue.get(block=False)
                message.ack()
                name = str(message.headers["task"])
                _, named, _ = message.payload
                app.tasks[name].apply(kwargs=named, throw=True)
                ran.append(name)
            return ran

        yield work
