"""Work of the benchmarks room that happens in the background."""

import uuid

from celery import shared_task

from backend.benchmarks.serendipity import computations, working

# A network over a million entities takes hours. Whoever is killed by this goes on where it was.
LONGEST_S = 12 * 3600


@shared_task(name="benchmarks.run_computation", time_limit=LONGEST_S)
def run_computation(computation: str) -> None:
    working.run_computation(uuid.UUID(computation))


@shared_task(name="benchmarks.sweep_computations")
def sweep_computations() -> int:
    return computations.sweep_computations()
