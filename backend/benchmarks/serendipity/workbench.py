"""All that the workbench shows of one question, over one version of a graph."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet, Resolution
from backend.benchmarks.partitions import newest_partitions
from backend.benchmarks.patterns.shapes import Pattern
from backend.benchmarks.policies import may_see_calibration, visible_partitions
from backend.benchmarks.serendipity.artefacts import vectors_there
from backend.benchmarks.serendipity.asked import asked_question, entities_of_question
from backend.benchmarks.serendipity.basis import basis_of
from backend.benchmarks.serendipity.bodies import (
    Body,
    body_of_bar,
    body_of_embedding,
    body_of_entity,
    body_of_parameters,
    body_of_weights,
)
from backend.benchmarks.serendipity.calibrating import calibration_of
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.packing import unpacked
from backend.benchmarks.serendipity.partitioning import parameters_for, splits_there
from backend.benchmarks.serendipity.scoring import Scored, TooCostly, score_question
from backend.benchmarks.stored import pattern_of
from backend.common.errors import DomainError, Missing
from backend.graphs.models import Version
from backend.graphs.neighbourhood import entity_ref
from backend.graphs.policies import visible_graphs
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.rns.errors import RnsError
from backend.science.rns.measures import Weights
from backend.science.rns.partitions import agreement
from backend.science.rns.swaps import GAIN
from backend.science.stopping import Stop

CORNERS = {
    "equal": Weights(),
    "relevance": Weights(1, 0, 0),
    "novelty": Weights(0, 1, 0),
    "surprise": Weights(0, 0, 1),
}


@dataclass(frozen=True)
class Bench:
    """A question over one version of a graph, with all of it that is in the database.

    entities, candidates: by the position of a candidate. parameters: of the partition of the
    whole set. partitions: the newest of each method that whoever looks may see.
    """

    question: Question
    version: Version
    options: Options
    size: int | None
    snapshot: Snapshot
    entities: dict[int, int]
    candidates: dict[int, Candidate]
    parameters: dict[str, Any]
    partitions: tuple[Partition, ...]
    calibration: dict[str, Any] | None

    @classmethod
    def of(
        cls,
        user: User | None,
        question: Question,
        version: Version,
        options: Options,
        size: int | None = None,
    ) -> Bench:
        asked = question.question_set
        shown = may_see_calibration(user, asked)
        return cls(
            question,
            version,
            options,
            size,
            snapshot_of(version),
            entities_of_question(question, version),
            {one.position: one for one in question.candidates.all()},
            parameters_for(asked, options, Weights(), size),
            tuple(newest_partitions([question.pk], among=visible_partitions(user))),
            calibration_of(asked, version, options) if shown else None,
        )


def version_for(
    user: User | None, question_set: QuestionSet, slug: str = "", snapshot: str = ""
) -> Version:
    """One that the set's names were looked up in: where nothing is named, of the first graph that
    they were, so that a later look at another changes no page."""
    found = versions_of_sets(user, [question_set])[question_set.pk]
    if slug:
        found = [one for one in found if one.graph.slug == slug]
    if snapshot:
        found = [one for one in found if snapshot in (one.snapshot, one.content)]
    if not found:
        raise Missing(
            "The names of this question set were not looked up in such a graph.", code="no_graph"
        )
    return found[0]


def versions_of_sets(
    user: User | None, sets: Sequence[QuestionSet]
) -> Mapping[uuid.UUID, list[Version]]:
    """Those that each set's names were looked up in and that she may see.

    The graph that was the first comes first; of one graph, the newest version.
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

    found = defaultdict[uuid.UUID, list[Version]](list)
    for row in sorted(rows, key=place):
        found[row.question_set_id].append(row.version)
    return found


def workbench(bench: Bench, scored: Scored | None) -> Body:
    entities, snapshot = bench.entities, bench.snapshot
    vectors = vectors_there(snapshot, bench.options.method)
    candidates = list(bench.candidates.values())
    return {
        "candidates": [
            body_of_candidate(snapshot, one, entities.get(one.position), scored, vectors)
            for one in candidates
        ],
        "left_out": left_out_of(bench),
        "size": scored.size if scored else None,
        "splits": body_of_splits(scored) if scored else None,
        "partitions": [body_of_partition(one) for one in bench.partitions],
        "comparisons": comparisons_of(bench.partitions),
        "presets": presets_of(bench.calibration),
        "calibration": bench.calibration,
        "parameters": body_of_parameters(bench.options, snapshot.entity_count),
        "embedding": body_of_embedding(vectors) if vectors else None,
    }


