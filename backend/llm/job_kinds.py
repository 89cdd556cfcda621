"""The job that probes an endpoint; its sweep settles calls of processes that were killed."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from backend.common.errors import NotFound
from backend.jobs.context import JobContext
from backend.jobs.registry import JobRequest, job_kind
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Endpoint
from backend.llm.policies import ENDPOINT_NOT_FOUND
from backend.llm.probe import probe, store_probe

PROBE = "endpoint-probe"


def sweep() -> None:
    settle_dead_processes(None)


def probe_request(endpoint: Endpoint) -> JobRequest:
    return JobRequest(PROBE, {"endpoint": str(endpoint.pk)}, subjects=[f"endpoint:{endpoint.pk}"])


@job_kind(PROBE, queue="models", time_limit=timedelta(hours=1), max_attempts=1, sweep=sweep)
def probe_endpoint(context: JobContext) -> Mapping[str, Any]:
    endpoint = Endpoint.objects.filter(
        pk=context.job.parameters["endpoint"], retired_at=None
    ).first()
    if endpoint is None:
        raise NotFound(ENDPOINT_NOT_FOUND)
    context.report_progress("sending six calls", 0.1, is_forced=True)
    capabilities = asyncio.run(probe(endpoint, context.job.owner))
    store_probe(endpoint, capabilities)
    return {"endpoint": str(endpoint.pk), "capabilities": capabilities.model_dump(mode="json")}
