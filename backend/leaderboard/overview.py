"""The overview: every track with its best entries, evaluated here and as printed, never mixed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any

from django.utils import timezone

from backend.benchmarks.printed_models import read_published_rows
from backend.benchmarks.track_catalogue import TRACKS, Track, get_track_or_raise
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.coverage import coverage_note
from backend.leaderboard.model_matrix import main_boards
from backend.leaderboard.models import Standing
from backend.leaderboard.published_models import headline_columns
from backend.leaderboard.published_results import load_published
from backend.leaderboard.results import format_score
from backend.leaderboard.tables import ResultColumn, ResultRow, ResultTable
from backend.tracks.metrics import EvaluatedMetric

LEADING = 3
BASELINE = "baseline"
MAX_BOARDS_IN_MEMORY = 64
Content = Mapping[str, Any]
Figure = tuple[float, str, ResultRow]  # the value, as printed, and its row


@dataclass(frozen=True)
class LeadingEntry:
    """One of the best of a board. name: null while the entry is anonymous.

    rank_best, rank_worst: those that cannot be excluded; of a printed figure, its place in print.
    """

    name: str | None
    slug: str | None
    note: Annotated[str, "The coverage, the setting, or how the paper spells the name."]
    text: Annotated[str, "The value as printed, or rounded where it was evaluated here."]
    rank_best: int
    rank_worst: int
    value: float
    low: float | None
    high: float | None
    interval: Annotated[str, "The rounded ends of the 95 % interval; empty where there is none."]
    submission: str | None
    is_simulated: bool


@dataclass(frozen=True)
class ReferenceLine:
    name: str
    value: float


@dataclass(frozen=True)
class BestEntries:
    """The best of a release's test board, or of the printed column that stands for the track."""

    id: Annotated[str, "Of the release, or of the printed table."]
    title: str
    metric_label: str
    part: Annotated[str, "The part of the items; empty for all."]
    unit: str
    scale: str
    high: Annotated[float, "The end of the scale."]
    items: int | None
    date: Annotated[str, "Of the board, or the year of print."]
    entries: int
    simulated: Annotated[int, "Of these, made-up ones of the demo; not among the best of others."]
    reference: ReferenceLine | None
    best: tuple[LeadingEntry, ...]


@dataclass(frozen=True)
class TrackOverview:
    track: str
    title: str
    paper: str
    description: str
    tables: int
    entries: Annotated[int, "Printed rows over all tables."]
    models: Annotated[
        int, "Different ones, printed or evaluated here; no baselines or simulated ones."
    ]
    evaluated: BestEntries | None
    printed: BestEntries | None

    @property
    def main(self) -> BestEntries | None:
        """What stands for the track where there is place for one list."""
        return self.evaluated if self.evaluated and self.evaluated.best else self.printed


def list_overview(leading: int = LEADING) -> list[TrackOverview]:
    """leading: how many entries of each board and table."""
    boards = {standing.release.track: standing for standing in main_boards()}
    return [
        _describe(TRACKS[track], boards.get(track), leading)
        for track in TRACKS
        if track in load_published().tracks or track in boards
    ]


def overview_fingerprint() -> str:
    """Changes when a board or the files do, and once a day, when anonymous entries get names."""
    boards = "-".join(str(standing.pk) for standing in main_boards())
    return f"{load_published().fingerprint}-{boards}-{timezone.now().date()}"


def _describe(track: Track, standing: Standing | None, leading: int) -> TrackOverview:
    published = load_published().tracks.get(track.id)
    evaluated = _evaluated_models(standing) if standing else frozenset()
    return TrackOverview(
        track=track.id,
        title=track.title,
        paper=track.paper,
        description=track.description,
        tables=published.table_count if published else 0,
        entries=published.entry_count if published else 0,
        models=len(_printed_models(track.id) | evaluated),
        evaluated=_best_evaluated(standing, leading) if standing else None,
        printed=_best_printed(track.id, leading),
    )


@cache
def _printed_models(track: str) -> frozenset[str]:
    results = load_published().tracks.get(track)
    tables = results.tables if results else ()
    return frozenset(row.model_slug or row.model for table in tables for row in table.rows)


@lru_cache(MAX_BOARDS_IN_MEMORY)
def _evaluated_models(standing: Standing) -> frozenset[str]:
    rows = standing.rows.exclude(content__provenance=BASELINE)
    rows = rows.filter(content__is_simulated=False)
    named = rows.values_list("content__model__slug", "content__submission")
    return frozenset(slug or submission for slug, submission in named)


@lru_cache(MAX_BOARDS_IN_MEMORY)
def _count_simulated(standing: Standing) -> int:
    return standing.rows.filter(content__is_simulated=True).count()


