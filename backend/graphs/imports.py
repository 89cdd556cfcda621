"""Imports and their states: asked for, claimed by one worker, moved on, given back, ended."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.common.leases import LEASE, Overtaken, move, say
from backend.common.queue import enqueue, enqueue_on_commit
from backend.graphs.importers.catalogue import named_or_raise
from backend.graphs.importers.making import excerpt
from backend.graphs.live import tell_on_commit
from backend.graphs.models import Graph, GraphImport, State
from backend.graphs.models.imports import WORKING
from backend.graphs.policies import may_change_graph, require_importer, require_own_import
from backend.graphs.uploads import keep_uploads, remove_uploads, sweep_uploads
from backend.graphs.versions import discard_unfinished, sweep_files, sweep_versions

MOST_ATTEMPTS = 3
MOST_AT_ONCE = 3
LOCK = 7_361_002  # of PostgreSQL's advisory locks: imports are asked for one at a time
TASK = "graphs.run_import"


@dataclass(frozen=True)
class Wanted:
    """What a person says about an import. `about` goes to the graph: licence, visibility …"""

    name: str
    format: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False


def request_import(
    *, actor: User, wanted: Wanted, files: Sequence[UploadedFile[bytes]]
) -> GraphImport:
    """Keep what was sent and queue it; a worker does the rest."""
    require_importer(actor)
    import_id = uuid.uuid4()
    _check(actor, wanted)
    keep_uploads(import_id, files)
    try:
        with transaction.atomic():
            _check_turn(actor, wanted)
            names = [excerpt(file.name or "file") for file in files]
            made = _create(import_id, wanted, names, actor, GraphImport.Origin.UPLOAD)
            enqueue_on_commit(TASK, graph_import=str(made.pk))
    except Conflict:
        remove_uploads(import_id)
        raise
    return made


@transaction.atomic
def begin_import(*, actor: User | None, wanted: Wanted, files: Sequence[str]) -> GraphImport:
    """An import of files that the caller has and works off itself, as a command does."""
    _check(actor, wanted)
    _check_turn(actor, wanted)
    return _create(uuid.uuid4(), wanted, files, actor, GraphImport.Origin.COMMAND)


def _check(actor: User | None, wanted: Wanted) -> None:
    if wanted.format:
        named_or_raise(wanted.format)
    graph = Graph.objects.filter(name=wanted.name).first()
    check_graph_is_hers(actor, graph)


def check_graph_is_hers(actor: User | None, graph: Graph | None) -> None:
    if graph is not None and actor is not None and not may_change_graph(actor, graph):
        raise Conflict("There is a graph of this name already. Choose another name.")


def _check_turn(actor: User | None, wanted: Wanted) -> None:
    """One import into a graph at a time, and few for one person."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    unended = GraphImport.objects.unended()
    if not wanted.dry_run and unended.filter(name=wanted.name, dry_run=False).exists():
        raise Conflict(f"An import into '{wanted.name}' is under way. Wait until it has ended.")
    if actor is not None and unended.filter(actor=actor).count() >= MOST_AT_ONCE:
        raise Conflict(f"{MOST_AT_ONCE} imports of yours are under way. Wait until one has ended.")


def _create(
    import_id: uuid.UUID,
    wanted: Wanted,
    names: Sequence[str],
    actor: User | None,
    origin: GraphImport.Origin,
) -> GraphImport:
    return GraphImport.objects.create(
        id=import_id,
        name=wanted.name,
        format=wanted.format,
        columns=dict(wanted.columns),
        about=dict(wanted.about),
        dry_run=wanted.dry_run,
        files=list(names),
        actor=actor,
        origin=origin,
    )


def move_import(row: GraphImport, to: State, **fields: Any) -> None:
    """The only way from one state to another. Raises Overtaken."""
    move(row, to, **fields)
    tell_on_commit(row.pk, row.state, row.percent)


def say_of_import(row: GraphImport, **fields: Any) -> None:
    """How far it is; also a sign of life."""
    say(row, **fields)
    tell_on_commit(row.pk, row.state, row.percent)


