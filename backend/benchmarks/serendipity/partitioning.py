"""The RNS-guided partition of every question of a set, in chunks of questions that share rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.accounts.models import User
from backend.benchmarks.models import Computation, Partition, QuestionSet, Work
from backend.benchmarks.models import Progress as State
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.serendipity.artefacts import (
    Progress,
    digest_of,
    opened_artefact,
)
from backend.benchmarks.serendipity.asked import AskedOf, asked_of
from backend.benchmarks.serendipity.basis import Basis, basis_of
from backend.benchmarks.serendipity.bodies import body_of_weights
from backend.benchmarks.serendipity.calibrating import calibrated, identity_of_experts
from backend.benchmarks.serendipity.computations import Wanted, request_computation
from backend.benchmarks.serendipity.options import Options, weights_of
from backend.benchmarks.serendipity.packing import packed, unpacked
from backend.benchmarks.serendipity.results import SPLITS, result_folder, splits_folder
from backend.benchmarks.serendipity.scoring import Asked, Scored, TooCostly, score_question
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.artefact import Artefact, write_artefact
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.measures import Weights
from backend.science.rns.search import Over
from backend.science.stopping import Stop
from backend.science.transition.batches import Batch, batches_of
from backend.science.transition.rows import columns_of

AMONG = 50  # questions of a chunk where no rows are shared
Json = dict[str, Any]


def parameters_for(
    question_set: QuestionSet, options: Options, weights: Weights, size: int | None
) -> Json:
    """What the splits of a set depend on. Questions may be added to it; none is ever changed."""
    return {
        **options.as_json(),
        "weights": body_of_weights(weights),
        "size": size,
        "questions": question_set.questions.count(),
    }


def wanted_partition(
    question_set: QuestionSet,
    version: Version,
    options: Options,
    weights: Weights,
    size: int | None,
) -> Wanted:
    """Once for the same experts' partitions, from which weights are learnt in passing."""
    parameters = parameters_for(question_set, options, weights, size)
    learnt_from = identity_of_experts(question_set)
    return Wanted(Work.PARTITION, version, parameters, question_set, learnt_from)


def learn_again(*, actor: User | None, question_set: QuestionSet) -> int:
    """Have the weights of every partition of the set learnt from the experts' partitions that are
    there by now; how many that were not learnt from these before."""
    learnt_from = identity_of_experts(question_set)
    if not learnt_from:
        return 0
    done = Computation.objects.filter(
        kind=Work.PARTITION,
        state=State.DONE,
        question_set=question_set,
        parameters__questions=question_set.questions.count(),
    ).select_related("version")
    wanted = [
        Wanted(Work.PARTITION, row.version, row.parameters, question_set, learnt_from)
        for row in done
    ]
    return sum(request_computation(actor=actor, wanted=one).is_new for one in wanted)


def splits_there(
    snapshot: Snapshot, question_set: QuestionSet, parameters: Json
) -> Artefact | None:
    folder = splits_folder(snapshot, str(question_set.pk), parameters)
    return opened_artefact(folder, SPLITS, snapshot.id)


def partition_set(
    row: Computation, work: Path, progress: Progress, stop: Stop
) -> Callable[[], Mapping[str, Any]]:
    """The splits of all questions as one artefact. What is returned stores the best of each as a
    partition, and gives what is told of it."""
    question_set, version = row.question_set, row.version
    if question_set is None:
        raise DomainError("No question set was named.", code="unknown_set")
    snapshot, weights = snapshot_of(version), weights_of(row.parameters["weights"])
    there = splits_there(snapshot, question_set, row.parameters)
    if there is None:
        there = computed_splits(row, question_set, snapshot, work, progress, stop)
    found, left_out = list(unpacked(there).values()), there.facts["left_out"]
    progress("learning from experts", 1)
    calibration = calibrated(question_set, found)

    def stored() -> Mapping[str, Any]:
        new = store(row, question_set, version, found, weights)
        return {**told_of(found, left_out, new), "calibration": calibration}

    return stored


def computed_splits(
    row: Computation,
    question_set: QuestionSet,
    snapshot: Snapshot,
    work: Path,
    progress: Progress,
    stop: Stop,
) -> Artefact:
    basis = basis_of(snapshot, Options.of(row.parameters), stop)
    asked = asked_of(question_set, row.version, snapshot)
    weights = weights_of(row.parameters["weights"])
    found, left_out = worked_off(basis, asked, weights, row.parameters, work, progress)
    progress("keeping the splits", 1)
    arrays, facts = packed(found, {**asked.left_out, **left_out})
    return write_artefact(result_folder(row), SPLITS, snapshot.id, row.parameters, arrays, facts)


