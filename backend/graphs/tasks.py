"""Work of the graphs room that happens in the background."""

import uuid

from celery import shared_task

from backend.graphs import imports, pipeline

# The largest graph takes hours. Whoever is killed by this is queued again, and then given up.
LONGEST_S = 12 * 3600


@shared_task(name="graphs.run_import", time_limit=LONGEST_S)
def run_import(graph_import: str) -> None:
    pipeline.run_import(uuid.UUID(graph_import))


@shared_task(name="graphs.sweep_imports")
def sweep_imports() -> int:
    return imports.sweep_imports()
