"""The partitions of one question as SerenQA's record, with the paths that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from backend.benchmarks.models import Partition
from backend.benchmarks.serendipity.explanations import MOST_PAIRS, explain_pairs
from backend.benchmarks.serendipity.workbench import Bench
from backend.benchmarks.serenqa.records import Split
from backend.benchmarks.serenqa.strict import json_text
from backend.benchmarks.serenqa.writing import partitions_object
from backend.science.stopping import Stop


def record_file(bench: Bench, stop: Stop) -> bytes:
    """The newest of each method. Works without the database."""
    splits = [split_of(bench, one, stop) for one in bench.partitions]
    qid = bench.question.file_id
    told = partitions_object(int(qid) if qid.isdecimal() else 0, bench.question.text, splits)
    told["qid"] = int(qid) if qid.isdecimal() else qid
    return (json_text([told]) + "\n").encode()


def split_of(bench: Bench, partition: Partition, stop: Stop) -> Split:
    def named(positions: Sequence[int]) -> tuple[str, ...]:
        return tuple(identifier_of(bench, one) for one in positions)

    return Split(
        method=partition.method,
        serendipity=named(partition.serendipity),
        existing=named(partition.existing),
        split=partition.split,
        paths=tuple(paths_of(bench, partition, stop)),
        questions=(),
    )


def identifier_of(bench: Bench, position: int) -> str:
    """As the file called it; else the graph's own identifier."""
    candidate = bench.candidates[position]
    if candidate.identifier:
        return candidate.identifier
    entity = bench.entities.get(position)
    return bench.snapshot.entity(entity).id if entity is not None else candidate.name


def paths_of(bench: Bench, partition: Partition, stop: Stop) -> list[str]:
    """Three of each pair, for as many pairs as are explained at once."""
    known = [bench.entities[one] for one in partition.existing if one in bench.entities]
    new = [bench.entities[one] for one in partition.serendipity if one in bench.entities]
    if not new or not known:
        return []
    some = explain_pairs(bench.snapshot, known[: max(1, MOST_PAIRS // len(new))], new, stop)
    return [notation for one in some for notation in one.notations]