def claim_import(import_id: uuid.UUID) -> GraphImport | None:
    """The import for this worker alone; None when it has ended or another works at it."""
    row = GraphImport.objects.filter(id=import_id).first()
    try:
        if row is not None and GraphImport.objects.abandoned().filter(id=import_id).exists():
            give_back(row)
        if row is None or row.state != State.QUEUED:
            return None
        move_import(
            row,
            State.READING,
            lease=uuid.uuid4(),
            attempts=row.attempts + 1,
            started_at=timezone.now(),
            doing="opening the files",
            percent=0,
            seconds_left=None,
        )
    except Overtaken:
        return None
    return row


def end_import(row: GraphImport, to: State, **fields: Any) -> None:
    """Done, refused, failed or cancelled: its files are not needed any more."""
    with transaction.atomic():
        ended: dict[str, Any] = {"doing": "", "seconds_left": None, "ended_at": timezone.now()}
        if to is State.DONE:
            ended["percent"] = 100
        move_import(row, to, **{**ended, "lease": None, **fields})
    if to not in (State.DONE, State.CANCELLED):  # what is cancelled, its worker may still write
        discard_unfinished(row)
    transaction.on_commit(lambda: remove_uploads(row.pk))


def error_of(error: DomainError) -> dict[str, Any]:
    faults = [
        {"place": it.place, "message": it.message, "code": it.code, "expected": it.expected}
        for it in error.faults
    ]
    return {"code": error.code, "detail": error.detail, "errors": faults}


def stop_import(row: GraphImport, to: State, error: DomainError) -> None:
    end_import(row, to, report={**row.report, "error": error_of(error)})


@transaction.atomic
def cancel_import(*, actor: User, graph_import: GraphImport) -> GraphImport:
    """Nothing of it will be seen. Whoever works at it is overtaken, and tidies up.

    Asked twice it is the same. Raises Conflict when it has ended otherwise.
    """
    require_own_import(actor, graph_import)
    row = GraphImport.objects.select_for_update().get(id=graph_import.pk)
    if row.state == State.CANCELLED:
        return row
    if row.has_ended:
        raise Conflict("This import had ended before it could be cancelled.", code="has_ended")
    said = f"Cancelled by {actor.name or actor.email}. Nothing was imported."
    stop_import(row, State.CANCELLED, DomainError(said, code="cancelled"))
    return row


def is_cancelled(row: GraphImport) -> bool:
    return GraphImport.objects.filter(id=row.pk, state=State.CANCELLED).exists()


def give_back(row: GraphImport) -> None:
    """To the queue, after its worker died; not for ever, and not where its files are elsewhere."""
    if row.origin == GraphImport.Origin.COMMAND:
        stopped = "The command that ran this import was stopped. Run it again."
        stop_import(row, State.FAILED, DomainError(stopped, code="stopped"))
    elif row.attempts >= MOST_ATTEMPTS:
        lost = f"The server was stopped {row.attempts} times during this import. Import it again."
        stop_import(row, State.FAILED, DomainError(lost, code="stopped"))
    else:
        move_import(row, State.QUEUED, lease=None, heartbeat=None, doing="", percent=0)
        discard_unfinished(row)


def sweep_imports() -> int:
    """What a dead worker had, and what the queue lost, is queued again; how many were found."""
    found = list(GraphImport.objects.abandoned())
    for row in found:
        try:
            give_back(row)
        except Overtaken:
            continue
    late = timezone.now() - LEASE
    waiting = GraphImport.objects.filter(state=State.QUEUED, created_at__lt=late)
    for import_id in waiting.values_list("id", flat=True):
        enqueue(TASK, graph_import=str(import_id))
    sweep_versions()
    sweep_files()
    sweep_uploads(set(GraphImport.objects.unended().values_list("id", flat=True)))
    return len(found)


def release_all() -> None:
    """Only where no worker runs: whatever one had may be claimed at once."""
    GraphImport.objects.filter(state__in=WORKING, origin=GraphImport.Origin.UPLOAD).update(
        heartbeat=None
    )
