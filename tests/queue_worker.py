"""Works off the queue that tests have in their own process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import get_args

from kombu.message import Message

from backend.config.celery import app
from backend.jobs.registry import QueueName

QUEUES: tuple[str, ...] = get_args(QueueName)


@contextmanager
def queue_worker() -> Iterator[Callable[[], list[str]]]:
    """As the fixture `run_queued_tasks`, for fixtures of a module."""
    with app.connection_for_read() as connection:
        queues = [connection.SimpleQueue(name) for name in QUEUES]
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
