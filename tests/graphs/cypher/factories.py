"""Copies for the engine of graphs that tests make."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from backend.graphs.cypher.database_builder import Database, build_database
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.snapshots.sources import SourceRows

DEMO = Path(__file__).resolve().parents[3] / "fixtures" / "graph"
TYPES = ("Drug", "Disease", "Biological process")
RELATIONS = ("treats", "interacts with")


def build_engine_database(rows: SourceRows, folder: Path) -> Database:
    built = build_snapshot(rows, folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher")


def build_demo_database(folder: Path) -> Database:
    built = build_snapshot(open_source([DEMO]).source, folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher")


def random_rows(seed: int, entities: int = 60, edges: int = 240) -> SourceRows:
    """Entities of three types, edges between any two of them, parallel ones and loops too."""
    chance = np.random.default_rng(seed)
    ids = [f"X:{n}" for n in range(entities)]
    nodes = [NodeRow(one, str(chance.choice(TYPES)), f"name {one}") for one in ids]
    ends = chance.integers(0, entities, (edges, 2)).tolist()
    created = [
        EdgeRow(ids[a], str(chance.choice(RELATIONS)), ids[b], score=float(chance.random()))
        for a, b in ends
    ]
    return SourceRows([*nodes], [*created])
