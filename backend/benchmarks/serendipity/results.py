"""Where the results of each kind of computation lie, and whether they are still whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Computation, Work
from backend.benchmarks.serendipity.artefacts import (
    folder_of,
    marginal_folder,
    opened_artefact,
    vectors_folder,
)
from backend.benchmarks.serendipity.options import Options
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.embeddings.vectors import KIND as EMBEDDING
from backend.science.transition.kept import KIND as MARGINAL

SCORES, SPLITS = "scores", "splits"
KINDS = {
    Work.TRANSITION: MARGINAL,
    Work.EMBEDDING: EMBEDDING,
    Work.PARTITION: SPLITS,
    Work.SCORING: SCORES,
}


def splits_folder(snapshot: Snapshot, question_set: str, parameters: Mapping[str, Any]) -> Path:
    """question_set: its id."""
    return folder_of(snapshot, SPLITS, {"question_set": question_set, **parameters})


def scores_folder(snapshot: Snapshot, parameters: Mapping[str, Any]) -> Path:
    return folder_of(snapshot, SCORES, parameters)


def result_folder(row: Computation) -> Path:
    snapshot = snapshot_of(row.version)
    match Work(row.kind):
        case Work.TRANSITION:
            return marginal_folder(snapshot, Options.of(row.parameters))
        case Work.EMBEDDING:
            return vectors_folder(snapshot, Options.of(row.parameters).method)
        case Work.PARTITION:
            return splits_folder(snapshot, str(row.question_set_id), row.parameters)
        case Work.SCORING:
            return scores_folder(snapshot, row.parameters)


def is_whole(row: Computation) -> bool:
    """Whether the results of one that is done are there, with their checksums."""
    source = snapshot_of(row.version).id
    return opened_artefact(result_folder(row), KINDS[Work(row.kind)], source) is not None
