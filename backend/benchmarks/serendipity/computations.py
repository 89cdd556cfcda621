"""Computations and their states: asked for, claimed by one worker, given back, ended."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Computation, Progress, QuestionSet, Work
from backend.benchmarks.policies import may_cancel
from backend.benchmarks.serendipity.live import tell_on_commit
from backend.benchmarks.serendipity.results import is_whole
from backend.common.errors import Conflict, NotAllowed
from backend.common.leases import LEASE, Overtaken, move, say
from backend.common.queue import enqueue, enqueue_on_commit
from backend.common.words import counted
from backend.graphs.models import Version

MOST_ATTEMPTS = 3
ASKED_AGAIN = 3
TASK = "benchmarks.run_computation"
WORK = ".rns-work-"


@dataclass(frozen=True)
class Wanted:
    """What is to be computed. `parameters` are all that decides the files that come of it;
    `learnt_from` is what else is told of the work depends on, the experts' partitions."""

    kind: Work
    version: Version
    parameters: Mapping[str, Any]
    question_set: QuestionSet | None = None
    learnt_from: str = ""

    @property
    def digest(self) -> str:
        """Of content: the same snapshot in another graph is the same work."""
        told = {
            "kind": self.kind.value,
            "version": self.version.pk,
            "question_set": str(self.question_set.pk) if self.question_set else None,
            "parameters": dict(self.parameters),
        }
        if self.learnt_from:
            told["learnt_from"] = self.learnt_from
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Asked:
    """A computation; `is_new` unless the same was asked for before."""

    computation: Computation
    is_new: bool


def request_computation(*, actor: User | None, wanted: Wanted, queue: bool = True) -> Asked:
    """Queue it, unless the same is queued, under way or done and what came of it still there. A
    command works it off itself."""
    forget_lost(wanted.digest)
    for _ in range(ASKED_AGAIN):
        if found := _made_or_there(actor, wanted, queue):
            return found
    raise Conflict("This began and ended several times at once. Ask for it again.")


def _made_or_there(actor: User | None, wanted: Wanted, queue: bool) -> Asked | None:
    """None when the one that was there failed or was cancelled just now."""
    try:
        with transaction.atomic():
            made = Computation.objects.create(
                kind=wanted.kind,
                version=wanted.version,
                question_set=wanted.question_set,
                parameters=dict(wanted.parameters),
                digest=wanted.digest,
                actor=actor,
            )
            if queue:
                enqueue_on_commit(TASK, computation=str(made.pk))
        return Asked(made, is_new=True)
    except IntegrityError:
        same = Computation.objects.filter(digest=wanted.digest)
        there = same.exclude(state__in=(Progress.FAILED, Progress.CANCELLED)).first()
        return Asked(there, is_new=False) if there else None


def forget_lost(digest: str) -> None:
    """One that is done, but whose files were removed or altered since, makes room for another."""
    found = Computation.objects.filter(digest=digest, state=Progress.DONE)
    row = found.select_related("version", "question_set").first()
    if row is None or is_whole(row):
        return
    lost = "What was computed was removed from the disk or altered there. Ask for it again."
    with suppress(Overtaken):
        move_computation(row, Progress.FAILED, fault=lost)


def move_computation(row: Computation, to: Progress, **fields: Any) -> None:
    """The only way from one state to another. Raises Overtaken."""
    move(row, to, **fields)
    tell_on_commit(row.pk, row.state, row.percent)


def say_of_computation(row: Computation, **fields: Any) -> None:
    """How far it is; also a sign of life."""
    say(row, **fields)
    tell_on_commit(row.pk, row.state, row.percent)


