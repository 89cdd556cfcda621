"""The job that partitions every question of a set by RNS."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from backend.accounts.models import User
from backend.benchmarks.entity_linking import (
    entities_by_question,
    is_complete,
    resolve_question_set,
)
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.policies import (
    get_set_or_raise,
    require_compute_permission,
    require_set_manager,
)
from backend.benchmarks.rns.artifacts import (
    SPLITS,
    load_artifact_or_none,
    load_splits_or_none,
    parameters_digest,
    splits_folder,
)
from backend.benchmarks.rns.jobs import (
    JobParameters,
    build_request,
    compute_artifacts,
    get_question_set_of_job,
    get_version_of_job,
    may_see,
    open_snapshot_of_job,
    question_set_subject,
    rns_job,
)
from backend.benchmarks.rns.options import RnsOptions, parse_weights, partition_parameters
from backend.benchmarks.rns.question_scoring import (
    MAX_CANDIDATES,
    LinkedQuestion,
    ScoredQuestion,
    TooCostly,
    link_question,
    pack_scores,
    score_question,
    unpack_scores,
)
from backend.benchmarks.rns.scoring_context import ScoringContext, open_scoring_context
from backend.benchmarks.rns.weight_calibration import calibrate_set, expert_partitions_digest
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.jobs.context import JobContext, ProgressCallback
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.runtime.array_store.artifacts import Artifact, write_artifact
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.measures import Weights
from backend.science.rns.search import RowSurprise
from backend.science.transition.row_batches import RowBatch, plan_batches
from backend.science.transition.rows import block_columns

CHUNK_QUESTIONS = 50  # questions of a chunk where no rows are shared
PREREQUISITES_SHARE = 0.2  # of the progress: marginal and embedding
MAX_LISTED = 100  # questions without a score in the result
Json = dict[str, Any]


def partition_request(
    question_set: QuestionSet,
    version: Version,
    options: RnsOptions,
    weights: Weights,
    size: int | None,
) -> JobRequest:
    """A new request whenever the experts' partitions change, since the job also fits weights."""
    count = question_set.questions.count()
    parameters = partition_parameters(count, options, weights, size)
    learned_from = expert_partitions_digest(question_set)
    return build_request("rns-partition", version, parameters, question_set, learned_from)


def recalibrate(*, actor: User | None, question_set: QuestionSet) -> int:
    """Fit weights to the experts' current partitions, for every partition job of the set.

    Returns how many jobs were started.
    """
    learned_from = expert_partitions_digest(question_set)
    if not learned_from:
        return 0
    done = (
        Job.objects.filter(kind="rns-partition", state=JobState.SUCCEEDED)
        .about(question_set_subject(question_set))
        .filter(parameters__options__questions=question_set.questions.count())
    )
    requests = [
        build_request(
            "rns-partition",
            get_version_of_job(job),
            job.parameters["options"],
            question_set,
            learned_from,
        )
        for job in done
    ]
    return sum(request_job(owner=actor, request=one).is_new for one in requests)


