"""What is compiled ahead is what the partition of a question set runs."""

import subprocess
import sys

from django.conf import settings

SCRIPT = """
import django
django.setup()
import tempfile
from pathlib import Path
import numpy as np
from backend.benchmarks.rns.artifacts import compute_marginal, compute_vectors
from backend.benchmarks.rns.jit_warmup import compile_kernels
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.question_scoring import LinkedQuestion, score_question
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.science.rns.measures import Weights
from backend.science.rns.search import RowSurprise
from tests.compiled_kernels import count_signatures
from tests.bench.synthetic import Synthetic

compile_kernels()
before = count_signatures()
assert before["backend.science.rns.row_kernels.add_range"]
options = RnsOptions()
with tempfile.TemporaryDirectory() as folder:
    snapshot = open_snapshot(build_snapshot(Synthetic(500, 4_000), Path(folder)).path)
    compute_marginal(snapshot, options)
    compute_vectors(snapshot, options.method)
    scoring = open_scoring_context(snapshot, options)
    # From 21 on the best splits are searched; 40 are too many for one block of rows.
    for count, size in ((2, None), (5, None), (8, None), (12, None), (22, None), (40, 1)):
        entities = tuple(range(0, 7 * count, 7))
        question = LinkedQuestion("q", tuple(range(count)), entities)
        rows = next(scoring.blocks(entities[:7]))[1]
        shared = RowSurprise(rows, np.arange(count) % rows.shape[1], scoring.entry_error)
        score_question(scoring, question, Weights(), size=size, rows=shared)
        score_question(scoring, question, Weights(), size=size)
after = count_signatures()
print({name: count for name, count in after.items() if count != before.get(name)})
"""


def test_scoring_after_the_warm_up_compiles_nothing() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=settings.ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "{}"
