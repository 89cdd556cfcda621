"""A computation that a command works off itself, with a bar."""

from __future__ import annotations

import sys

from tqdm import tqdm

from backend.benchmarks.models import Computation, Progress
from backend.benchmarks.serendipity.computations import Wanted, request_computation
from backend.benchmarks.serendipity.working import run_computation
from backend.common.errors import Conflict, DomainError


def work_off(wanted: Wanted) -> Computation:
    """Done now, or before. Raises DomainError when it failed or another process works at it."""
    asked = request_computation(actor=None, wanted=wanted, queue=False)
    row = asked.computation
    with tqdm(total=100, unit="%", file=sys.stderr, disable=None, leave=False) as bar:

        def heard(doing: str, percent: float) -> None:
            bar.set_description(doing, refresh=False)
            bar.update(round(percent - bar.n, 1))

        run_computation(row.pk, heard)
    row.refresh_from_db()
    if row.state == Progress.FAILED:
        raise DomainError(row.fault, code="failed")
    if row.state != Progress.DONE:
        raise Conflict("Another process computes this at the moment. Wait until that has ended.")
    return row
