"""Masked graphs: a version of another graph without some edges, as a graph of its own."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.common.slugs import unused_slug
from backend.graphs.export_rows import edge_rows, node_row, relation_infos
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import OPEN_BY_ADDRESS, Graph, Version
from backend.graphs.search.index_builder import build_term_index, share_term_index
from backend.graphs.search.index_cache import get_term_index, index_folder
from backend.graphs.search.index_renumbering import renumber_term_index
from backend.graphs.search.indexing import copy_document_index
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.format import MANIFEST
from backend.graphs.snapshots.masking import mask_snapshot, restrict_snapshot
from backend.graphs.snapshots.remote_store import upload_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.snapshots.snapshot_ingest import SnapshotIngest
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo
from backend.runtime.atomic_dirs import workspace

COPIED_FIELDS = ("licence", "citation", "source_url", "is_demo")


def create_masked_graph(
    base: Version,
    removed: Collection[int],
    *,
    name: str,
    owner: User | None,
) -> Version:
    """The only version of a new private graph: the base without these edges.

    Names and documents are those of the base; a public one, whose files are shared, cannot be
    deleted meanwhile. Raises Conflict if a graph has this name.
    """
    require_unused_name(name)
    return store_masked_graph(base, build_masked_snapshot(base, removed), name=name, owner=owner)


def require_unused_name(name: str) -> None:
    if Graph.objects.filter(name=name).exists():
        raise Conflict("A graph with this name already exists. Choose another name.")


@contextmanager
def known_snapshot(base: Version, until: int | None) -> Iterator[Snapshot]:
    """The base without edges first seen after a PMID or year and undated ones; None: all of it.

    Entities keep their numbers. The files end with the block, unless no edge is left out: what was
    computed for the base holds then. Raises NoDates.
    """
    snapshot = open_version_snapshot(base)
    if until is None:
        yield snapshot
        return
    is_known = DatedView(snapshot, until).admitted_mask()
    if is_known.all():
        yield snapshot
        return
    known = np.flatnonzero(is_known)
    with workspace(Path(settings.SNAPSHOTS)) as work:
        yield open_snapshot(restrict_snapshot(snapshot, known, work).path)


def build_masked_snapshot(
    base: Version, removed: Collection[int], known: Snapshot | None = None
) -> BuildResult:
    """The files of the base without these edges. The same edges give the same folder.

    known: what is left of the base, in whose numbers the edges are given.

    With a base that not everyone may read nothing is shared: its entities are numbered by their
    degrees, and who stands before an entity with more edges has lost some.
    """
    snapshot, into = open_version_snapshot(base), Path(settings.SNAPSHOTS)
    if base.graph.visibility in OPEN_BY_ADDRESS:
        return _share_index(snapshot, mask_snapshot(known or snapshot, removed, into))
    built = rebuild_without(known or snapshot, removed, into)
    hidden = open_snapshot(built.path)
    if not (index_folder(hidden) / MANIFEST).exists():
        _index_names(snapshot, hidden)
    return _upload(built)


def _index_names(base: Snapshot, hidden: Snapshot) -> None:
    """From the base's index if it has one: of millions of entities a new one takes minutes."""
    number_of = np.empty(base.entity_count, np.int32)
    number_of[base.arrays["by_hash"]] = hidden.arrays["by_hash"]
    try:
        renumber_term_index(index_folder(base), index_folder(hidden), hidden, number_of)
    except InvalidSnapshot:  # there is none, or it is damaged
        build_term_index(hidden, index_folder(hidden), lambda *_: None)


def rebuild_without(snapshot: Snapshot, removed: Collection[int], into: Path) -> BuildResult:
    """The snapshot as if the edges had never been in it: entities are numbered anew."""
    ingest = partial(SnapshotIngest, snapshot, removed)
    built = build_snapshot(SnapshotRows(snapshot), into, ingest=ingest)
    expected = snapshot.entity_count, snapshot.edge_count - len({*removed})
    if (built.entities, built.edges) != expected:
        raise RuntimeError(f"rows of the snapshot {snapshot.path.name} were lost")
    return built


@dataclass(frozen=True)
class SnapshotRows:
    """A snapshot as a source of rows, from which another is built."""

    snapshot: Snapshot

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return relation_infos(self.snapshot)

    def nodes(self) -> Iterator[NodeRow]:
        return (node_row(self.snapshot, number) for number in range(self.snapshot.entity_count))

    def edges(self) -> Iterator[EdgeRow]:
        return edge_rows(self.snapshot, self.snapshot.edges())


def build_partial_snapshot(base: Version, remaining: NDArray[np.int64]) -> BuildResult:
    """The files of the base with these edges alone. The same edges give the same folder."""
    snapshot = open_version_snapshot(base)
    return _share_index(snapshot, restrict_snapshot(snapshot, remaining, Path(settings.SNAPSHOTS)))


def _share_index(snapshot: Snapshot, built: BuildResult) -> BuildResult:
    masked = open_snapshot(built.path)
    if masked.path != snapshot.path:
        get_term_index(snapshot)  # built if the base has none yet
        share_term_index(index_folder(snapshot), index_folder(masked), masked)
    return _upload(built)


def _upload(built: BuildResult) -> BuildResult:
    if settings.SNAPSHOT_STORE:
        upload_snapshot(open_snapshot(built.path), settings.SNAPSHOT_STORE)
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
    before, after = (
        one.arrays["by_hash"] for one in (open_version_snapshot(base), open_snapshot(built.path))
    )
    is_numbered_alike = np.array_equal(before, after)
    with transaction.atomic():
        graph = Graph.objects.create(
            name=name,
            slug=unused_slug(Graph.objects.all(), name, "masked"),
            owner=owner,
            description=f"{base.graph.name}, version {base.number}, {contents}.",
            **{field: getattr(base.graph, field) for field in COPIED_FIELDS},
        )
        version = Version.objects.create(
            graph=graph,
            snapshot=built.path.name,
            number=1,
            entities=built.entities,
            edges=built.edges,
            types=built.types,
            relations=built.relations,
            created_by=owner,
            ready_at=timezone.now(),
            is_masked=True,
            masked_from=base if is_numbered_alike else None,
        )
        if not is_numbered_alike:
            copy_document_index(base.documents_version_id, version, before, after)
        return version


def rename_masked_graph(graph: Graph, name: str) -> None:
    graph.name = name
    graph.slug = unused_slug(Graph.objects.exclude(pk=graph.pk), name, "masked")
    graph.save(update_fields=["name", "slug"])
