"""Announces a new standing to the pages that show its board."""

import uuid

from backend.benchmarks.announcements import board_group
from backend.common.queue import publish_on_commit


def announce_on_commit(release_id: uuid.UUID, version: int) -> None:
    publish_on_commit(board_group(release_id), what="board", version=version)
