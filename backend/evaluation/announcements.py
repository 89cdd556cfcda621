"""Announces new steps of walks to the pages that show them: the page then reads them over HTTP."""

import uuid

from backend.common.queue import publish_on_commit


def run_group(run_id: uuid.UUID) -> str:
    return f"runs.{run_id}"


def session_group(session_id: uuid.UUID) -> str:
    return f"tool-sessions.{session_id}"


def announce_exploration(run_id: uuid.UUID, item_key: str, requests: int) -> None:
    """version: the requests of the root so far, which grow with each phase."""
    publish_on_commit(run_group(run_id), what="exploration", item=item_key, version=requests)


def announce_call(session_id: uuid.UUID, number: int) -> None:
    publish_on_commit(session_group(session_id), what="tool_call", version=number)
