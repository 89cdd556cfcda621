"""Writes to versions of graphs: create, publish, delete. A referenced version is not deleted."""

import re
import shutil
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError, Q
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, NotFound
from backend.common.slugs import unused_slug
from backend.graphs.cypher.database_builder import delete_databases
from backend.graphs.models import (
    DocumentEmbedder,
    DocumentVector,
    Graph,
    Version,
)
from backend.graphs.policies import NOT_FOUND_MESSAGE, may_change_graph, require_graph_owner
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.version_references import references_to
from backend.jobs.context import JobContext
from backend.jobs.models import Job, JobQuerySet, JobState
from backend.jobs.registry import load_kinds
from backend.runtime.atomic_dirs import file_lock

METADATA_FIELDS = ("description", "licence", "citation", "source_url", "visibility", "is_demo")
MAX_SLUG_ATTEMPTS = 5  # two graphs with similar names may be created at the same moment
SNAPSHOT_FOLDER_NAME = re.compile(r"[0-9a-f]+(-[0-9a-f]+)?")
STALE_FOLDER_AGE_S = 24 * 3600
GRAPH_IMPORT = "graph-import"
VERSION_SUBJECT_PREFIX = "graph-version:"
INDEXED_MODELS: tuple[type[DocumentEmbedder] | type[DocumentVector], ...] = (
    DocumentEmbedder,
    DocumentVector,
)


class VersionReferenced(Conflict):
    code = "still_cited"


def import_jobs() -> JobQuerySet:
    jobs: JobQuerySet = Job.objects.filter(kind=GRAPH_IMPORT)
    return jobs


def version_subject(version_id: int) -> str:
    """How jobs name a version of a graph among their subjects."""
    return f"{VERSION_SUBJECT_PREFIX}{version_id}"


def version_ids_of(job: Job) -> list[int]:
    prefix = VERSION_SUBJECT_PREFIX
    return [int(one.removeprefix(prefix)) for one in job.subjects if one.startswith(prefix)]


@transaction.atomic
def get_or_create_version(context: JobContext, built: BuildResult) -> Version:
    """The version with this content, or a new one that is not published yet."""
    job = context.job
    graph = _graph_for_import(job.parameters["name"], job.owner)
    same_content = Version.objects.select_for_update().filter(graph=graph, snapshot=built.path.name)
    version = same_content.first()
    if version is None:
        last = Version.objects.filter(graph=graph).aggregate(last=Max("number"))["last"] or 0
        version = Version.objects.create(
            graph=graph,
            snapshot=built.path.name,
            number=last + 1,
            entities=built.entities,
            edges=built.edges,
            types=built.types,
            relations=built.relations,
            created_by=job.owner,
        )
    context.set_subjects([version_subject(version.pk)])
    if version.ready_at is None:
        _delete_index_rows(version)
    return version


def _graph_for_import(name: str, owner: User | None) -> Graph:
    """Check permission again: another graph may have taken the name while files were read."""
    graph = _lock_graph_by_name(name) or _create_graph(name, owner) or _lock_graph_by_name(name)
    if graph is None:
        raise Conflict("Another graph was created at the same moment. Import the files again.")
    if owner is not None and not may_change_graph(owner, graph):
        raise Conflict("A graph with this name already exists. Choose another name.")
    return graph


def _lock_graph_by_name(name: str) -> Graph | None:
    return Graph.objects.select_for_update().filter(name=name).first()


def _create_graph(name: str, owner: User | None) -> Graph | None:
    """Create the graph; None if its name was taken meanwhile. A taken slug is tried again."""
    for _ in range(MAX_SLUG_ATTEMPTS):
        try:
            with transaction.atomic():
                slug = unused_slug(Graph.objects.all(), name, "graph")
                return Graph.objects.create(name=name, slug=slug, owner=owner)
        except IntegrityError:
            if Graph.objects.filter(name=name).exists():
                return None
    return None


def publish_version(version: Version, *, metadata: dict[str, Any], report: dict[str, Any]) -> None:
    """Make the version visible. Call it inside the transaction that finishes the import."""
    version.report, version.ready_at = report, timezone.now()
    version.save(update_fields=["report", "ready_at"])
    update_graph_metadata(version.graph, metadata)


def update_graph_metadata(graph: Graph, metadata: dict[str, Any]) -> None:
    known = [name for name in METADATA_FIELDS if name in metadata]
    for name in known:
        setattr(graph, name, metadata[name])
    graph.save(update_fields=known)


def discard_unfinished_version(job: Job) -> None:
    """Delete the unpublished version of an import; earlier versions are not affected."""
    for version_id in version_ids_of(job):
        _delete_if_unpublished(version_id, besides=job)


