"""BM25 over short documents: building the index, its memory, and a query beside tantivy's.

SIZE=small has a hundred thousand documents, SIZE=full a million. tantivy is no dependency: where
it is not installed (`pip install tantivy`), queries are measured without a peer. It finds the
documents that have one of the words with BM25; its k1 is 1.2, so the order may differ.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from backend.science.bm25.word_index import open_index, rank_documents
from tests.bench.figures import ROOT, Figure, bench, run_size
from tests.bench.paper_texts import SEED, queries, text_batches

FULL = run_size() == "full"
DOCUMENTS = 1_000_000 if FULL else 100_000
HOLDS = f"{DOCUMENTS:,} documents"
QUERIES, LIMIT = 1_000, 32
TANTIVY_HEAP = 1 << 27
Search = Callable[[str], int]


@bench("graphs.literature")
def literature() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        yield figure("build", built["seconds"], "s")
        yield figure("build.memory", built["peak"] / 2**20, "MiB")
        yield figure("index", built["bytes"] / 2**20, "MiB")
        ours = time_queries(our_search(Path(folder)))
        has_peer = find_spec("tantivy") is not None
        if not has_peer:
            sys.stderr.write("tantivy is not installed: its queries are not measured.\n")
        theirs = time_queries(tantivy_search(Path(folder))) if has_peer else None
        for name, share in (("p50", 50), ("p95", 95)):
            peer = {} if theirs is None else peer_of(float(np.percentile(theirs, share)))
            value = float(np.percentile(ours, share))
            yield figure(f"query.{name}", value, "ms", **peer)


def figure(name: str, value: float, unit: str, **peer: Any) -> Figure:
    return Figure(f"graphs.literature.{name}", value, unit, "lower", size=HOLDS, seed=SEED, **peer)


def peer_of(value: float) -> dict[str, Any]:
    return {"peer": "tantivy", "peer_value": value}


def build(folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.build_literature", str(DOCUMENTS), str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    reported: dict[str, Any] = json.loads(done.stdout)
    return reported


def our_search(folder: Path) -> Search:
    index = open_index(folder / "words", source=str(SEED))

    def search(query: str) -> int:
        return len(rank_documents(index.score(query.split()), LIMIT))

    return search


def tantivy_search(folder: Path) -> Search:
    tantivy = importlib.import_module("tantivy")
    schema = tantivy.SchemaBuilder().add_text_field("text", stored=False).build()
    (folder / "tantivy").mkdir()
    index = tantivy.Index(schema, path=str(folder / "tantivy"))
    writer = index.writer(heap_size=TANTIVY_HEAP, num_threads=1)
    for batch in text_batches(DOCUMENTS):
        for text in batch:
            writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> int:
        return len(searcher.search(index.parse_query(query, ["text"]), LIMIT).hits)

    return search


def time_queries(search: Search) -> list[float]:
    """Milliseconds of each. Raises AssertionError where nothing at all is hits."""
    texts = queries(QUERIES)
    hits = sum(search(query) for query in texts[:100])  # also warms the pages
    if not hits:
        raise AssertionError("No query hits a document.")
    seconds = []
    for query in texts:
        began = time.perf_counter()
        search(query)
        seconds.append(1000 * (time.perf_counter() - began))
    return seconds
