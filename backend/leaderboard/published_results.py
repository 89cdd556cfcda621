"""The published results, read once from `fixtures/published`: the files are the truth."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from backend.benchmarks.track_catalogue import TRACKS, Track
from backend.common.errors import NotFound
from backend.leaderboard.result_values import ReportedValue, parse_reported_values
from backend.leaderboard.table_layout import parse_layout
from backend.leaderboard.tables import ResultTable, check_layout, tables_of_track


@dataclass(frozen=True)
class TrackResults:
    """What is published about one track; an entry is a model in one setting."""

    track: Track
    tables: tuple[ResultTable, ...]
    entry_count: int

    @property
    def table_count(self) -> int:
        return len(self.tables)


@dataclass(frozen=True)
class PublishedResults:
    reported_values: tuple[ReportedValue, ...]
    tracks: dict[str, TrackResults]
    fingerprint: str

    def get_track_or_raise(self, track: str) -> TrackResults:
        results = self.tracks.get(track)
        if results is None:
            raise NotFound("There is no track of this name. The leaderboard lists all of them.")
        return results


def read_published(folder: Path) -> PublishedResults:
    """Raises PublishedResultsFault with every invalid line."""
    figures = parse_reported_values((folder / "results.csv").read_text(encoding="utf-8"))
    layout = parse_layout((folder / "tables.json").read_text(encoding="utf-8"))
    check_layout(figures, layout)
    tracks = {
        track.id: TrackResults(track, tables, _count_entries(figures, track.id))
        for track in TRACKS.values()
        if any(map(is_board, tables := tables_of_track(track.id, figures, layout)))
    }
    # Over all that is shown, so that new words in the catalogue reach readers as well.
    fingerprint = sha256(repr(tracks).encode()).hexdigest()[:32]
    return PublishedResults(figures, tracks, fingerprint)


def is_board(table: ResultTable) -> bool:
    """A table without a better side, such as a matrix of correlations, compares no models."""
    return any(column.direction for column in table.columns)


@cache
def load_published() -> PublishedResults:
    return read_published(Path(settings.FIXTURES) / "published")


def _count_entries(figures: tuple[ReportedValue, ...], track: str) -> int:
    return len({(figure.model, figure.setting) for figure in figures if figure.track == track})
