"""A file of many sets, one JSON object a line, scored line by line.

    {"id": "mine-1", "existing": ["DRUGBANK:DB00945"], "serendipity": ["DRUGBANK:DB01050"]}

A line that cannot be scored is answered with what is wrong with it; the others are scored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Computation, Work
from backend.benchmarks.models import Progress as Computed
from backend.benchmarks.policies import require_scoring
from backend.benchmarks.serendipity.artefacts import (
    Progress,
    digest_of,
    opened_artefact,
)
from backend.benchmarks.serendipity.basis import Basis, basis_of
from backend.benchmarks.serendipity.bodies import body_of_score, body_of_weights
from backend.benchmarks.serendipity.computations import (
    Asked,
    Wanted,
    request_computation,
    work_folder,
)
from backend.benchmarks.serendipity.measuring import score_sets, sets_in
from backend.benchmarks.serendipity.options import Options, weights_of
from backend.benchmarks.serendipity.results import SCORES, result_folder
from backend.common.errors import DomainError, Fault
from backend.graphs.models import Version
from backend.graphs.reading import snapshot_of
from backend.science.artefact import Artefact, write_artefact
from backend.science.rns.measures import Weights
from backend.science.stopping import Stop

INPUT = "input"
LARGEST_FILE = 10_000_000
QUOTA = 20_000  # sets of one person in a day
AT_ONCE = 1
LINES = 100  # of a chunk, at most
ENTRIES = 10**9  # of the graph that a chunk's whole rows read, about: some seconds of work
SHOWN = 50  # lines that could not be scored, told beside the file
LOCK = 7_361_005  # of PostgreSQL's advisory locks: files are taken in one at a time
A_DAY = timedelta(days=1)


class OverQuota(DomainError):
    code = "quota"
    status = HTTPStatus.TOO_MANY_REQUESTS


def request_scoring(
    *, actor: User, version: Version, options: Options, weights: Weights, content: bytes
) -> Asked:
    """Keep the file and queue it. Raises OverQuota."""
    require_scoring(actor)
    sets = _count(content)
    parameters = {
        **options.as_json(),
        "weights": body_of_weights(weights),
        "file": hashlib.sha256(content).hexdigest(),
        "actor": str(actor.pk),
        "sets": sets,
    }
    with transaction.atomic():
        _check_quota(actor, sets)
        asked = request_computation(actor=actor, wanted=Wanted(Work.SCORING, version, parameters))
        if asked.is_new:
            _keep(asked.computation, content)
    return asked


def _count(content: bytes) -> int:
    if len(content) > LARGEST_FILE:
        raise DomainError(f"The file is larger than {LARGEST_FILE:,} bytes.", code="too_large")
    sets = sum(bool(line.strip()) for line in content.splitlines())
    if not sets:
        raise DomainError("The file has no sets.", code="empty")
    return sets


def _check_quota(actor: User, sets: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    hers = Computation.objects.filter(actor=actor, kind=Work.SCORING)
    if hers.unended().count() >= AT_ONCE:
        raise OverQuota("Another file of yours is being scored. Wait until that has ended.")
    # What failed was no fault of hers: her own lines are answered with what is wrong with them.
    today = hers.filter(created_at__gt=timezone.now() - A_DAY).exclude(state=Computed.FAILED)
    used = sum(one.parameters.get("sets", 0) for one in today)
    if used + sets > QUOTA:
        raise OverQuota(
            f"{QUOTA:,} sets are scored for one person in a day; {used:,} of yours were, and "
            f"this file has {sets:,}.",
            data={"quota": QUOTA, "used": used, "asked": sets},
        )


def _keep(row: Computation, content: bytes) -> None:
    folder = work_folder(row)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / INPUT).write_bytes(content)


def scores_of(row: Computation) -> bytes | None:
    """The results, one JSON object a line; None before they are there."""
    found = _results_there(row)
    return found.arrays["lines"].tobytes() if found else None


def _results_there(row: Computation) -> Artefact | None:
    return opened_artefact(result_folder(row), SCORES, snapshot_of(row.version).id)


def score_file(row: Computation, work: Path, progress: Progress, stop: Stop) -> Mapping[str, Any]:
    try:
        content = (work / INPUT).read_bytes()
    except FileNotFoundError as error:
        raise DomainError("The file is gone. Send it again.", code="gone") from error
    basis = basis_of(snapshot_of(row.version), Options.of(row.parameters), stop)
    weights = weights_of(row.parameters["weights"])
    lines = [
        (number, line) for number, line in enumerate(content.splitlines(), start=1) if line.strip()
    ]
    step = lines_of_chunk(basis)
    chunks = [lines[at : at + step] for at in range(0, len(lines), step)]
    parts = []
    for number, chunk in enumerate(chunks):
        progress("scoring sets", number / len(chunks))
        parts.append(_chunk(basis, weights, row.parameters, number, chunk, work))
    progress("keeping the scores", 1)
    whole = np.concatenate(parts)
    failed = [line for line in whole.tobytes().split(b"\n") if line.startswith(b'{"error"')]
    facts = {"sets": len(lines), "failed": len(failed)}
    snapshot = basis.snapshot
    write_artefact(result_folder(row), SCORES, snapshot.id, row.parameters, {"lines": whole}, facts)
    return {**facts, "faults": [_fault(json.loads(line)) for line in failed[:SHOWN]]}


def _fault(told: dict[str, Any]) -> dict[str, Any]:
    """Where a line is wrong, in one sentence: what its sets say is more exact than the refusal."""
    error = told["error"]
    exact = " ".join(one["message"] for one in error["errors"])
    return {"line": told["line"], "id": told["id"], "message": exact or error["detail"]}


def lines_of_chunk(basis: Basis) -> int:
    """Fewer where each takes long: a chunk is what a killed worker loses."""
    if basis.options.support == "candidates":
        return LINES
    return max(1, min(LINES, ENTRIES // max(1, basis.model.entry_count)))


def _chunk(
    basis: Basis,
    weights: Weights,
    parameters: Mapping[str, Any],
    number: int,
    lines: Sequence[tuple[int, bytes]],
    work: Path,
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Results of some lines; from the disk if they are there."""
    numbers = [at for at, _ in lines]
    source = digest_of({"parameters": dict(parameters), "lines": numbers})
    folder = work / f"chunk-{number}"
    there = opened_artefact(folder, SCORES, source)
    if there is None:
        told = [_scored(basis, weights, at, line) for at, line in lines]
        text = "".join(f"{json.dumps(one)}\n" for one in told)
        held = np.frombuffer(text.encode(), np.uint8)
        there = write_artefact(folder, SCORES, source, {}, {"lines": held}, {})
    return np.array(there.arrays["lines"])


