"""Components of the importance of later links: how each is spread, and how they go together.

Where everybody may read which pairs are true, as for the list of discoveries. Source: Dyport,
section 5.7 and Table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from backend.benchmarks.models import Release
from backend.benchmarks.split_rows import load_answers
from backend.leaderboard.discoveries import public_split_or_raise
from backend.science.importance.combined import COMPONENTS, LESS_IS_MORE, spearman_matrix
from backend.science.importance.dated_links import Floats
from backend.tracks.dyport.rows import LinkAnswer

BINS = 10


@dataclass(frozen=True)
class ValueBin:
    """Links with a value from low to below high; the last bin has its high too."""

    low: float
    high: float
    links: int


@dataclass(frozen=True)
class ImportanceComponent:
    """links: those that have it. ties: links that share their rank with others. less_is_more: the
    least value ranks highest. values are None and bins empty in releases without values."""

    name: str
    links: int
    ties: int
    less_is_more: bool
    lowest: float | None
    median: float | None
    highest: float | None
    bins: Sequence[ValueBin]


@dataclass(frozen=True)
class ImportanceComponents:
    """links: true ones of the split. missing: components that no link has. correlations: Spearman's
    of each component with each, in their order; None below two links with both or of a constant."""

    split: str
    links: int
    components: Sequence[ImportanceComponent]
    missing: Sequence[str]
    correlations: Sequence[Sequence[float | None]]


def measure_components(release: Release) -> ImportanceComponents:
    """Raises NotFound where which pairs are true is hidden."""
    split = public_split_or_raise(release)
    answers: Sequence[LinkAnswer] = load_answers(release, split)
    true = [one for one in answers if one.is_positive]
    ranks = {
        name: np.array([one.components.get(name, nan) for one in true], dtype=np.float64)
        for name in COMPONENTS
        if any(name in one.components for one in true)
    }
    values = {
        name: np.array([one.component_values[name] for one in true if name in one.component_values])
        for name in ranks
    }
    return ImportanceComponents(
        split=split,
        links=len(true),
        components=[describe_component(name, ranks[name], values[name]) for name in ranks],
        missing=[name for name in COMPONENTS if name not in ranks],
        correlations=[
            [None if np.isnan(value) else value for value in row]
            for row in spearman_matrix(ranks).tolist()
        ],
    )


def describe_component(name: str, ranks: Floats, values: Floats) -> ImportanceComponent:
    known = ranks[~np.isnan(ranks)]
    _, counts = np.unique(known, return_counts=True)
    has_values = len(values) > 0
    return ImportanceComponent(
        name=name,
        links=len(known),
        ties=int(counts[counts > 1].sum()),
        less_is_more=name in LESS_IS_MORE,
        lowest=float(values.min()) if has_values else None,
        median=float(np.median(values)) if has_values else None,
        highest=float(values.max()) if has_values else None,
        bins=count_bins(values) if has_values else [],
    )


def count_bins(values: Floats) -> list[ValueBin]:
    """BINS of equal width from the lowest to the highest value; one where they are equal."""
    low, high = float(values.min()), float(values.max())
    edges = np.linspace(low, high, BINS + 1)
    if not (np.diff(edges) > 0).all():
        return [ValueBin(low, high, len(values))]
    counts, _ = np.histogram(values, edges)
    bounds = edges.tolist()
    return [
        ValueBin(first, last, links)
        for first, last, links in zip(bounds[:-1], bounds[1:], counts.tolist(), strict=True)
    ]
