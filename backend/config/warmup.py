"""What the first visitors of a process would wait for: imports, the front page's summary, a graph.

It runs beside requests once the server takes them, so that no start waits for it.
"""

import gc
import logging
import threading
import time
from collections.abc import Callable, Sequence

from django.db import DatabaseError, connections
from django.urls import get_resolver
from redis.exceptions import RedisError

from annotation.kinds.registry import study_kinds
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_graph
from backend.leaderboard.site_summary import get_summary

LIMIT_S = 60.0
NOT_READY = (DatabaseError, DomainError, OSError, RedisError)
logger = logging.getLogger(__name__)
Step = Callable[[], object]


def import_urls() -> object:
    return get_resolver().url_patterns


def open_example() -> None:
    """The entity that the front page leads to: its graph's memory maps and manifest."""
    for example in get_summary().examples[:1]:
        opened = open_graph(None, example.graph)
        number = opened.entity_number_or_raise(example.source.id)
        opened.snapshot.entity_summary(number)
        opened.snapshot.degree(number)


STEPS: Sequence[Step] = (import_urls, study_kinds, get_summary, open_example)


def warm_up(steps: Sequence[Step] = STEPS, limit_s: float = LIMIT_S) -> list[str]:
    """The names of the steps that succeeded. A failed one costs the first visitor its time alone:
    the database may still be empty or not answer. After limit_s no further step begins.
    """
    ends, done = time.monotonic() + limit_s, []
    try:
        for step in steps:
            if time.monotonic() >= ends:
                break
            try:
                step()
            except NOT_READY:
                logger.info("The warm-up step %s failed.", step.__name__, exc_info=True)
            else:
                done.append(step.__name__)
    finally:
        connections.close_all()  # of this thread
    return done


def start_warm_up() -> threading.Thread:
    thread = threading.Thread(target=_warm_up_and_freeze, name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up_and_freeze() -> None:
    warm_up()
    gc.freeze()  # as serve does with what is loaded before
