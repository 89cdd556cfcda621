"""Moments in the middle of a computation: a file made, opened to be written, renamed or removed; a
row about to be written; a reported step of the work."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

from backend.jobs import context
from backend.runtime import checkpoint

CHANGING = {"os.rename", "os.mkdir", "os.remove", "os.rmdir"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
Happens = Callable[[], None]


class Moments:
    """Counts them, and does something at one: in this thread, before the moment itself.

    outside_transactions: only those steps; there a worker holds no lock that others need.
    """

    def __init__(
        self,
        folders: tuple[str, ...],
        at: int,
        happens: Happens,
        *,
        outside_transactions: bool = False,
    ) -> None:
        self.folders, self.at, self.happens, self.outside_transactions = (
            folders,
            at,
            happens,
            outside_transactions,
        )
        self.at_percent = math.inf
        self.count = 0

    def pass_by(self) -> None:
        self.count += 1
        if self.count == self.at:
            self.happens()

    def count_progress(self, _phase: str, share: float) -> None:
        if 100 * share >= self.at_percent:
            self.happens()
        if not (self.outside_transactions and connection.in_atomic_block):
            self.pass_by()

    def file(self, event: str, words: tuple[Any, ...]) -> None:
        writes = event in CHANGING or (event == "open" and words[2] & WRITING)
        if (
            writes
            and not self.outside_transactions
            and os.fsdecode(words[0]).startswith(self.folders)
        ):
            self.pass_by()

    def row(self, execute: Callable[..., Any], sql: str, *words: Any) -> Any:
        if not self.outside_transactions and sql.startswith(("UPDATE", "INSERT", "DELETE")):
            self.pass_by()
        return execute(sql, *words)


def job_folders() -> tuple[str, ...]:
    """Where jobs write files."""
    return str(settings.SNAPSHOTS), str(settings.JOB_CHECKPOINTS), str(settings.EVALUATIONS)


_now: list[Moments] = []
_hooked: list[bool] = []


def _hook(event: str, words: tuple[Any, ...]) -> None:
    if _now and (event in CHANGING or event == "open") and isinstance(words[0], str | bytes):
        _now[-1].file(event, words)


@contextmanager
def passing(moments: Moments) -> Iterator[Moments]:
    """Everything that may be kept now and then is kept each time, so that moments are the same."""
    if not _hooked:
        sys.addaudithook(_hook)  # for good: there is no way to take one off
        _hooked.append(True)
    before = context.PROGRESS_INTERVAL_S, checkpoint.SAVE_INTERVAL_S
    context.PROGRESS_INTERVAL_S, checkpoint.SAVE_INTERVAL_S = 0.0, 0.0
    _now.append(moments)
    try:
        with connection.execute_wrapper(moments.row):
            yield moments
    finally:
        _now.pop()
        context.PROGRESS_INTERVAL_S, checkpoint.SAVE_INTERVAL_S = before
