"""Announces a new standing to the pages that show its board."""

import uuid

from django.db import transaction

from backend.common.queue import publish


def board_group(release_id: uuid.UUID) -> str:
    return f"boards.{release_id}"


def announce_on_commit(release_id: uuid.UUID, version: int) -> None:
    def send() -> None:
        publish(board_group(release_id), what="board", version=version)

    transaction.on_commit(send)
