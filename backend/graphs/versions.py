"""Versions of graphs: taken in unseen, published in one moment, removed when nothing cites them."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils import timezone
from django.utils.text import slugify

from backend.accounts.models import User
from backend.common.errors import Conflict, Missing
from backend.common.queue import enqueue_on_commit
from backend.graphs.citations import citations_of
from backend.graphs.cypher.building import forget_database
from backend.graphs.models import Document, Entity, Graph, GraphImport, Meaning, State, Version
from backend.graphs.policies import NOTHING_HERE, may_change_graph, require_owner
from backend.graphs.snapshots.reports import Built
from backend.science.folders import locked

ABOUT = ("description", "licence", "citation", "source_url", "visibility", "is_demo")
LONGEST_SLUG = 80
SLUGS_TRIED = 5  # graphs whose names look alike, made at the same moment
FOLDER = re.compile(r"[0-9a-f]+(-[0-9a-f]+)?")
FORGOTTEN_S = 24 * 3600
AT_ONCE = 100_000  # entities whose rows are deleted while somebody waits
SEARCHED: tuple[type[Entity] | type[Meaning] | type[Document], ...] = (Meaning, Document, Entity)


class StillCited(Conflict):
    code = "still_cited"


@transaction.atomic
def adopt_version(row: GraphImport, built: Built) -> Version:
    """A version for what was built: there already with the same content, or new and unseen."""
    graph = _graph_of(row)
    there = Version.objects.select_for_update().filter(graph=graph, snapshot=built.path.name)
    found = there.first()
    if found is None:
        last = Version.objects.filter(graph=graph).aggregate(last=Max("number"))["last"] or 0
        found = Version.objects.create(
            graph=graph,
            snapshot=built.path.name,
            number=last + 1,
            entities=built.entities,
            edges=built.edges,
            types=built.types,
            relations=built.relations,
            created_by=row.actor,
        )
    GraphImport.objects.filter(id=row.pk, lease=row.lease).update(graph=graph, version=found)
    row.graph, row.version = graph, found
    if found.ready_at is None:
        _empty(found)
    return found


def _graph_of(row: GraphImport) -> Graph:
    """Asked again who may: the name may have been taken while the files were read."""
    graph = _named(row.name) or _made(row) or _named(row.name)
    if graph is None:
        raise Conflict("Another graph was made at the same moment. Import it again.")
    if row.actor is not None and not may_change_graph(row.actor, graph):
        raise Conflict("There is a graph of this name already. Choose another name.")
    return graph


def _named(name: str) -> Graph | None:
    return Graph.objects.select_for_update().filter(name=name).first()


def _made(row: GraphImport) -> Graph | None:
    """None when another import takes the name meanwhile; of its slug alone, the next is tried."""
    for _ in range(SLUGS_TRIED):
        try:
            with transaction.atomic():
                slug = _free_slug(row.name)
                return Graph.objects.create(name=row.name, slug=slug, owner=row.actor)
        except IntegrityError:
            if Graph.objects.filter(name=row.name).exists():
                return None
    return None


def _free_slug(name: str) -> str:
    wanted = slugify(name)[:LONGEST_SLUG].strip("-_") or "graph"
    taken = set(Graph.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    number, slug = 2, wanted
    while slug in taken:
        number, slug = number + 1, f"{wanted}-{number}"
    return slug


def publish_version(version: Version, *, about: dict[str, Any], report: dict[str, Any]) -> None:
    """From this moment it is what readers of the graph get. Inside its import's transaction."""
    version.report, version.ready_at = report, timezone.now()
    version.save(update_fields=["report", "ready_at"])
    describe_graph(version.graph, about)


def describe_graph(graph: Graph, about: dict[str, Any]) -> None:
    known = [name for name in ABOUT if name in about]
    for name in known:
        setattr(graph, name, about[name])
    graph.save(update_fields=known)