def delete_abandoned_versions() -> None:
    """Delete unpublished versions without a running import, left by an interrupted deletion."""
    for version_id in Version.objects.filter(ready_at=None).values_list("id", flat=True):
        _delete_if_unpublished(version_id)


@transaction.atomic
def _delete_if_unpublished(version_id: int, besides: Job | None = None) -> None:
    """Delete under a row lock, so that a worker that still writes waits and then finds it gone."""
    version = Version.objects.select_for_update().filter(id=version_id).first()
    jobs = import_jobs().active().about(version_subject(version_id))
    if besides is not None:
        jobs = jobs.exclude(id=besides.pk)
    if version is not None and version.ready_at is None and not jobs.exists():
        _delete_with_files(version)


def delete_orphan_snapshots() -> None:
    """Delete old snapshot files without a version, kept because a job was building some then."""
    folder = Path(settings.SNAPSHOTS)
    late = time.time() - STALE_FOLDER_AGE_S
    known = set(Version.objects.values_list("snapshot", flat=True))
    for left in folder.iterdir() if folder.is_dir() else ():
        if (
            SNAPSHOT_FOLDER_NAME.fullmatch(left.name)
            and left.name not in known
            and left.stat().st_mtime < late
        ):
            _delete_snapshot_files(left.name)


def delete_version(*, actor: User, version: Version) -> None:
    """Raises VersionReferenced if a view, study or partition refers to it."""
    require_graph_owner(actor, version.graph)
    with transaction.atomic():
        _unpublish_or_raise(version)
    _delete_with_files(version)


def delete_graph(*, actor: User, graph: Graph) -> None:
    """Delete all versions of a graph or, if one is referenced, none."""
    require_graph_owner(actor, graph)
    with transaction.atomic():
        versions = list(graph.versions.all())
        for version in versions:
            _unpublish_or_raise(version)
    for version in versions:
        _delete_with_files(version)


def delete_masked_version(version: Version) -> None:
    """Delete the graph that a release had for itself, in the transaction that deletes the release.

    Raises VersionReferenced.
    """
    _unpublish_or_raise(version)
    _delete_with_files(version)


def _unpublish_or_raise(version: Version) -> None:
    if not Version.objects.select_for_update().filter(id=version.pk).exists():
        raise NotFound(NOT_FOUND_MESSAGE)
    if cited := references_to(version):
        raise VersionReferenced(
            f"Version {version.number} cannot be deleted: it is used by {', '.join(cited)}.",
            data={"cited_by": cited},
        )
    if import_jobs().active().about(version_subject(version.pk)).exists():
        raise Conflict(f"Version {version.number} is being imported. Wait until it has finished.")
    version.ready_at = None
    version.save(update_fields=["ready_at"])


def _delete_index_rows(version: Version) -> None:
    """Delete with one statement for each table; Django would fetch the rows first."""
    for model in INDEXED_MODELS:
        rows = model._default_manager.filter(version=version)
        rows._raw_delete(rows.db)


def _delete_with_files(version: Version) -> None:
    """Delete the index rows, the version, a graph without versions left, then the files."""
    _delete_index_rows(version)
    try:
        version.delete()
    except ProtectedError as error:
        raise VersionReferenced("This version cannot be deleted: a saved view uses it.") from error
    Graph.objects.filter(id=version.graph_id, versions=None).delete()
    transaction.on_commit(lambda: _delete_snapshot_files(version.snapshot))


def _delete_snapshot_files(snapshot: str) -> None:
    """Delete snapshot files, unless another version or a job that builds some may use them."""
    folder = settings.SNAPSHOTS
    if not SNAPSHOT_FOLDER_NAME.fullmatch(snapshot) or not folder.is_dir():
        return
    with file_lock(folder / ".lock"):
        # Jobs first: one that ends between the two reads has stored its version by then.
        if _are_snapshots_built() or Version.objects.filter(snapshot=snapshot).exists():
            return
        (folder / f".{snapshot}.checked").unlink(missing_ok=True)
        for path in (folder / snapshot, *folder.glob(f"{snapshot}.*")):
            shutil.rmtree(path, ignore_errors=True)
        delete_databases(snapshot, settings.CYPHER)


def _are_snapshots_built() -> bool:
    """Whether a job runs that may have files without a version. An import with one names it."""
    kinds = [kind.name for kind in load_kinds().values() if kind.makes_snapshots]
    building = Q(kind__in=kinds) | Q(kind=GRAPH_IMPORT, subjects=[])
    running: bool = Job.objects.filter(building, state=JobState.RUNNING).exists()
    return running