@lru_cache(MAX_BOARDS_IN_MEMORY)
def _leading_contents(standing: Standing, leading: int) -> tuple[list[Content], Content | None]:
    """The first rows, and the best baseline unless that is one of them; simulated rows only where
    there are no others.

    Rows of a standing never change.
    """
    whole = standing.rows.filter(content__sample=None)
    real = whole.filter(content__is_simulated=False)
    rows = (real if real.exists() else whole).values_list("content", flat=True)
    best = list(rows[:leading])
    if any(one["provenance"] == BASELINE for one in best):
        return best, None
    return best, rows.filter(content__provenance=BASELINE).first()


def _best_evaluated(standing: Standing, leading: int) -> BestEntries:
    release = standing.release
    track = get_track_or_raise(release.track)
    metric = track.get_metric(track.main_metric)
    key = f"{metric.id} {track.overall}"
    contents, baseline = _leading_contents(standing, leading)
    return BestEntries(
        id=release.slug,
        title=release.name,
        metric_label=metric.label,
        part="",
        unit=metric.unit.id,
        scale=metric.unit.label,
        high=metric.unit.high,
        items=contents[0]["scores"][key][3] if contents else None,
        date=standing.created_at.date().isoformat(),
        entries=standing.entries,
        simulated=_count_simulated(standing),
        reference=_baseline_line(baseline, key),
        best=tuple(_evaluated_entry(content, metric, key) for content in reveal_names(contents)),
    )


def _baseline_line(content: Content | None, key: str) -> ReferenceLine | None:
    if content is None or content["model"] is None:
        return None
    return ReferenceLine(content["model"]["name"], content["scores"][key][0])


def _evaluated_entry(content: Content, metric: EvaluatedMetric, key: str) -> LeadingEntry:
    value, low, high, _ = content["scores"][key]
    ends = [] if low is None or high is None else [format_score(metric, one) for one in (low, high)]
    model = content["model"] or {}
    return LeadingEntry(
        name=model.get("name"),
        slug=model.get("slug"),
        note=coverage_note(content, key),
        text=format_score(metric, value),
        rank_best=content["rank"]["best"],
        rank_worst=content["rank"]["worst"],
        value=value,
        low=low,
        high=high,
        interval=" to ".join(ends),
        submission=content["submission"],
        is_simulated=content["is_simulated"],
    )


@cache
def _best_printed(track: str, leading: int) -> BestEntries | None:
    column = headline_columns().get(track)
    if column is None:
        return None
    [line] = [one for one in read_published_rows("headline.csv") if one["track"] == track]
    [table] = [one for one in load_published().tracks[track].tables if one.id == line["table"]]
    [part] = [one.label for one in table.slices if one.key == column.slice]
    chance = line["chance"]
    return BestEntries(
        id=table.id,
        title=table.title,
        metric_label=column.label,
        part=part if len(table.slices) > 1 else "",
        unit=column.unit,
        scale=column.scale,
        high=100.0 if column.unit == "percent" else 1.0,
        items=int(line["items"]) if line["items"] else None,
        date=str(table.year),
        entries=len(table.rows),
        simulated=0,
        reference=ReferenceLine("chance", float(chance)) if chance else None,
        best=_leading_rows(table, column, leading),
    )


def _leading_rows(
    table: ResultTable, column: ResultColumn, leading: int
) -> tuple[LeadingEntry, ...]:
    """The best row of each model. Rows over a sample do not compete with full ones."""
    figures: list[Figure] = []
    for row in table.rows:
        [cell] = [one for one in row.cells if one.column == column.key]
        if cell.value is not None and not row.sample:
            figures.append((cell.value, cell.text, row))
    figures.sort(key=lambda figure: figure[0], reverse=column.direction != "lower")
    first: dict[str, Figure] = {}
    for figure in figures:
        first.setdefault(figure[2].model_slug or figure[2].model, figure)
    shown = list(first.values())[:leading]
    values = [value for value, _, _ in shown]
    # Equal values share the better place.
    return tuple(_printed_entry(one, values.index(one[0]) + 1, table) for one in shown)


def _printed_entry(figure: Figure, place: int, table: ResultTable) -> LeadingEntry:
    value, text, row = figure
    has_settings = len({one.setting for one in table.rows}) > 1
    spelling = f"printed as {row.model_label}" if row.model_name != row.model_label else ""
    notes = [row.setting_label if has_settings else "", spelling if row.model_name else ""]
    return LeadingEntry(
        name=row.model_name or row.model_label,
        slug=row.model_slug,
        note=", ".join(one for one in notes if one),
        text=text,
        rank_best=place,
        rank_worst=place,
        value=value,
        low=None,
        high=None,
        interval="",
        submission=None,
        is_simulated=False,
    )
