"""The published results, read once from `fixtures/published`: the files are the truth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from backend.benchmarks.catalogue import TRACKS, Track
from backend.common.errors import Missing
from backend.leaderboard.figures import Figure, read_figures
from backend.leaderboard.layout import read_layout
from backend.leaderboard.tables import Table, check_layout, tables_of_track


@dataclass(frozen=True)
class TrackResults:
    """What is published about one track; an entry is a model in one setting."""

    track: Track
    tables: tuple[Table, ...]
    entries: int

    @property
    def table_count(self) -> int:
        return len(self.tables)


@dataclass(frozen=True)
class PublishedResults:
    figures: tuple[Figure, ...]
    tracks: dict[str, TrackResults]
    fingerprint: str

    def get_track_or_raise(self, track: str) -> TrackResults:
        found = self.tracks.get(track)
        if found is None:
            raise Missing("There is no track of this name. The leaderboard lists all of them.")
        return found


def read_published(folder: Path) -> PublishedResults:
    """Raises PublishedResultsFault, naming each line, where a file cannot be shown as it is."""
    figures = read_figures((folder / "results.csv").read_text(encoding="utf-8"))
    layout = read_layout((folder / "tables.json").read_text(encoding="utf-8"))
    check_layout(figures, layout)
    tracks = {
        track.id: TrackResults(track, tables, _entries(figures, track.id))
        for track in TRACKS.values()
        if (tables := tables_of_track(track.id, figures, layout))
    }
    # Over all that is shown, so that new words in the catalogue reach readers as well.
    fingerprint = sha256(repr(tracks).encode()).hexdigest()[:32]
    return PublishedResults(figures, tracks, fingerprint)


@cache
def published() -> PublishedResults:
    return read_published(Path(settings.FIXTURES) / "published")


def _entries(figures: tuple[Figure, ...], track: str) -> int:
    return len({(figure.model, figure.setting) for figure in figures if figure.track == track})
