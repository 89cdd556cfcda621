"""Shared fixtures. Rules: tests start from people, touch the real services, leave nothing behind.

The addresses of the services, and what else differs from a running Serendib, are in settings.py.
"""

import gc
import sys
from collections.abc import Callable, Generator, Iterator
from typing import Any

import absl.logging
import hypothesis
import pytest
from channels.layers import get_channel_layer
from django.test import TransactionTestCase

from backend.config.celery import app
from tests.cache import empty_cache
from tests.database_template import use_template
from tests.empty_tables import empty_tables
from tests.queue_worker import QUEUES, queue_worker

# How long one example takes is a figure, not a fault: a busy machine fails no test.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

# Journeys run in a process of their own, with tests/e2e/pytest.ini.
collect_ignore = ["e2e"]
pytest_plugins = [
    "tests.personas",
    "tests.demo_graph",
    "tests.embedder_weights",
    "tests.thorough",
]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests stay. Looking for garbage among them took half of the processor time of
    collecting ten thousand tests, and later nearly a second each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)  # as the web server has it
        gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: Any,
) -> None:
    with django_db_blocker.unblock():
        use_template()


@pytest.fixture(scope="session", autouse=True)
def _quick_flush() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Every test begins with an empty cache."""
    empty_cache()


@pytest.fixture
def socket_messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is published to groups of sockets, which relay it as it is."""
    layer: Any = get_channel_layer()
    sent: list[str] = []
    send = layer.group_send

    async def record(group: str, message: dict[str, Any]) -> None:
        sent.append(f"{group} {message}")
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", record)
    return sent


@pytest.fixture
def take_headers() -> Iterator[Callable[[str], list[dict[str, Any]]]]:
    """Take every message of a queue; their headers, the oldest first. The queues begin empty."""
    with app.connection_for_read() as connection:
        queues = {name: connection.SimpleQueue(name) for name in QUEUES}
        for queue in queues.values():
            queue.clear()

        def take(name: str) -> list[dict[str, Any]]:
            messages = [queues[name].get(block=False) for _ in range(queues[name].qsize())]
            for message in messages:
                message.ack()
            return [dict(message.headers) for message in messages]

        yield take


@pytest.fixture(scope="session", autouse=True)
def _task_modules() -> None:
    """Celery sets up Django again with its tasks, and logging with it, whose handlers are closed.

    The handler of absl closes any stream but that of the process and the current one. It writes to
    that of the process: whatever sets up Django while a test replaces sys.stderr would otherwise
    close the stream which pytest captures to until the end of the run.
    """
    absl.logging.get_absl_handler().python_handler.stream = sys.__stderr__
    app.loader.import_default_modules()


@pytest.fixture
def run_queued_tasks() -> Iterator[Callable[[], list[str]]]:
    """Run every queued task, and those that they queue, in order; the names of what ran.

    The queue is empty at the start of the test. Tasks are queued on commit: use
    django_capture_on_commit_callbacks(execute=True), or a test with transactions.
    """
    with queue_worker() as work:
        yield work