def create(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    require_compute_permission(user)
    parsed = JobParameters.parse(parameters)
    version, options = parsed.version(user), parsed.options
    if parsed.question_set is None:
        raise DomainError("Name the question set to partition.", code="no_set")
    question_set = get_set_or_raise(user, parsed.question_set)
    require_set_manager(user, question_set)
    weights = parse_weights(parsed.weights.model_dump() if parsed.weights else None)
    return partition_request(question_set, version, options, weights, parsed.size)


def is_intact(job: Job) -> bool:
    snapshot = open_snapshot_of_job(job)
    parameters = job.parameters
    return (
        load_splits_or_none(snapshot, parameters["question_set"], parameters["options"]) is not None
    )


@rns_job("rns-partition", may_see=may_see, create=create, is_result_intact=is_intact)
def partition_set(context: JobContext) -> Callable[[], Json]:
    """Scores the splits of all questions into one artifact.

    The callable that is returned stores the best split of each question as a partition.
    """
    parameters = context.job.parameters["options"]
    version, question_set = get_version_of_job(context.job), get_question_set_of_job(context.job)
    snapshot, options = open_version_snapshot(version), RnsOptions.parse(parameters)
    compute_artifacts(context, snapshot, options, PREREQUISITES_SHARE)
    splits = load_splits_or_none(snapshot, question_set.pk, parameters)
    if splits is None:
        linked = link_questions(question_set, version, snapshot)
        splits = compute_splits(context, question_set, snapshot, linked)
    scores = list(unpack_scores(splits).values())
    report_scoring(context)("fitting weights to experts", 1)
    calibration = calibrate_set(question_set, scores)

    def store() -> Json:
        new = store_partitions(context.job, question_set, version, scores)
        return {**summarize(scores, splits.facts["left_out"], new), "calibration": calibration}

    return store


def report_scoring(context: JobContext) -> ProgressCallback:
    return context.subprogress(PREREQUISITES_SHARE, 1)


@dataclass(frozen=True)
class LinkedSet:
    """left_out: reasons for questions that cannot be split, by the file's id."""

    questions: tuple[LinkedQuestion, ...]
    left_out: Mapping[str, str]


def link_questions(question_set: QuestionSet, version: Version, view: GraphView) -> LinkedSet:
    """In order of number. The set is resolved first, if necessary."""
    resolution = question_set.resolutions.filter(version=version).first()
    if resolution is None or not is_complete(resolution):
        resolve_question_set(question_set=question_set, version=version)
    entities = entities_by_question(question_set, version)
    result, left_out = [], {}
    for question in question_set.questions.order_by("number", "file_id"):
        query = link_question(question, entities.get(question.pk, {}), view)
        if len(query.positions) < 2:
            left_out[question.file_id] = "fewer than two of its answers are in this graph"
        elif len(query.positions) > MAX_CANDIDATES:
            left_out[question.file_id] = f"it has more than {MAX_CANDIDATES} answers"
        else:
            result.append(query)
    return LinkedSet(tuple(result), left_out)


def compute_splits(
    context: JobContext, question_set: QuestionSet, snapshot: Snapshot, linked: LinkedSet
) -> Artifact:
    parameters = context.job.parameters["options"]
    scoring = open_scoring_context(snapshot, RnsOptions.parse(parameters), context.cancellation)
    progress = report_scoring(context)
    folder = context.checkpoint_folder
    scores, left_out = score_all(scoring, linked.questions, parameters, folder, progress)
    progress("storing the splits", 1)
    arrays, facts = pack_scores(scores, {**linked.left_out, **left_out})
    target = splits_folder(snapshot, question_set.pk, parameters)
    return write_artifact(target, SPLITS, snapshot.id, parameters, arrays, facts)


def score_all(
    scoring: ScoringContext,
    questions: Sequence[LinkedQuestion],
    parameters: Mapping[str, Any],
    checkpoints: Path,
    progress: ProgressCallback,
) -> tuple[list[ScoredQuestion], dict[str, str]]:
    """Every question in the given order. Chunks with a checkpoint are not computed again."""
    chunks = split_into_chunks(scoring, questions)
    scored: dict[str, ScoredQuestion] = {}
    left_out: dict[str, str] = {}
    for number, chunk in enumerate(chunks):
        progress("scoring splits", number / len(chunks))
        identity = {"parameters": parameters, "chunk": chunk_identity(questions, chunk)}
        source, folder = parameters_digest(identity), checkpoints / f"chunk-{number}"
        artifact = load_artifact_or_none(folder, SPLITS, source)
        if artifact is None:
            arrays, facts = pack_scores(*score_chunk(scoring, questions, chunk, parameters))
            artifact = write_artifact(folder, SPLITS, source, {}, arrays, facts)
        scored |= unpack_scores(artifact)
        left_out |= artifact.facts["left_out"]
    return [scored[one.file_id] for one in questions if one.file_id in scored], left_out


def split_into_chunks(
    scoring: ScoringContext, questions: Sequence[LinkedQuestion]
) -> list[RowBatch]:
    """Batches of questions that share whole rows, or equal batches if no rows are needed."""
    if scoring.options.support == "all":
        width = block_columns(scoring.model.parameters.precision)
        return plan_batches([one.entities for one in questions], width)
    numbers = list(range(len(questions)))
    return [
        RowBatch([], numbers[at : at + CHUNK_QUESTIONS])
        for at in range(0, len(numbers), CHUNK_QUESTIONS)
    ]


def chunk_identity(questions: Sequence[LinkedQuestion], chunk: RowBatch) -> list[Json]:
    some = (questions[number] for number in chunk.questions)
    return [
        {"id": one.file_id, "positions": one.positions, "entities": one.entities} for one in some
    ]


def score_chunk(
    scoring: ScoringContext,
    questions: Sequence[LinkedQuestion],
    chunk: RowBatch,
    parameters: Mapping[str, Any],
) -> tuple[list[ScoredQuestion], dict[str, str]]:
    """The scores of one chunk, and the reasons for questions without a score."""
    weights, size = parse_weights(parameters["weights"]), parameters["size"]
    result: list[ScoredQuestion] = []
    left_out: dict[str, str] = {}
    for one, rows in iterate_with_rows(
        scoring, [questions[number] for number in chunk.questions], chunk
    ):
        try:
            result.append(score_question(scoring, one, weights, size=size, rows=rows))
        except SizeOutOfRange:
            left_out[one.file_id] = f"it has not more than {size} answers in this graph"
        except TooCostly as error:
            left_out[one.file_id] = error.detail
    return result, left_out


def iterate_with_rows(
    scoring: ScoringContext, questions: Sequence[LinkedQuestion], chunk: RowBatch
) -> Iterator[tuple[LinkedQuestion, RowSurprise | None]]:
    """Each question with its whole rows, computed once for the chunk if one block holds them."""
    shared = scoring.options.support == "all" and scoring.pass_count(len(chunk.sources)) == 1
    if not shared:
        yield from ((one, None) for one in questions)
        return
    place = {entity: number for number, entity in enumerate(chunk.sources)}
    rows = next(scoring.blocks(chunk.sources))[1]
    for one in questions:
        columns = np.array([place[entity] for entity in one.entities], np.int64)
        yield one, RowSurprise(rows, columns, scoring.entry_error)


def store_partitions(
    job: Job, question_set: QuestionSet, version: Version, scores: Sequence[ScoredQuestion]
) -> int:
    """Store the best split of each question as its latest partition; the number of new ones."""
    get_question_set_of_job(job)  # it may have been deleted since the job started
    ids = dict(question_set.questions.values_list("file_id", "pk"))
    shared = {**job.parameters["options"]}
    del shared["questions"]
    partitions = [
        NewPartition(
            question=ids[one.file_id],
            method=Partition.Method.RNS,
            serendipity=[one.order[place] for place in one.best],
            existing=[at for place, at in enumerate(one.order) if place not in one.best],
            parameters={
                **shared,
                "size": one.size,
                "how": one.search_outcome,
                "evaluated": one.evaluated,
            },
            source=f"RNS over {version.graph.slug}@{version.number}",
            version=version,
        )
        for one in scores
    ]
    return add_partitions(actor=job.owner, partitions=partitions).new_count


def summarize(scores: Sequence[ScoredQuestion], left_out: Mapping[str, str], new: int) -> Json:
    outcomes = [one.search_outcome for one in scores]
    return {
        "questions": len(scores),
        "new": new,
        "how": {name: outcomes.count(name) for name in sorted({*outcomes})},
        "left_out": dict(sorted(left_out.items())[:MAX_LISTED]),
        "left_out_total": len(left_out),
    }
