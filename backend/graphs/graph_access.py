"""Open a graph for reading: permission, version and snapshot."""

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.graphs.latest_version import get_latest_public_version
from backend.graphs.models import OPEN_BY_ADDRESS, Graph, Version
from backend.graphs.policies import check_study_graph, get_graph_or_raise
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.remote_store import download_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.studies.models import Study

logger = logging.getLogger(__name__)
SNAPSHOT_NAME = re.compile(r"[0-9A-Za-z-]{1,200}")


@dataclass(frozen=True)
class OpenGraph:
    """A graph that the user may see, one of its versions, and the open snapshot.

    `is_pinned`: the request names exactly this snapshot, so its response never changes. A request
    by content id alone is not pinned, because the documents may change. `until`: no view shows
    what was first seen after this PMID or year.
    """

    graph: Graph
    version: Version
    snapshot: Snapshot
    is_pinned: bool
    until: int | None = None

    @property
    def is_public(self) -> bool:
        return self.graph.visibility in OPEN_BY_ADDRESS

    def view_until(self, first_seen_until: int | None) -> Snapshot | DatedView:
        """The graph as it was known at a PMID or year. Raises NoDates if its edges have none."""
        bounds = [one for one in (self.until, first_seen_until) if one is not None]
        return DatedView(self.snapshot, min(bounds)) if bounds else self.snapshot

    @property
    def view(self) -> Snapshot | DatedView:
        return self.view_until(None)

    def entity_number_or_raise(self, identifier: str) -> int:
        """The number of the entity with this identifier. Raises NotFound."""
        number = self.snapshot.find_number(identifier)
        if number is None:
            shown = identifier if len(identifier) <= 100 else identifier[:99] + "…"
            raise NotFound(f"{self.graph.name} has no entity {shown}.", code="no_entity")
        return number


def open_graph(user: User | None, slug: str, snapshot: str = "") -> OpenGraph:
    """Open the latest version, or the one with this snapshot. Open snapshots are cached."""
    version = None if snapshot else get_latest_public_version(slug)
    if version is None:
        version = get_version_or_raise(get_graph_or_raise(user, slug), snapshot)
    return OpenGraph(
        version.graph,
        version,
        open_version_snapshot(version),
        is_pinned=snapshot == version.snapshot,
    )


def open_study_version(user: User, study: Study, version: Version) -> OpenGraph:
    """Open the version that a study of the user pins, to show it beside a question."""
    check_study_graph(user, version.graph, study)
    return OpenGraph(version.graph, version, open_version_snapshot(version), is_pinned=True)


def get_version_or_raise(graph: Graph, snapshot: str = "") -> Version:
    """The version with this snapshot or content id; the latest one if none is given."""
    ready = Version.objects.ready().filter(graph=graph).order_by("-number")
    if not snapshot:
        version = ready.first()
    elif not SNAPSHOT_NAME.fullmatch(snapshot):
        version = None
    else:
        content = Q(snapshot__startswith=f"{snapshot}-")
        version = ready.filter(snapshot=snapshot).first() or ready.filter(content).first()
    if version is None:
        raise NotFound(f"{graph.name} has no version with this snapshot.", code="no_snapshot")
    version.graph = graph
    return version


def open_version_snapshot(version: Version) -> Snapshot:
    """Open the snapshot of a version, fetching it from the remote store if it is not here.

    Raises SnapshotRefused if the files on the disk are damaged.
    """
    folder = version.folder
    if settings.SNAPSHOT_STORE and not folder.is_dir():
        download_snapshot(
            f"{settings.SNAPSHOT_STORE.rstrip('/')}/{version.snapshot}", folder.parent
        )
    try:
        return open_snapshot(folder)
    except InvalidSnapshot as error:
        logger.exception("Version %s cannot be read.", version.pk)
        raise _hide_server_path(error, folder) from error


def _hide_server_path(error: InvalidSnapshot, folder: Path) -> InvalidSnapshot:
    """The same error with the file's name only, not its path on the server."""
    inside = error.path.name if error.path.is_relative_to(folder.resolve()) else ""
    return InvalidSnapshot(f"{folder.name}/{inside}".rstrip("/"), error.reason)
