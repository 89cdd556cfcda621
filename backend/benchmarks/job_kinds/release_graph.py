"""The job that makes a masked graph of a release."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.policies import is_organiser
from backend.benchmarks.release_graph_lookup import find_release_graph
from backend.benchmarks.release_graphs import (
    RELEASE_GRAPH,
    build_release_graph,
    require_mask_method,
    store_release_graph,
)
from backend.common.errors import NotFound
from backend.jobs.context import JobContext
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest, is_owner_or_administrator, job_kind


def release_graph_request(actor: User | None, release: Release, method: str) -> JobRequest:
    """Raises what `require_mask_method` raises. An equal request joins the job that runs."""
    require_mask_method(actor, release, method)
    parameters = {"release": str(release.pk), "method": method}
    digest = f"{RELEASE_GRAPH}-{release.pk}-{method}"
    return JobRequest(RELEASE_GRAPH, parameters, digest, [release.subject])


def get_release_of_job(job: Job) -> Release:
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    if release is None:
        raise NotFound("The release of this job was deleted.")
    return release


def may_see(user: User, job: Job) -> bool:
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    is_own = release is not None and is_organiser(user, release)
    return is_own or is_owner_or_administrator(user, job)


def is_stored(job: Job) -> bool:
    parameters = job.parameters
    rows = ReleaseGraph.objects.filter(
        release_id=parameters["release"], method=parameters["method"]
    )
    return rows.exists()


def describe(jobs: Sequence[Job]) -> list[Mapping[str, Any]]:
    ids = {job.parameters["release"] for job in jobs}
    slugs = {
        str(pk): slug for pk, slug in Release.objects.filter(pk__in=ids).values_list("pk", "slug")
    }
    return [
        {"release": slugs.get(job.parameters["release"]), "method": job.parameters["method"]}
        for job in jobs
    ]


@job_kind(
    RELEASE_GRAPH,
    queue="long",
    time_limit=timedelta(hours=6),
    makes_snapshots=True,
    may_see=may_see,
    may_cancel=may_see,
    describe=describe,
    is_result_intact=is_stored,
)
def make_release_graph(context: JobContext) -> Callable[[], Mapping[str, Any]] | Mapping[str, Any]:
    release, method = get_release_of_job(context.job), context.job.parameters["method"]
    stored = find_release_graph(release, method)
    if stored is not None:
        return release_graph_result(stored)
    built = build_release_graph(
        release, method, progress=context.report_progress, stop=context.cancellation
    )
    context.report_progress("storing the masked graph", 0.99, is_forced=True)
    return lambda: release_graph_result(store_release_graph(release, method, built))


def release_graph_result(graph: ReleaseGraph) -> Mapping[str, Any]:
    return {
        "graph": graph.version.graph.slug,
        "removed_edges": graph.removed_edges,
        "included": len(graph.included),
        "excluded": len(graph.excluded),
    }
