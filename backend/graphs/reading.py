"""What a reader asks of a graph: which version, and the snapshot behind it, open."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from backend.accounts.models import User
from backend.common.errors import Missing
from backend.graphs.models import Graph, Version
from backend.graphs.newest import newest_public_version
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.storage import fetch

logger = logging.getLogger(__name__)
NAME = re.compile(r"[0-9A-Za-z-]{1,200}")


@dataclass(frozen=True)
class OpenGraph:
    """A graph that she may see, one version of it, and its snapshot.

    `pinned`: she named exactly this snapshot, so that the same question has the same answer for
    ever. Its bare content may get other documents.
    """

    graph: Graph
    version: Version
    snapshot: Snapshot
    pinned: bool

    @property
    def is_public(self) -> bool:
        return self.graph.visibility == Graph.Visibility.PUBLIC

    def number_or_raise(self, identifier: str) -> int:
        """The number of the entity with exactly this id."""
        number = self.snapshot.number_of(identifier)
        if number is None:
            shown = identifier if len(identifier) <= 100 else identifier[:99] + "…"
            raise Missing(f"{self.graph.name} has no entity {shown}.", code="no_entity")
        return number


def open_graph(user: User | None, slug: str, snapshot: str = "") -> OpenGraph:
    """Opening is a memory map, and this process keeps those that are read."""
    version = None if snapshot else newest_public_version(slug)
    if version is None:
        version = version_or_raise(get_graph_or_raise(user, slug), snapshot)
    return OpenGraph(
        version.graph, version, snapshot_of(version), pinned=snapshot == version.snapshot
    )


def version_or_raise(graph: Graph, snapshot: str = "") -> Version:
    """The version with this snapshot, or with this content; the newest where none is named."""
    ready = Version.objects.ready().filter(graph=graph).order_by("-number")
    if not snapshot:
        found = ready.first()
    elif not NAME.fullmatch(snapshot):
        found = None
    else:
        content = Q(snapshot__startswith=f"{snapshot}-")
        found = ready.filter(snapshot=snapshot).first() or ready.filter(content).first()
    if found is None:
        raise Missing(f"{graph.name} has no such snapshot.", code="no_snapshot")
    found.graph = graph
    return found


def snapshot_of(version: Version) -> Snapshot:
    """Raises SnapshotRefused when what is on the disk is not what was written there.

    A machine that has not read it yet takes it from the store, if there is one, once.
    """
    folder = version.folder
    if settings.SNAPSHOT_STORE and not folder.is_dir():
        fetch(f"{settings.SNAPSHOT_STORE.rstrip('/')}/{version.snapshot}", folder.parent)
    try:
        return open_snapshot(folder)
    except SnapshotRefused as error:
        logger.exception("Version %s cannot be read.", version.pk)
        raise _without_folders(error, folder) from error


def _without_folders(error: SnapshotRefused, folder: Path) -> SnapshotRefused:
    """Names the file, and not where on this machine it lies."""
    inside = error.path.name if error.path.is_relative_to(folder.resolve()) else ""
    return SnapshotRefused(f"{folder.name}/{inside}".rstrip("/"), error.what)
