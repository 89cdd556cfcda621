"""A file of made-up ranked lists, checked and scored in a process of its own, or only read."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from tests.bench.memory import peak

ENTITIES = 129_375  # of PrimeKG
ROWS_OF_BLOCK = 10_000


def write_rows(path: Path, queries: int, ids: int, seed: int) -> None:
    """The format is that of the name: JSON Lines, JSON, CSV or Parquet."""
    import numpy as np

    draw = np.random.default_rng(seed)
    first = draw.integers(0, ENTITIES, queries)
    step = draw.integers(1, ENTITIES // ids, queries)
    with path.open("w", encoding="utf-8") as file:
        for line in lines_of(path.suffix, queries, ids, first.tolist(), step.tolist()):
            file.write(line)


def lines_of(
    suffix: str, queries: int, ids: int, first: list[int], step: list[int]
) -> Iterator[str]:
    """Ids of a list are distinct: equal steps around the ring of entities."""
    begin, row, between, end = {
        ".jsonl": ("", '{{"query_id": {0}, "pred_rank": [{1}]}}', "\n", "\n"),
        ".json": ("[", '{{"query_id": {0}, "pred_rank": [{1}]}}', ",\n", "]\n"),
        ".csv": ("query_id,pred_rank\n", '{0},"[{1}]"', "\n", "\n"),
    }[suffix]
    yield begin
    for query in range(queries):
        ranked = ((first[query] + at * step[query]) % ENTITIES for at in range(ids))
        yield (between if query else "") + row.format(query, ", ".join(map(str, ranked)))
    yield end


def main() -> None:
    report = check_and_score if len(sys.argv) > 2 else read_alone
    sys.stdout.write(json.dumps(report(Path(sys.argv[1]), *map(int, sys.argv[2:]))))


def read_alone(path: Path) -> Mapping[str, float]:
    """Seconds of one read by pyarrow, like the check in a process that has read nothing before.

    The lists of a CSV file are parsed, as the check parses them. The system's memory pool is the
    quickest for a first read.
    """
    import pyarrow as pa

    for name in ("csv", "dataset", "json", "parquet"):
        import_module(f"pyarrow.{name}")
    pa.set_memory_pool(pa.system_memory_pool())
    read = read_csv_lists_with_pyarrow if path.suffix == ".csv" else read_with_pyarrow
    seconds, processor = seconds_of(partial(read, path))
    return {"seconds": seconds, "processor": processor}


def check_and_score(path: Path, queries: int) -> Mapping[str, float]:
    """Seconds and peak bytes above the bare interpreter of one check with scores, as JSON.

    pyarrow is loaded before the clock starts, as for the peer; the start of the process that reads
    Parquet counts.
    """
    before = peak()
    import_module("pyarrow.json")
    from backend.tracks.predictions import check_predictions
    from backend.tracks.registry import load_tracks
    from backend.tracks.stark_rows import QueryAnswer, QueryItem

    track = load_tracks()["stark-prime"]
    items = [QueryItem(number, "Which?") for number in range(queries)]
    answers = [QueryAnswer((number % ENTITIES,)) for number in range(queries)]
    table = track.index_items(items, range(ENTITIES))
    gc.collect()
    began, worked = time.perf_counter(), processor_time()
    with path.open("rb") as file:
        checked = check_predictions(track, file, path.name, table, answers=answers)
    seconds, processor = time.perf_counter() - began, processor_time() - worked
    if not checked.is_valid or checked.components is None:
        raise SystemExit(f"The file has faults: {checked.faults.listed[:3]}")
    return {"seconds": seconds, "processor": processor, "peak": peak() - before}


def processor_time() -> float:
    """Also of processes that have ended: one reads the Parquet files."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def seconds_of(read: Callable[[], object]) -> tuple[float, float]:
    """Of the clock and of processors."""
    began, worked = time.perf_counter(), time.process_time()
    read()
    return time.perf_counter() - began, time.process_time() - worked


def read_with_pyarrow(path: Path) -> None:
    """In one thread, as the check works. The lists of a CSV file stay text."""
    import pyarrow.csv
    import pyarrow.json
    import pyarrow.parquet

    readers = {
        ".jsonl": lambda: pyarrow.json.read_json(
            path, read_options=pyarrow.json.ReadOptions(use_threads=False)
        ),
        ".csv": lambda: pyarrow.csv.read_csv(
            path, read_options=pyarrow.csv.ReadOptions(use_threads=False)
        ),
        ".parquet": lambda: pyarrow.parquet.read_table(path, use_threads=False),
    }
    readers[path.suffix]()


def read_csv_lists_with_pyarrow(path: Path) -> None:
    """The lists as numbers, as the other formats yield them: the cells are read as JSON Lines."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv
    import pyarrow.json

    table = pyarrow.csv.read_csv(path, read_options=pyarrow.csv.ReadOptions(use_threads=False))
    for cells in table["pred_rank"].chunks:
        lines = pc.binary_join_element_wise('{"pred_rank": ', cells, "}", "")
        one_list = pa.ListArray.from_arrays([0, len(lines)], lines)
        text = pc.binary_join(one_list, "\n")[0].as_buffer()
        options = pyarrow.json.ReadOptions(use_threads=False)
        pyarrow.json.read_json(pa.BufferReader(text), read_options=options)


if __name__ == "__main__":
    main()
