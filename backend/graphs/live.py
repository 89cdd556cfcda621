"""Telling an open page that its import moved on; the page then reads it over HTTP."""

import uuid

from django.db import transaction

from backend.common.queue import publish


def group_of(import_id: uuid.UUID) -> str:
    return f"graph-import.{import_id}"


def tell_on_commit(import_id: uuid.UUID, state: str, percent: float) -> None:
    transaction.on_commit(
        lambda: publish(group_of(import_id), what="import", state=state, percent=percent)
    )