def claim_computation(computation_id: uuid.UUID) -> Computation | None:
    """It for this worker alone; None when it has ended or another works at it."""
    found = Computation.objects.select_related("version__graph", "question_set", "actor")
    row = found.filter(id=computation_id).first()
    try:
        if row is not None and Computation.objects.abandoned().filter(id=row.pk).exists():
            give_back(row)
        if row is None or row.state != Progress.QUEUED:
            return None
        move_computation(
            row,
            Progress.RUNNING,
            lease=uuid.uuid4(),
            attempts=row.attempts + 1,
            started_at=timezone.now(),
            seconds_left=None,
        )
    except Overtaken:
        return None
    return row


def end_computation(row: Computation, to: Progress, **fields: Any) -> None:
    """Nothing of the work is needed any more; what came of it lies elsewhere."""
    ended: dict[str, Any] = {"doing": "", "seconds_left": None, "ended_at": timezone.now()}
    if to is Progress.DONE:
        ended["percent"] = 100
    move_computation(row, to, **{**ended, "lease": None, **fields})
    transaction.on_commit(lambda: shutil.rmtree(work_folder(row), ignore_errors=True))


def work_folder(row: Computation) -> Path:
    """Beside the snapshot, so that it goes with it."""
    return row.version.folder.with_name(f"{row.version.snapshot}{WORK}{row.digest[:16]}")


@transaction.atomic
def cancel_computation(*, actor: User, computation: Computation) -> Computation:
    """Its worker is overtaken and stops. Asked twice it is the same.

    Raises Conflict when it has ended otherwise.
    """
    if not may_cancel(actor, computation):
        raise NotAllowed("Only who asked for it and administrators may cancel this.")
    row = Computation.objects.select_for_update(of=("self",)).select_related("version")
    found = row.get(id=computation.pk)
    if found.state == Progress.CANCELLED:
        return found
    if found.has_ended:
        raise Conflict("This had ended before it could be cancelled.", code="has_ended")
    end_computation(found, Progress.CANCELLED)
    return found


def give_back(row: Computation) -> None:
    """To the queue, after its worker died; not for ever, where none gets further than the one
    before. What was worked off is kept."""
    if row.attempts >= MOST_ATTEMPTS:
        lost = f"The server stopped {row.attempts} times at this same point. Ask for it again."
        end_computation(row, Progress.FAILED, fault=lost)
    else:
        move_computation(row, Progress.QUEUED, lease=None, heartbeat=None, doing="")


def sweep_computations() -> int:
    """What a dead worker had, and what the queue lost, is queued again; how many were found."""
    found = list(Computation.objects.abandoned().select_related("version"))
    for row in found:
        try:
            give_back(row)
        except Overtaken:
            continue
    late = timezone.now() - LEASE
    waiting = Computation.objects.filter(state=Progress.QUEUED, created_at__lt=late)
    for computation_id in waiting.values_list("id", flat=True):
        enqueue(TASK, computation=str(computation_id))
    sweep_work()
    return len(found)


def sweep_work() -> None:
    """Remove folders of work that has ended, which a worker killed as it tidied up has left.

    Not young ones: a file of sets lies there before its computation is seen.
    """
    left = [one for one in Path(settings.SNAPSHOTS).glob(f"*{WORK}*") if _is_old(one)]
    if left:
        wanted = Computation.objects.unended().values_list("digest", flat=True)
        known = {digest[:16] for digest in wanted}
        for folder in left:
            if folder.name.rpartition(WORK)[2] not in known:
                shutil.rmtree(folder, ignore_errors=True)


def _is_old(folder: Path) -> bool:
    try:
        return folder.stat().st_mtime < time.time() - LEASE.total_seconds()
    except FileNotFoundError:
        return False


def release_all() -> None:
    """Only where no worker runs: whatever one had may be claimed at once."""
    Computation.objects.filter(state=Progress.RUNNING).update(heartbeat=None)


def computations_citing(version: Version) -> list[str]:
    """A version is kept while something is computed of it."""
    count = version.computations.exclude(state__in=Computation.ENDED).count()
    return [counted(count, "computation that is under way", "computations that are under way")] * (
        count > 0
    )
