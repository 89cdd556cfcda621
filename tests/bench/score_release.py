"""One evaluation of a stored file by the service, measured in this process."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.scoring import ScoredSplit, compute_evaluation
from tests.bench.memory import peak


def report(path: str, release: str) -> None:
    """Write seconds and peak bytes as JSON. The children are those of this process alone."""
    name = Path(path).name
    with Path(path).open("rb") as stream:
        file = store_prediction_file(stream, name)
    submission = Submission(
        release=Release.objects.get(slug=release),
        split="test",
        model=get_or_create_model("Ranked"),
        file_name=name,
        file_digest=file.digest,
        file_size=file.size,
    )
    before, began = peak(), time.perf_counter()
    against = ScoredSplit.load(submission.release, submission.split)
    computed = compute_evaluation(submission, against, is_rescored=True)
    seconds = time.perf_counter() - began
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    figures = {
        "seconds": seconds,
        "peak": peak() - before + children,
        "slices": len({score.slice for score in computed.scores}),
    }
    sys.stdout.write(json.dumps(figures) + "\n")
