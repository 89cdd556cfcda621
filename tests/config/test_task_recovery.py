"""What a killed worker had in hand comes back at the next start, without the hour's wait.

The calls are half private to Kombu: these tests hold them to a real Valkey.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from backend.config.embedded.services import Services
from tests.config.test_embedded import manage, started

TAKE_AND_DIE = """
import os
from backend.config.celery import app
with app.connection_for_write() as connection:
    queue = connection.SimpleQueue("quick")
    for number in range({count}):
        queue.put({{"number": number}})
    for number in range({count}):
        queue.get(timeout=5)
    os._exit(9)
"""
RESTORE = "from backend.config.task_recovery import *; restore_unfinished_tasks()"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with started(tmp_path / "data") as services:
        yield services


@pytest.fixture
def valkey(services: Services) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(services.valkey.url) as client:
        yield client


def python(services: Services, code: str) -> int:
    named = {"DATABASE_URL": services.postgres.url, "REDIS_URL": services.valkey.url}
    done = manage(services.folders.data, "shell", "-v0", "-c", code, SECRET_KEY="given", **named)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def test_what_a_dead_worker_held_returns_to_its_queue(
    services: Services, valkey: redis.Redis
) -> None:
    assert python(services, TAKE_AND_DIE.format(count=40)) == 9
    assert (valkey.llen("serendib-quick"), valkey.hlen("serendib-unacked")) == (0, 40)
    assert python(services, RESTORE) == 0
    assert (valkey.llen("serendib-quick"), valkey.hlen("serendib-unacked")) == (40, 0)


def test_a_mutex_left_by_a_worker_killed_in_its_own_sweep_is_freed(
    services: Services, valkey: redis.Redis
) -> None:
    assert python(services, TAKE_AND_DIE.format(count=1)) == 9
    for key in ("unacked_mutex", "serendib-unacked_mutex"):
        valkey.set(key, "a dead worker's", ex=300)
    assert python(services, RESTORE) == 0
    assert valkey.llen("serendib-quick") == 1
