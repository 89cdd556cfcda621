"""The matrix of models and tracks: the main figure of each, evaluated here and printed."""

from dataclasses import dataclass, field
from functools import lru_cache

from django.db.models.fields.json import KeyTransform

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.track_catalogue import TRACKS, get_track_or_raise
from backend.leaderboard.model_results import present_standings
from backend.leaderboard.models import Standing
from backend.leaderboard.published_models import (
    headline_columns,
    published_models,
    rows_by_model,
)
from backend.tracks.registry import load_tracks


@dataclass(frozen=True)
class MatrixTrack:
    """printed_label: of the printed column that stands for the track."""

    track: str
    title: str
    paper: str
    metric_label: str | None
    unit: str | None
    printed_label: str | None
    printed_scale: str | None


@dataclass
class MatrixCell:
    """evaluated: the main score, on the first release with one; printed: the best over settings.

    earlier_release: the slug of that release where it is not the track's main one.
    sample: the part of the items that the printed figure is over, where that is not all.
    """

    track: str
    evaluated: float | None = None
    submission: str | None = None
    earlier_release: str = ""
    printed: str | None = None
    sample: str = ""


@dataclass
class MatrixRow:
    slug: str
    name: str
    organisation: str
    parameters: int | None
    is_simulated: bool = False
    cells: list[MatrixCell] = field(default_factory=list)


def list_matrix_rows() -> list[MatrixRow]:
    """Every model with a result, by name, with cells of the tracks where it has one."""
    return _rows_of_boards(tuple(test_boards()))


@lru_cache(maxsize=2)
def _rows_of_boards(boards: tuple[Standing, ...]) -> list[MatrixRow]:
    """Standings never change, so these rows do not either."""
    rows: dict[str, MatrixRow] = {}
    for slug, model in published_models().items():
        cells = [
            MatrixCell(track, printed=text, sample=sample)
            for track, (text, sample) in _best_printed(slug).items()
        ]
        rows[slug] = MatrixRow(slug, model.name, model.organisation, model.parameters, cells=cells)
    main: dict[str, str] = {}
    for standing in boards:
        slug = standing.release.slug
        is_main = main.setdefault(standing.release.track, slug) == slug
        _add_entries(rows, standing, earlier_release="" if is_main else slug)
    return sorted(rows.values(), key=lambda row: row.name.casefold())


def test_boards() -> list[Standing]:
    """The present test boards in the order in which a track shows them.

    Open releases first, of these the ones with more entries, so that a new small release displaces
    no board; then by the track's preferred partition, then newer ones first.
    """
    boards = [
        standing
        for standing in present_standings()
        if standing.split == ReleaseSplit.TEST
        and standing.release.state != Release.State.DEPRECATED
    ]
    return sorted(boards, key=board_order)


def board_order(standing: Standing) -> tuple[bool, int, int]:
    release = standing.release
    is_past = release.phase != Release.Phase.OPEN
    return is_past, -standing.entries, partition_order(release)


def main_boards() -> list[Standing]:
    """The first of these of each track: what its page, the overview and the front page show."""
    boards: dict[str, Standing] = {}
    for standing in test_boards():
        boards.setdefault(standing.release.track, standing)
    return list(boards.values())


def partition_order(release: Release) -> int:
    """0 for the preferred method of the track, and where it has none."""
    methods = get_track_or_raise(release.track).partition_methods
    known = {method: place for place, method in enumerate(methods)}
    return known.get(release.partition, len(methods))


def _add_entries(rows: dict[str, MatrixRow], standing: Standing, *, earlier_release: str) -> None:
    slug = standing.release.track
    track = get_track_or_raise(slug)
    score = KeyTransform(0, KeyTransform(f"{track.main_metric} {track.overall}", "content__scores"))
    entries = standing.rows.filter(content__sample=None).exclude(content__model=None)
    for model, value, submission, is_simulated in entries.values_list(
        "content__model", score, "content__submission", "content__is_simulated"
    ):
        row = rows.setdefault(
            model["slug"],
            MatrixRow(model["slug"], model["name"], model["organisation"], model["parameters"]),
        )
        row.is_simulated |= is_simulated
        cell = next((one for one in row.cells if one.track == slug), None)
        if cell is None:
            cell = MatrixCell(slug)
            row.cells.append(cell)
        if cell.submission is None:
            cell.evaluated, cell.submission = value, submission
            cell.earlier_release = earlier_release


def _best_printed(slug: str) -> dict[str, tuple[str, str]]:
    """By track, the best figure of the column that stands for it, and the sample it is over."""
    best: dict[str, tuple[float, str, str]] = {}
    for published in rows_by_model().get(slug, ()):
        column = published.headline
        if column is None:
            continue
        [cell] = [one for one in published.row.cells if one.column == column.key]
        if cell.value is None:
            continue
        sign = -1.0 if column.direction == "lower" else 1.0
        candidate = (sign * cell.value, cell.text, published.sample)
        if published.track not in best or candidate[0] > best[published.track][0]:
            best[published.track] = candidate
    return {track: (text, sample) for track, (_, text, sample) in best.items()}


def matrix_tracks() -> list[MatrixTrack]:
    return [_matrix_track(track) for track in TRACKS]


def _matrix_track(slug: str) -> MatrixTrack:
    described = TRACKS[slug]
    column = headline_columns().get(slug)
    track = load_tracks().get(slug)
    metric = track.get_metric(track.main_metric) if track else None
    return MatrixTrack(
        track=slug,
        title=described.title,
        paper=described.paper,
        metric_label=metric.label if metric else None,
        unit=metric.unit.id if metric else None,
        printed_label=f"{column.label}, {column.slice}" if column else None,
        printed_scale=column.scale if column else None,
    )
