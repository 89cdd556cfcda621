"""The jobs that score submissions, once or all of a release again, and run its baselines."""

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser, require_compute_permission
from backend.benchmarks.release_graphs import MaskImpossible, mask_again
from backend.benchmarks.release_slices import store_missing_slices
from backend.benchmarks.release_states import close_due_releases
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError, NotFound
from backend.evaluation.answer_pools import POOLING, request_missing_pools, update_pool
from backend.evaluation.baselines import BASELINES, list_missing_baselines, open_baselines
from backend.evaluation.component_files import has_components
from backend.evaluation.demo import DEMO_RELEASES, has_background_demo, load_demo_releases
from backend.evaluation.demo_claims import load_demo_claim_study
from backend.evaluation.demo_sources import BACKGROUND_DEMO
from backend.evaluation.embedders import load_embedder
from backend.evaluation.ensembles.jobs import work_on_ensemble
from backend.evaluation.ensembles.services import SCORE_CANDIDATES
from backend.evaluation.entity_texts import TextUnit
from backend.evaluation.failed_rescorings import end_correction, end_waiting
from backend.evaluation.final_entries import apply_final_entries
from backend.evaluation.grounding.jobs import end_batch, end_lost_batches, ground_batch
from backend.evaluation.grounding.services import GROUND, GROUND_BY_MODEL
from backend.evaluation.model_training import MODEL_TRAINING, create_training, train_model
from backend.evaluation.models import (
    CandidateEnsemble,
    Evaluation,
    HypothesisProposal,
    QuerySynthesis,
    Submission,
    SubmissionState,
)
from backend.evaluation.paid_requests import end_after_job, end_lost
from backend.evaluation.prediction_files import remove_unused_files
from backend.evaluation.prediction_uploads import delete_expired_uploads
from backend.evaluation.proposals.jobs import work_on_proposal
from backend.evaluation.proposals.services import PROPOSE
from backend.evaluation.rescoring import Rescoring, request_missing_rescorings
from backend.evaluation.runs.execution import end_lost_runs, end_run_job, work_on_run
from backend.evaluation.runs.services import RUN_MODEL
from backend.evaluation.scoring import (
    ScoredSplit,
    compute_evaluation,
    evaluation_key,
    store_evaluation,
)
from backend.evaluation.sealing import UNSEALING, Unsealing
from backend.evaluation.services import (
    EVALUATION,
    RESCORING,
    fail_submission,
    lock_scores,
    record_evaluation,
)
from backend.evaluation.synthesis.jobs import work_on_synthesis
from backend.evaluation.synthesis.services import SYNTHESIZE
from backend.evaluation.text_vectors import compute_vectors, load_vectors_or_none
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.version_lookup import find_version_or_raise
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault, error_payload
from backend.jobs.models import UNSUCCESSFUL_STATES, Job
from backend.jobs.registry import JobRequest, is_owner_or_administrator, job_kind
from backend.tracks.text_vectors import MINILM, installed_embedder
from backend.validation.faults import Fault

USER_FAULT, PLATFORM_FAULT = "USER_", "PLATFORM_"
CANCELLED, TIME_LIMIT = f"{USER_FAULT}CANCELLED", f"{USER_FAULT}TIME_LIMIT"
TEXT_VECTORS = "text-vectors"
# Of one that embeds many texts or runs queries, which may have to load the engine first.
LONG_TIME_LIMIT = timedelta(hours=2)
RESCORING_TIME_LIMIT = timedelta(hours=6)


def long_time_limit(job: Job) -> timedelta | None:
    return LONG_TIME_LIMIT if job.parameters.get("is_long") else None


def rescoring_time_limit(job: Job) -> timedelta | None:
    return RESCORING_TIME_LIMIT if job.parameters.get("is_long") else None


def end_submission(job: Job) -> None:
    """After a job without success: the submission has failed, and whose fault it was is known.

    The file was checked before. So the submitter's own are a cancellation while it was scored, and
    the time of their queries; all else is the platform's and gives the query back. The error names
    the job, by which an administrator finds what happened.
    """
    if job.state in UNSUCCESSFUL_STATES:
        code = str((job.error or {}).get("code", ""))
        runs_queries = bool(job.parameters.get("runs_queries"))
        is_own = code == CANCELLED or (code == TIME_LIMIT and runs_queries)
        if not is_own:
            code = PLATFORM_FAULT + code.removeprefix(USER_FAULT).removeprefix(PLATFORM_FAULT)
        fail_submission(
            submission_id=uuid.UUID(job.parameters["submission"]),
            error={**(job.error or {}), "code": code, "job": str(job.pk)},
            is_refunded=job.started_at is None or not is_own,
        )


def end_lost_submissions() -> None:
    """End submissions whose job has ended without the clean-up that follows, or does not exist."""
    for submission in Submission.objects.filter(state=SubmissionState.QUEUED):
        if job := Job.objects.about(f"submission:{submission.pk}").first():
            end_submission(job)
        else:
            lost = PlatformFault("job_lost", "The job of this submission was lost. Submit again.")
            fail_submission(
                submission_id=submission.pk, error=error_payload(lost), is_refunded=True
            )


