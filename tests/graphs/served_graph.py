"""A small graph that is served: its snapshot on the disk, its rows in the database."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils import timezone

from backend.accounts.models import User
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.source_records import EdgeRow, GraphSource, NodeRow, Section
from tests.graphs.snapshots.sources import SYMMETRIC_RELATION, SourceRows

HUB_LINKS = 1200
PAPER = ("PMID:23190881",)


def medicine_rows() -> SourceRows:
    """How aspirin leads to headache: at once, over a protein, over two, and over a hub.

    Each of the hub's links leads to a phenotype of its own; COX-1 and COX-2 interact
    from either side.
    """
    nodes = [
        NodeRow(
            "DRUGBANK:DB00945", "Drug", "Aspirin", ("acetylsalicylic acid",), ("MESH:D001241",)
        ),
        NodeRow("UniProtKB:P23219", "Protein", "COX-1"),
        NodeRow("UniProtKB:P35354", "Protein", "COX-2"),
        NodeRow("NCBIGene:7157", "Gene", "TP53"),
        NodeRow(
            "HP:0002315",
            "Phenotype",
            "Headache",
            document=(Section("Summary", "Pain in the head.", "own words"),),
        ),
        NodeRow("HP:0000001,a", "Phenotype", " All, with a comma "),
    ]
    edges = [
        EdgeRow("DRUGBANK:DB00945", "treats", "HP:0002315", 0.5, "a database", "approved", None),
        EdgeRow("DRUGBANK:DB00945", "inhibits", "UniProtKB:P23219", publications=PAPER),
        EdgeRow("DRUGBANK:DB00945", "inhibits", "UniProtKB:P35354"),
        EdgeRow("UniProtKB:P23219", SYMMETRIC_RELATION, "UniProtKB:P35354"),
        EdgeRow("UniProtKB:P35354", SYMMETRIC_RELATION, "UniProtKB:P23219"),
        EdgeRow("UniProtKB:P35354", "causes", "HP:0002315"),
        EdgeRow("UniProtKB:P23219", "causes", "HP:0002315"),
        EdgeRow("DRUGBANK:DB00945", "changes", "NCBIGene:7157"),
        EdgeRow("NCBIGene:7157", "causes", "HP:0002315"),
        EdgeRow("NCBIGene:7157", "changes", "NCBIGene:7157"),
    ]
    for place in range(HUB_LINKS):
        nodes.append(NodeRow(f"HP:9{place:06}", "Phenotype", f"Phenotype {place}"))
        edges.append(EdgeRow("NCBIGene:7157", "causes", f"HP:9{place:06}"))
    return SourceRows([*nodes], [*edges])


def make_graph(
    name: str = "Medicine",
    *,
    rows: GraphSource | None = None,
    owner: User | None = None,
    visibility: str = Graph.Visibility.PUBLIC,
) -> Graph:
    """A graph with one version, ready to be read."""
    built = build_snapshot(rows or medicine_rows(), Path(settings.SNAPSHOTS))
    graph = Graph.objects.create(
        name=name,
        slug=name.lower().replace(" ", "-"),
        owner=owner,
        visibility=visibility,
        licence="CC0-1.0",
        citation="Nobody, 2026",
    )
    Version.objects.create(
        graph=graph,
        snapshot=built.path.name,
        number=1,
        entities=built.entities,
        edges=built.edges,
        types=built.types,
        relations=built.relations,
        ready_at=timezone.now(),
    )
    return graph
