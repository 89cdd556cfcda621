"""A time limit for requests that compute while the client waits."""

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings

from backend.benchmarks.rns.question_scoring import TooCostly
from backend.graphs.api.cancellation import run_cancellable
from backend.runtime.cancellation import CancellationToken, Cancelled

Result = TypeVar("Result")


def run_with_time_limit(work: Callable[[CancellationToken], Result]) -> Result:
    """Run with cancellation and a limit of RNS_SECONDS. Raises TooCostly."""
    return run_cancellable(lambda stop: _run_within(settings.RNS_SECONDS, work, stop))


def _run_within(
    seconds: float, work: Callable[[CancellationToken], Result], stop: CancellationToken
) -> Result:
    try:
        with stop.cancel_after(seconds):
            return work(stop)
    except Cancelled as error:
        raise TooCostly(
            f"This takes longer than {seconds:g} seconds, and was stopped. Request fewer "
            "entities or with support=candidates, or have the graph's transition model and "
            "embedding computed first."
        ) from error
