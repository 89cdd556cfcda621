"""PostgreSQL's advisory locks, numbered in one place so that no two purposes share a number."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

from django.db import connection


class AdvisoryLock(IntEnum):
    DEMO_STUDIES = 7_361_001
    GRAPH_IMPORTS = 7_361_002
    DEMO_GRAPH = 7_361_003
    RNS_BATCHES = 7_361_005
    JOB_GROUPS = 7_361_006
    WEBHOOKS = 7_361_007
    PAPER_IMPORTS = 7_361_008
    MODEL_CALLS = 7_361_009
    SWEEP = 7_361_010
    RELEASE_NAMES = 7_361_011


def lock_in_transaction(lock: AdvisoryLock) -> None:
    """Wait for the lock, and hold it until the current transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock.value])


@contextmanager
def try_lock(lock: AdvisoryLock, key: str) -> Iterator[bool]:
    """Whether no other connection holds the lock of this key; then it is held until the end of the
    block, without a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, hashtext(%s))", [lock.value, key])
        [is_held] = cursor.fetchone()
        try:
            yield is_held
        finally:
            if is_held:
                cursor.execute("SELECT pg_advisory_unlock(%s, hashtext(%s))", [lock.value, key])
