"""Cypher queries over a graph, for administrators only."""

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

from django.conf import settings

from backend.accounts.models import User
from backend.common.errors import DomainError, NotFound
from backend.graphs.cypher.database_builder import (
    Database,
    build_database,
    get_database,
    require_size,
)
from backend.graphs.cypher.query_runner import QueryLimits, QueryResult, run_query
from backend.graphs.cypher.query_validation import ParameterValue, check_query
from backend.graphs.graph_access import OpenGraph, open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.policies import require_administrator
from backend.graphs.snapshots.snapshot import Snapshot
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job

CYPHER_DATABASE = "cypher-database"  # the kind of jobs


def query_graph(
    *, actor: User, opened: OpenGraph, query: str, parameters: Mapping[str, ParameterValue]
) -> QueryResult:
    """Run a query. For a large graph, a worker builds the engine's database first.

    Raises NotAllowed, GraphTooLarge, DomainError while the database is built, and what `run_query`
    raises.
    """
    require_administrator(actor)
    check_query(query, parameters)
    require_size(opened.snapshot, settings.CYPHER_LARGEST_GRAPH)
    return run_query(_get_or_build_database(actor, opened), query, parameters, query_limits())


def query_limits() -> QueryLimits:
    return QueryLimits(
        seconds=settings.CYPHER_SECONDS,
        memory_bytes=settings.CYPHER_MEMORY_MIB << 20,
        max_concurrent=settings.CYPHER_AT_ONCE,
    )


def build_version_database(version: Version) -> Database:
    """Build the engine's database of a version, unless it exists."""
    return build_database(
        open_version_snapshot(version), database_folder(), largest=settings.CYPHER_LARGEST_GRAPH
    )


def build_scoring_database(snapshot: Snapshot, until: int | None) -> Database:
    """One in which an arrow finds a symmetric relation either way, for queries of submissions.

    Part of a graph above the engine's size has its linked entities alone. until: the cut-off of the
    release.
    """
    return build_database(
        snapshot,
        database_folder(),
        largest=settings.CYPHER_LARGEST_GRAPH,
        both_directions=True,
        linked_only=has_many_entities(snapshot),
        until=until,
    )


def has_many_entities(snapshot: Snapshot) -> bool:
    return snapshot.entity_count > settings.CYPHER_LARGEST_GRAPH


def get_scoring_database(snapshot: Snapshot, until: int | None) -> Database | None:
    return get_database(
        snapshot,
        database_folder(),
        both_directions=True,
        linked_only=has_many_entities(snapshot),
        until=until,
    )


def open_scoring_database(version: Version, until: int | None) -> Database:
    """That database: of a small graph built now, of a larger one by a job.

    Raises DomainError while the job runs.
    """
    snapshot = open_version_snapshot(version)
    database = get_scoring_database(snapshot, until)
    if database is not None:
        return database
    if snapshot.edge_count <= settings.CYPHER_BUILT_IN_REQUEST:
        return build_scoring_database(snapshot, until)
    request_scoring_database(version, until)
    raise _being_built(snapshot)


def _get_or_build_database(actor: User, opened: OpenGraph) -> Database:
    database = get_database(opened.snapshot, database_folder())
    if database is not None:
        return database
    if opened.snapshot.edge_count <= settings.CYPHER_BUILT_IN_REQUEST:
        return build_version_database(opened.version)
    request_job(owner=actor, request=_build_request(opened.version))
    raise _being_built(opened.snapshot)


def _being_built(snapshot: Snapshot) -> DomainError:
    return DomainError(
        f"The Cypher engine is loading the {snapshot.edge_count:,} edges of this graph. "
        "Try again in a minute.",
        code="cypher_being_built",
        status=HTTPStatus.SERVICE_UNAVAILABLE,
    )


def _build_request(version: Version) -> JobRequest:
    digest = f"{CYPHER_DATABASE}-{version.snapshot}"[:64]
    subjects = [f"graph-version:{version.pk}"]
    return JobRequest(CYPHER_DATABASE, {"version": version.pk}, digest, subjects)


def request_scoring_database(version: Version, until: int | None) -> None:
    """Let a worker build it, unless it exists: before the first queries of submissions come."""
    if get_scoring_database(open_version_snapshot(version), until) is None:
        parameters = {"version": version.pk, "is_for_scoring": True, "until": until}
        digest = f"{CYPHER_DATABASE}-scoring-{version.pk}-{until or ''}".rstrip("-")
        subjects = [f"graph-version:{version.pk}"]
        request_job(owner=None, request=JobRequest(CYPHER_DATABASE, parameters, digest, subjects))


def build_database_of_job(job: Job) -> None:
    """Raises DomainError if the version has been deleted, or its database cannot be built."""
    version = _get_version_or_raise(job)
    if job.parameters.get("is_for_scoring"):
        build_scoring_database(open_version_snapshot(version), job.parameters.get("until"))
    else:
        build_version_database(version)


def is_database_built(job: Job) -> bool:
    try:
        snapshot = open_version_snapshot(_get_version_or_raise(job))
    except DomainError:
        return False
    if job.parameters.get("is_for_scoring"):
        return get_scoring_database(snapshot, job.parameters.get("until")) is not None
    return get_database(snapshot, database_folder()) is not None


def _get_version_or_raise(job: Job) -> Version:
    version = Version.objects.ready().filter(pk=job.parameters["version"]).first()
    if version is None:
        raise NotFound("The graph of this job was deleted.")
    return version


def database_folder() -> Path:
    return Path(settings.CYPHER)
