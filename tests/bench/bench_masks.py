"""Masked versions of graphs beside a copy of their files, and Cypher queries in one process.

The copy reads and writes every byte once and changes none; a masked version renumbers every edge
and checks what it wrote. `graphs.hidden` makes one as large as a release has it, without the edges
of 1,529 questions: GRAPH=ck of the Clinical Knowledge Graph's size, SIZE=full of a quarter. Cypher
queries are those of the demo's questions, one after the other, in the process that a submission
has, beside the same engine in this process, without limits, checks or JSON. Answers that differ end
the run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ladybug
import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.patterns.binding import bind_pattern
from backend.benchmarks.questionnaire import SourceFile
from backend.graphs.cypher.database_builder import Database, build_database
from backend.graphs.cypher.query_runner import QueryLimits
from backend.graphs.cypher.query_session import QuerySession
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.masking import mask_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.bench.bench_graphs import CK
from tests.bench.figures import ROOT, Figure, bench, run_size
from tests.bench.synthetic import SEED, build_synthetic
from tests.benchmarks.patterns.oracles import cypher_for

FULL = run_size() == "full"
ENTITIES, EDGES = (100_000, 1_000_000) if FULL else (500, 4_000)
REMOVED = 0.01  # share of the edges
QUESTIONS, MOST_EDGES = 1_529, 40  # and edges of each that are masked
QUARTER = 4
LARGE = (
    CK
    if os.environ.get("GRAPH") == "ck"
    else (CK[0] // QUARTER, CK[1] // QUARTER)
    if FULL
    else (ENTITIES, EDGES)
)
STEP, REPEATS = (1, 20) if FULL else (12, 1)  # of the demo's 72 questions
LIMITS = QueryLimits(seconds=60, max_rows=100_000, max_result_bytes=100_000_000, threads=1)
DEMO = ROOT / "fixtures" / "graph"


@bench("graphs.masked")
def masked() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="serendib-bench-") as place:
        folder = Path(place)
        base = open_snapshot(build_synthetic(ENTITIES, EDGES, folder / "built").path)
        rng = np.random.default_rng(SEED)
        size = int(REMOVED * base.edge_count)
        removed = rng.choice(base.edge_count, size, replace=False).tolist()
        mask_snapshot(base, removed[:1], folder / "warm")
        seconds, built = timed(lambda: mask_snapshot(base, removed, folder / "masked"))
        check_masked(base, open_snapshot(built.path), set(removed))
        copying, _ = timed(lambda: shutil.copytree(base.path, folder / "copy"))
        described = f"{ENTITIES:,} entities, {base.edge_count:,} edges, {size:,} removed"
        peer = "shutil.copytree"
        yield Figure("graphs.masked", seconds, "s", "lower", peer, copying, described, SEED)


def check_masked(base: Snapshot, masked: Snapshot, removed: set[int]) -> None:
    remaining = np.setdiff1d(np.arange(base.edge_count), list(removed))
    for column in ("neighbours", "relations"):
        before, after = (getattr(one.forward, column) for one in (base, masked))
        if not np.array_equal(before[remaining], after):
            raise AssertionError(f"The {column} are not those that remain.")


@bench("graphs.hidden")
def hidden() -> Iterator[Figure]:
    """Time and peak memory, each in a process of its own."""
    entities, edges = LARGE
    scratch = os.environ.get("SCRATCH")
    with tempfile.TemporaryDirectory(prefix="serendib-bench-", dir=scratch) as place:
        folder = Path(place)
        base = open_snapshot(build_synthetic(entities, edges, folder / "built").path)
        removed = edges_of_questions(base)
        np.save(folder / "edges.npy", removed)
        copying, _ = timed(lambda: shutil.copytree(base.path, folder / "copy"))
        shutil.rmtree(folder / "copy")
        described = f"{entities:,} entities, {base.edge_count:,} edges, {len(removed):,} removed"
        for way in ("shared", "rebuilt", "indexed", "renumbered"):
            result = mask_in_process(way, base, folder)
            name = f"graphs.hidden.{way}"
            peer = "shutil.copytree"
            yield Figure(name, result["seconds"], "s", "lower", peer, copying, described, SEED)
            peak = result["peak"] / 2**30
            yield Figure(f"{name}.memory", peak, "GiB", "lower", size=described, seed=SEED)
            if way in ("shared", "rebuilt"):
                check_counts(base, open_snapshot(Path(result["path"])), len(removed))
                shutil.rmtree(folder / way)


def edges_of_questions(base: Snapshot) -> NDArray[np.int64]:
    """For each question the first edges into one entity, each edge as likely to choose it."""
    rng = np.random.default_rng(SEED)
    chosen = base.forward.neighbours[rng.integers(0, base.edge_count, QUESTIONS)]
    rows = (base.row(int(one), outgoing=False).edge_ids(0, MOST_EDGES) for one in chosen)
    return np.unique(np.concatenate([*rows]))


def mask_in_process(way: str, base: Snapshot, folder: Path) -> dict[str, Any]:
    words = [way, base.path, folder / "edges.npy", folder / way]
    command = [sys.executable, "-m", "tests.bench.with_django", "tests.bench.mask_graph"]
    done = subprocess.run(
        [*command, *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def check_counts(base: Snapshot, masked: Snapshot, removed: int) -> None:
    if masked.edge_count != base.edge_count - removed:
        raise AssertionError(f"{masked.edge_count:,} edges remain.")
    rows = sum(one.count for one in masked.relations)
    if rows != masked.edge_count or masked.entity_count != base.entity_count:
        raise AssertionError("Rows were lost.")


@bench("graphs.cypher")
def cypher() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="serendib-bench-") as place:
        database = build_demo(Path(place))
        queries = demo_queries(database)[::STEP] * REPEATS
        seconds, ours = timed(lambda: in_session(database, queries))
        peer_seconds, theirs = timed(lambda: in_this_process(database, queries))
        if ours != theirs:
            raise AssertionError("The answers differ.")
        per_second = len(queries) / seconds, len(queries) / peer_seconds
        described = f"{len(queries):,} queries, {database.snapshot.edge_count:,} edges"
        peer = "the engine in this process"
        name = "graphs.cypher.session"
        yield Figure(name, per_second[0], "queries/s", "higher", peer, per_second[1], described)


def build_demo(folder: Path) -> Database:
    built = build_snapshot(open_source([DEMO]).source, folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher")


def demo_queries(database: Database) -> list[str]:
    content = DEMO_QUESTIONS_FILE.read_bytes()
    questions = parse_serenqa([SourceFile(DEMO_QUESTIONS_FILE.name, content)]).questions
    patterns = [one.pattern for one in questions if one.pattern is not None]
    snapshot = database.snapshot
    return [cypher_for(snapshot, bind_pattern(snapshot, pattern)) for pattern in patterns]


def in_session(database: Database, queries: list[str]) -> list[list[tuple[Any, ...]]]:
    with QuerySession(database, LIMITS) as session:
        return [sorted(session.run(query).rows) for query in queries]


def in_this_process(database: Database, queries: list[str]) -> list[list[tuple[Any, ...]]]:
    engine = ladybug.Database(
        str(database.path), read_only=True, buffer_pool_size=LIMITS.memory_bytes, max_num_threads=1
    )
    connection = ladybug.Connection(engine)
    answers = []
    for query in queries:
        result: Any = connection.execute(query)
        answers.append(sorted(tuple(row) for row in result.get_all()))
    return answers


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result
