"""Check and score of files of predictions, beside pyarrow that only reads them.

The peak is above the bare interpreter and includes the items and answers of the release. A first
peer reads the file once in a process of its own, as the check does; the others are the quickest of
three reads in one process, which has its memory from the second on. pyarrow leaves the lists of a
CSV file as text: the first peer parses them, as the check does, and the others are one with them
parsed and one that leaves them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow.json
import pyarrow.parquet

from tests.bench.figures import ROOT, Figure, bench
from tests.bench.prediction_files import (
    read_csv_lists_with_pyarrow,
    read_with_pyarrow,
    seconds_of,
    write_rows,
)
from tests.bench.synthetic import SEED

MOST_QUERIES = 1_000_000  # a small file costs little more than the start of what reads it
SIZES = ((MOST_QUERIES, 20), (10_000, 100))  # queries, ids of each
GOAL, MOST_MEGABYTES, MEGABYTE = "goal", 500, 1e6
FIRST_READER = "pyarrow, reading alone, once in a process"
READER, LISTS_READER = "pyarrow, reading alone", "pyarrow, reading alone, lists parsed"


@bench("evaluation.predictions")
def predictions() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        for queries, ids in SIZES:
            yield from figures_of_size(Path(name), queries, ids)


def figures_of_size(folder: Path, queries: int, ids: int) -> Iterator[Figure]:
    size = f"{queries:,} queries of {ids} ids"
    for path in files_of_size(folder, queries, ids):
        peers = {READER: read_with_pyarrow}
        if path.suffix == ".csv":
            peers[LISTS_READER] = read_csv_lists_with_pyarrow
        report = report_of(path, queries)
        figure = f"evaluation.predictions.{path.suffix[1:]}"
        own, worked = report["seconds"], report["processor"]
        first = [report_of(path) for _ in range(3)]
        quickest = {FIRST_READER: min((one["seconds"], one["processor"]) for one in first)}
        for name, read in peers.items():
            quickest[name] = min(seconds_of(partial(read, path)) for _ in range(3))
        for name, (peer, processor) in quickest.items():
            yield Figure(figure, own, "s", "lower", name, peer, size, SEED)
            has_goal = name == FIRST_READER and queries == MOST_QUERIES
            title, goal = f"{figure}.processor", 5 if has_goal else None
            yield Figure(title, worked, "s", "lower", name, processor, size, SEED, goal)
        megabytes = report["peak"] / MEGABYTE
        title, most = f"{figure}.memory", MOST_MEGABYTES
        yield Figure(title, megabytes, "MB", "lower", GOAL, most, size, SEED, goal=1)


def report_of(path: Path, *queries: int) -> Mapping[str, float]:
    """Of a process of its own, which only reads the file where no number of queries is given."""
    command = [sys.executable, "-m", "tests.bench.prediction_files", str(path), *map(str, queries)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    report: Mapping[str, float] = json.loads(done.stdout)
    return report


def files_of_size(folder: Path, queries: int, ids: int) -> Iterator[Path]:
    """One set of predictions as JSON Lines, CSV and Parquet."""
    for suffix in (".jsonl", ".csv"):
        path = folder / f"predictions{suffix}"
        write_rows(path, queries, ids, SEED)
        yield path
    table = pyarrow.json.read_json(folder / "predictions.jsonl")
    pyarrow.parquet.write_table(table, folder / "predictions.parquet")
    yield folder / "predictions.parquet"