def sweep() -> None:
    end_lost_submissions()
    remove_unused_files()
    delete_expired_uploads()
    close_due_releases()
    apply_final_entries()
    store_missing_slices()


@job_kind(
    EVALUATION,
    queue="quick",
    time_limit=timedelta(minutes=20),
    longer=long_time_limit,
    clean_up=end_submission,
    sweep=sweep,
)
def evaluate(context: JobContext) -> Callable[[], Mapping[str, Any]] | Mapping[str, Any]:
    """Score the submission's predictions, unless the same were scored before."""
    submission_id = uuid.UUID(context.job.parameters["submission"])
    submission = Submission.objects.select_related("release").get(pk=submission_id)
    if submission.state != SubmissionState.QUEUED:
        return {}
    context.report_progress("scoring predictions", 0.1, is_forced=True)
    version = get_track_or_raise(submission.release.track).version
    key = evaluation_key(
        submission.release, submission.split, submission.predictions_digest, version
    )
    known = Evaluation.objects.filter(key=key).exists() and has_components(key)
    against = None if known else ScoredSplit.load(submission.release, submission.split)
    computed = None if against is None else compute_evaluation(submission, against)
    context.report_progress("storing scores", 0.9, is_forced=True)

    def store() -> Mapping[str, Any]:
        lock_scores(submission.release_id)  # before the key, as the job that scores all again does
        evaluation = store_evaluation(key, computed)
        ended = record_evaluation(submission_id=submission_id, evaluation=evaluation)
        return {"submission": str(ended.pk), "state": ended.state, "key": key}

    return store


job_kind(
    RUN_MODEL,
    queue="models",
    group="models",
    time_limit=timedelta(hours=24),
    resumes=True,
    clean_up=end_run_job,
    sweep=end_lost_runs,
)(work_on_run)


job_kind(
    GROUND,
    queue="quick",
    longer=long_time_limit,
    resumes=True,
    clean_up=end_batch,
    sweep=end_lost_batches,
)(ground_batch)
job_kind(
    GROUND_BY_MODEL,
    queue="models",
    group="models",
    time_limit=timedelta(hours=24),
    resumes=True,
    clean_up=end_batch,
)(ground_batch)


for _name, _model, _work in (
    (PROPOSE, HypothesisProposal, work_on_proposal),
    (SYNTHESIZE, QuerySynthesis, work_on_synthesis),
    (SCORE_CANDIDATES, CandidateEnsemble, work_on_ensemble),
):
    job_kind(
        _name,
        queue="models",
        group="models",
        time_limit=timedelta(hours=24),
        resumes=True,
        clean_up=partial(end_after_job, _model),
        sweep=partial(end_lost, _model),
    )(_work)


@job_kind(BASELINES, queue="long", time_limit=timedelta(hours=6), resumes=True)
def run_baselines(context: JobContext) -> Mapping[str, Any]:
    """Submit what a release lacks of its track's baselines."""
    release = Release.objects.get(pk=context.job.parameters["release"])
    missing = list_missing_baselines(release)
    folder, stop = context.checkpoint_folder, context.cancellation
    with open_baselines(release, checkpoint=folder, stop=stop) as runs:
        for number, (name, split) in enumerate(missing):
            context.report_progress(f"running baseline {name}", number / len(missing))
            runs.run(name, split)
    return {"submissions": len(missing)}


job_kind(
    MODEL_TRAINING,
    queue="long",
    time_limit=timedelta(hours=12),
    resumes=True,
    create=create_training,
)(train_model)


@job_kind(
    DEMO_RELEASES,
    queue="long",
    time_limit=timedelta(hours=1),
    makes_snapshots=True,
    is_result_intact=lambda job: has_background_demo(job.parameters["version"]),
)
def make_demo_releases(context: JobContext) -> Mapping[str, Any]:
    """Those that would let the first page wait: a masked graph, walks, queries."""
    version = Version.objects.get(pk=context.job.parameters["version"])
    loaded = load_demo_releases(version, BACKGROUND_DEMO, context.report_progress)
    study = load_demo_claim_study(version)
    return {"releases": [one.release.slug for one in loaded], "study": str(study.pk)}


def sees_unsealing(user: User, job: Job) -> bool:
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    return release is not None and is_organiser(user, release)


@job_kind(UNSEALING, queue="quick", time_limit=timedelta(minutes=20), may_see=sees_unsealing)
def unseal(context: JobContext) -> Callable[[], Mapping[str, Any]]:
    """Score all sealed predictions of a release by a later version of its graph."""
    parameters = context.job.parameters
    version = Version.objects.filter(pk=parameters["version"]).first()
    release = Release.objects.filter(pk=parameters["release"]).first()
    if version is None or release is None:
        raise NotFound("The release or the version of this job was deleted.")
    context.report_progress("finding later links", 0.1, is_forced=True)
    unsealing = Unsealing(release, version, parameters["until"])
    labelled = unsealing.label()
    return lambda: unsealing.store(labelled)


