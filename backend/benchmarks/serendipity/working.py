"""One computation from its claim to its end, whatever it is of.

Each kind writes what it has worked off, chunk by chunk, into a folder that outlives a killed
worker; each chunk and each result appears whole or not at all. So whoever goes on ends with the
same bytes.
"""

from __future__ import annotations

import errno
import logging
import shutil
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import DatabaseError, transaction

from backend.benchmarks.models import Computation, Progress, Work
from backend.benchmarks.serendipity.artefacts import (
    compute_marginal,
    compute_vectors,
    marginal_there,
    vectors_there,
)
from backend.benchmarks.serendipity.bodies import body_of_embedding
from backend.benchmarks.serendipity.computations import (
    claim_computation,
    end_computation,
    say_of_computation,
    work_folder,
)
from backend.benchmarks.serendipity.files import score_file
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.partitioning import partition_set
from backend.common.errors import DomainError
from backend.common.leases import Overtaken, Pace, beating
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.stopping import Stop, Stopped

logger = logging.getLogger(__name__)
Heard = Callable[[str, float], None]
Store = Callable[[], Mapping[str, Any]]  # writes rows, and gives what is told of the work
FURTHER = 1.0  # percent beyond where other workers died, from which on this is a first attempt
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass
class Held:
    """A computation that this process holds, and how far it is."""

    row: Computation
    heard: Heard | None = None
    stop: Stop = field(default_factory=Stop)
    pace: Pace = field(default_factory=Pace)
    reached: float = field(init=False)

    def __post_init__(self) -> None:
        self.reached = self.row.percent

    @property
    def snapshot(self) -> Snapshot:
        return snapshot_of(self.row.version)

    @property
    def options(self) -> Options:
        return Options.of(self.row.parameters)

    @property
    def folder(self) -> Path:
        """For what is worked off; it goes when the computation ends."""
        folder = work_folder(self.row)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def say(self, doing: str, share: float) -> None:
        """Written down now and then, and before results are kept. Raises Overtaken, so that
        cancelled work ends here."""
        if self.pace.is_due() or share >= 1:
            percent = max(100 * min(share, 1), self.row.percent)
            told: dict[str, Any] = {"doing": doing, "percent": percent}
            if percent >= self.reached + FURTHER:
                told["attempts"] = 1  # it is not what kills its workers
            say_of_computation(self.row, **told, seconds_left=self.pace.left(percent))
        if self.heard is not None:
            self.heard(doing, 100 * share)

    def part(self, first: float, last: float) -> Callable[[str, float], None]:
        """Says the share of one part of the work."""
        return lambda doing, share: self.say(doing, first + (last - first) * share)


def run_computation(computation_id: uuid.UUID, heard: Heard | None = None) -> Computation | None:
    """Work it off; None if it is not there to be worked off. Safe to run twice."""
    row = claim_computation(computation_id)
    if row is None:
        return None
    held = Held(row, heard)
    with beating(row, held.stop.pull):
        try:
            store = KINDS[Work(row.kind)](held)
            finish(held, store)
        except (Overtaken, Stopped):
            forget_unwanted(row)
            return None
        except DomainError as error:
            fail(row, error.detail)
        except (OSError, MemoryError, DatabaseError) as error:
            logger.exception("Computation %s failed.", row.pk)
            fail(row, fault_of(error))
        except Exception:  # ours: she is told so, and the log has the rest
            fail(row, "Something is wrong with this server. Nothing was computed.")
            raise
    return row


def fail(row: Computation, fault: str) -> None:
    try:
        end_computation(row, Progress.FAILED, fault=fault)
    except Overtaken:
        return


def finish(held: Held, store: Store) -> None:
    """Store rows and end, both or neither, and only who still holds it: a worker that slept while
    another did its work changes nothing when it wakes."""
    with transaction.atomic():
        held.say("keeping what was found", 1)
        end_computation(held.row, Progress.DONE, result=dict(store()))


def fault_of(error: Exception) -> str:
    """What the machine lacks. What was computed before is not touched by it."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return (
            "There is no room on the disk for this. What was computed before still serves. Make "
            "room and ask for it again."
        )
    if isinstance(error, MemoryError):
        return "There is not enough memory for this. Ask for it again when less is going on."
    return "The disk or the database failed during this. Ask for it again later."


def forget_unwanted(row: Computation) -> None:
    """Who ended it removed its folder, perhaps while this process still wrote there.

    Not if the same was asked for again: then the folder is that one's.
    """
    if not Computation.objects.unended().filter(digest=row.digest).exists():
        shutil.rmtree(work_folder(row), ignore_errors=True)


def transition(held: Held) -> Store:
    solve(held, held.say)
    found = marginal_there(held.snapshot, held.options)
    if found is None:
        raise Overtaken  # the version was removed meanwhile
    told = {"error": found.error, "method": found.method, "products": found.products}
    return lambda: told


def embedding(held: Held) -> Store:
    embed(held, held.say)
    found = vectors_there(held.snapshot, held.options.method)
    if found is None:
        raise Overtaken
    told = body_of_embedding(found)
    return lambda: told


def solve(held: Held, progress: Heard) -> None:
    checkpoint = held.folder / "marginal"
    compute_marginal(
        held.snapshot, held.options, checkpoint=checkpoint, progress=progress, stop=held.stop
    )


def embed(held: Held, progress: Heard) -> None:
    checkpoint, method = held.folder / "embedding", held.options.method
    compute_vectors(held.snapshot, method, checkpoint=checkpoint, progress=progress, stop=held.stop)


def needed(held: Held, last: float) -> None:
    """What every score needs and a large graph may still lack."""
    solve(held, held.part(0, last / 2))
    embed(held, held.part(last / 2, last))


def partition(held: Held) -> Store:
    needed(held, 0.2)
    return partition_set(held.row, held.folder, held.part(0.2, 1), held.stop)


def scoring(held: Held) -> Store:
    needed(held, 0.2)
    told = score_file(held.row, held.folder, held.part(0.2, 1), held.stop)
    return lambda: told


KINDS: Mapping[Work, Callable[[Held], Store]] = {
    Work.TRANSITION: transition,
    Work.EMBEDDING: embedding,
    Work.PARTITION: partition,
    Work.SCORING: scoring,
}
