"""Checks of a prediction file before it costs a query."""

from dataclasses import asdict, replace

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_graph_lookup import may_send_queries, takes_queries
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.evaluation.prediction_files import PredictionFile
from backend.evaluation.release_items import ReleaseItems, load_items
from backend.tracks.prediction_check import CheckedPredictions
from backend.tracks.predictions import check_predictions, name_other_split


class InvalidPredictions(DomainError):
    code = "invalid_predictions"


def validate_predictions(
    release: Release, split: str, file: PredictionFile, *, actor: User | None
) -> CheckedPredictions:
    """Every fault of the file with its place; nothing is stored and no query is used.

    actor: None for a command, whose operator may read every graph.
    """
    loaded = _load_items(release, split, actor)
    if not loaded.table.items:
        raise DomainError(f"This release has no {split} items.", code="empty_split")
    with file.path.open("rb") as stream:
        checked = check_predictions(loaded.track, stream, file.name, loaded.table)
    others = set(ReleaseSplit) - {ReleaseSplit(split)}
    name_other_split(
        loaded.track,
        checked.faults,
        ((other.value, load_items(release, other).table.items) for other in others),
    )
    return checked


def _load_items(release: Release, split: str, actor: User | None) -> ReleaseItems:
    loaded = load_items(release, split, with_candidates=True)
    if not loaded.track.has_queries:
        return loaded
    is_open = takes_queries(release) if actor is None else may_send_queries(actor, release)
    return replace(loaded, table=replace(loaded.table, takes_queries=is_open))


def read_valid_predictions(
    release: Release, split: str, file: PredictionFile, *, actor: User | None
) -> CheckedPredictions:
    """Raises InvalidPredictions with the first faults and how many there are."""
    checked = validate_predictions(release, split, file, actor=actor)
    if checked.is_valid:
        return checked
    listed = checked.faults.listed
    raise InvalidPredictions(
        f"The file has {pluralize(checked.faults.total, 'fault')}. Nothing was submitted; "
        "correct the file.",
        faults=[one.as_fault() for one in listed],
        data={"total": checked.faults.total, "faults": [asdict(one) for one in listed]},
    )