def _scored(basis: Basis, weights: Weights, at: int, line: bytes) -> dict[str, Any]:
    named: object = None
    try:
        read = json.loads(line)
        named = read.get("id") if isinstance(read, dict) else None
        existing, serendipity = sets_in(basis, *_sets(read))
        score = score_sets(basis, existing, serendipity, weights)
    except DomainError as error:
        faults = [{"place": it.place, "message": it.message} for it in error.faults]
        told = {"code": error.code, "detail": error.detail, "errors": faults}
        return {"error": told, "line": at, "id": _shown(named)}
    except (ValueError, RecursionError):
        told = {"code": "not_json", "detail": "This line is not a JSON object.", "errors": []}
        return {"error": told, "line": at, "id": None}
    unembedded = [(existing + serendipity)[place] for place in score.unembedded]
    names = [basis.snapshot.entity(number).id for number in unembedded]
    return {"line": at, "id": _shown(named), **body_of_score(score), "unembedded": names}


def _shown(named: object) -> object:
    short = isinstance(named, str) and len(named) < 500
    return named if short or isinstance(named, int) else None


def _sets(read: object) -> tuple[list[str], list[str]]:
    found = []
    for place in ("existing", "serendipity"):
        names = read.get(place) if isinstance(read, dict) else None
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            fault = Fault(place, "This must be a list of entity ids.", "invalid")
            raise DomainError(fault.message, faults=[fault])
        found.append(names)
    return found[0], found[1]
