"""The partitions of one question as SerenQA's record, with the paths that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

from backend.benchmarks.models import Partition
from backend.benchmarks.serendipity.explanations import (
    MOST_PAIRS,
    SECONDS_IN_ALL,
    explain_pairs,
)
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.workbench import Bench
from backend.benchmarks.serenqa.records import Split
from backend.benchmarks.serenqa.strict import json_text
from backend.benchmarks.serenqa.writing import partitions_object, path_notation
from backend.benchmarks.stored import plain_split
from backend.common.errors import DomainError
from backend.science.stopping import Stop


def record_file(bench: Bench, qid: object, stop: Stop) -> bytes:
    """The newest of each method. qid: as the question's file has it. Works without the database."""
    share = SECONDS_IN_ALL / max(1, len(bench.partitions))
    splits = [split_of(bench, one, stop, share) for one in bench.partitions]
    record = partitions_object(qid, bench.question.text, splits)
    return (json_text([record]) + "\n").encode()


def split_of(bench: Bench, partition: Partition, stop: Stop, seconds: float) -> Split:
    def named(positions: Sequence[int]) -> tuple[str, ...]:
        return tuple(identifier_of(bench, one) for one in positions)

    return Split(
        method=partition.method,
        serendipity=named(partition.serendipity),
        existing=named(partition.existing),
        split=partition.split,
        paths=tuple(paths_of(bench, partition, stop, seconds)),
        questions=(),
    )


def identifier_of(bench: Bench, position: int) -> str:
    """As the file called it; else the graph's own identifier."""
    candidate = bench.candidates[position]
    if candidate.identifier:
        return candidate.identifier
    entity = bench.entities.get(position)
    return bench.snapshot.entity(entity).id if entity is not None else candidate.name


def paths_of(bench: Bench, partition: Partition, stop: Stop, seconds: float) -> list[str]:
    """Three of each pair, for as many pairs as are explained at once. Their ends are called as the
    sets call them. A pair with too many links to be searched has none."""
    known = [one for one in partition.existing if one in bench.entities]
    new = [one for one in partition.serendipity if one in bench.entities]
    pairs = list(islice(product(known, new), MOST_PAIRS))
    found: list[str] = []
    for ends in pairs:
        names = {bench.entities[one]: identifier_of(bench, one) for one in ends}
        ones, others = ([bench.entities[one]] for one in ends)
        try:
            (pair,) = explain_pairs(
                bench.snapshot, ones, others, stop, seconds=seconds / len(pairs)
            )
        except DomainError:
            continue
        found += [path_notation(path, names) for path in pair.paths]
    return found


def explained_split(partition: Partition) -> Split:
    """With paths in the graph that it was made over; without where it was made over none."""
    if partition.version is None:
        return plain_split(partition)
    bench = Bench.of(None, partition.question, partition.version, Options())
    return split_of(bench, partition, Stop(), SECONDS_IN_ALL)