def discard_unfinished(row: GraphImport) -> None:
    """Forget what an import left unseen; the versions before it go on serving."""
    if row.version_id is not None:
        _forget(row.version_id, besides=row)


def sweep_versions() -> None:
    """Forget what nobody sees and no import works at: a removal that was cut off."""
    for version_id in Version.objects.filter(ready_at=None).values_list("id", flat=True):
        _forget(version_id)


@transaction.atomic
def _forget(version_id: int, besides: GraphImport | None = None) -> None:
    """A worker that still writes rows of it is held up by the lock, then finds it gone."""
    version = Version.objects.select_for_update().filter(id=version_id).first()
    wanted = GraphImport.objects.unended().filter(version=version_id)
    if besides is not None:
        wanted = wanted.exclude(id=besides.pk)
    if version is not None and version.ready_at is None and not wanted.exists():
        _delete(version)


def sweep_files() -> None:
    """Forget the files of removed versions, which an import that was under way then had kept."""
    folder = Path(settings.SNAPSHOTS)
    late = time.time() - FORGOTTEN_S
    known = set(Version.objects.values_list("snapshot", flat=True))
    for left in folder.iterdir() if folder.is_dir() else ():
        if FOLDER.fullmatch(left.name) and left.name not in known and left.stat().st_mtime < late:
            _remove_files(left.name)


def remove_version(*, actor: User, version: Version) -> None:
    """Raises StillCited when somebody relies on it."""
    require_owner(actor, version.graph)
    with transaction.atomic():
        _hide(version)
    _delete_soon([version])


def remove_graph(*, actor: User, graph: Graph) -> None:
    """All of its versions or, when one of them is cited, none."""
    require_owner(actor, graph)
    with transaction.atomic():
        versions = list(graph.versions.all())
        for version in versions:
            _hide(version)
    _delete_soon(versions)


def _delete_soon(versions: list[Version]) -> None:
    """Nobody sees them any more; what takes long is left to the sweeper."""
    for version in versions:
        if version.entities <= AT_ONCE:
            _delete(version)
    if any(version.entities > AT_ONCE for version in versions):
        enqueue_on_commit("graphs.sweep_imports")


def _hide(version: Version) -> None:
    if not Version.objects.select_for_update().filter(id=version.pk).exists():
        raise Missing(NOTHING_HERE)
    if cited := citations_of(version):
        raise StillCited(
            f"Version {version.number} is kept: {', '.join(cited)} would lead nowhere without it.",
            data={"cited_by": cited},
        )
    if GraphImport.objects.unended().filter(version=version).exists():
        raise Conflict(f"Version {version.number} is being imported. Wait until that has ended.")
    version.ready_at = None
    version.save(update_fields=["ready_at"])


def _empty(version: Version) -> None:
    """In one statement a table: Django would read the rows first."""
    for model in SEARCHED:
        rows = model._default_manager.filter(version=version)
        rows._raw_delete(rows.db)


def _delete(version: Version) -> None:
    """Rows, then the graph if that was all of it, then the files."""
    _empty(version)
    try:
        version.delete()
    except ProtectedError as error:
        raise StillCited("Somebody saved a view of this version, so it is kept.") from error
    Graph.objects.filter(id=version.graph_id, versions=None).delete()
    transaction.on_commit(lambda: _remove_files(version.snapshot))


def _remove_files(snapshot: str) -> None:
    """Unless another graph has the same content, or an import may just have found it there."""
    folder = settings.SNAPSHOTS
    if not FOLDER.fullmatch(snapshot) or not folder.is_dir():
        return
    with locked(folder / ".lock"):
        building = GraphImport.objects.filter(state__in=(State.READING, State.BUILDING))
        if Version.objects.filter(snapshot=snapshot).exists() or building.exists():
            return
        (folder / f".{snapshot}.checked").unlink(missing_ok=True)
        for made in (folder / snapshot, *folder.glob(f"{snapshot}.*")):
            shutil.rmtree(made, ignore_errors=True)
        forget_database(snapshot, settings.CYPHER)
