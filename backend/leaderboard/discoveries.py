"""Links of a release by how much they mattered, and the entries that foresaw them.

Only where everybody may read which pairs are true: on the dev split, and on the board of a sealed
release, whose answers are those of its graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.models import Release
from backend.benchmarks.policies import split_of_discoveries
from backend.benchmarks.split_rows import load_answers
from backend.common.errors import NotFound
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission
from backend.evaluation.release_items import load_items
from backend.evaluation.standing import best_first
from backend.tracks.dyport.rows import LinkAnswer, LinkItem
from backend.tracks.dyport.scoring import PLACES

MOST_LISTED = 100
MOST_FORECASTERS = 100


@dataclass(frozen=True)
class Forecaster:
    """An entry of the board. model: its slug, and name, both None while it is anonymous."""

    submission: str
    model: str | None
    name: str | None


@dataclass(frozen=True)
class Discovery:
    """date_source: what states the year; "synthetic" if nothing does, empty where it is not known.
    importance: mean of the components' percentile ranks, both from 0 to 1. component_values:
    what is ranked, where the release has it. foreseen_by: entries that score the link above all of
    its own negatives."""

    item: str
    subject: str
    subject_name: str
    subject_type: str
    object: str
    object_name: str
    object_type: str
    year: int
    date_source: str
    importance: float | None
    components: Mapping[str, float]
    component_values: Mapping[str, float]
    foreseen_by: Sequence[Forecaster]


@dataclass(frozen=True)
class Discoveries:
    """years: number of links by year. entries: of the board, at most the MOST_FORECASTERS best.
    results: at most MOST_LISTED, the most important first."""

    split: str
    years: Mapping[str, int]
    entries: int
    total: int
    results: Sequence[Discovery]


def list_discoveries(
    release: Release, year: int | None, component: str | None = None
) -> Discoveries:
    """Of one year or of all. component: the links that have it, by it instead of by importance.

    Raises NotFound where which pairs are true is hidden.
    """
    split = public_split_or_raise(release)
    items: Sequence[LinkItem] = load_items(release, split).table.items
    answers: Sequence[LinkAnswer] = load_answers(release, split)
    true = [at for at, answer in enumerate(answers) if answer.is_positive]
    years: dict[str, int] = {}
    for at in sorted(true, key=lambda at: items[at].year):
        years[str(items[at].year)] = years.get(str(items[at].year), 0) + 1
    chosen = [at for at in true if year is None or items[at].year == year]
    if component is not None:
        chosen = [at for at in chosen if component in answers[at].components]
    chosen.sort(key=lambda at: (-weight_of(answers[at], component), items[at].id))
    forecasts = load_forecasts(release, split)
    return Discoveries(
        split=split,
        years=years,
        entries=len(forecasts),
        total=len(chosen),
        results=[describe(items[at], answers[at], at, forecasts) for at in chosen[:MOST_LISTED]],
    )


def weight_of(answer: LinkAnswer, component: str | None) -> float:
    return (answer.importance or 0) if component is None else answer.components[component]


def public_split_or_raise(release: Release) -> str:
    split = split_of_discoveries(release)
    if not split:
        raise NotFound("Which links of this release are true is hidden.", code="hidden_answers")
    return split


def load_forecasts(release: Release, split: str) -> Sequence[tuple[Forecaster, Sequence[bool]]]:
    """Of the best entries, whether each scores each item above all of its own negatives."""
    return [
        (entry, (components[:, PLACES["first"]] > 0).tolist())
        for entry, components in standing_entries(release, split, MOST_FORECASTERS)
    ]


def standing_entries(
    release: Release, split: str, most: int
) -> Iterator[tuple[Forecaster, NDArray[np.float64]]]:
    """The best entries of the board, each with the components of all items."""
    rows = Submission.objects.filter(release=release, split=split).standing().without_samples()
    best = best_first(rows, release).select_related("model", "evaluation")
    for one in best[:most]:
        if one.evaluation is not None:
            named = (None, None) if one.is_anonymous else (one.model.slug, one.model.name)
            yield Forecaster(str(one.pk), *named), load_components(one.evaluation.key)


def describe(
    item: LinkItem,
    answer: LinkAnswer,
    at: int,
    forecasts: Sequence[tuple[Forecaster, Sequence[bool]]],
) -> Discovery:
    return Discovery(
        item=item.id,
        subject=item.subject,
        subject_name=item.subject_name,
        subject_type=item.subject_type,
        object=item.object,
        object_name=item.object_name,
        object_type=item.object_type,
        year=item.year,
        date_source=answer.date_source,
        importance=answer.importance,
        components=answer.components,
        component_values=answer.component_values,
        foreseen_by=[who for who, is_first in forecasts if is_first[at]],
    )
