"""Graphs, versions, document vectors and imports. Entities and edges are in snapshot files."""

from backend.graphs.models.entities import EMBEDDING_DIMENSIONS, DocumentEmbedder, DocumentVector
from backend.graphs.models.graphs import (
    OPEN_BY_ADDRESS,
    Graph,
    GraphQuerySet,
    GraphShare,
    SavedView,
    StudyGraph,
    Version,
)

__all__ = [
    "EMBEDDING_DIMENSIONS",
    "OPEN_BY_ADDRESS",
    "DocumentEmbedder",
    "DocumentVector",
    "Graph",
    "GraphQuerySet",
    "GraphShare",
    "SavedView",
    "StudyGraph",
    "Version",
]
