"""Components summed by cluster, on a grid that makes sums of them exact."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.metrics import BoolArray, FloatArray

EXACT_BITS = 51  # of the 53 of a float64; two are left for differences and metrics' weights


def sum_by_cluster(
    components: FloatArray,
    clusters: npt.NDArray[np.integer],
    cluster_count: int,
    mask: BoolArray | None = None,
) -> FloatArray:
    """Cluster sums (cluster_count, k) of components (items, k).

    clusters: the number of each item's cluster, 0 to cluster_count - 1. mask: the items of a slice,
    all without it. A cluster without items has zeros. Raises ValueError for other shapes, clusters
    out of range, or components that are not finite.
    """
    if components.ndim != 2 or clusters.shape != components.shape[:1]:
        raise ValueError("components are (items, k) and clusters (items,)")
    if not np.isfinite(components).all():
        raise ValueError("components must be finite")
    if clusters.size and not (clusters.min() >= 0 and clusters.max() < cluster_count):
        raise ValueError("cluster numbers must lie between 0 and cluster_count - 1")
    if mask is not None:
        components, clusters = components[mask], clusters[mask]
    columns = [np.bincount(clusters, column, cluster_count) for column in components.T]
    return np.stack(columns, axis=1) if columns else np.zeros((cluster_count, 0))


def round_to_grid(sums: FloatArray) -> FloatArray:
    """Cluster sums (..., C, k), each column rounded to a multiple of a power of two.

    The power is the smallest for which any sum of C rows, with repeats, is exact in float64. Whole
    numbers, halves and the like stay as they are; others move by at most C 2^-51 times the largest
    of the column. Each column is rounded by itself, so equal columns stay equal.
    """
    largest = np.abs(sums).max(axis=-2, initial=0.0, keepdims=True)
    exponent = EXACT_BITS - np.frexp(largest * sums.shape[-2])[1]
    return np.asarray(np.ldexp(np.rint(np.ldexp(sums, exponent)), -exponent))


def validated(sums: FloatArray, axes: int) -> FloatArray:
    """The sums on their grid. Raises ValueError for another number of axes or infinite values."""
    array = np.asarray(sums, dtype=np.float64)
    if array.ndim != axes or not np.isfinite(array).all():
        raise ValueError(f"cluster sums must be finite and have {axes} axes")
    return round_to_grid(array)
