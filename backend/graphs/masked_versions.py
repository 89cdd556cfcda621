"""Masked graphs: a version of another graph without some edges, as a graph of its own."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.common.slugs import unused_slug
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.graphs.search.index_builder import share_term_index
from backend.graphs.search.index_cache import get_term_index, index_folder
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.masking import mask_snapshot, restrict_snapshot
from backend.graphs.snapshots.remote_store import upload_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot

COPIED_FIELDS = ("licence", "citation", "source_url", "is_demo")


def create_masked_graph(
    base: Version,
    removed: Collection[int],
    *,
    name: str,
    owner: User | None,
) -> Version:
    """The only version of a new private graph: the base without these edges.

    Names and documents are those of the base, which cannot be deleted meanwhile. Raises Conflict
    if a graph has this name.
    """
    require_unused_name(name)
    return store_masked_graph(base, build_masked_snapshot(base, removed), name=name, owner=owner)


def require_unused_name(name: str) -> None:
    if Graph.objects.filter(name=name).exists():
        raise Conflict("A graph with this name already exists. Choose another name.")


def build_masked_snapshot(base: Version, removed: Collection[int]) -> BuildResult:
    """The files of the base without these edges. The same edges give the same folder."""
    snapshot = open_version_snapshot(base)
    return _share_index(snapshot, mask_snapshot(snapshot, removed, Path(settings.SNAPSHOTS)))


def build_partial_snapshot(base: Version, remaining: NDArray[np.int64]) -> BuildResult:
    """The files of the base with these edges alone. The same edges give the same folder."""
    snapshot = open_version_snapshot(base)
    return _share_index(snapshot, restrict_snapshot(snapshot, remaining, Path(settings.SNAPSHOTS)))


def _share_index(snapshot: Snapshot, built: BuildResult) -> BuildResult:
    masked = open_snapshot(built.path)
    if masked.path != snapshot.path:
        get_term_index(snapshot)  # built if the base has none yet
        share_term_index(index_folder(snapshot), index_folder(masked), masked)
    if settings.SNAPSHOT_STORE:
        upload_snapshot(masked, settings.SNAPSHOT_STORE)
    return built


def store_masked_graph(
    base: Version,
    built: BuildResult,
    *,
    name: str,
    owner: User | None,
    contents: str = "without the edges that reveal answers to questions",
) -> Version:
    """The rows of a private graph with these files. contents: what it has of the base, in words."""
    with transaction.atomic():
        graph = Graph.objects.create(
            name=name,
            slug=unused_slug(Graph.objects.all(), name, "masked"),
            owner=owner,
            description=f"{base.graph.name}, version {base.number}, {contents}.",
            **{field: getattr(base.graph, field) for field in COPIED_FIELDS},
        )
        return Version.objects.create(
            graph=graph,
            snapshot=built.path.name,
            number=1,
            entities=built.entities,
            edges=built.edges,
            types=built.types,
            relations=built.relations,
            created_by=owner,
            ready_at=timezone.now(),
            masked_from=base,
        )
