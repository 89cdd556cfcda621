"""Components of importance as percentile ranks, their mean, and how they go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from backend.science.importance.dated_links import Floats
from backend.science.value_ranks import rank_values

COMPONENTS = (
    "integrated_gradients",
    "eigenvector_change",
    "betweenness",
    "jaccard",
    "mentions",
    "citations",
)
LESS_IS_MORE = frozenset({"jaccard"})  # alike neighbourhoods make a link trivial


@dataclass(frozen=True)
class Importance:
    """values [n]: mean percentile rank of the components, NaN where a link has none.

    ranks, raw: of each component that is there, [n]: percentile ranks, and the values that they
    rank. missing: components that are not.
    """

    values: Floats
    ranks: Mapping[str, Floats]
    missing: tuple[str, ...]
    raw: Mapping[str, Floats]


def combine(components: Mapping[str, Floats]) -> Importance:
    """I(e) = mean over the components of PCTRank(C(e)), between 0 and 1.

    The percentile rank is the mean rank of equal values ÷ the number of links with a value. A value
    that is NaN is left out, and the mean is over the others of its link. Raises ValueError for an
    unknown component, none, or arrays of different lengths.
    Source: Dyport, equation 9; Table 2 and its authors' code rank by minus the Jaccard index.
    """
    if unknown := set(components) - set(COMPONENTS):
        raise ValueError(f"unknown components: {', '.join(sorted(unknown))}")
    if not components or len({len(values) for values in components.values()}) != 1:
        raise ValueError("importance needs components of equally many links")
    ranks = {
        name: percentile_ranks(-components[name] if name in LESS_IS_MORE else components[name])
        for name in COMPONENTS
        if name in components
    }
    table = np.stack([*ranks.values()])
    known = (~np.isnan(table)).sum(axis=0)
    sums = np.nansum(table, axis=0)
    values = np.divide(sums, known, out=np.full(len(sums), np.nan), where=known > 0)
    missing = tuple(name for name in COMPONENTS if name not in components)
    return Importance(values, ranks, missing, {name: components[name] for name in ranks})


def percentile_ranks(values: Floats) -> Floats:
    """Mean ranks of equal values ÷ how many there are, in (0, 1]; NaN stays NaN."""
    result = np.full(len(values), np.nan)
    known = ~np.isnan(values)
    if known.any():
        result[known] = rank_values(values[known]) / known.sum()
    return result


def spearman_matrix(ranks: Mapping[str, Floats]) -> Floats:
    """Rank correlations [k, k] of components over the links that have both.

    NaN where fewer than two links have both, or one of them is constant there.
    """
    names = [*ranks]
    result = np.full((len(names), len(names)), np.nan)
    for one, first in enumerate(names):
        for other, second in enumerate(names):
            both = ~np.isnan(ranks[first]) & ~np.isnan(ranks[second])
            result[one, other] = correlate(ranks[first][both], ranks[second][both])
    return result


def correlate(first: Floats, second: Floats) -> float:
    if len(first) < 2:
        return float("nan")
    one, other = (ranked - ranked.mean() for ranked in (rank_values(first), rank_values(second)))
    scale = np.sqrt((one @ one) * (other @ other))
    return float(np.clip(one @ other / scale, -1, 1)) if scale else float("nan")
