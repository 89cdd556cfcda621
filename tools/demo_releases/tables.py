"""The demo graph as its files have it."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
GRAPH = ROOT / "fixtures" / "graph"
RELEASES = ROOT / "fixtures" / "demo" / "releases"


@dataclass(frozen=True)
class Entity:
    id: str
    name: str
    type: str


@dataclass(frozen=True)
class GraphTables:
    """edges: (source, relation, target). symmetric: relations. texts: documents by entity."""

    entities: dict[str, Entity]
    edges: frozenset[tuple[str, str, str]]
    symmetric: frozenset[str]
    texts: dict[str, str]


def read_graph() -> GraphTables:
    entities = {
        row["id"]: Entity(row["id"], row["name"], row["type"]) for row in rows("entities.csv")
    }
    edges = {(row["source"], row["relation"], row["target"]) for row in rows("edges.csv")}
    texts = {
        row["id"]: "\n".join(section["text"] for section in json.loads(row["document"]))
        for name in ("drugs.csv", "diseases.csv")
        for row in rows(f"documents/{name}")
    }
    symmetric = {row["name"] for row in rows("relations.csv") if row["symmetric"] == "yes"}
    return GraphTables(entities, frozenset(edges), frozenset(symmetric), texts)


def rows(name: str) -> Iterator[dict[str, str]]:
    with (GRAPH / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
