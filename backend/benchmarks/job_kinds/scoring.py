"""The job that scores a file of many sets, one JSON object a line.

    {"id": "mine-1", "existing": ["DRUGBANK:DB00945"], "serendipity": ["DRUGBANK:DB01050"]}

The result of a line that cannot be scored is its error; the other lines are scored.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray
from pydantic import PlainValidator

from backend.accounts.models import User
from backend.benchmarks.policies import require_scoring_permission
from backend.benchmarks.rns.artifacts import (
    SCORES,
    load_artifact_or_none,
    parameters_digest,
    scores_folder,
)
from backend.benchmarks.rns.jobs import (
    build_request,
    compute_artifacts,
    open_snapshot_of_job,
    rns_job,
)
from backend.benchmarks.rns.options import RnsOptions, parse_weights, weights_payload
from backend.benchmarks.rns.payloads import score_payload
from backend.benchmarks.rns.scoring_context import ScoringContext, open_scoring_context
from backend.benchmarks.rns.set_scoring import parse_sets, score_sets
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.jobs.context import JobContext, checkpoint_path
from backend.jobs.models import Job, JobState
from backend.jobs.services import RequestedJob, request_job
from backend.runtime.array_store.artifacts import Artifact, write_artifact
from backend.science.rns.measures import Weights
from backend.validation.faults import FaultList
from backend.validation.json_files import FileModel, JsonObject, validate, value_error

INPUT_FILE = "input"
MAX_FILE_BYTES = 10_000_000
MAX_CONCURRENT_FILES = 1
MAX_CHUNK_LINES = 100
MAX_CHUNK_ENTRIES = 10**9  # entries of the graph read for a chunk: some seconds of work
MAX_LISTED_FAULTS = 50
MAX_ID_LENGTH = 500
QUOTA_PERIOD = timedelta(days=1)
PREREQUISITES_SHARE = 0.2  # of the progress: marginal and embedding


class OverQuota(DomainError):
    code = "quota"
    status = HTTPStatus.TOO_MANY_REQUESTS


def check_ids(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise value_error("This must be a list of entity ids.")
    return value


class SetsModel(FileModel):
    existing: Annotated[list[str], PlainValidator(check_ids)]
    serendipity: Annotated[list[str], PlainValidator(check_ids)]


def request_scoring(
    *, actor: User, version: Version, options: RnsOptions, weights: Weights, content: bytes
) -> RequestedJob:
    """Store the file and queue a job. Raises OverQuota."""
    require_scoring_permission(actor)
    sets = _count_sets(content)
    parameters = {
        **options.as_json(),
        "weights": weights_payload(weights),
        "file": hashlib.sha256(content).hexdigest(),
        "actor": str(actor.pk),
        "sets": sets,
    }
    request = build_request("rns-scoring", version, parameters)
    with transaction.atomic():
        _check_quota(actor, sets)
        folder = checkpoint_path(request.id)
        folder.mkdir(parents=True)
        (folder / INPUT_FILE).write_bytes(content)
        requested = request_job(owner=actor, request=request)
    if not requested.is_new:
        shutil.rmtree(folder, ignore_errors=True)
    return requested


def _count_sets(content: bytes) -> int:
    if len(content) > MAX_FILE_BYTES:
        raise DomainError(f"The file is larger than {MAX_FILE_BYTES:,} bytes.", code="too_large")
    sets = sum(bool(line.strip()) for line in content.splitlines())
    if not sets:
        raise DomainError("The file has no sets.", code="empty")
    return sets


def _check_quota(actor: User, sets: int) -> None:
    lock_in_transaction(AdvisoryLock.RNS_BATCHES)
    own = Job.objects.filter(owner=actor, kind="rns-scoring")
    if own.active().count() >= MAX_CONCURRENT_FILES:
        raise OverQuota("Another file of yours is being scored. Wait until it has finished.")
    # Failed jobs are the server's fault: lines with faults do not make a job fail.
    recent = own.filter(created_at__gt=timezone.now() - QUOTA_PERIOD)
    counted = recent.exclude(state=JobState.FAILED)
    used = sum(one.parameters["options"].get("sets", 0) for one in counted)
    quota = settings.RNS_SETS_PER_DAY
    if used + sets > quota:
        raise OverQuota(
            f"The limit is {quota:,} sets a day. You have used {used:,}, and this file "
            f"has {sets:,}.",
            data={"quota": quota, "used": used, "requested": sets},
        )


def read_scores(job: Job) -> bytes | None:
    """The results, one JSON object a line; None unless they exist."""
    results = _load_results(job)
    return results.arrays["lines"].tobytes() if results else None


def _load_results(job: Job) -> Artifact | None:
    snapshot = open_snapshot_of_job(job)
    folder = scores_folder(snapshot, job.parameters["options"])
    return load_artifact_or_none(folder, SCORES, snapshot.id)


@rns_job("rns-scoring", is_result_intact=lambda job: _load_results(job) is not None)
def score_file(context: JobContext) -> Mapping[str, Any]:
    parameters = context.job.parameters["options"]
    snapshot, options = open_snapshot_of_job(context.job), RnsOptions.parse(parameters)
    lines = _read_lines(context.checkpoint_folder)
    compute_artifacts(context, snapshot, options, PREREQUISITES_SHARE)
    progress = context.subprogress(PREREQUISITES_SHARE, 1)
    scoring = open_scoring_context(snapshot, options, context.cancellation)
    step = chunk_size(scoring)
    chunks = [lines[at : at + step] for at in range(0, len(lines), step)]
    parts = []
    for number, chunk in enumerate(chunks):
        progress("scoring sets", number / len(chunks))
        folder = context.checkpoint_folder / f"chunk-{number}"
        parts.append(_score_chunk(scoring, parameters, chunk, folder))
    progress("storing the scores", 1)
    results = np.concatenate(parts)
    failed = [line for line in results.tobytes().split(b"\n") if line.startswith(b'{"error"')]
    facts = {"sets": len(lines), "failed": len(failed)}
    folder, arrays = scores_folder(snapshot, parameters), {"lines": results}
    write_artifact(folder, SCORES, snapshot.id, parameters, arrays, facts)
    faults = [_line_fault(json.loads(line)) for line in failed[:MAX_LISTED_FAULTS]]
    return {**facts, "faults": faults}


def _read_lines(folder: Path) -> list[tuple[int, bytes]]:
    try:
        content = (folder / INPUT_FILE).read_bytes()
    except FileNotFoundError as error:
        raise DomainError(
            "The uploaded file is no longer available. Upload it again.", code="gone"
        ) from error
    numbered = enumerate(content.splitlines(), start=1)
    return [(number, line) for number, line in numbered if line.strip()]


def _line_fault(result: Mapping[str, Any]) -> dict[str, Any]:
    """One sentence for a line: the messages of its sets are more exact than that of the error."""
    error = result["error"]
    exact = " ".join(one["message"] for one in error["errors"])
    return {"line": result["line"], "id": result["id"], "message": exact or error["detail"]}


def chunk_size(scoring: ScoringContext) -> int:
    """Fewer lines if each takes long: a chunk is what a killed worker loses."""
    if scoring.options.support == "candidates":
        return MAX_CHUNK_LINES
    return max(1, min(MAX_CHUNK_LINES, MAX_CHUNK_ENTRIES // max(1, scoring.model.entry_count)))


def _score_chunk(
    scoring: ScoringContext,
    parameters: Mapping[str, Any],
    lines: Sequence[tuple[int, bytes]],
    folder: Path,
) -> NDArray[np.uint8]:
    """Results of some lines, from the checkpoint if there is one."""
    numbers = [number for number, _ in lines]
    source = parameters_digest({"parameters": dict(parameters), "lines": numbers})
    artifact = load_artifact_or_none(folder, SCORES, source)
    if artifact is None:
        weights = parse_weights(parameters["weights"])
        results = [_score_line(scoring, weights, number, line) for number, line in lines]
        text = "".join(f"{json.dumps(one)}\n" for one in results)
        encoded = np.frombuffer(text.encode(), np.uint8)
        artifact = write_artifact(folder, SCORES, source, {}, {"lines": encoded}, {})
    return np.array(artifact.arrays["lines"])


def _score_line(
    scoring: ScoringContext, weights: Weights, number: int, line: bytes
) -> dict[str, Any]:
    set_id: object = None
    try:
        value = json.loads(line, object_pairs_hook=JsonObject)
        set_id = value.get("id") if isinstance(value, dict) else None
        existing, serendipity = parse_sets(scoring, *_parse_line(value))
        score = score_sets(scoring, existing, serendipity, weights)
    except DomainError as error:
        faults = [{"place": it.place, "message": it.message} for it in error.faults]
        result = {"code": error.code, "detail": error.detail, "errors": faults}
        return {"error": result, "line": number, "id": _printable_id(set_id)}
    except (ValueError, RecursionError):
        result = {"code": "not_json", "detail": "This line is not a JSON object.", "errors": []}
        return {"error": result, "line": number, "id": None}
    unembedded = [(existing + serendipity)[place] for place in score.unembedded]
    names = [scoring.snapshot.entity(entity).id for entity in unembedded]
    return {
        "line": number,
        "id": _printable_id(set_id),
        **score_payload(score),
        "unembedded": names,
    }


def _printable_id(set_id: object) -> object:
    is_short = isinstance(set_id, str) and len(set_id) < MAX_ID_LENGTH
    return set_id if is_short or isinstance(set_id, int) else None


def _parse_line(value: object) -> tuple[list[str], list[str]]:
    faults = FaultList()
    sets = validate(SetsModel, value, "", faults)
    if sets is None:
        listed = [replace(one, place=one.place.removeprefix(", ")) for one in faults.listed]
        raise DomainError(listed[0].message, faults=listed)
    return sets.existing, sets.serendipity
