"""Memory of the whole service that scores a file of a million ranked ids, and its seconds.

The items and answers come from the database, and scores by slice with intervals are computed. The
peak is above an interpreter that has loaded the models, and includes the largest process that the
scoring starts (one reads Parquet).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.bench_predictions import files_of_size
from tests.bench.figures import Figure, bench
from tests.bench.prediction_files import ENTITIES
from tests.bench.synthetic import SEED
from tests.e2e.stack import Stack

QUERIES, IDS, MOST_MEGABYTES, MEGABYTE = 10_000, 100, 500, 1e6


@bench("evaluation.release")
def scored_release() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name, Stack() as stack:
        source = Path(name) / "queries.jsonl"
        source.write_text("".join(f"{json.dumps(query(one))}\n" for one in range(QUERIES)))
        stack.manage("make_release", "stark-prime", str(source), "--name", "ranked", "--open")
        for path in files_of_size(Path(name), QUERIES, IDS):
            code = f"from tests.bench.score_release import report; report({str(path)!r}, 'ranked')"
            answer = json.loads(stack.manage("shell", "-v0", "-c", code).splitlines()[-1])
            figure = f"evaluation.release.{path.suffix[1:]}"
            size = f"{QUERIES:,} queries of {IDS} ids, {answer['slices']} slices"
            megabytes = answer["peak"] / MEGABYTE
            yield Figure(f"{figure}.seconds", answer["seconds"], "s", "lower", size=size, seed=SEED)
            title, most = f"{figure}.memory", MOST_MEGABYTES
            yield Figure(title, megabytes, "MB", "lower", "goal", most, size, SEED, goal=1)


def query(number: int) -> dict[str, object]:
    words = f"Which entity is number {number}?"
    return {"query_id": number, "query": words, "answer_ids": [number % ENTITIES]}
