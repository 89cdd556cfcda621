"""Telling an open page that its computation moved on; the page then reads it over HTTP."""

import uuid

from django.db import transaction

from backend.common.queue import publish


def group_of(computation_id: uuid.UUID) -> str:
    return f"computation.{computation_id}"


def tell_on_commit(computation_id: uuid.UUID, state: str, percent: float) -> None:
    transaction.on_commit(
        lambda: publish(group_of(computation_id), what="computation", state=state, percent=percent)
    )
