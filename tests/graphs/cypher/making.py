"""Copies for the engine of graphs that tests make."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from backend.graphs.cypher.building import Database, build_database
from backend.graphs.importers.catalogue import open_source
from backend.graphs.rows import EdgeRow, NodeRow
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import open_snapshot
from tests.graphs.snapshots.sources import Rows

DEMO = Path(__file__).resolve().parents[3] / "fixtures" / "graph"
TYPES = ("Drug", "Disease", "Biological process")
RELATIONS = ("treats", "interacts with")


def copy_of(rows: Rows, folder: Path) -> Database:
    built = build_snapshot(rows, folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher")


def demo_copy(folder: Path) -> Database:
    built = build_snapshot(open_source([DEMO]).source, folder / "snapshots")
    return build_database(open_snapshot(built.path), folder / "cypher")


def random_rows(seed: int, entities: int = 60, edges: int = 240) -> Rows:
    """Entities of three types, edges between any two of them, parallel ones and loops too."""
    chance = np.random.default_rng(seed)
    ids = [f"X:{n}" for n in range(entities)]
    nodes = [NodeRow(one, str(chance.choice(TYPES)), f"name {one}") for one in ids]
    ends = chance.integers(0, entities, (edges, 2)).tolist()
    made = [
        EdgeRow(ids[a], str(chance.choice(RELATIONS)), ids[b], score=float(chance.random()))
        for a, b in ends
    ]
    return Rows([*nodes], [*made])