def sees_rescoring(user: User, job: Job) -> bool:
    """Who requested a correction that could not be made still reads why."""
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    if release is None:
        return is_owner_or_administrator(user, job)
    return is_organiser(user, release)


@job_kind(
    RESCORING,
    queue="quick",
    group="rescoring",  # a new version of a track requests one for each of its releases
    time_limit=RESCORING_TIME_LIMIT,
    longer=rescoring_time_limit,
    resumes=True,
    makes_snapshots=True,  # the masked graphs of a correction
    may_see=sees_rescoring,
    # A release is never left between two versions.
    may_cancel=lambda user, job: False,
    clean_up=end_waiting,
    sweep=request_missing_rescorings,
)
def rescore(context: JobContext) -> Callable[[], Mapping[str, Any]]:
    release = Release.objects.filter(pk=context.job.parameters["release"]).first()
    if release is None:  # an attempt before this one deleted the draft and was killed
        raise NotFound("This correction could not be made, and its draft was deleted.")
    try:
        mask_again(release, progress=context.report_progress, stop=context.cancellation)
    except MaskImpossible as error:
        detail = end_correction(release, error.detail, owner=context.job.owner)
        raise MaskImpossible(detail) from error
    rescoring = Rescoring(release, context.checkpoint_folder / "evaluations.txt")

    def report(done: int, count: int) -> None:
        context.report_progress(f"scoring predictions, {done} of {count}", 0.95 * done / count)

    def store() -> Mapping[str, Any]:
        scored, left_out = rescoring.exchange()
        return {"release": release.slug, "submissions": scored, "left_out": left_out}

    rescoring.evaluate_all(report)
    return store


class TextVectorsParameters(BaseModel):
    """Parameters of a request to POST /jobs."""

    model_config = ConfigDict(extra="forbid")
    graph: str = Field(max_length=120)
    unit: TextUnit = "document"


def text_vectors_request(version: Version, unit: TextUnit) -> JobRequest:
    """By the installed embedder, whose name is a part of what is requested."""
    embedder = installed_embedder() or MINILM
    parameters = {"version": version.pk, "unit": unit, "embedder": embedder}
    digest = sha256(json.dumps([TEXT_VECTORS, parameters], sort_keys=True).encode()).hexdigest()
    return JobRequest(TEXT_VECTORS, parameters, digest, [f"graph-version:{version.pk}"])


def create_text_vectors(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    require_compute_permission(user)
    try:
        parsed = TextVectorsParameters.model_validate(parameters)
    except ValidationError as error:
        faults = [
            Fault(".".join(["parameters", *map(str, one["loc"])]), one["msg"])
            for one in error.errors()
        ]
        raise DomainError("The parameters of this job are invalid.", faults=faults) from error
    version = find_version_or_raise(user, parsed.graph)
    if version is None:
        raise DomainError("Name a graph.", code="unknown_graph")
    return text_vectors_request(version, parsed.unit)


def has_text_vectors(job: Job) -> bool:
    version = Version.objects.filter(pk=job.parameters["version"]).first()
    if version is None:
        return False
    snapshot = open_version_snapshot(version)
    stored = load_vectors_or_none(snapshot, job.parameters["embedder"], job.parameters["unit"])
    return stored is not None


@job_kind(
    TEXT_VECTORS,
    queue="long",
    time_limit=timedelta(hours=12),
    create=create_text_vectors,
    is_result_intact=has_text_vectors,
)
def compute_text_vectors(context: JobContext) -> Mapping[str, Any]:
    parameters = context.job.parameters
    version = Version.objects.filter(pk=parameters["version"]).first()
    if version is None:
        raise NotFound("The graph of this job was deleted.", code="unknown_graph")
    computed = compute_vectors(
        open_version_snapshot(version),
        load_embedder(parameters["embedder"]),
        parameters["unit"],
        context.report_progress,
    )
    count, dimensions = computed.vectors.shape
    return {"embedder": parameters["embedder"], "vectors": count, "dimensions": dimensions}


def sees_pool(user: User, job: Job) -> bool:
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    return release is not None and is_organiser(user, release)


@job_kind(
    POOLING,
    queue="long",
    time_limit=timedelta(hours=6),
    may_see=sees_pool,
    sweep=request_missing_pools,
)
def pool_board(context: JobContext) -> Mapping[str, Any]:
    """What entries rank high and nobody has judged; judged@k and the bounds of each."""
    parameters = context.job.parameters
    release = Release.objects.get(pk=parameters["release"])
    context.report_progress("pooling answers", 0.1, is_forced=True)
    pool = update_pool(release, ReleaseSplit(parameters["split"]), parameters["depth"])
    return {"release": release.slug, "split": pool.split, "unjudged": pool.unjudged}
