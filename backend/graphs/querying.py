"""A Cypher query over a graph: for administrators, until each reader's queries are kept apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from backend.accounts.models import User
from backend.common.queue import enqueue
from backend.graphs.cypher.building import (
    Database,
    build_database,
    get_database,
    require_size,
)
from backend.graphs.cypher.errors import DatabaseBeingBuilt
from backend.graphs.cypher.reading import Value, check_query
from backend.graphs.cypher.running import Limits, Table, run_query
from backend.graphs.models import Version
from backend.graphs.policies import require_administrator
from backend.graphs.reading import OpenGraph, snapshot_of

TASK = "graphs.build_cypher"
SOON = 100_000
"""Edges that the engine takes in a few seconds, while the reader waits."""


def query_graph(
    *, actor: User, opened: OpenGraph, query: str, parameters: Mapping[str, Value]
) -> Table:
    """The answer. The engine's copy of a larger graph is made by a worker first: ask again then.

    Raises NotAllowed, GraphTooLarge, DatabaseBeingBuilt, and what `run_query` raises.
    """
    require_administrator(actor)
    check_query(query, parameters)
    require_size(opened.snapshot, settings.CYPHER_LARGEST_GRAPH)
    return run_query(_database_of(opened), query, parameters, limits())


def limits() -> Limits:
    return Limits(
        seconds=settings.CYPHER_SECONDS,
        memory_bytes=settings.CYPHER_MEMORY_MIB << 20,
        at_once=settings.CYPHER_AT_ONCE,
    )


def build_copy(version: Version) -> Database:
    """Also for a worker: nobody makes the same copy twice."""
    return build_database(snapshot_of(version), folder(), largest=settings.CYPHER_LARGEST_GRAPH)


def _database_of(opened: OpenGraph) -> Database:
    found = get_database(opened.snapshot, folder())
    if found is not None:
        return found
    if opened.snapshot.edge_count <= SOON:
        return build_copy(opened.version)
    enqueue(TASK, version=str(opened.version.pk))
    raise DatabaseBeingBuilt(
        f"The Cypher engine reads the {opened.snapshot.edge_count:,} edges of this graph for the "
        "first time. Ask again in a minute."
    )


def folder() -> Path:
    return Path(settings.CYPHER)
