"""A release of as many questions as SerenQA has: its masked graph, and a file of Cypher queries.

Everything as an organiser and a researcher have it: a graph of Hetionet's order is imported,
questions with several answers are drawn from it and partitioned by RNS, the masked graph is made,
and the drawn queries are submitted. Queries that do not all score 100 end the run. The peer of the
queries is the time that a file may take.
"""

from __future__ import annotations

import csv
import json
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure, bench, run_size
from tests.bench.synthetic import SEED, Synthetic
from tests.e2e.stack import Stack

FULL = run_size() == "full"
ENTITIES, EDGES, QUESTIONS = (10_000, 100_000, 1_529) if FULL else (600, 4_000, 24)
FILE_SECONDS, TYPES = 900, 5
TRACKS = QUERIED, MASKED = "serenqa-retrieval", "serenqa-exploration"


@bench("graphs.release")
def release_graph() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="serendib-bench-") as place, Stack() as stack:
        folder = Path(place)
        write_graph(folder)
        run(stack, "import_graph", "csv", *sorted(folder.glob("*.csv")), "--name", "Synthetic")
        drawn = folder / "drawn.json"
        run(stack, "make_questions", "synthetic", "--count", QUESTIONS, "--into", drawn)
        run(stack, "import_questions", "serenqa", drawn, "--name", "Drawn", "--graph", "synthetic")
        run(stack, "partition", "Drawn", "--graph", "synthetic")
        run(stack, "export_questions", "Drawn", "--into", folder / "out")
        files = [folder / "out" / f"{name}.json" for name in ("questions", "partitions")]
        questions = json.loads(files[0].read_text())
        words = ("--graph", "synthetic", "--test-share", 1)
        for track in TRACKS:
            run(stack, "make_release", track, *files, "--name", track, *words)
        mask_seconds, masked = timed(stack, "release_graph", MASKED)
        if not masked["graphs"][0]["included"]:
            raise AssertionError("The masked graph includes no question.")
        size = f"{len(questions):,} questions, {EDGES:,} edges"
        yield Figure("graphs.release.mask", mask_seconds, "s", "lower", size=size, seed=SEED)
        predictions = folder / "predictions.jsonl"
        rows = ({"question_id": one["qid"], "cypher": one["cypher"]} for one in questions)
        predictions.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        took, result = timed(stack, "submit", predictions, "--release", QUERIED, "--model", "Drawn")
        check(result)
        peer = "the time that a file may take"
        yield Figure(
            "graphs.release.queries", took, "s", "lower", peer, FILE_SECONDS, size, SEED, goal=1
        )


def write_graph(folder: Path) -> None:
    """Each relation has one pair of types, as in graphs of this size."""
    graph = Synthetic(ENTITIES, EDGES)
    names = [row.id for row in graph.nodes()]
    types = {name: f"T{number % TYPES}" for number, name in enumerate(names)}
    nodes = ((name, f"entity of {name}", type_) for name, type_ in types.items())
    edges = (
        (row.source, f"{types[row.source]}_{types[row.target]}", row.target)
        for row in graph.edges()
    )
    write_table(folder / "entities.csv", ("id", "name", "type"), nodes)
    write_table(folder / "edges.csv", ("source", "relation", "target"), edges)


def write_table(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def run(stack: Stack, *words: object) -> Any:
    answer = stack.manage(*map(str, words), "--json")
    return json.loads(answer.splitlines()[-1])


def timed(stack: Stack, *words: object) -> tuple[float, Any]:
    began = time.perf_counter()
    result = run(stack, *words)
    return time.perf_counter() - began, result


def check(result: Any) -> None:
    scores = {one["metric"]: one["value"] for one in result["scores"] if one["slice"] == "all"}
    if result["state"] != "scored" or min(scores.values()) < 99.99:
        raise AssertionError(f"The drawn queries do not score 100: {scores}")
