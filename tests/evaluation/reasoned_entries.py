"""Submissions with rationales in a release on a dated graph, for tests of their groundedness."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.jobs.runner import run_job
from tests.evaluation.grounding_worlds import EARLY, GroundingWorld
from tests.evaluation.truthhypo_files import LABELS, key_of, label_of, write_source

SUPPORTED = "Aspirin inhibits COX-1."
FALSE = "Zinc cures baldness."
NO_CLAIM = "Does it?"


def rationale_of(supported: int, claims: int) -> str:
    """So many claims that the graph supports, among so many."""
    return " ".join([SUPPORTED] * supported + [FALSE] * (claims - supported)) or NO_CLAIM


def open_release(
    folder: Path,
    world: GroundingWorld,
    *,
    pairs: int = 60,
    test_share: float = 0.0,
    cutoff: int | None = EARLY,
) -> Release:
    request = ReleaseRequest(
        track="truthhypo",
        name="Reasons",
        slug="reasons",
        graph_version=world.version,
        cutoff=cutoff,
        test_share=test_share,
    )
    frozen = make_release(actor=None, request=request, files=[write_source(folder, pairs)])
    Release.objects.filter(pk=frozen.pk).update(state=Release.State.OPEN)
    frozen.refresh_from_db()
    return frozen


def prediction_file(
    rationales: Mapping[int, str], is_right: Callable[[int], bool] = lambda number: True
) -> bytes:
    """A prediction for each numbered pair; without a rationale where it is empty."""
    rows = []
    for number, rationale in rationales.items():
        x_id, y_id = key_of(number)
        true = label_of(number)
        label = true if is_right(number) else LABELS[(LABELS.index(true) + 1) % 3]
        row = {"x_id": x_id, "y_id": y_id, "label": label}
        rows.append(row | ({"rationale": rationale} if rationale else {}))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def submit(
    release: Release,
    content: bytes,
    *,
    model: Model | None = None,
    actor: Any = None,
    split: ReleaseSplit = ReleaseSplit.DEV,
) -> Submission:
    new = NewSubmission(release, model or get_or_create_model("Reasoner"), split)
    file = store_predictions(content, "reasons.jsonl")
    submission, job = submit_predictions(actor=actor, new=new, file=file, is_local=True)
    run_job(job.pk)
    submission.refresh_from_db()
    assert submission.evaluation is not None
    return submission
