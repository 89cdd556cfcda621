"""The jobs that compute a graph's transition marginal and its embedding."""

from collections.abc import Mapping
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.policies import require_compute_permission
from backend.benchmarks.rns.artifacts import load_marginal_or_none, load_vectors_or_none
from backend.benchmarks.rns.jobs import (
    JobParameters,
    build_request,
    compute_marginal_in_job,
    compute_vectors_in_job,
    may_see,
    open_snapshot_of_job,
    options_of_job,
    rns_job,
)
from backend.benchmarks.rns.options import EmbeddingMethod, RnsOptions
from backend.benchmarks.rns.payloads import embedding_payload
from backend.graphs.models import Version
from backend.jobs.context import JobContext
from backend.jobs.faults import LeaseLost
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.science.embeddings.embedding_store import Embedding
from backend.science.transition.marginal import Marginal


def transition_request(version: Version, options: RnsOptions) -> JobRequest:
    return build_request("rns-transition", version, options.walk_json())


def embedding_request(version: Version, method: EmbeddingMethod) -> JobRequest:
    return build_request("rns-embedding", version, {"method": method})


def create_transition(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    require_compute_permission(user)
    parsed = JobParameters.parse(parameters)
    return transition_request(parsed.version(user), parsed.options)


def create_embedding(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    require_compute_permission(user)
    parsed = JobParameters.parse(parameters)
    return embedding_request(parsed.version(user), parsed.options.method)


def load_marginal_of_job(job: Job) -> Marginal | None:
    return load_marginal_or_none(open_snapshot_of_job(job), options_of_job(job))


def load_vectors_of_job(job: Job) -> Embedding | None:
    return load_vectors_or_none(open_snapshot_of_job(job), options_of_job(job).method)


@rns_job(
    "rns-transition",
    may_see=may_see,
    create=create_transition,
    is_result_intact=lambda job: load_marginal_of_job(job) is not None,
)
def compute_transition(context: JobContext) -> Mapping[str, Any]:
    snapshot, options = open_snapshot_of_job(context.job), options_of_job(context.job)
    compute_marginal_in_job(context, snapshot, options, context.report_progress)
    marginal = load_marginal_of_job(context.job)
    if marginal is None:
        raise LeaseLost  # the version was deleted meanwhile
    return {"error": marginal.error, "method": marginal.method, "products": marginal.products}


@rns_job(
    "rns-embedding",
    may_see=may_see,
    create=create_embedding,
    is_result_intact=lambda job: load_vectors_of_job(job) is not None,
)
def compute_embedding(context: JobContext) -> Mapping[str, Any]:
    snapshot, options = open_snapshot_of_job(context.job), options_of_job(context.job)
    compute_vectors_in_job(context, snapshot, options, context.report_progress)
    embedding = load_vectors_of_job(context.job)
    if embedding is None:
        raise LeaseLost  # the version was deleted meanwhile
    return embedding_payload(embedding)
