"""Graphs, versions, document vectors and papers. Entities and edges are in snapshot files."""

from backend.graphs.models.entities import EMBEDDING_DIMENSIONS, DocumentEmbedder, DocumentVector
from backend.graphs.models.graphs import (
    OPEN_BY_ADDRESS,
    Graph,
    GraphQuerySet,
    GraphShare,
    SavedView,
    StudyGraph,
    Version,
    VersionQuerySet,
)
from backend.graphs.models.literature import Collection, Paper

__all__ = [
    "EMBEDDING_DIMENSIONS",
    "OPEN_BY_ADDRESS",
    "Collection",
    "DocumentEmbedder",
    "DocumentVector",
    "Graph",
    "GraphQuerySet",
    "GraphShare",
    "Paper",
    "SavedView",
    "StudyGraph",
    "Version",
    "VersionQuerySet",
]