def left_out_of(bench: Bench) -> list[int]:
    """Candidates that are not in the graph, or the same entity as another one."""
    asked = asked_question(bench.question, bench.entities, bench.snapshot)
    return sorted({*bench.candidates} - {*asked.positions})


def scored_now(bench: Bench, stop: Stop | None = None) -> Scored | None:
    """As a partition of the whole set left it; else computed now, without the database.

    None for fewer than two candidates, or where it is too costly. Raises NotComputed.
    """
    asked = asked_question(bench.question, bench.entities, bench.snapshot)
    if len(asked.positions) < 2:
        return None
    snapshot = bench.snapshot
    there = splits_there(snapshot, bench.question.question_set, bench.parameters)
    kept = unpacked(there, bench.question.file_id) if there else {}
    if bench.question.file_id in kept:
        return kept[bench.question.file_id]
    try:
        basis = basis_of(snapshot, bench.options, stop)
        return score_question(basis, asked, Weights(), size=bench.size)
    except TooCostly:
        return None
    except RnsError as error:
        raise DomainError(error.sentence, code=error.code) from error


def body_of_candidate(
    snapshot: Snapshot,
    candidate: Candidate,
    entity: int | None,
    scored: Scored | None,
    vectors: Any,
) -> Body:
    place = None
    if scored and candidate.position in scored.order:
        place = scored.order.index(candidate.position)
    has = entity is not None and vectors is not None and bool(vectors.has[entity])
    return {
        "position": candidate.position,
        "name": candidate.name,
        "prior_rank": candidate.prior_rank,
        "entity": None if entity is None else body_of_entity(entity_ref(snapshot, entity)),
        "embedded": has,
        "bar": body_of_bar(scored.bars, place) if scored and place is not None else None,
    }


def body_of_splits(scored: Scored) -> Body:
    found = scored.splits
    return {
        "exact": scored.exact,
        "count": scored.count,
        "order": list(scored.order),
        "sets": found.splits.tolist(),
        "relevance": found.relevance.tolist(),
        "novelty": found.novelty.tolist(),
        "mutual_information": found.mutual_information.tolist(),
        "surprise": found.surprise.tolist(),
        "error": found.error,
        "gain": GAIN,
    }


def body_of_partition(one: Partition) -> Body:
    return {
        "method": one.method,
        "number": one.number,
        "source": one.source,
        "parameters": one.parameters,
        "serendipity": one.serendipity,
        "existing": one.existing,
        "created_at": one.created_at,
    }


def comparisons_of(partitions: Sequence[Partition]) -> list[Body]:
    """Each two, over the candidates that both speak of."""
    found = (compared(one, other) for one, other in combinations(partitions, 2))
    return [one for one in found if one is not None]


def compared(one: Partition, other: Partition) -> Body | None:
    both = sorted({*one.serendipity, *one.existing} & {*other.serendipity, *other.existing})
    sets = [[both.index(at) for at in it.serendipity if at in both] for it in (one, other)]
    try:
        found = agreement(len(both), *sets)
    except RnsError:
        return None
    return {
        "one": one.method,
        "other": other.method,
        "candidates": len(both),
        "overlap": found.overlap,
        "chance": found.chance,
        "tau_b": found.tau_b.value,
        "differ": sorted({*one.serendipity} ^ {*other.serendipity}),
    }


def presets_of(calibration: dict[str, Any] | None) -> list[Body]:
    """None is called after the paper, which prints no weights."""
    presets = [{"name": name, "weights": body_of_weights(one)} for name, one in CORNERS.items()]
    if calibration is not None:
        presets.append({"name": "calibrated", "weights": calibration["weights"]})
    return presets


def body_of_question(question: Question) -> Body:
    pattern = pattern_of(question)
    return {
        "id": str(question.pk),
        "file_id": question.file_id,
        "number": question.number,
        "text": question.text,
        "category": question.category,
        "pattern_type": question.pattern_type,
        "set": {"id": str(question.question_set_id), "name": question.question_set.name},
        "pattern": body_of_pattern(pattern) if pattern else None,
    }


def body_of_pattern(pattern: Pattern) -> Body:
    return {
        "nodes": [
            {
                "nid": node.nid,
                "class": node.type,
                "id": node.id,
                "name": node.name,
                "asked": node.asked,
                "variable": node.is_variable,
            }
            for node in pattern.nodes
        ],
        "edges": [
            {"start": edge.start, "end": edge.end, "relation": edge.relation}
            for edge in pattern.edges
        ],
    }
