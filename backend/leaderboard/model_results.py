"""The results of models over all tracks: evaluated here from the boards, printed from the files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.models import Model, Release
from backend.benchmarks.policies import may_change_model
from backend.benchmarks.printed_models import PublishedModel
from backend.benchmarks.registered_models import visible_models
from backend.benchmarks.track_catalogue import TRACKS, get_track_or_raise
from backend.common.errors import NotFound
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.published_models import PublishedRow, published_models, rows_by_model


@dataclass(frozen=True)
class ModelFacts:
    """What is known of a model: of the papers' models from the file, else from its owner."""

    slug: str
    name: str
    organisation: str
    family: str
    parameters: int | None
    licence: str
    training_cutoff: str | None
    training_data: str
    link: str
    code: str
    paper: str
    is_baseline: bool
    is_simulated: bool


@dataclass(frozen=True)
class EvaluatedResult:
    """An entry of a present board, with its main score: value, low, high. Cost and latency are as
    declared."""

    submission: str
    release: str
    release_name: str
    track: str
    track_title: str
    split: str
    metric: str
    metric_label: str
    unit: str
    score: list[float | None]
    rank_best: int | None
    rank_worst: int | None
    entries: int
    coverage: float
    cost_usd: float | None
    latency_s: float | None
    provenance: str
    submitted_at: str


@dataclass(frozen=True)
class PrintedFigure:
    label: str
    text: str
    scale: str


@dataclass(frozen=True)
class PrintedResult:
    track: str
    track_title: str
    table: str
    table_id: str
    paper: str
    title: str
    setting: str
    figures: list[PrintedFigure]


@dataclass(frozen=True)
class ModelResults:
    model: ModelFacts
    can_change: bool
    evaluated: list[EvaluatedResult]
    printed: list[PrintedResult]


def get_model_results_or_raise(user: User | None, slug: str) -> ModelResults:
    registered = visible_models(user).filter(slug=slug).first()
    published = published_models().get(slug)
    if registered is None and published is None:
        raise NotFound("This model does not exist, or you may not see it.")
    return ModelResults(
        model=merge_facts(slug, registered, published),
        can_change=bool(user and registered and may_change_model(user, registered)),
        evaluated=[
            describe_entry(standing, content)
            for standing in present_standings()
            for content in _contents(standing, slug)
        ],
        printed=[describe_row(row) for row in rows_by_model().get(slug, ())],
    )


def merge_facts(
    slug: str, registered: Model | None, published: PublishedModel | None
) -> ModelFacts:
    """The file comes first, so that nobody can rewrite what is public about a paper's model."""
    cutoff = registered.training_cutoff if registered else None

    def fact(name: str) -> Any:
        return getattr(published, name, None) or getattr(registered, name, None)

    return ModelFacts(
        slug=slug,
        name=fact("name"),
        organisation=fact("organisation") or "",
        family=fact("family") or "",
        parameters=fact("parameters"),
        licence=fact("licence") or "",
        training_cutoff=cutoff.isoformat() if cutoff else None,
        training_data=registered.training_data if registered else "",
        link=registered.link if registered else "",
        code=registered.code if registered else "",
        paper=registered.paper if registered else "",
        is_baseline=bool(registered and registered.is_baseline),
        is_simulated=bool(registered and registered.is_simulated),
    )


def present_standings() -> list[Standing]:
    """The latest standing of each split of each public release, newest release first."""
    latest = (
        Standing.objects.filter(release__in=Release.objects.public())
        .select_related("release")
        .order_by("release", "split", "-created_at")
        .distinct("release", "split")
    )
    return sorted(latest, key=lambda one: (one.release.created_at, one.split), reverse=True)


def _contents(standing: Standing, slug: str) -> Iterable[Mapping[str, Any]]:
    rows = StandingRow.objects.filter(standing=standing, content__model__slug=slug)
    return rows.values_list("content", flat=True)


def describe_entry(standing: Standing, content: Mapping[str, Any]) -> EvaluatedResult:
    release = standing.release
    track = get_track_or_raise(release.track)
    metric = track.get_metric(track.main_metric)
    rank = content["rank"] or {}
    return EvaluatedResult(
        submission=content["submission"],
        release=release.slug,
        release_name=release.name,
        track=release.track,
        track_title=f"{track.paper}, {track.title}",
        split=standing.split,
        metric=metric.id,
        metric_label=metric.label,
        unit=metric.unit.id,
        score=content["scores"][f"{metric.id} {track.overall}"][:3],
        rank_best=rank.get("best"),
        rank_worst=rank.get("worst"),
        entries=standing.entries,
        coverage=content["coverage"],
        cost_usd=content["cost_usd"],
        latency_s=content["latency_s"],
        provenance=content["provenance"],
        submitted_at=content["submitted_at"],
    )


def describe_row(published: PublishedRow) -> PrintedResult:
    table, row = published.table, published.row
    labels = {one.key: one for one in table.columns}
    slices = {one.key: one.label for one in table.slices}
    track = TRACKS[published.track]
    return PrintedResult(
        track=track.id,
        track_title=f"{track.paper}, {track.title}",
        table=table.table,
        table_id=table.id,
        paper=table.paper,
        title=table.title,
        setting=row.setting_label,
        figures=[
            PrintedFigure(
                label=f"{labels[cell.column].label}, {slices[labels[cell.column].slice]}",
                text=cell.text,
                scale=labels[cell.column].scale,
            )
            for cell in row.cells
            if cell.text
        ],
    )
