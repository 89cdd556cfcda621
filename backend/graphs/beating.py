"""A worker's sign of life, also while it computes and says nothing itself."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection
from django.utils import timezone

from backend.graphs.models import GraphImport
from backend.graphs.models.imports import BEAT

logger = logging.getLogger(__name__)


@contextmanager
def beating(row: GraphImport) -> Iterator[None]:
    ended = threading.Event()
    beats = threading.Thread(target=_beat, args=(row, row.lease, ended), daemon=True)
    beats.start()
    try:
        yield
    finally:
        ended.set()
        beats.join()


def _beat(row: GraphImport, lease: uuid.UUID | None, ended: threading.Event) -> None:
    while not ended.wait(BEAT.total_seconds()):
        held = GraphImport.objects.filter(id=row.pk, lease=lease)
        try:
            held.update(heartbeat=timezone.now())
        except DatabaseError:
            logger.warning("The sign of life of import %s could not be written.", row.pk)
        finally:
            connection.close()
