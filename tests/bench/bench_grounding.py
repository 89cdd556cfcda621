"""Claims a minute with the plain verifier, from rationale to stored evidence, in one process.

Beside it reading the index alone: the eight best papers of each claim with their texts. The goal:
200 claims a minute on two cores. SIZE=small has fifty thousand papers, SIZE=full half a million.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.bench_llm import ledger_and_server
from tests.bench.figures import ROOT, Figure, bench, run_size
from tests.bench.paper_texts import SEED

FULL = run_size() == "full"
ENTITIES, EDGES, PAPERS = (100_000, 2_000_000, 500_000) if FULL else (20_000, 200_000, 50_000)
CLAIMS = 400
LEAST_CLAIMS = 200  # a minute
PEER = "reading the index"


@bench("evaluation.grounding")
def grounding() -> Iterator[Figure]:
    sizes = [ENTITIES, EDGES, PAPERS, CLAIMS]
    words = ["tests.bench.with_django", "tests.bench.ground_claims", *map(str, sizes)]
    with ledger_and_server() as (environment, _):
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env=dict(environment),
            stdout=subprocess.PIPE,
            check=True,
        )
    measured = json.loads(done.stdout)
    size = f"{CLAIMS} claims, {PAPERS:,} papers, {EDGES:,} edges"
    for name, peer, value, goal in (
        ("plain", PEER, measured["read"], None),
        ("plain.rate", "goal", LEAST_CLAIMS, 1),
    ):
        title, rate = f"evaluation.grounding.{name}", measured["grounded"]
        yield Figure(title, rate, "claims/min", "higher", peer, value, size, SEED, goal)
