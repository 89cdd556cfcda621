"""Change of the difference between the eigenvector centralities of a link's ends."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh

from backend.science.importance.dated_links import Floats, Longs

DENSE = 300  # up to this size all eigenvectors are computed
EQUAL = 1e-9  # eigenvalues that are closer, relative to the largest, are equal


def eigenvector_centrality(matrix: csr_array[np.float64]) -> Floats:
    """x ≥ 0 [V] with A x = λ x for the largest λ, of length 1; zeros without links.

    matrix: symmetric, with weights that are not negative. In a graph of several components the
    largest λ may belong to several vectors; then x is the projection of a vector of ones on them,
    and entities of other components have 0. Source: Dyport, equation 4.
    """
    linked = np.flatnonzero(np.diff(matrix.indptr))
    result = np.zeros(matrix.shape[0])
    if not len(linked):
        return result
    part = matrix[linked][:, linked]
    vector = find_dense(part) if len(linked) <= DENSE else find_sparse(part)
    result[linked] = np.abs(vector) / np.linalg.norm(vector)
    return result


def find_dense(matrix: csr_array[np.float64]) -> Floats:
    values, vectors = np.linalg.eigh(matrix.toarray())
    largest = vectors[:, values >= values[-1] * (1 - EQUAL)]
    projected: Floats = largest @ largest.sum(axis=0)
    return projected


def find_sparse(matrix: csr_array[np.float64]) -> Floats:
    """Lanczos' method from a vector of ones stays in its projections."""
    _, vectors = eigsh(matrix, k=1, which="LA", v0=np.ones(matrix.shape[0]), tol=0)
    vector: Floats = vectors[:, 0]
    return vector


def edge_difference(centrality: Floats, pairs: Longs) -> Floats:
    """|x_u - x_v| of pairs [n, 2]. Source: Dyport, equation 5."""
    return np.abs(centrality[pairs[:, 0]] - centrality[pairs[:, 1]])


def eigenvector_change(
    before: csr_array[np.float64], after: csr_array[np.float64], pairs: Longs
) -> Floats:
    """Of pairs [n, 2]: their difference in the later graph less that in the earlier one.

    Both matrices number the entities alike; one without links yet has a centrality of 0. Source:
    Dyport, equation 6.
    """
    earlier, later = (eigenvector_centrality(matrix) for matrix in (before, after))
    return edge_difference(later, pairs) - edge_difference(earlier, pairs)
