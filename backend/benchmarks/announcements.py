"""Announces to the pages that show a release's board that its state or its dates have changed."""

import uuid

from django.utils import timezone

from backend.common.queue import publish_on_commit


def board_group(release_id: uuid.UUID) -> str:
    return f"boards.{release_id}"


def announce_release_on_commit(release_id: uuid.UUID) -> None:
    """version: the time in milliseconds; a date that passes does not change that of the release."""
    version = round(1_000 * timezone.now().timestamp())
    publish_on_commit(board_group(release_id), what="release", version=version)
