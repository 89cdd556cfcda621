"""Cypher over the masked graph of a release, in the dialect in which its predictions are run."""

from dataclasses import dataclass

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import is_organiser, may_submit
from backend.benchmarks.release_graph_lookup import (
    SURROUNDINGS,
    find_used_graph,
    fits_engine,
    offered_methods,
    queried_version,
    takes_queries,
)
from backend.common.errors import DomainError, NotAllowed, NotFound
from backend.graphs.cypher.dialect import Dialect
from backend.graphs.cypher.query_runner import QueryResult, run_query
from backend.graphs.cypher.query_validation import check_query
from backend.graphs.cypher_service import open_scoring_database, query_limits
from backend.graphs.graph_access import open_version_snapshot


@dataclass(frozen=True)
class ReleaseQueryResult:
    snapshot: str
    result: QueryResult


def may_query(actor: User, release: Release) -> bool:
    """Whoever may submit queries may try them; visitors have the explorer."""
    return may_submit(actor) or is_organiser(actor, release)


def may_run_on(release: Release, method: str) -> bool:
    """Whether queries run on its masked graph by this method, or on the surroundings."""
    if find_used_graph(release, SURROUNDINGS) is not None:
        return takes_queries(release)
    return fits_engine(release)


def query_release_graph(
    *, actor: User, release: Release, method: str, query: str
) -> ReleaseQueryResult:
    """Raises NotAllowed, NotFound, and DomainError for a query that fails, or a graph that is too
    large or not loaded yet."""
    if not may_query(actor, release):
        message = "Only researchers and the release's organisers can run queries on its graph."
        raise NotAllowed(message)
    if method not in offered_methods(release) or find_used_graph(release, method) is None:
        raise NotFound("The release has no masked graph by this method.")
    version = queried_version(release, method) if may_run_on(release, method) else None
    if version is None:
        message = "This release takes no queries: its track or the size of its graph allows none."
        raise DomainError(message, code="no_queries")
    check_query(query, {})
    snapshot = open_version_snapshot(version)
    text = Dialect(snapshot).translate(query)
    database = open_scoring_database(version, release.cutoff)
    result = run_query(database, text, {}, query_limits())
    return ReleaseQueryResult(version.snapshot, result)
