"""Graphs, what is searched of them, and their imports. Their edges live in snapshot files."""

from backend.graphs.models.entities import DIMENSIONS, Document, Entity, Meaning
from backend.graphs.models.graphs import Graph, GraphShare, SavedView, Version
from backend.graphs.models.imports import GraphImport, State

__all__ = [
    "DIMENSIONS",
    "Document",
    "Entity",
    "Graph",
    "GraphImport",
    "GraphShare",
    "Meaning",
    "SavedView",
    "State",
    "Version",
]
