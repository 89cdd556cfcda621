"""A dated graph and papers about it, with what came after the cut-off planted in both."""

import json
from dataclasses import dataclass
from pathlib import Path

from backend.graphs.models import Collection, Version
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows

EARLY, LATE = 10, 90
ASPIRIN, COX1, HEADACHE, STROKE = "X:aspirin", "X:cox1", "X:headache", "X:stroke"
NAMES = {ASPIRIN: "Aspirin", COX1: "COX-1", HEADACHE: "Headache", STROKE: "Stroke"}
EDGES = (
    (ASPIRIN, "inhibits", COX1, EARLY),
    (ASPIRIN, "treats", HEADACHE, EARLY),
    (ASPIRIN, "later prevents", STROKE, LATE),
    (STROKE, "undated link", COX1, None),
)
RATIONALE = (
    "Aspirin inhibits COX-1. Aspirin does not treat headache, whereas aspirin prevents stroke. "
    "COX-1 is found in many tissues."
)


@dataclass(frozen=True)
class GroundingWorld:
    version: Version
    collection: Collection

    @property
    def graph(self) -> str:
        return str(self.version.graph.slug)


def make_world(folder: Path) -> GroundingWorld:
    nodes = [NodeRow(one, "Thing", name) for one, name in NAMES.items()]
    edges = [
        EdgeRow(first, name, second, first_pmid=pmid, publications=("PMID:95",))
        for first, name, second, pmid in EDGES
    ]
    graph = make_graph("Grounds", rows=SourceRows([*nodes], [*edges]))
    papers = [
        paper("5", "COX-1 and aspirin", "2001", "Aspirin inhibits COX-1. Nothing else was known."),
        paper("6", "Tissues", "2001", "COX-1 is found in many tissues."),
        paper("95", "The planted later paper", "2020", "Aspirin prevents stroke."),
        paper("SYN:1", "A paper without a PMID", "", "Aspirin prevents stroke."),
    ]
    collection = make_collection(folder, papers, "Grounding papers")
    return GroundingWorld(Version.objects.get(graph=graph), collection)


def write_rationales(folder: Path, *rationales: str) -> Path:
    path = folder / "rationales.jsonl"
    rows = (
        {"hypothesis": f"Hypothesis {n}.", "rationale": one} for n, one in enumerate(rationales)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
