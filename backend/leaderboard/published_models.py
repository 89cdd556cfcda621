"""The printed rows of each model, and the printed column that stands for each track."""

from dataclasses import dataclass
from functools import cache

from backend.benchmarks.printed_models import (
    PublishedModel,
    models_by_printed_name,
    read_published_rows,
)
from backend.leaderboard.published_results import load_published
from backend.leaderboard.tables import ResultColumn, ResultRow, ResultTable


@dataclass(frozen=True)
class PublishedRow:
    """One row of a printed table.

    headline: the column that stands for the track, if it is of this table. sample: the part of the
    items that the row is over; all where it is empty.
    """

    track: str
    table: ResultTable
    row: ResultRow
    sample: str
    headline: ResultColumn | None


@cache
def headline_columns() -> dict[str, ResultColumn]:
    """The printed column that stands for each track, by track."""
    columns = {}
    for line in read_published_rows("headline.csv"):
        tables = load_published().tracks[line["track"]].tables
        [table] = [one for one in tables if one.id == line["table"]]
        key = (line["slice"], line["metric"])
        [column] = [one for one in table.columns if (one.slice, one.metric) == key]
        columns[line["track"]] = column
    return columns


@cache
def rows_by_model() -> dict[str, tuple[PublishedRow, ...]]:
    """Every printed row of each model, by the model's slug, in the order of print."""
    rows: dict[str, list[PublishedRow]] = {}
    headline_tables = {line["track"]: line["table"] for line in read_published_rows("headline.csv")}
    models = models_by_printed_name()
    for track, results in load_published().tracks.items():
        for table in results.tables:
            is_headline = headline_tables.get(track) == table.id
            headline = headline_columns()[track] if is_headline else None
            for row in table.rows:
                if row.model in models:
                    model, sample = models[row.model]
                    published = PublishedRow(track, table, row, sample, headline)
                    rows.setdefault(model.slug, []).append(published)
    return {slug: tuple(listed) for slug, listed in rows.items()}


@cache
def published_models() -> dict[str, PublishedModel]:
    return {model.slug: model for model, _ in models_by_printed_name().values()}