def worked_off(
    basis: Basis,
    asked: AskedOf,
    weights: Weights,
    parameters: Json,
    work: Path,
    progress: Progress,
) -> tuple[list[Scored], dict[str, str]]:
    """Every question, in the order of their numbers. Chunks that are there are not done again."""
    chunks = chunks_of(basis, asked.questions)
    scored: dict[str, Scored] = {}
    left_out: dict[str, str] = {}
    for number, chunk in enumerate(chunks):
        progress("scoring splits", number / len(chunks))
        source = digest_of({"parameters": parameters, "chunk": identity(asked.questions, chunk)})
        there = opened_artefact(work / f"chunk-{number}", SPLITS, source)
        if there is None:
            done, without = scored_chunk(basis, asked.questions, chunk, weights, parameters["size"])
            arrays, facts = packed(done, without)
            into = work / f"chunk-{number}"
            there = write_artefact(into, SPLITS, source, {}, arrays, facts)
        scored |= unpacked(there)
        left_out |= there.facts["left_out"]
    found = [scored[one.file_id] for one in asked.questions if one.file_id in scored]
    return found, left_out


def chunks_of(basis: Basis, questions: Sequence[Asked]) -> list[Batch]:
    """Questions whose whole rows are made together; or some that need none."""
    if basis.options.support == "all":
        width = columns_of(basis.model.parameters.precision)
        return batches_of([one.entities for one in questions], width)
    numbers = list(range(len(questions)))
    return [Batch([], numbers[at : at + AMONG]) for at in range(0, len(numbers), AMONG)]


def identity(questions: Sequence[Asked], chunk: Batch) -> list[Json]:
    some = (questions[number] for number in chunk.questions)
    return [
        {"id": one.file_id, "positions": one.positions, "entities": one.entities} for one in some
    ]


def scored_chunk(
    basis: Basis,
    questions: Sequence[Asked],
    chunk: Batch,
    weights: Weights,
    size: int | None,
) -> tuple[list[Scored], dict[str, str]]:
    """The questions of one chunk, and those of it that have no score, with the reason."""
    found: list[Scored] = []
    left_out: dict[str, str] = {}
    for one, over in with_rows(basis, [questions[number] for number in chunk.questions], chunk):
        try:
            found.append(score_question(basis, one, weights, size=size, over=over))
        except SizeOutOfRange:
            left_out[one.file_id] = f"it has not more than {size} answers in this graph"
        except TooCostly as error:
            left_out[one.file_id] = error.detail
    return found, left_out


def with_rows(
    basis: Basis, questions: Sequence[Asked], chunk: Batch
) -> Iterator[tuple[Asked, Over | None]]:
    """Each question with its whole rows, made once for all of the chunk if one block has them."""
    shared = basis.options.support == "all" and basis.passes(len(chunk.sources)) == 1
    if not shared:
        yield from ((one, None) for one in questions)
        return
    place = {entity: number for number, entity in enumerate(chunk.sources)}
    rows = next(basis.blocks(chunk.sources))[1]
    for one in questions:
        columns = np.array([place[entity] for entity in one.entities], np.int64)
        yield one, Over(rows, columns, basis.entry_error)


def store(
    row: Computation,
    question_set: QuestionSet,
    version: Version,
    found: Sequence[Scored],
    weights: Weights,
) -> int:
    """The best split of each question as its newest partition; how many are new."""
    ids = dict(question_set.questions.values_list("file_id", "pk"))
    shared = {**row.parameters}
    del shared["questions"]
    wanted = [
        NewPartition(
            question=ids[one.file_id],
            method=Partition.Method.RNS,
            serendipity=[one.order[place] for place in one.best],
            existing=[at for place, at in enumerate(one.order) if place not in one.best],
            parameters={**shared, "size": one.size, "how": one.how, "evaluated": one.evaluated},
            source=f"RNS over {version.graph.slug}@{version.number}",
            version=version,
        )
        for one in found
    ]
    return add_partitions(actor=row.actor, partitions=wanted).new


def told_of(found: Sequence[Scored], left_out: Mapping[str, str], new: int) -> Json:
    how = [one.how for one in found]
    return {
        "questions": len(found),
        "new": new,
        "how": {name: how.count(name) for name in sorted({*how})},
        "left_out": dict(sorted(left_out.items())[:100]),
        "left_out_total": len(left_out),
    }
