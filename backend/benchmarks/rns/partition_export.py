"""Export of one question's partitions as a SerenQA record, with paths that explain them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from backend.benchmarks.formats.serenqa.writer import build_partition_record, format_path
from backend.benchmarks.lossless_json import format_json
from backend.benchmarks.models import Partition
from backend.benchmarks.question_format import Split
from backend.benchmarks.question_records import split_without_paths
from backend.benchmarks.rns.explanations import MAX_PAIRS, SECONDS_TOTAL, explain_pairs
from backend.benchmarks.rns.exploration_questions import write_questions
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.workbench_query import WorkbenchContext
from backend.common.errors import DomainError
from backend.graphs.path_queries import ExplainedPath
from backend.runtime.cancellation import CancellationToken


def export_record(bench: WorkbenchContext, qid: object, stop: CancellationToken) -> bytes:
    """The latest partition of each method. qid: as in the question's file. Uses no database."""
    share = SECONDS_TOTAL / max(1, len(bench.partitions))
    splits = [build_split(bench, one, stop, share) for one in bench.partitions]
    record = build_partition_record(qid, bench.question.text, splits)
    return (format_json([record]) + "\n").encode()


def build_split(
    bench: WorkbenchContext, partition: Partition, stop: CancellationToken, seconds: float
) -> Split:
    def named(positions: Sequence[int]) -> tuple[str, ...]:
        return tuple(candidate_identifier(bench, one) for one in positions)

    explained = list(find_paths(bench, partition, stop, seconds))
    return Split(
        method=partition.method,
        serendipity=named(partition.serendipity),
        existing=named(partition.existing),
        split=partition.split,
        paths=tuple(format_path(path, names) for path, names in explained),
        questions=write_questions(bench.snapshot, [path for path, _ in explained]),
    )


def candidate_identifier(bench: WorkbenchContext, position: int) -> str:
    """The file's identifier, else the graph's."""
    candidate = bench.candidates[position]
    if candidate.identifier:
        return candidate.identifier
    entity = bench.entities.get(position)
    return bench.snapshot.entity(entity).id if entity is not None else candidate.name


def find_paths(
    bench: WorkbenchContext, partition: Partition, stop: CancellationToken, seconds: float
) -> Iterator[tuple[ExplainedPath, Mapping[int, str]]]:
    """Three paths for each pair, for at most MAX_PAIRS pairs, with the names of their ends.

    Ends have the identifiers of the sets. Pairs that are too expensive have no paths.
    """
    known = [one for one in partition.existing if one in bench.entities]
    new = [one for one in partition.serendipity if one in bench.entities]
    pairs = list(islice(product(known, new), MAX_PAIRS))
    for ends in pairs:
        names = {bench.entities[one]: candidate_identifier(bench, one) for one in ends}
        ones, others = ([bench.entities[one]] for one in ends)
        try:
            (pair,) = explain_pairs(
                bench.snapshot, ones, others, stop, seconds=seconds / len(pairs)
            )
        except DomainError:
            continue
        yield from ((path, names) for path in pair.paths)


def split_with_paths(partition: Partition) -> Split:
    """With paths if the partition was computed on a graph."""
    if partition.version is None:
        return split_without_paths(partition)
    bench = WorkbenchContext.load(None, partition.question, partition.version, RnsOptions())
    return build_split(bench, partition, CancellationToken(), SECONDS_TOTAL)
