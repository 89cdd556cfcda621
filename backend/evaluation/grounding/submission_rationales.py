"""The rationales of a submission, each with the item that its prediction is for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict
from backend.evaluation.cases import read_predictions
from backend.evaluation.grounding.limits import LONGEST_HYPOTHESIS
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.models import Submission
from backend.evaluation.release_items import load_items
from backend.tracks.item_table import ItemTable
from backend.tracks.rationale_track import AnyRationaleTrack, RationaleTrack

NO_RATIONALES = "No prediction of this submission has a rationale. Submit a file that has some."


@dataclass(frozen=True)
class PredictedItems:
    """predictions: by the position of the item; those of unanswered items are left out."""

    track: AnyRationaleTrack
    table: ItemTable[Any]
    predictions: dict[int, Any]

    def item_key(self, position: int) -> list[str]:
        return item_key(self.track, self.table.items[position])

    @property
    def rows(self) -> Sequence[FileRow]:
        """One for each rationale. Its line is the place of the item in the split, from 1."""
        return [
            FileRow(
                at + 1,
                self.track.state_hypothesis(self.table.items[at], one)[:LONGEST_HYPOTHESIS],
                rationale,
                self.item_key(at),
            )
            for at, one in sorted(self.predictions.items())
            if (rationale := self.track.rationale_of(one)).strip()
        ]


def item_key(track: AnyRationaleTrack, item: Any) -> list[str]:
    """As `Grounding.item` has it."""
    key = track.key(item)
    return [str(part) for part in (key if isinstance(key, tuple) else (key,))]


def positions_by_key(submission: Submission) -> dict[tuple[str, ...], int]:
    """The places of the items in the submission's split. Raises Conflict as below."""
    track = get_rationale_track_or_raise(submission.release)
    items = load_items(submission.release, submission.split).table.items
    return {tuple(item_key(track, one)): at for at, one in enumerate(items)}


def find_rationale_track(release: Release) -> AnyRationaleTrack | None:
    track = get_track_or_raise(release.track)
    return track if isinstance(track, RationaleTrack) else None


def get_rationale_track_or_raise(release: Release) -> AnyRationaleTrack:
    track = find_rationale_track(release)
    if track is None:
        raise Conflict("Predictions of this track have no rationales.", code="no_rationales")
    return track


def read_predicted_items(submission: Submission) -> PredictedItems:
    """Raises Conflict for a track without rationales."""
    track = get_rationale_track_or_raise(submission.release)
    table = load_items(submission.release, submission.split).table
    return PredictedItems(track, table, read_predictions(submission, track, table))
