"""The tracks and metrics that are shown: of the tracks' folders, and of `fixtures/published`.

A track that has a folder is described there alone, with the metrics that it computes. `tracks.csv`
has the order; its rows without a title are tracks with a folder.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from backend.common.errors import Conflict, NotFound
from backend.science.display_ranks import Direction
from backend.tracks.base import AnyTrack
from backend.tracks.metrics import UNITS, Metric
from backend.tracks.pooled_track import AnyPooledTrack, PooledTrack
from backend.tracks.registry import load_tracks


@dataclass(frozen=True)
class Track:
    id: str
    title: str
    paper: str
    description: str


DIRECTIONS: dict[str, Direction | None] = {"higher": "higher", "lower": "lower", "": None}


class RepeatedDescription(Exception):
    """A track or metric is described in two places."""


def _read_rows(name: str) -> Iterator[dict[str, str]]:
    with (settings.FIXTURES / "published" / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _read_tracks() -> dict[str, Track]:
    folders = {slug: _describe(track) for slug, track in load_tracks().items()}
    tracks = {}
    for row in _read_rows("tracks.csv"):
        if row["title"] and row["id"] in folders:
            raise RepeatedDescription(f"{row['id']} has a folder and a row of tracks.csv.")
        tracks[row["id"]] = Track(**row) if row["title"] else folders[row["id"]]
    return tracks | folders


def _describe(track: AnyTrack) -> Track:
    return Track(track.slug, track.title, track.paper, track.description)


def _read_metrics() -> dict[str, Metric]:
    metrics: dict[str, Metric] = {}
    for track in load_tracks().values():
        for metric in track.metrics:
            if metrics.setdefault(metric.id, metric) != metric:
                raise RepeatedDescription(f"{metric.id} is not the same in all tracks.")
    for row in _read_rows("metrics.csv"):
        if row["id"] in metrics:
            raise RepeatedDescription(f"{row['id']} is a track's and in metrics.csv.")
        metrics[row["id"]] = Metric(
            row["id"],
            row["label"],
            DIRECTIONS[row["direction"]],
            UNITS[row["unit"]],
            row["description"],
            row["section"],
        )
    return metrics


TRACKS = _read_tracks()
METRICS = _read_metrics()


class UnknownTrack(NotFound):
    code = "unknown_track"


def get_track_or_raise(slug: str) -> AnyTrack:
    """The track that evaluates here. Raises UnknownTrack."""
    track = load_tracks().get(slug)
    if track is None:
        known = ", ".join(load_tracks())
        raise UnknownTrack(f"There is no track '{slug}' that evaluates here. Known are: {known}.")
    return track


def get_pooled_track_or_raise(slug: str) -> AnyPooledTrack:
    """Raises UnknownTrack, or Conflict for a track whose answers are not ranked."""
    track = get_track_or_raise(slug)
    if not isinstance(track, PooledTrack):
        message = f"Answers of the track {track.slug} are not ranked, so none are pooled."
        raise Conflict(message, code="not_pooled")
    return track
