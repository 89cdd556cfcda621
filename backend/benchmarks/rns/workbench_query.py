"""The workbench of one question, over one version of a graph."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.entity_linking import candidate_entities
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet, Resolution
from backend.benchmarks.partitions import newest_partitions
from backend.benchmarks.policies import may_see_calibration, visible_partitions
from backend.benchmarks.rns.artifacts import load_splits_or_none, load_vectors_or_none
from backend.benchmarks.rns.options import RnsOptions, partition_parameters, weights_payload
from backend.benchmarks.rns.payloads import (
    Payload,
    bar_payload,
    embedding_payload,
    parameters_payload,
)
from backend.benchmarks.rns.question_scoring import (
    ScoredQuestion,
    TooCostly,
    link_question,
    score_question,
    unpack_scores,
)
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.benchmarks.rns.weight_calibration import latest_calibration
from backend.common.errors import DomainError, NotFound
from backend.graphs.edge_phrases import entity_ref
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.policies import visible_graphs
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.science.embeddings.embedding_store import Embedding
from backend.science.rns.errors import RnsError
from backend.science.rns.measures import Weights
from backend.science.rns.partitions import partition_agreement

WEIGHT_PRESETS = {
    "equal": Weights(),
    "relevance": Weights(1, 0, 0),
    "novelty": Weights(0, 1, 0),
    "surprise": Weights(0, 0, 1),
}


@dataclass(frozen=True)
class WorkbenchContext:
    """A question over one version of a graph, with everything needed from the database.

    entities, candidates: by position of the candidate. parameters: those of a partition of the
    whole set. partitions: the latest of each method that the user may see.
    """

    question: Question
    version: Version
    options: RnsOptions
    size: int | None
    snapshot: Snapshot
    entities: dict[int, int]
    candidates: dict[int, Candidate]
    parameters: dict[str, Any]
    partitions: tuple[Partition, ...]
    calibration: dict[str, Any] | None

    @classmethod
    def load(
        cls,
        user: User | None,
        question: Question,
        version: Version,
        options: RnsOptions,
        size: int | None = None,
    ) -> WorkbenchContext:
        query = question.question_set
        shown = may_see_calibration(user, query)
        return cls(
            question,
            version,
            options,
            size,
            open_version_snapshot(version),
            candidate_entities(question, version),
            {one.position: one for one in question.candidates.all()},
            partition_parameters(query.questions.count(), options, Weights(), size),
            tuple(newest_partitions([question.pk], among=visible_partitions(user))),
            latest_calibration(query, version, options) if shown else None,
        )


def select_version(
    user: User | None, question_set: QuestionSet, slug: str = "", snapshot: str = ""
) -> Version:
    """A version that the set was resolved against. By default one of the graph that was first, so
    that later resolutions do not change existing pages.
    """
    result = versions_of_sets(user, [question_set])[question_set.pk]
    if slug:
        result = [one for one in result if one.graph.slug == slug]
    if snapshot:
        result = [one for one in result if snapshot in (one.snapshot, one.content_id)]
    if not result:
        raise NotFound(
            "This question set has not been resolved against such a graph.", code="no_graph"
        )
    return result[0]


def versions_of_sets(
    user: User | None, sets: Sequence[QuestionSet]
) -> Mapping[uuid.UUID, list[Version]]:
    """Visible versions that each set was resolved against.

    The graph of the first resolution comes first; for each graph, the latest version.
    """
    ready = Version.objects.ready().filter(graph__in=visible_graphs(user))
    rows = Resolution.objects.filter(
        question_set__in=sets, resolved_at__isnull=False, version__in=ready
    )
    rows = rows.select_related("version__graph").order_by("pk")
    first: dict[tuple[uuid.UUID, uuid.UUID], int] = {}
    for row in rows:
        first.setdefault((row.question_set_id, row.version.graph_id), row.pk)

    def place(row: Resolution) -> tuple[int, int]:
        return first[row.question_set_id, row.version.graph_id], -row.version_id

    result = defaultdict[uuid.UUID, list[Version]](list)
    for row in sorted(rows, key=place):
        result[row.question_set_id].append(row.version)
    return result


def workbench_parts(bench: WorkbenchContext, scored: ScoredQuestion | None) -> Payload:
    """What the page shows besides the question, for the serializer of the response."""
    entities, snapshot = bench.entities, bench.snapshot
    vectors = load_vectors_or_none(snapshot, bench.options.method)
    candidates = list(bench.candidates.values())
    return {
        "candidates": [
            candidate_payload(snapshot, one, entities.get(one.position), scored, vectors)
            for one in candidates
        ],
        "left_out": omitted_positions(bench),
        "size": scored.size if scored else None,
        "splits": scored,
        "partitions": bench.partitions,
        "comparisons": comparison_payloads(bench.partitions),
        "presets": preset_payloads(bench.calibration),
        "calibration": bench.calibration,
        "parameters": parameters_payload(bench.options, snapshot.entity_count),
        "embedding": embedding_payload(vectors) if vectors else None,
    }


def omitted_positions(bench: WorkbenchContext) -> list[int]:
    """Positions of candidates that are not in the graph, or are the same entity as another one."""
    query = link_question(bench.question, bench.entities, bench.snapshot)
    return sorted({*bench.candidates} - {*query.positions})


def load_or_compute_scores(
    bench: WorkbenchContext, stop: CancellationToken | None = None
) -> ScoredQuestion | None:
    """From the partition of the whole set if there is one, else computed now, without the database.

    None with fewer than two candidates or if too expensive. Raises NotComputed.
    """
    query = link_question(bench.question, bench.entities, bench.snapshot)
    if len(query.positions) < 2:
        return None
    snapshot = bench.snapshot
    there = load_splits_or_none(snapshot, bench.question.question_set_id, bench.parameters)
    selected = unpack_scores(there, bench.question.file_id) if there else {}
    if bench.question.file_id in selected:
        return selected[bench.question.file_id]
    try:
        basis = open_scoring_context(snapshot, bench.options, stop)
        return score_question(basis, query, Weights(), size=bench.size)
    except TooCostly:
        return None
    except RnsError as error:
        raise DomainError(error.sentence, code=error.code) from error


def candidate_payload(
    snapshot: Snapshot,
    candidate: Candidate,
    entity: int | None,
    scored: ScoredQuestion | None,
    vectors: Embedding | None,
) -> Payload:
    place = None
    if scored and candidate.position in scored.order:
        place = scored.order.index(candidate.position)
    has = entity is not None and vectors is not None and bool(vectors.has_vector[entity])
    return {
        "position": candidate.position,
        "name": candidate.name,
        "prior_rank": candidate.prior_rank,
        "entity": None if entity is None else entity_ref(snapshot, entity),
        "embedded": has,
        "bar": bar_payload(scored.bars, place) if scored and place is not None else None,
    }


def comparison_payloads(partitions: Sequence[Partition]) -> list[Payload]:
    """Every two partitions, over their common candidates."""
    result = (compare_partitions(one, other) for one, other in combinations(partitions, 2))
    return [one for one in result if one is not None]


def compare_partitions(one: Partition, other: Partition) -> Payload | None:
    both = sorted({*one.serendipity, *one.existing} & {*other.serendipity, *other.existing})
    sets = [[both.index(at) for at in it.serendipity if at in both] for it in (one, other)]
    try:
        result = partition_agreement(len(both), *sets)
    except RnsError:
        return None
    return {
        "one": one.method,
        "other": other.method,
        "candidates": len(both),
        "overlap": result.overlap,
        "chance": result.chance,
        "tau_b": result.tau_b.value,
        "differ": sorted({*one.serendipity} ^ {*other.serendipity}),
    }


def preset_payloads(calibration: dict[str, Any] | None) -> list[Payload]:
    """None is named after the paper, which gives no weights."""
    presets = [
        {"name": name, "weights": weights_payload(one)} for name, one in WEIGHT_PRESETS.items()
    ]
    if calibration is not None:
        presets.append({"name": "calibrated", "weights": calibration["weights"]})
    return presets
