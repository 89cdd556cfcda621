"""One import from its files to a version that people see, or to the reason why there is none.

Until the last step nothing of it is visible: the snapshot has no version, then its version is not
ready. Whoever is killed on the way leaves what the next attempt clears away.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction

from backend.common.errors import DomainError
from backend.graphs.beating import beating
from backend.graphs.copying import copy_rows
from backend.graphs.importers.catalogue import open_source
from backend.graphs.importers.files import Limits
from backend.graphs.importers.report import Threshold
from backend.graphs.importers.sources import Options
from backend.graphs.imports import (
    Overtaken,
    claim_import,
    end_import,
    error_of,
    is_cancelled,
    move_import,
    say_of_import,
)
from backend.graphs.models import Entity, GraphImport, State, Version
from backend.graphs.reading import snapshot_of
from backend.graphs.search.indexing import index_version
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.errors import NoSpace, SnapshotRefused
from backend.graphs.snapshots.opening import Snapshot
from backend.graphs.snapshots.reports import Report
from backend.graphs.snapshots.storage import store
from backend.graphs.understanding import Understanding
from backend.graphs.uploads import path_of
from backend.graphs.versions import (
    adopt_version,
    describe_graph,
    discard_unfinished,
    publish_version,
)

logger = logging.getLogger(__name__)

THRESHOLD = Threshold(share=0.05)
SAY_EVERY_S = 0.5
# Where each step begins, in percent. Measured on graphs of 0.1 to 10 million edges.
READING, BUILDING, INDEXING = 0.0, 55.0, 75.0
STEPS = {
    "folding edges": 55.0,
    "numbering entities": 60.0,
    "writing edges": 62.0,
    "writing the way back": 68.0,
    "writing entities": 72.0,
}
ENTITY_COLUMNS = ("version_id", "number", "identifier", "name", "type", "degree")
EVERY = 5_000
ENOUGH_S, ENOUGH_PERCENT = 3.0, 5.0
Heard = Callable[[str, float], None]


OURS = DomainError(
    "Something is wrong with this server, not with the files. Nothing was imported.", code="failed"
)


class OnlyTried(Exception):
    """A dry run has come as far as it goes."""


def run_import(
    import_id: uuid.UUID, paths: Sequence[Path] = (), heard: Heard | None = None
) -> GraphImport | None:
    """Work an import off; None if it is not there to be worked off. Safe to run twice."""
    row = claim_import(import_id)
    if row is None:
        return None
    work = Work(row, paths, heard)
    with beating(row):
        try:
            work.run()
        except Overtaken:
            work.let_go()
            return None
        except (NoSpace, SnapshotRefused) as error:
            work.stop(State.FAILED, error)
        except DomainError as error:
            work.stop(State.REFUSED, error)
        except (OSError, MemoryError, DatabaseError) as error:
            if work.stop(State.FAILED, unfinished(error)):
                logger.exception("Import %s failed.", import_id)
        except KeyboardInterrupt:
            work.stop(State.FAILED, DomainError("The import was stopped.", code="stopped"))
            raise
        except Exception:  # ours: she is told so, and the log has the rest
            work.stop(State.FAILED, OURS)
            raise
    return row


def unfinished(error: BaseException) -> DomainError:
    said = "There is no room left for this graph." if _is_full(error) else "Something failed here."
    return DomainError(f"{said} Nothing was imported; try again later.", code="failed")


def _is_full(error: BaseException) -> bool:
    cause = getattr(error, "__cause__", None)
    return isinstance(error, MemoryError) or getattr(cause, "sqlstate", "") == "53100"


class Work:
    """An import that this process holds, and how far it is."""

    def __init__(self, row: GraphImport, paths: Sequence[Path], heard: Heard | None) -> None:
        self.row, self.heard = row, heard
        self.paths = paths or [path_of(row.pk, place) for place in range(len(row.files))]
        self.named = {} if paths else dict(zip(self.paths, row.files, strict=True))
        self.understanding: Understanding | None = None
        self.report: Report | None = None
        self.bytes = 0
        self.began = self.said = time.monotonic()

    def run(self) -> None:
        understanding = self.understand()
        try:
            built = build_snapshot(
                understanding.source,
                Path(settings.SNAPSHOTS),
                progress=self.hear_building,
                accept=partial(self.accept, understanding),
            )
        except OnlyTried:
            end_import(self.row, State.DONE, report=self.told())
            return
        report = understanding.as_json(built=built)
        version = adopt_version(self.row, built)
        if version.ready_at is not None:
            with transaction.atomic():
                describe_graph(version.graph, self.row.about)
                end_import(self.row, State.DONE, report={**report, "unchanged": True})
        else:
            self.index(version, report)

    def understand(self) -> Understanding:
        found = open_source(
            self.paths,
            self.row.format,
            options=Options(columns=self.row.columns),
            limits=Limits(heard=self.hear_bytes),
            names=self.named,
        )
        self.bytes = 0
        self.understanding = Understanding(found, THRESHOLD)
        return self.understanding

    def accept(self, understanding: Understanding, report: Report) -> None:
        self.report = report
        understanding.judge(report)
        if self.row.dry_run:
            raise OnlyTried

    def index(self, version: Version, report: dict[str, Any]) -> None:
        if self.row.state == State.READING:  # as small a graph as to be built between two words
            move_import(self.row, State.BUILDING)
        move_import(self.row, State.INDEXING, doing="indexing entities", percent=INDEXING)
        snapshot = snapshot_of(version)
        copy_rows(Entity, ENTITY_COLUMNS, self.entities(version, snapshot))
        index_version(version, snapshot, progress=self.hear_indexing)
        if settings.SNAPSHOT_STORE:
            store(snapshot, settings.SNAPSHOT_STORE)
        with transaction.atomic():
            publish_version(version, about=self.row.about, report=report)
            end_import(self.row, State.DONE, report=report)

    def entities(self, version: Version, snapshot: Snapshot) -> Iterator[tuple[object, ...]]:
        for it in snapshot.entities():
            if it.number % EVERY == 0:
                self.say("indexing entities", INDEXING + 5 * it.number / snapshot.entity_count)
            yield version.pk, it.number, it.id, it.name, it.type, snapshot.degree(it.number)

    def stop(self, to: State, error: DomainError) -> bool:
        """Whether that was its end: a cancelled one may stumble over what is gone already."""
        try:
            end_import(self.row, to, report={**self.told(), "error": error_of(error)})
        except Overtaken:
            self.let_go()
            return False
        return True

    def let_go(self) -> None:
        """Another worker goes on with what it finds; of a cancelled import nothing stays."""
        if is_cancelled(self.row):
            discard_unfinished(self.row)

    def told(self) -> dict[str, Any]:
        return self.understanding.as_json(self.report) if self.understanding else {}

    def hear_bytes(self, count: int) -> None:
        self.bytes += count

    def hear_building(self, doing: str, rows: int) -> None:
        """Most of the time goes into reading, and there the bytes are known beforehand."""
        size = self.understanding.opened.size if self.understanding else 0
        if doing.startswith("reading"):
            self.say(f"{doing}: {rows:,} rows", BUILDING * min(self.bytes / max(size, 1), 1))
            return
        percent = STEPS.get(doing, self.row.percent)
        if self.row.state == State.READING:
            move_import(self.row, State.BUILDING, doing=doing, percent=percent)
        self.say(doing, percent)

    def hear_indexing(self, doing: str, done: int, all_of_it: int) -> None:
        first = INDEXING + 5
        self.say(doing, first + (100 - first) * min(done / max(all_of_it, 1), 1))

    def say(self, doing: str, percent: float) -> None:
        """Now and then; it is written down, so that whoever asks later hears the same."""
        now = time.monotonic()
        if now - self.said < SAY_EVERY_S:
            return
        self.said = now
        percent = max(percent, self.row.percent)
        say_of_import(
            self.row, doing=doing, percent=percent, seconds_left=left(now - self.began, percent)
        )
        if self.heard is not None:
            self.heard(doing, percent)


def left(seconds: float, percent: float) -> float | None:
    """Time left, once enough has passed to tell."""
    if seconds < ENOUGH_S or percent < ENOUGH_PERCENT:
        return None
    return seconds * (100 - percent) / percent
